/** A real name server on loopback. What it answers is in `records`, which a test may change at any time. */
import dns2 from "dns2"

const { Packet } = dns2

const RCODES = { servfail: 2, nxdomain: 3, refused: 5 } as const

/** TXT records (each a list of strings), a failure, or no answer at all. */
type DnsAnswer = readonly (readonly string[])[] | keyof typeof RCODES | "silence"

export interface DnsTestServer extends AsyncDisposable {
  /** For `HEDGEROW_DNS_SERVERS`: "127.0.0.1:port". */
  readonly address: string
  /** Lower-case name → answer; a name that is not here does not exist. */
  readonly records: Map<string, DnsAnswer>
  /** Names asked for, in order, lower case. */
  readonly queries: string[]
  /** One record with one string. */
  setTxt(name: string, text: string): void
}

export async function openDnsServer(): Promise<DnsTestServer> {
  const records = new Map<string, DnsAnswer>()
  const queries: string[] = []
  const server = dns2.createServer({
    udp: true,
    handle(request, send) {
      const name = (request.questions[0]?.name ?? "").toLowerCase()
      queries.push(name)
      const answer = records.get(name) ?? "nxdomain"
      if (answer !== "silence") send(respond(request, answer))
    },
  })
  const { udp } = await server.listen({ udp: { port: 0, address: "127.0.0.1" } })
  return {
    address: `127.0.0.1:${udp.port}`,
    records,
    queries,
    setTxt(name, text) {
      records.set(name.toLowerCase(), [[text]])
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
}

function respond(request: InstanceType<typeof Packet>, answer: Exclude<DnsAnswer, "silence">) {
  const response = Packet.createResponseFromRequest(request)
  const [question] = request.questions
  if (typeof answer === "string") {
    response.header.rcode = RCODES[answer]
  } else if (question?.type === Packet.TYPE.TXT) {
    const { TYPE, CLASS } = Packet
    const head = { name: question.name, type: TYPE.TXT, class: CLASS.IN, ttl: 0 }
    response.answers.push(...answer.map((data) => ({ ...head, data })))
  }
  return response
}
