/** Replies that are bytes instead of JSON, such as pictures. The endpoint names their `replyTypes`. */
import type { FastifyReply } from "fastify"
import { z } from "zod"

export interface BinaryReply {
  readonly contentType: string
  readonly bytes: Uint8Array
  /** The bytes behind one address never change, so that others may keep them this long. */
  readonly cacheSeconds: number
}

/** The reply schema of such an endpoint. */
export const BinaryBody = z.custom<BinaryReply>().meta({ type: "string", format: "binary" })

/** Uploaded by somebody: shown as what it is, wherever it is embedded, and never run. */
export function sendBinary(reply: FastifyReply, answer: BinaryReply) {
  return reply
    .headers({
      "content-type": answer.contentType,
      "cache-control": `public, max-age=${answer.cacheSeconds}, immutable`,
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    })
    .send(Buffer.from(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.byteLength))
}
