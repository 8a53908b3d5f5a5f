import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { belongsTo, defaultCapabilities, mergeInferred, pluginGroups } from "./groups.ts"

const groupsOf = (capabilities: Record<string, unknown>) =>
  pluginGroups.filter((group) => belongsTo(group, capabilities))

describe("a plugin is in the group", () => {
  const cases: [capabilities: Record<string, unknown>, groups: string[]][] = [
    [{ methods: ["onEvent"] }, ["pipeline_destinations"]],
    [{ methods: ["composeWebhook"], scheduled_tasks: [] }, ["pipeline_destinations"]],
    [{}, ["pipeline_frontend_apps"]],
    [{ jobs: ["a"] }, ["pipeline_frontend_apps"]],
    [{ scheduled_tasks: ["runEveryDay"] }, ["pipeline_import_apps"]],
    [{ methods: ["setupPlugin"] }, ["pipeline_import_apps"]],
    [{ methods: [] }, ["pipeline_import_apps"]],
    [
      { methods: ["onEvent"], scheduled_tasks: ["runEveryDay"] },
      ["pipeline_destinations", "pipeline_import_apps"],
    ],
    [{ methods: ["processEvent"] }, []],
    [{ methods: ["processEvent"], scheduled_tasks: [] }, []],
    [{ scheduled_tasks: [] }, []],
    [{ scheduled_tasks: "runEveryDay" }, []],
  ]
  test.each(cases)("by its capabilities: %j", (capabilities, groups) => {
    expect(groupsOf(capabilities)).toEqual(groups)
  })
})

describe.each(pluginGroups)("%s", (group) => {
  test("shows a plugin created through it at once", () => {
    expect(belongsTo(group, defaultCapabilities(group))).toBe(true)
  })

  test("goes on showing a plugin edited through it, whatever its source exports", () => {
    const list = (...names: string[]) => fc.uniqueArray(fc.constantFrom(...names))
    const inferred = fc.record({
      methods: list("onEvent", "composeWebhook", "processEvent", "setupPlugin"),
      jobs: list("a", "b"),
      scheduled_tasks: list("runEveryMinute", "runEveryHour"),
    })
    fc.assert(
      fc.property(inferred, (capabilities) => {
        const merged = mergeInferred(group, capabilities)
        expect(belongsTo(group, merged)).toBe(true)
        if (group !== "pipeline_frontend_apps")
          expect(merged).toMatchObject({ jobs: capabilities.jobs })
      }),
    )
  })
})

test("what the source exports is taken as it is when it fits the group", () => {
  const inferred = { methods: ["composeWebhook", "setupPlugin"], jobs: ["a"], scheduled_tasks: [] }
  expect(mergeInferred("pipeline_destinations", inferred)).toEqual(inferred)
})
