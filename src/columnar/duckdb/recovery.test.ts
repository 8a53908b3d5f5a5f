import { spawn } from "node:child_process"
import { once } from "node:events"
import path from "node:path"
import { createInterface } from "node:readline"
import { expect, test } from "vitest"
import { packageRoot } from "../../lib/package-root.ts"
import { batchEvents, EVENTS_PER_BATCH } from "./recovery-child.ts"
import { openEngine, openFolder, readOwners, readProperties, readTable, uuidOf } from "./testing.ts"

const KILLS = 4
const CHILD = path.join(packageRoot, "src/columnar/duckdb/recovery-child.ts")

/** Kills the child some moments after so many more batches; answers the last one it said was stored. */
async function runAndKill(folder: string, batches: number, delayMs: number): Promise<number> {
  const child = spawn(process.execPath, ["--import", "tsx", CHILD, folder], {
    cwd: packageRoot,
    stdio: ["ignore", "pipe", "inherit"],
  })
  const exit = once(child, "exit")
  let acked = 0
  let left = batches
  for await (const line of createInterface({ input: child.stdout })) {
    acked = Number(line)
    left -= 1
    if (left === 0) setTimeout(() => child.kill("SIGKILL"), delayMs)
  }
  await exit
  return acked
}

test("a process killed at any moment loses and doubles nothing", { timeout: 120_000 }, async () => {
  await using place = await openFolder()
  const { folder } = place
  for (let kill = 0; kill < KILLS; kill++) {
    const acked = await runAndKill(folder, 4 + kill, kill * 23)
    await using engine = await openEngine(folder)
    for (const prepared of await engine.listPrepared("log")) await engine.append(prepared)
    const position = (await engine.findPosition("log")) ?? 0
    expect(position).toBeGreaterThanOrEqual(acked)
    const stored = await readProperties(engine)
    expect(stored.size).toBe(position * EVENTS_PER_BATCH)
    expect(stored.get(uuidOf(position * 1_000))).toEqual(batchEvents(position)[0]?.properties)
    expect(new Set(Object.values(await readOwners(engine)))).toEqual(new Set([uuidOf(902)]))
    expect(await readTable(engine, "persons", ["version"])).toEqual([{ version: position }])
  }
})
