import { expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { belongsTo, pluginGroups } from "../../plugins/groups.ts"

const app = useTestApp()

const capabilities: readonly Record<string, unknown>[] = [
  {},
  { jobs: ["again"] },
  { methods: [] },
  { methods: ["onEvent"] },
  { methods: ["composeWebhook", "setupPlugin"] },
  { methods: ["processEvent"] },
  { methods: ["processEvent", "onEvent"] },
  { methods: ["setupPlugin"] },
  { methods: "onEvent" },
  { methods: null },
  { methods: { onEvent: true } },
  { methods: 5 },
  { scheduled_tasks: [] },
  { scheduled_tasks: null },
  { scheduled_tasks: "runEveryDay" },
  { scheduled_tasks: ["runEveryDay"] },
  { methods: [], scheduled_tasks: ["runEveryDay"] },
  { methods: ["processEvent"], scheduled_tasks: ["runEveryDay"] },
  { methods: ["onEvent"], scheduled_tasks: ["runEveryDay"] },
]

test("the lists of the groups hold what belongs to them, whatever the capabilities look like", async () => {
  const { url, owner } = await app.addOrganization()
  const ids = new Map<number, Record<string, unknown>>()
  for (const each of capabilities) {
    const draft = { plugin_type: "source" }
    const { body } = await app.post(`${url}/pipeline_destinations`, owner.key, draft)
    await app.db`
      update plugin set capabilities = ${app.db.json(each as never)}
      where id = ${body.id as number}`
    ids.set(body.id, each)
  }
  for (const group of pluginGroups) {
    const { body } = await app.get(`${url}/${group}`, owner.key)
    const shown = body.results.map((plugin: { capabilities: unknown }) => plugin.capabilities)
    expect(shown).toEqual([...ids.values()].filter((each) => belongsTo(group, each)))
  }
})
