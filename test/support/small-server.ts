/** The HTTP frame around endpoints of a test's own, beside the app whose services it shares. */
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll } from "vitest"
import type { Endpoint } from "../../src/api/http/endpoint.ts"
import { createMetrics } from "../../src/api/http/metrics.ts"
import { createServer } from "../../src/api/http/server.ts"
import type { Services } from "../../src/api/http/services.ts"
import { openLogger } from "../../src/lib/logger.ts"
import type { TestApp } from "./app.ts"
import { type Answer, type CallOptions, call } from "./client.ts"

export interface SmallServer {
  readonly address: string
  call(method: string, url: string, options?: CallOptions): Promise<Answer>
  close(): Promise<void>
}

export interface SmallServerParts {
  readonly services: Services
  readonly endpoints: readonly Endpoint[]
  readonly isReady?: () => Promise<boolean>
}

export async function openSmallServer(parts: SmallServerParts): Promise<SmallServer> {
  const server = await createServer({
    isReady: async () => true,
    ...parts,
    logger: openLogger({ form: "json", level: "silent" }),
    version: "test",
    metrics: createMetrics(),
  })
  await server.listen({ host: "127.0.0.1", port: 0 })
  const address = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  return {
    address,
    call: (method, url, options = {}) => call(address, { method, url, ...options }),
    close: () => server.close(),
  }
}

/** One for all tests of a file. */
export function useSmallServer(app: TestApp, endpoints: readonly Endpoint[]) {
  let opened: SmallServer | undefined
  beforeAll(async () => {
    opened = await openSmallServer({ services: app.app.services, endpoints })
  })
  afterAll(() => opened?.close())
  return (method: string, url: string, options?: CallOptions): Promise<Answer> => {
    if (opened === undefined) throw new Error("the server opens before the first test")
    return opened.call(method, url, options)
  }
}
