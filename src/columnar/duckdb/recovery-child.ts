/** A process for tests to kill: appends batch after batch, compacting, squashing and promoting in between. */
import { append, eventOf, openEngine, personOf, uuidOf } from "./testing.ts"

export const EVENTS_PER_BATCH = 200
const KEYS = 5

export function batchEvents(position: number) {
  return Array.from({ length: EVENTS_PER_BATCH }, (_, index) =>
    eventOf(position * 1_000 + index, {
      person_id: uuidOf(901 + (position % 2)),
      properties: Object.fromEntries(
        Array.from({ length: KEYS }, (_, key) => [`key ${key}`, `value ${position}`]),
      ),
    }),
  )
}

async function run(folder: string): Promise<void> {
  await using engine = await openEngine(folder)
  for (const prepared of await engine.listPrepared("log")) await engine.append(prepared)
  for (let position = ((await engine.findPosition("log")) ?? 0) + 1; ; position++) {
    const overrides = [{ project_id: 1, old_person_id: uuidOf(901), person_id: uuidOf(902) }]
    const persons = [personOf(901, { version: position })]
    await append(engine, position, { events: batchEvents(position), persons, overrides })
    process.stdout.write(`${position}\n`)
    if (position % 4 === 0) await engine.squashOverrides()
    if (position % 5 === 0) await engine.compact()
    if (position % 7 === 0) await engine.promoteProperties()
  }
}

const folder = process.argv[2]
if (folder !== undefined && process.argv[1]?.endsWith("recovery-child.ts")) await run(folder)
