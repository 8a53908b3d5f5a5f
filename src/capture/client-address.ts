/** Who sent a request, and when by their own clock: what its address, headers and query say. */
import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"
import { findField } from "./form.ts"

const FORWARDED_MAX = 20

/**
 * The nearest address that is not one of our own proxies: the list of forwarders is believed from its end, as far
 * as each one's word is trusted.
 */
export function clientAddress(
  request: IncomingMessage,
  isTrusted: (address: string) => boolean,
): string | null {
  const peer = unmapped(request.socket.remoteAddress ?? "")
  const forwarded = request.headers["x-forwarded-for"]
  if (forwarded === undefined || !isTrusted(peer)) return peer === "" ? null : peer
  const hops = `${forwarded}`.split(",").slice(-FORWARDED_MAX).reverse()
  let address = peer
  for (const hop of hops) {
    const next = withoutPort(hop.trim())
    if (isIP(next) === 0) break
    address = next
    if (!isTrusted(next)) break
  }
  return address === "" ? null : address
}

const WITH_PORT = /^\[(.+)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/
const MAPPED = "::ffff:"

function withoutPort(text: string): string {
  const [, ipv6, ipv4] = WITH_PORT.exec(text) ?? []
  return unmapped(ipv6 ?? ipv4 ?? text)
}

/** IPv4 in its own form, also when it came through an IPv6 socket. */
function unmapped(address: string): string {
  return address.startsWith(MAPPED) && address.includes(".")
    ? address.slice(MAPPED.length)
    : address
}

const MIN_SENT_AT_MS = Date.UTC(2021, 0, 1)
const MAX_SENT_AT_MS = Date.UTC(10_000, 0, 1)
/** Seconds do not reach this before the year 5138, and milliseconds are past it since 1973. */
const SECONDS_MAX = 100_000_000_000

/** The query's `_`: milliseconds, or seconds of old clients; a clock that stands before 2021 tells nothing. */
export function sentAtOfQuery(query: string): number | null {
  const text = query === "" ? undefined : findField(query, "_")
  const value = text !== undefined && /^\d{1,16}(\.\d+)?$/.test(text) ? Number(text) : 0
  const ms = Math.round(value < SECONDS_MAX ? value * 1_000 : value)
  return ms >= MIN_SENT_AT_MS && ms < MAX_SENT_AT_MS ? ms : null
}
