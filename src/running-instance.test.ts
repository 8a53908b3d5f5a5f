import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { findRunningAddress, rememberAddress } from "./running-instance.ts"

let folder: string
let server: Server
let port: number

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hedgerow-address-"))
  server = createServer((request, response) => {
    response.statusCode = request.url === "/_livez" ? 200 : 404
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  port = (server.address() as AddressInfo).port
})

afterEach(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

describe("the address of a running instance", () => {
  test("is found while it is remembered, and not afterwards", async () => {
    expect(await findRunningAddress(folder)).toBeUndefined()
    const remembered = await rememberAddress(folder, `http://127.0.0.1:${port}`)
    expect(await findRunningAddress(folder)).toBe(`http://127.0.0.1:${port}`)
    await remembered[Symbol.asyncDispose]()
    expect(await findRunningAddress(folder)).toBeUndefined()
  })

  test("of one that listens everywhere is the machine's own", async () => {
    await rememberAddress(folder, `http://0.0.0.0:${port}`)
    expect(await findRunningAddress(folder)).toBe(`http://127.0.0.1:${port}`)
  })

  test("left by a process that is gone leads to nobody, whoever listens there now", async () => {
    await rememberAddress(folder, `http://127.0.0.1:${port}`)
    const file = path.join(folder, "address")
    const text = await readFile(file, "utf8")
    await writeFile(file, text.replace(/\n(\d+)\n.*\n$/, "\n$1\nan earlier process\n"))
    expect(await findRunningAddress(folder)).toBeUndefined()
  })

  test("that does not answer is none", async () => {
    await rememberAddress(folder, `http://127.0.0.1:${port}`)
    await new Promise((resolve) => server.close(resolve))
    expect(await findRunningAddress(folder)).toBeUndefined()
  })
})
