/** The current server SDK, as its users run it, against capture. */
import { PostHog } from "posthog-node"
import { afterEach, expect, test, vi } from "vitest"
import { openTestCapture, TOKEN } from "./test-capture.ts"

afterEach(() => {
  vi.unstubAllEnvs()
})

test.each([true, false])(
  "posthog-node sends all kinds of events (compressed: %s)",
  async (isPacked) => {
    await using capture = await openTestCapture()
    const complaints = vi.spyOn(console, "error")
    const warnings = vi.spyOn(console, "warn")
    const client = new PostHog(TOKEN, { host: capture.url, disableCompression: !isPacked })
    client.on("error", (error) => complaints(error))
    client.identify({ distinctId: "ana", properties: { plan: "free" } })
    client.capture({ distinctId: "ana", event: "signed up", properties: { n: 1 } })
    client.alias({ distinctId: "ana", alias: "ana-2" })
    client.groupIdentify({ groupType: "company", groupKey: "acme" })
    expect(await client.getAllFlags("ana")).toEqual({})
    await client.shutdown()
    const requests = await capture.captured()
    const names = requests.flatMap(({ events }) => events.map(({ event }) => event))
    expect(names.toSorted()).toEqual(["$create_alias", "$groupidentify", "$identify", "signed up"])
    expect(requests[0]?.head).toMatchObject({ project_id: 1, shape: "batch" })
    expect(requests[0]?.head.sent_at).toEqual(expect.stringContaining("T"))
    expect(capture.counts.refusedRequestCounts).toMatchObject({
      invalid_api_key: 0,
      invalid_event: 0,
    })
    expect([complaints.mock.calls, warnings.mock.calls]).toEqual([[], []])
  },
)

test("posthog-node sends by the v1 protocol too, and nothing of an event is lost", async () => {
  vi.stubEnv("POSTHOG_CAPTURE_MODE", "v1")
  await using capture = await openTestCapture()
  const client = new PostHog(TOKEN, { host: capture.url })
  const errors: unknown[] = []
  client.on("error", (error) => errors.push(error))
  const properties = { n: 1, $session_id: "s-1", $process_person_profile: false }
  client.capture({ distinctId: "ana", event: "signed up", properties })
  await client.shutdown()
  const [request] = await capture.captured()
  expect(request?.head.v1).toEqual({ lib: expect.stringMatching(/^posthog-node\/\d/) })
  expect(request?.events[0]).toMatchObject({ event: "signed up", distinct_id: "ana" })
  expect(request?.events[0]?.properties).toMatchObject({ ...properties, $lib: "posthog-node" })
  expect(errors).toEqual([])
})
