/** Bytes on a bare socket, for what no HTTP client would send. */
import { once } from "node:events"
import { connect } from "node:net"

const TIMEOUT_MS = 10_000

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends the text as it is, and reads until the server closes: ask for that, unless it will anyway. */
export async function sendRaw(address: string, text: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error("the server did not close")))
  const chunks: Buffer[] = []
  socket.on("data", (chunk: Buffer) => chunks.push(chunk))
  // The server may close while we still write; what it answered before is what counts.
  socket.on("error", () => {})
  socket.write(text)
  await once(socket, "close")
  return parseAnswer(Buffer.concat(chunks).toString("utf8"))
}

function parseAnswer(text: string): RawAnswer {
  const [head = "", ...rest] = text.split("\r\n\r\n")
  const [statusLine = "", ...lines] = head.split("\r\n")
  const headers = lines.map((line) => {
    const [name = "", ...value] = line.split(":")
    return [name.toLowerCase(), value.join(":").trim()]
  })
  return {
    status: Number(statusLine.split(" ")[1]),
    headers: Object.fromEntries(headers),
    body: rest.join("\r\n\r\n"),
  }
}
