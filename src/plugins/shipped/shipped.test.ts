import { describe, expect, test } from "vitest"
import { itemsOf } from "./json-feed-import/index.ts"
import { composeWebhook } from "./webhook/index.ts"

describe("the webhook plugin", () => {
  const event = { event: "signed up", distinct_id: "ana", properties: { plan: "free" } }

  test("composes a request with the event as JSON", () => {
    const webhook = composeWebhook(event, { config: { url: "https://example.com/in", token: "t" } })
    expect(webhook).toEqual({
      url: "https://example.com/in",
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer t" },
      body: JSON.stringify(event),
    })
  })

  test("composes none without an address or for an event that is not wanted", () => {
    expect(composeWebhook(event, { config: {} })).toBeNull()
    const config = { url: "https://example.com/in", events: "left, signed up" }
    expect(composeWebhook(event, { config })).not.toBeNull()
    expect(composeWebhook({ ...event, event: "other" }, { config })).toBeNull()
  })
})

test("the feed plugin finds the items in a list or under items", () => {
  expect(itemsOf([{ id: 1 }, null, "x"])).toEqual([{ id: 1 }])
  expect(itemsOf({ items: [{ id: 1 }] })).toEqual([{ id: 1 }])
  expect(itemsOf("x")).toEqual([])
})
