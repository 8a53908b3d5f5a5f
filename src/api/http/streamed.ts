/** Replies that are sent while they are made, such as CSV. The endpoint names their `streamTypes`. */
import { Readable } from "node:stream"
import type { FastifyReply } from "fastify"

export class StreamedReply {
  readonly #contentType: string
  readonly #chunks: AsyncIterable<string>

  constructor(contentType: string, chunks: AsyncIterable<string>) {
    this.#contentType = contentType
    this.#chunks = chunks
  }

  /** The first chunk is made before the status goes out, so that an early failure is still an error answer. */
  async send(reply: FastifyReply): Promise<FastifyReply> {
    const iterator = this.#chunks[Symbol.asyncIterator]()
    const first = await iterator.next()
    const rest = { [Symbol.asyncIterator]: () => iterator }
    return reply.type(this.#contentType).send(Readable.from(joined(first, rest)))
  }
}

async function* joined(first: IteratorResult<string>, rest: AsyncIterable<string>) {
  if (first.done === true) return
  yield first.value
  yield* rest
}
