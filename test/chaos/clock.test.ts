import { expect, test } from "vitest"
import { newUuid } from "../../src/lib/ids.ts"
import { useTestApp } from "../support/app.ts"

const app = useTestApp()

const HOUR_MS = 60 * 60 * 1_000

test("a clock that goes backwards loses, doubles and reorders nothing", async () => {
  const { owner, project } = await app.addOrganization()
  const [first, second, third] = [newUuid(), newUuid(), newUuid()]
  const set = (uuid: string, plan: string) => ({
    ...{ uuid, event: "$set", distinct_id: "ana", properties: { $set: { plan } } },
  })
  await app.capture(project, [set(first, "free")])
  app.clock.advanceMs(-3 * HOUR_MS)
  await app.capture(project, [set(second, "pro")])
  // The first once more, as a client would that did not hear the answer.
  await app.capture(project, [set(first, "free"), set(third, "team")])
  // Later than now are hidden, so look from where all are in the past.
  app.clock.advanceMs(6 * HOUR_MS)
  const url = `/api/projects/${project.id}`
  const { body } = await app.get(`${url}/events?distinct_id=ana`, owner.key)
  const ids = body.results.map(({ id }: { id: string }) => id)
  expect(ids.toSorted()).toEqual([first, second, third].toSorted())
  const persons = await app.get(`${url}/persons?distinct_id=ana`, owner.key)
  expect(persons.body.results).toHaveLength(1)
  // The order of arrival counts, not the clock.
  expect(persons.body.results[0].properties.plan).toBe("team")
})

test("what was acknowledged before the clock went back is read after it", async () => {
  const { owner, project } = await app.addOrganization()
  const before = newUuid()
  await app.capture(project, [{ uuid: before, event: "seen", distinct_id: "bo" }])
  app.clock.advanceMs(-HOUR_MS)
  const { status, body } = await app.get(`/api/projects/${project.id}/events/${before}`, owner.key)
  expect([status, body.id]).toEqual([200, before])
})
