import { gzipSync } from "node:zlib"
import fc from "fast-check"
import { type Zippable, zipSync } from "fflate"
import { type Header, pack } from "tar-stream"
import { describe, expect, test } from "vitest"
import { DomainError } from "../lib/errors.ts"
import { MAX_ARCHIVE_BYTES, readArchive } from "./archive.ts"
import { MAX_ARCHIVE_ENTRIES } from "./entry-guard.ts"
import { MAX_FILE_BYTES, MAX_PLUGIN_FILES } from "./files.ts"

const text = (value: string) => new TextEncoder().encode(value)

function zip(files: Record<string, string>, level: 0 | 6 = 6): Uint8Array {
  const pairs = Object.entries(files).map(([name, value]) => [name, text(value)] as const)
  return zipSync(Object.fromEntries(pairs), { level })
}

type TarEntry = readonly [header: Partial<Header> & { name: string }, content?: string]

async function tar(entries: readonly TarEntry[]): Promise<Buffer> {
  const stream = pack()
  for (const [header, content] of entries) stream.entry(header, content ?? "")
  stream.finalize()
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

const files = (...pairs: (readonly [string, string])[]) => new Map(pairs)
const reasonOf = async (bytes: Uint8Array) => {
  const error = await readArchive(bytes).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(DomainError)
  return (error as DomainError).message
}

describe("an archive", () => {
  test("gives its files whatever its format", async () => {
    const plain = await tar([[{ name: "plugin.json" }, "{}"]])
    const expected = files(["plugin.json", "{}"])
    expect(await readArchive(zip({ "plugin.json": "{}" }))).toEqual(expected)
    expect(await readArchive(plain)).toEqual(expected)
    expect(await readArchive(gzipSync(plain))).toEqual(expected)
  })

  test("loses the one folder that holds everything", async () => {
    const packed = zip({ "repo-1a2b/plugin.json": "{}", "repo-1a2b/src/a.ts": "1" })
    expect(await readArchive(packed)).toEqual(files(["plugin.json", "{}"], ["src/a.ts", "1"]))
    const npm = await tar([[{ name: "package/index.js" }, "1"]])
    expect(await readArchive(gzipSync(npm))).toEqual(files(["index.js", "1"]))
  })

  test("keeps its folders when there is more than one at the top", async () => {
    const packed = zip({ "a/x.ts": "1", "b/x.ts": "2" })
    expect(await readArchive(packed)).toEqual(files(["a/x.ts", "1"], ["b/x.ts", "2"]))
  })

  test("made of the current folder has no ./ in its names", async () => {
    const packed = await tar([
      [{ name: "./", type: "directory" }],
      [{ name: "./plugin.json" }, "{}"],
    ])
    expect(await readArchive(packed)).toEqual(files(["plugin.json", "{}"]))
  })

  test("leaves out pictures, dependencies, hidden files and what is no text", async () => {
    const packed = zipSync({
      "index.js": text("1"),
      "logo.png": text("x"),
      "node_modules/a/index.js": text("x"),
      ".env.json": text("x"),
      "binary.js": new Uint8Array([0, 1, 2]),
      "latin.txt": new Uint8Array([0xe9]),
    })
    expect(await readArchive(packed)).toEqual(files(["index.js", "1"]))
  })

  test("without a file gives none", async () => {
    expect(await readArchive(zip({}))).toEqual(new Map())
  })
})

describe("a hostile or broken archive is refused", () => {
  const outside = ["../x.ts", "/etc/x.ts", "a/../../x.ts", "C:/x.ts", "a\\..\\x.ts"]
  test.each(outside)("with the name %s", async (name) => {
    expect(await reasonOf(zip({ [name]: "1" }))).toContain("leads out of it")
    expect(await reasonOf(await tar([[{ name }, "1"]]))).toContain("leads out of it")
  })

  test("with a symbolic or hard link", async () => {
    const attrs = (0o120777 << 16) >>> 0
    const linked = zipSync({ "a.js": [text("/etc/passwd"), { os: 3, attrs }] } satisfies Zippable)
    expect(await reasonOf(linked)).toContain('"a.js" as a link')
    const symlink = await tar([[{ name: "a.js", type: "symlink", linkname: "/etc/passwd" }]])
    expect(await reasonOf(symlink)).toContain('"a.js" as a symlink')
    const link = await tar([[{ name: "a.js", type: "link", linkname: "b.js" }]])
    expect(await reasonOf(link)).toContain('"a.js" as a link')
  })

  test("when it is encrypted", async () => {
    const packed = Buffer.from(zip({ "a.js": "1" }))
    const entry = packed.indexOf("PK\x01\x02", 0, "latin1")
    packed.writeUInt16LE(1, entry + 8)
    expect(await reasonOf(packed)).toContain("encrypted")
  })

  test("when it unpacks to far more than it is", async () => {
    const zeros = "0".repeat(5 * 1024 * 1024)
    expect(await reasonOf(zip({ "data.bin": zeros }))).toContain("unpacks to more than")
    const packed = gzipSync(await tar([[{ name: "data.bin" }, zeros]]))
    expect(await reasonOf(packed)).toContain("unpacks to more than")
  })

  test("when an entry says less than it unpacks to", async () => {
    const packed = Buffer.from(zip({ "a.js": "0".repeat(500_000) }))
    const entry = packed.indexOf("PK\x01\x02", 0, "latin1")
    packed.writeUInt32LE(10, entry + 24)
    expect(await reasonOf(packed)).toContain("cannot be read")
  })

  test("when a file is changed after packing", async () => {
    const packed = Buffer.from(zipSync({ "a.js": [text("hello"), { level: 0 }] }))
    packed.write("jello", packed.indexOf("hello"))
    expect(await reasonOf(packed)).toContain("checksum")
  })

  test("with too many entries, too many files, or a file too large", async () => {
    const named = (count: number, name: (i: number) => string) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [name(i), ""]))
    const entries = zip(
      named(MAX_ARCHIVE_ENTRIES + 1, (i) => `${i}.png`),
      0,
    )
    expect(await reasonOf(entries)).toContain("entries")
    const sources = zip(
      named(MAX_PLUGIN_FILES + 1, (i) => `${i}.js`),
      0,
    )
    expect(await reasonOf(sources)).toContain("more source than")
    const large = zip({ "a.js": "x".repeat(MAX_FILE_BYTES + 1) })
    expect(await reasonOf(large)).toContain("a.js has 1048577 bytes")
    expect(await reasonOf(new Uint8Array(MAX_ARCHIVE_BYTES + 1))).toContain("at most")
  })

  test("when it is something else", async () => {
    expect(await reasonOf(text("hello"))).toContain("no archive")
    expect(await reasonOf(gzipSync("hello"))).toContain("tar file cannot be read")
    expect(await reasonOf(new Uint8Array())).toContain("no archive")
  })

  test("wherever it is cut off or damaged, in one of our sentences", async () => {
    const packed = zip({ "a/plugin.json": "{}", "a/index.js": "export const a = 1".repeat(50) })
    const tgz = gzipSync(await tar([[{ name: "a/index.js" }, "export const a = 1".repeat(50)]]))
    const damage = fc.record({
      archive: fc.constantFrom(packed, tgz),
      length: fc.nat(),
      at: fc.nat(),
      byte: fc.nat(255),
    })
    await fc.assert(
      fc.asyncProperty(damage, async ({ archive, length, at, byte }) => {
        const cut = archive.slice(0, (length % archive.length) + 1)
        const changed = archive.slice()
        changed[at % archive.length] = byte
        for (const bytes of [cut, changed]) {
          await readArchive(bytes).catch((error) => expect(error).toBeInstanceOf(DomainError))
        }
      }),
      { numRuns: 150 },
    )
  })
})

test("what is packed is what is read, for any names and texts", async () => {
  const part = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
    .filter((name) => !/[\\/:\p{Cc}]|^\.|^(?:node_modules|bower_components|__macosx)$/iu.test(name))
  const name = fc
    .array(part, { minLength: 1, maxLength: 3 })
    .map((parts) => `${parts.join("/")}.ts`)
  const content = fc.string({ unit: "grapheme" }).filter((value) => !/^\ufeff|\0/.test(value))
  const plugin = fc
    .dictionary(name, content, { maxKeys: 6, noNullPrototype: true })
    .map((some) => ({ ...some, "plugin.json": "{}" }))
  await fc.assert(
    fc.asyncProperty(plugin, async (sources) => {
      const expected = new Map(Object.entries(sources))
      const inFolder = Object.entries(sources).map(([key, value]) => [`top/${key}`, value] as const)
      const entries = inFolder.map(([key, value]): TarEntry => [{ name: key }, value])
      expect(await readArchive(zip(Object.fromEntries(inFolder)))).toEqual(expected)
      expect(await readArchive(gzipSync(await tar(entries)))).toEqual(expected)
    }),
    { numRuns: 60 },
  )
})
