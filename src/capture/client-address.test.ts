import type { IncomingMessage } from "node:http"
import { describe, expect, test } from "vitest"
import { clientAddress, sentAtOfQuery } from "./client-address.ts"

function addressOf(peer: string | undefined, forwarded?: string): string | null {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded }
  const request = { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage
  return clientAddress(request, (address) => address.startsWith("10.") || address === "::1")
}

describe("the client's address", () => {
  test.each([
    ["203.0.113.9", undefined, "203.0.113.9"],
    ["::ffff:203.0.113.9", undefined, "203.0.113.9"],
    ["2001:db8::1", undefined, "2001:db8::1"],
    [undefined, undefined, null],
    ["203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["10.0.0.1", "1.1.1.1, 198.51.100.1, 10.0.0.2", "198.51.100.1"],
    ["10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["10.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
    ["10.0.0.1", "[2001:db8::1]:4711", "2001:db8::1"],
    ["10.0.0.1", "unknown", "10.0.0.1"],
    ["10.0.0.1", "evil, 10.0.0.2", "10.0.0.2"],
  ])("from peer %s with forwarders %s is %s", (peer, forwarded, address) => {
    expect(addressOf(peer, forwarded)).toBe(address)
  })
})

describe("the query's _", () => {
  test.each([
    ["_=1700000000123", 1_700_000_000_123],
    ["ip=1&_=1700000000", 1_700_000_000_000],
    ["_=1700000000.5", 1_700_000_000_500],
    ["_=1500000000000", null],
    ["_=1", null],
    ["_=99999999999999999", null],
    ["_=soon", null],
    ["", null],
  ])("of %j is %s", (query, sentAt) => {
    expect(sentAtOfQuery(query)).toBe(sentAt)
  })
})
