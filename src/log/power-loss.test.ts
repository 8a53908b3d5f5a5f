/** Random lives of a log on a disk that fails and loses power at random. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { type Log, type LogRecord, openLog } from "./log.ts"
import { type Operation, SimulatedDisk, systemError } from "./simulated-disk.ts"
import { makeFolder, readAll, rememberingLogger } from "./test-log.ts"

const { logger } = rememberingLogger()
const SHORT_WRITE_BYTES = 40
const FALLIBLE: ReadonlySet<Operation> = new Set([
  "write",
  "syncData",
  "sync",
  "syncFolder",
  "truncate",
  "create",
  "remove",
])

/** A "short" write takes a few bytes only; other operations know no such thing. */
type Weather = "fair" | "short" | "error"

type Act =
  | { readonly kind: "append"; readonly sizes: readonly number[] }
  | { readonly kind: "release" | "reopen" | "lose power" }
  | { readonly kind: "weather"; readonly faults: readonly Weather[] }

const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: appends() },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("release" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reopen" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("lose power" as const) }) },
  { weight: 3, arbitrary: weather() },
)

function appends() {
  const sizes = fc.array(fc.nat(120), { minLength: 1, maxLength: 4 })
  return fc.record({ kind: fc.constant("append" as const), sizes })
}

function weather() {
  const kind = fc.constantFrom<Weather>("fair", "short", "error")
  const faults = fc.array(kind, { maxLength: 8 })
  return fc.record({ kind: fc.constant("weather" as const), faults })
}

class Life {
  readonly acked = new Map<number, string>()
  readonly tried = new Set<string>()
  releasedTo = 0
  /** How far a store may have read: nothing new may be put before it. */
  readTo = 0
  disk = new SimulatedDisk()
  log: Log | undefined
  readonly #folder: string
  readonly #draw: () => number
  #count = 0
  #faultCount = 0
  #isOpenedWell = true

  constructor(folder: string, draw: () => number) {
    this.#folder = folder
    this.#draw = draw
  }

  async open(): Promise<Log> {
    if (this.log !== undefined) return this.log
    const options = { folder: this.#folder, logger, segmentBytes: 250 }
    this.#faultCount = 0
    this.log = await openLog({ ...options, files: this.disk })
    this.#isOpenedWell = this.#faultCount === 0
    return this.log
  }

  async readAll(): Promise<LogRecord[]> {
    const log = await this.open()
    const found = await readAll(log, this.releasedTo, 300)
    if (this.#isOpenedWell) this.readTo = log.end()
    return found
  }

  async close(): Promise<void> {
    await this.log?.close()
    this.log = undefined
  }

  async act(act: Act): Promise<void> {
    const log = await this.open()
    if (act.kind === "append") await Promise.all(act.sizes.map((size) => this.#append(log, size)))
    if (act.kind === "release") await this.#release(log)
    if (act.kind === "reopen") await this.close()
    if (act.kind === "lose power") {
      const next = this.disk.crash(this.#draw)
      await this.close()
      this.disk = next
    }
    if (act.kind === "weather") this.#setWeather(act.faults)
  }

  async #append(log: Log, size: number): Promise<void> {
    this.#count += 1
    const text = `${this.#count}:${"x".repeat(size)}`
    this.tried.add(text)
    try {
      const position = await log.append([Buffer.from(text)])
      expect(position).toBeGreaterThanOrEqual(this.readTo)
      this.acked.set(position, text)
    } catch (error) {
      expect(error).toMatchObject({ name: "LogFullError" })
    }
  }

  async #release(log: Log): Promise<void> {
    const positions = [...this.acked.keys()]
    this.releasedTo = positions[Math.floor(positions.length / 2)] ?? 0
    await log.release(this.releasedTo)
  }

  /** The next fallible operations fail or not, as listed; then the disk is well again. */
  #setWeather(faults: readonly Weather[]): void {
    const rest = [...faults]
    this.disk.fault = (operation) => {
      const weather = FALLIBLE.has(operation) ? rest.shift() : undefined
      if (weather === "short" && operation === "write") return SHORT_WRITE_BYTES
      if (weather !== "error") return undefined
      this.#faultCount += 1
      return systemError("EIO")
    }
  }
}

test("whatever fails and whenever the power goes, what was acked is read, in order, unchanged", async () => {
  const draws = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))
  const acts = fc.array(anyAct, { minLength: 5, maxLength: 30 })
  const rule = fc.asyncProperty(acts, draws, async (all, stream) => {
    await using place = await makeFolder()
    const life = new Life(place.folder, () => stream.next().value as number)
    try {
      for (const act of all) {
        await life.act(act)
        const found = await life.readAll()
        const texts = new Map(found.map(({ position, payload }) => [position, `${payload}`]))
        for (const [position, text] of life.acked) {
          if (position >= life.releasedTo) expect(texts.get(position)).toBe(text)
        }
        for (const text of texts.values()) expect(life.tried.has(text)).toBe(true)
        expect(found.map(({ position }) => position)).toEqual(
          [...texts.keys()].toSorted((a, b) => a - b),
        )
      }
    } finally {
      await life.close()
    }
  })
  await fc.assert(rule, { numRuns: 30 })
})
