import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { type PluginGroup, pluginGroups } from "../../plugins/groups.ts"

const app = useTestApp()

const [destinations, frontendApps, importApps] = pluginGroups

/** Capabilities, and the groups whose work they are. */
const fitting: readonly [capabilities: Record<string, unknown>, groups: readonly PluginGroup[]][] =
  [
    [{ note: "mine" }, [frontendApps]],
    [{ jobs: ["again"] }, [frontendApps]],
    [{ methods: [] }, [importApps]],
    [{ methods: ["onEvent"] }, [destinations]],
    [{ methods: ["composeWebhook", "setupPlugin"], scheduled_tasks: [] }, [destinations]],
    [{ methods: ["processEvent"] }, []],
    [{ methods: ["processEvent"], scheduled_tasks: [] }, []],
    [{ methods: ["processEvent", "onEvent"] }, [destinations]],
    [{ methods: ["setupPlugin"] }, [importApps]],
    [{ scheduled_tasks: [] }, []],
    [{ scheduled_tasks: ["runEveryDay"] }, [importApps]],
    [{ methods: [], scheduled_tasks: ["runEveryDay"] }, [importApps]],
    [{ methods: ["processEvent"], scheduled_tasks: ["runEveryDay"] }, [importApps]],
    [{ methods: ["onEvent"], scheduled_tasks: ["runEveryDay"] }, [destinations, importApps]],
  ]

describe.each(pluginGroups)("a plugin created through %s", (created) => {
  test("is there and in every group whose work it can do, with capabilities as they were sent", async () => {
    const { url, owner } = await app.addOrganization()
    const shownIn = new Map<PluginGroup, number[]>(pluginGroups.map((group) => [group, []]))
    for (const [capabilities, groups] of fitting) {
      const draft = { plugin_type: "source", capabilities }
      const { status, body } = await app.post(`${url}/${created}`, owner.key, draft)
      expect({ status, capabilities: body.capabilities }).toEqual({ status: 201, capabilities })
      for (const group of new Set([created, ...groups])) shownIn.get(group)?.push(body.id)
    }
    for (const [group, ids] of shownIn) {
      const { body } = await app.get(`${url}/${group}`, owner.key)
      expect(body.results.map(({ id }: { id: number }) => id)).toEqual(ids)
    }
  })
})

test("a plugin that fits no group can be changed and removed where it was created", async () => {
  const { url, owner } = await app.addOrganization()
  const draft = { plugin_type: "source", capabilities: { methods: ["processEvent"] } }
  const { body } = await app.post(`${url}/${destinations}`, owner.key, draft)
  const at = `${url}/${destinations}/${body.id}`
  expect((await app.patch(at, owner.key, { name: "Mine" })).body).toEqual({ ...body, name: "Mine" })
  expect((await app.delete(at, owner.key)).status).toBe(204)
})

test.each([{}, { capabilities: null }, { capabilities: {} }])(
  "a plugin created with %j has the capabilities of its group",
  async (capabilities) => {
    const { url, owner } = await app.addOrganization()
    const draft = { plugin_type: "source", ...capabilities }
    const { status, body } = await app.post(`${url}/${destinations}`, owner.key, draft)
    expect(status).toBe(201)
    expect(body.capabilities).toEqual({ methods: ["onEvent"], jobs: [], scheduled_tasks: [] })
  },
)
