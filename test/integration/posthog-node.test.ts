/** The current server SDK sends; what became of it is read back over the API. */
import { PostHog } from "posthog-node"
import { expect, test } from "vitest"
import { useTestApp } from "../support/app.ts"

const app = useTestApp()

test("what posthog-node sends is there: events, person, alias, group", async () => {
  const { owner, project } = await app.addOrganization()
  const [row] = await app.db<{ api_token: string }[]>`
    select api_token from project where id = ${project.id}`
  const client = new PostHog(row?.api_token ?? "", { host: app.app.address })
  const failures: unknown[] = []
  client.on("error", (error) => failures.push(error))
  client.capture({ distinctId: "anonymous-1", event: "visited", properties: { page: "/" } })
  client.identify({ distinctId: "ana", properties: { email: "ana@example.com", plan: "free" } })
  client.alias({ distinctId: "ana", alias: "anonymous-1" })
  client.groupIdentify({ groupType: "company", groupKey: "acme", properties: { seats: 7 } })
  client.capture({ distinctId: "ana", event: "paid", groups: { company: "acme" } })
  await client.shutdown()
  expect(failures).toEqual([])
  await app.app.ingest?.settle()

  const persons = await app.get(
    `/api/projects/${project.id}/persons?email=ana@example.com`,
    owner.key,
  )
  expect(persons.body.results).toMatchObject([
    { is_identified: true, properties: { email: "ana@example.com", plan: "free" } },
  ])
  expect(persons.body.results[0].distinct_ids.toSorted()).toEqual(["ana", "anonymous-1"])
  const events = await app.get(
    `/api/projects/${project.id}/events?person_id=${persons.body.results[0].id}&expand=properties`,
    owner.key,
  )
  const byName = new Map(
    events.body.results.map((event: { event: string }) => [event.event, event]),
  )
  expect([...byName.keys()].toSorted()).toEqual(["$create_alias", "$identify", "paid", "visited"])
  expect(byName.get("paid")).toMatchObject({
    properties: { $group_0: "acme", $lib: "posthog-node" },
  })
})
