/** Name servers as the operator writes them: "1.1.1.1", "127.0.0.1:5353", "2606:4700::1111", "[::1]:5353". */
import { isIP, isIPv4, isIPv6 } from "node:net"
import { StartError } from "../lib/errors.ts"

const MAX_PORT = 65_535

/**
 * Returns the text as node's resolver wants it. The port is checked here because the resolver does not: it
 * wraps a large one around and aborts the process on port 0.
 */
export function parseDnsServer(text: string): string {
  const [, bracketed, plain, port] = /^(?:\[(.*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(text) ?? []
  const isAddress = bracketed === undefined ? isIPv4(plain ?? "") : isIPv6(bracketed)
  const isPort = port === undefined || (Number(port) >= 1 && Number(port) <= MAX_PORT)
  if (isIP(text) !== 0 || (isAddress && isPort)) return text
  throw new StartError(
    `setting HEDGEROW_DNS_SERVERS has "${text}"; use addresses such as 1.1.1.1, 127.0.0.1:5353 or [::1]:5353`,
  )
}
