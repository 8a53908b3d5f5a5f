/** Reads request bodies within bounds, one's own and all of them together; counts and forgets those nobody wants. */
import type { IncomingMessage } from "node:http"
import { refusal } from "./refusal.ts"

/** All bodies that are being read or kept at one time. */
const HELD_MAX_BYTES = 256 * 1024 * 1024

const EMPTY = Buffer.alloc(0)

/** The client went away: there is nobody to answer. */
export class AbortedError extends Error {}

/** How many bytes of bodies are in memory. */
export class HeldBytes {
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  take(bytes: number): void {
    if (this.#bytes + bytes > HELD_MAX_BYTES) {
      throw refusal("unavailable", "Too many large requests at once; please try again.")
    }
    this.#bytes += bytes
  }

  give(bytes: number): void {
    this.#bytes -= bytes
  }
}

/** What is read stays in `held` until the caller gives it back, by the body's length; nothing does if it fails. */
export function readBody(
  request: IncomingMessage,
  limitBytes: number,
  held: HeldBytes,
): Promise<Buffer> | Buffer {
  checkDeclaredLength(request, limitBytes)
  if (isWithoutBody(request)) return EMPTY
  const chunks: Buffer[] = []
  let sizeBytes = 0
  const whole = receive(request, (chunk) => {
    if (sizeBytes + chunk.length > limitBytes) throw tooLarge(limitBytes)
    held.take(chunk.length)
    sizeBytes += chunk.length
    chunks.push(chunk)
  })
  return whole.then(
    () => (chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks, sizeBytes)),
    (error: unknown) => {
      held.give(sizeBytes)
      throw error
    },
  )
}

/** Lets the body pass by, for routes that keep nothing of it. */
export async function skipBody(request: IncomingMessage, limitBytes: number): Promise<void> {
  checkDeclaredLength(request, limitBytes)
  let sizeBytes = 0
  await receive(request, (chunk) => {
    sizeBytes += chunk.length
    if (sizeBytes > limitBytes) throw tooLarge(limitBytes)
  })
}

function checkDeclaredLength(request: IncomingMessage, limitBytes: number): void {
  if (Number(request.headers["content-length"] ?? 0) > limitBytes) throw tooLarge(limitBytes)
}

/** A request says by one of two headers that something follows. */
function isWithoutBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"]
  return headers["transfer-encoding"] === undefined && (length === undefined || length === "0")
}

/** Resolves at the end; after a fault of `onChunk` it listens no more, and the rest waits in the socket. */
function receive(request: IncomingMessage, onChunk: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer) => {
      try {
        onChunk(chunk)
      } catch (error) {
        request.off("data", take).pause()
        reject(error)
      }
    }
    const leave = () => {
      if (!request.complete) reject(new AbortedError("the client went away"))
    }
    request.on("data", take).on("end", resolve).on("close", leave).on("error", leave)
  })
}

function tooLarge(limitBytes: number) {
  const megabytes = limitBytes / 1024 / 1024
  return refusal("request_too_large", `The body is larger than ${megabytes} MB.`)
}
