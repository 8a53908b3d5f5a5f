/**
 * Proof that somebody controls a domain: the text of the challenge, published as a TXT record. Whatever goes
 * wrong on the way to the record means "not proven", so the answer is a plain yes or no and always in time.
 */
import { Resolver } from "node:dns/promises"
import { parseDnsServer } from "./dns-server.ts"
import { isHostName } from "./host-name.ts"

const CHALLENGE_LABEL = "_hedgerow-challenge"

const DEFAULT_TIMEOUT_MS = 5_000
const MIN_TRY_MS = 50
/** The resolver waits twice as long in its second round: three shares of time per server. */
const ROUND_COUNT = 2
const SHARES_PER_SERVER = 3

/** The TXT records of a name, each as the strings it consists of. */
export interface TxtResolver {
  listTxt(name: string): Promise<readonly (readonly string[])[]>
}

export interface TxtResolverSettings {
  /** The servers of the system when absent. */
  readonly servers?: readonly string[] | undefined
  /** For one name, all servers and retries together. */
  readonly timeoutMs?: number | undefined
}

export function createTxtResolver(settings: TxtResolverSettings): TxtResolver {
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = settings
  const servers = settings.servers?.map(parseDnsServer) ?? []

  return {
    async listTxt(name) {
      // A resolver per lookup: cancelling one cancels all of its queries.
      const resolver = openResolver(servers, timeoutMs)
      const timer = setTimeout(() => resolver.cancel(), timeoutMs)
      try {
        return await resolver.resolveTxt(name)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

function openResolver(servers: readonly string[], timeoutMs: number): Resolver {
  const serverCount = servers.length || new Resolver().getServers().length || 1
  const timeout = Math.max(MIN_TRY_MS, Math.floor(timeoutMs / serverCount / SHARES_PER_SERVER))
  const resolver = new Resolver({ timeout, tries: ROUND_COUNT })
  if (servers.length > 0) resolver.setServers(servers)
  return resolver
}

/** Does a TXT record of `_hedgerow-challenge.<domain>` hold exactly the challenge? Never throws. */
export async function hasChallenge(
  resolver: TxtResolver,
  domain: string,
  challenge: string,
): Promise<boolean> {
  if (!isHostName(domain) || challenge === "") return false
  try {
    const records = await resolver.listTxt(`${CHALLENGE_LABEL}.${domain}`)
    return records.some((strings) => strings.join("") === challenge)
  } catch {
    return false
  }
}
