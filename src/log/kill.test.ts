import { spawn } from "node:child_process"
import { once } from "node:events"
import path from "node:path"
import { createInterface } from "node:readline"
import { expect, test } from "vitest"
import { openLog } from "./log.ts"
import { makeFolder, readAll, rememberingLogger } from "./test-log.ts"

const ROUNDS = 3
const ACKS_PER_ROUND = 300

/** Appends from twenty clients without end, and writes a line for each ack. */
const PROGRAM = `
  import pino from "pino"
  import { openLog } from ${JSON.stringify(path.join(import.meta.dirname, "log.ts"))}
  const [folder, round] = process.argv.slice(1)
  const log = await openLog({ folder, logger: pino({ level: "silent" }), segmentBytes: 20_000 })
  let count = 0
  for (let client = 0; client < 20; client++) void (async () => {
    for (;;) {
      const text = round + ":" + count++ + ":" + "x".repeat(count % 700)
      const position = await log.append([Buffer.from(text)])
      process.stdout.write(position + " " + text + "\\n")
    }
  })()`

/** Runs a writer, kills it after some acks, and gives those it told. */
async function killedWriter(folder: string, round: number): Promise<Map<number, string>> {
  const words = ["--import", "tsx", "--input-type=module", "-e", PROGRAM, folder, String(round)]
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] })
  const ended = once(child, "exit")
  const acked = new Map<number, string>()
  for await (const line of createInterface({ input: child.stdout })) {
    const [position = "", text = ""] = line.split(" ")
    // The last line may be cut by the kill itself.
    if (/^\d+:\d+:x*$/.test(text)) acked.set(Number(position), text)
    if (acked.size === ACKS_PER_ROUND + round * 37) child.kill("SIGKILL")
  }
  await ended
  return acked
}

test("a process that is killed while it appends loses nothing acked", async () => {
  await using place = await makeFolder()
  const { logger } = rememberingLogger()
  const acked = new Map<number, string>()
  for (let round = 0; round < ROUNDS; round++) {
    for (const [position, text] of await killedWriter(place.folder, round)) {
      acked.set(position, text)
    }
    await using log = await openLog({ folder: place.folder, logger })
    const found = await readAll(log, 0, 100_000)
    const texts = new Map(found.map(({ position, payload }) => [position, payload.toString()]))
    expect(acked.size).toBeGreaterThanOrEqual(ACKS_PER_ROUND * (round + 1))
    for (const [position, text] of acked) {
      const isCutLine = texts.get(position)?.startsWith(text)
      expect(isCutLine, `record at ${position}`).toBe(true)
    }
    expect(log.stats().corruptBytes).toBe(0)
  }
})
