/** The current server SDK, as its users run it, against capture. */
import { PostHog } from "posthog-node"
import { expect, test, vi } from "vitest"
import { openTestCapture, TOKEN } from "./test-capture.ts"

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
