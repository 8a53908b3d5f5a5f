import { expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { openLogger } from "../../lib/logger.ts"
import { squashOverrides } from "./squash-overrides.ts"
import type { TaskTools } from "./tools.ts"

const app = useTestApp()

test("events whose deletion waits stay with their person until it is done", async () => {
  const { database, columnar } = app.app.services
  const logger = openLogger({ form: "json", level: "silent" })
  const tools = { database, columnar, logger } as unknown as TaskTools
  const { project } = await app.addOrganization()
  const names = ["a", "b", "c"]
  await app.capture(
    project,
    names.map((name) => ({ event: "$set", distinct_id: name, properties: { $set: { name } } })),
  )
  const find = async (name: string) => {
    const [row] = await app.db<{ uuid: string }[]>`
      select p.uuid from person p where project_id = ${project.id} and properties->>'name' = ${name}`
    return row?.uuid ?? ""
  }
  const [a, b, c] = await Promise.all(names.map(find))
  const until = "2026-03-03 00:00:00"
  const request = { project_id: project.id, person_id: a ?? "", until }
  await app.db`
    insert into data_deletion (id, kind, project_id, key, created_at)
    values (${a ?? ""}, 'person', ${project.id}, ${a ?? ""}, ${until}::timestamp)`
  await columnar.append(
    await columnar.prepare({
      ...{ events: [], persons: [], snapshots: [], groups: [], merged: [] },
      overrides: [a, b].map((old_person_id = "") => ({
        project_id: project.id,
        old_person_id,
        person_id: c ?? "",
      })),
      mark: { log_id: "test", position: 1 },
    }),
  )
  await squashOverrides.run(tools, {})
  expect(await columnar.deleteEvents([{ ...request, person_id: b ?? "" }])).toBe(0)
  expect(await columnar.deleteEvents([request])).toBe(1)
})
