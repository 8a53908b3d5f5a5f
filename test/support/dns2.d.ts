/** The part of dns2 that the test name server uses; the package brings no types. */
declare module "dns2" {
  import type { AddressInfo } from "node:net"

  interface Question {
    readonly name: string
    readonly type: number
  }

  interface Answer {
    readonly name: string
    readonly type: number
    readonly class: number
    readonly ttl: number
    readonly data: readonly string[]
  }

  class Packet {
    static readonly TYPE: { readonly TXT: number }
    static readonly CLASS: { readonly IN: number }
    static createResponseFromRequest(request: Packet): Packet
    readonly header: { rcode: number }
    readonly questions: readonly Question[]
    readonly answers: Answer[]
  }

  interface Server {
    listen(options: { udp: { port: number; address: string } }): Promise<{ udp: AddressInfo }>
    close(): Promise<void>
  }

  interface ServerOptions {
    readonly udp: boolean
    handle(request: Packet, send: (response: Packet) => void): void
  }

  const dns2: { createServer(options: ServerOptions): Server; readonly Packet: typeof Packet }
  export default dns2
}
