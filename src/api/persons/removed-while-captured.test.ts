import { expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { clickHouseUrl } from "../../../test/support/columnar-engine.ts"
import { aggregate, table } from "../../query/build.ts"

const app = useTestApp()
/** The ClickHouse of the tests answers one query at a time. */
const ROUNDS = clickHouseUrl === undefined ? 4 : 1

test("persons removed while their events come in leave no copies behind", {
  timeout: 120_000,
}, async () => {
  const { owner, project } = await app.addOrganization()
  const ids = Array.from({ length: 300 }, (_, index) => `person-${index}`)
  const capture = async (round: number) => {
    for (let turn = 0; turn < 6; turn++) {
      const properties = { $set: { turn, round } }
      const events = ids.map((distinct_id) => ({ event: "visited", distinct_id, properties }))
      await app.capture(project, events)
    }
  }
  const remove = async (isDone: () => boolean) => {
    while (!isDone()) {
      for (const part of [ids.slice(0, 100), ids.slice(100, 200), ids.slice(200)]) {
        const url = `/api/projects/${project.id}/persons/bulk_delete`
        await app.post(url, owner.key, { distinct_ids: part })
      }
    }
  }
  for (let round = 0; round < ROUNDS; round++) {
    let isDone = false
    const capturing = capture(round).finally(() => {
      isDone = true
    })
    await Promise.all([capturing, remove(() => isDone)])
    const [stored] = await app.db<{ count: number }[]>`
      select count(*) as count from person where project_id = ${project.id}`
    const [copied] = await app.app.services.columnar.rows(
      {
        columns: [{ as: "count", expr: aggregate("count") }],
        from: table("persons", "p", project.id),
      },
      { timeoutMs: 10_000 },
    )
    expect(copied).toEqual({ count: stored?.count })
  }
})
