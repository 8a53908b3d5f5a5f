/**
 * HTTP/1.1 over one socket, one request at a time, doing as little as possible: beside the server it is to measure
 * on the same two cores, every microsecond of the client is the server's loss.
 */
import { once } from "node:events"
import net from "node:net"

export class KeepAliveClient {
  readonly #socket: net.Socket
  readonly #head: string
  #received = ""
  #settle: ((status: number) => void) | undefined
  #fail: ((error: Error) => void) | undefined

  private constructor(socket: net.Socket, head: string) {
    this.#socket = socket
    this.#head = head
    socket.setNoDelay(true)
    socket.setEncoding("latin1")
    socket.on("data", (text: string) => this.#take(text))
    socket.on("error", (error) => this.#fail?.(error))
    socket.on("close", () => this.#fail?.(new Error("the server closed the connection")))
  }

  static async open(address: string, path: string): Promise<KeepAliveClient> {
    const { hostname, port, host } = new URL(address)
    const socket = net.connect(Number(port), hostname)
    await once(socket, "connect")
    const head =
      `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
      "Content-Length: "
    return new KeepAliveClient(socket, head)
  }

  /** Answers the status, when the whole response is here. */
  post(body: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#settle = resolve
      this.#fail = reject
      this.#socket.cork()
      this.#socket.write(`${this.#head}${body.length}\r\n\r\n`, "latin1")
      this.#socket.write(body)
      this.#socket.uncork()
    })
  }

  close(): void {
    this.#fail = undefined
    this.#socket.destroy()
  }

  #take(text: string): void {
    this.#received += text
    const headEnd = this.#received.indexOf("\r\n\r\n")
    if (headEnd === -1) return
    const head = this.#received.slice(0, headEnd)
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    if (this.#received.length < headEnd + 4 + length) return
    this.#received = ""
    this.#settle?.(Number(head.slice(9, 12)))
  }
}
