import { createHash } from "node:crypto"
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import path from "node:path"
import { gzipSync } from "node:zlib"
import { pack } from "tar-stream"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { findNpmVersion, readNpmPackage } from "./npm.ts"

const files = new Map([
  ["index.js", "exports.onEvent = () => {}"],
  ["package.json", JSON.stringify({ name: "hello-plugin", version: "1.2.3" })],
  ["plugin.json", "{}"],
])

async function tarball(): Promise<Buffer> {
  const stream = pack()
  for (const [name, text] of files) stream.entry({ name: `package/${name}` }, text)
  stream.finalize()
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part as Buffer)
  return gzipSync(Buffer.concat(parts))
}

/** A registry with one package, on loopback, and the options that make npm use it. */
async function openRegistry(folder: string) {
  const packed = await tarball()
  const integrity = `sha512-${createHash("sha512").update(packed).digest("base64")}`
  const server = createServer((request, response) => {
    const dist = { tarball: `http://${request.headers.host}/hello-plugin.tgz`, integrity }
    const version = { name: "hello-plugin", version: "1.2.3", dist }
    const tags = { "dist-tags": { latest: "1.2.3" } }
    const document = { name: "hello-plugin", ...tags, versions: { "1.2.3": version } }
    const isPackage = request.url === "/hello-plugin"
    if (request.url === "/hello-plugin.tgz") response.end(packed)
    else response.writeHead(isPackage ? 200 : 404).end(JSON.stringify(isPackage ? document : {}))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const cache = await mkdtemp(path.join(folder, "cache-"))
  return {
    options: [`--registry=http://127.0.0.1:${port}`, `--cache=${cache}`],
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}

let folder: string
let registry: Awaited<ReturnType<typeof openRegistry>>
let options: string[]

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hedgerow-npm-test-"))
  registry = await openRegistry(folder)
  options = registry.options
})

afterAll(async () => {
  await registry.close()
  await rm(folder, { recursive: true, force: true })
})

describe("an npm package", { timeout: 60_000 }, () => {
  test.concurrent("is fetched, and again from the cache when the registry is gone", async () => {
    const gone = await openRegistry(folder)
    const expected = { files, version: "1.2.3" }
    expect(await readNpmPackage("hello-plugin", gone.options)).toEqual(expected)
    await gone.close()
    expect(await readNpmPackage("hello-plugin", gone.options)).toEqual(expected)
    const other = readNpmPackage("other-plugin", gone.options)
    await expect(other).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringContaining("could not be reached: ECONNREFUSED"),
    })
  })

  test.concurrent("says its newest version", async () => {
    expect(await findNpmVersion("hello-plugin", options)).toBe("1.2.3")
  })

  test.concurrent("that does not exist, or not in this version, is refused", async () => {
    const gone = readNpmPackage("gone-plugin", options)
    const past = readNpmPackage("hello-plugin@9.9.9", options)
    const [noPackage, noVersion] = await Promise.allSettled([gone, past])
    expect(noPackage).toMatchObject({
      reason: { message: expect.stringContaining("no npm package") },
    })
    expect(noVersion).toMatchObject({
      reason: { message: expect.stringContaining("no such version") },
    })
  })

  test.concurrent("is packed from a folder without running its scripts", async () => {
    const source = path.join(folder, "source")
    await mkdir(source)
    const scripts = { prepack: "node -e \"require('fs').writeFileSync('ran.js', '')\"" }
    const manifest = JSON.stringify({ name: "local-plugin", version: "0.1.0", scripts })
    await writeFile(path.join(source, "package.json"), manifest)
    await writeFile(path.join(source, "plugin.json"), "{}")
    const packed = await readNpmPackage(source, options)
    expect(packed.version).toBe("0.1.0")
    expect([...packed.files.keys()].toSorted()).toEqual(["package.json", "plugin.json"])
    expect(await readdir(source)).toEqual(["package.json", "plugin.json"])
  })
})
