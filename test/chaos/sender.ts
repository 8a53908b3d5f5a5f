/** One client's connection: kept, and opened anew after it broke. */
import http from "node:http"
import { systemCode } from "../../src/lib/system-error.ts"
import type { SentEvent } from "./journal.ts"

const ANSWER_MAX_MS = 30_000

/** A status, or what became of it without one. */
export type Outcome = string

export class Sender implements Disposable {
  readonly #port: number
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 })

  constructor(port: number) {
    this.#port = port
  }

  send(token: string, events: readonly SentEvent[]): Promise<Outcome> {
    const [first] = events
    const isSingle = events.length === 1
    const value = isSingle ? { api_key: token, ...first } : { api_key: token, batch: events }
    const body = JSON.stringify(value)
    return new Promise((resolve) => {
      const request = http.request(
        {
          ...{ host: "127.0.0.1", port: this.#port, path: isSingle ? "/e" : "/batch" },
          ...{ method: "POST", agent: this.#agent, timeout: ANSWER_MAX_MS },
          headers: { "content-type": "application/json" },
        },
        (response) => {
          response.resume()
          // The status is the promise; whether the rest of the answer comes does not matter.
          resolve(String(response.statusCode))
        },
      )
      request.on("timeout", () => request.destroy(new Error("no answer")))
      request.on("error", (error) => {
        resolve(systemCode(error) === "ECONNREFUSED" ? "not sent" : "broken")
      })
      request.end(body)
    })
  }

  [Symbol.dispose](): void {
    this.#agent.destroy()
  }
}
