/** Packed bytes to plain ones, with a bound on what comes out that is kept while it comes out. */
import { promisify } from "node:util"
import zlib from "node:zlib"
import { Gate } from "../lib/gate.ts"
import { isErrno } from "../lib/system-error.ts"
import { unpackLz64 } from "./lz64.ts"
import { refusal } from "./refusal.ts"

const UNPACKED_MAX_BYTES = 20 * 1024 * 1024

/** Only the oldest SDKs send lz64, in single small requests; it is unpacked on the main thread. */
const LZ64_MAX_BYTES = 2 * 1024 * 1024

/**
 * Below these it is done at once: a trip through the thread pool costs more (measured for one event: 40 µs at
 * once, 200 µs by the pool). What turns out larger is begun again in the pool, so that no ack waits for it.
 */
const AT_ONCE_MAX_BYTES = 32 * 1024
const AT_ONCE_UNPACKED_MAX_BYTES = 512 * 1024

/** Each may hold up to the bound in memory. */
const large = new Gate({ what: "large compressed requests", maxRunning: 2, maxWaiting: 500 })

export type Packing = "gzip" | "deflate" | "raw_deflate" | "br"

interface Unpacker {
  readonly now: (bytes: Buffer, options: { maxOutputLength: number }) => Buffer
  readonly later: (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>
}

const UNPACKERS: Readonly<Record<Packing, Unpacker>> = {
  gzip: { now: zlib.gunzipSync, later: promisify(zlib.gunzip) },
  deflate: { now: zlib.inflateSync, later: promisify(zlib.inflate) },
  raw_deflate: { now: zlib.inflateRawSync, later: promisify(zlib.inflateRaw) },
  br: { now: zlib.brotliDecompressSync, later: promisify(zlib.brotliDecompress) },
}

export async function unpack(packing: Packing, bytes: Buffer): Promise<Buffer> {
  const unpacker = UNPACKERS[packing]
  try {
    return unpackAtOnce(unpacker, bytes) ?? (await unpackLater(unpacker, bytes))
  } catch (error) {
    if (isErrno(error, "ERR_BUFFER_TOO_LARGE")) throw tooLargeUnpacked()
    if (isOfCodec(error)) {
      throw refusal("invalid_payload", `The body is not whole ${packing.replace("_", " ")} data.`)
    }
    throw error
  }
}

function unpackAtOnce(unpacker: Unpacker, bytes: Buffer): Buffer | undefined {
  if (bytes.length > AT_ONCE_MAX_BYTES) return undefined
  try {
    return unpacker.now(bytes, { maxOutputLength: AT_ONCE_UNPACKED_MAX_BYTES })
  } catch (error) {
    if (isErrno(error, "ERR_BUFFER_TOO_LARGE")) return undefined
    throw error
  }
}

function unpackLater(unpacker: Unpacker, bytes: Buffer): Promise<Buffer> {
  return large.run(() => unpacker.later(bytes, { maxOutputLength: UNPACKED_MAX_BYTES }))
}

/** zlib numbers its errors with `errno`; the caller's data is the only cause we know of. */
function isOfCodec(error: unknown): boolean {
  return error instanceof Error && "errno" in error
}

export function unpackLz64Bytes(bytes: Buffer): Buffer {
  if (bytes.length > LZ64_MAX_BYTES) throw tooLargeUnpacked()
  const text = unpackLz64(bytes.toString("latin1"), UNPACKED_MAX_BYTES)
  if (text === undefined) throw refusal("invalid_payload", "The body is not whole lz64 data.")
  const unpacked = text === "too_large" ? undefined : Buffer.from(text)
  if (unpacked === undefined || unpacked.length > UNPACKED_MAX_BYTES) throw tooLargeUnpacked()
  return unpacked
}

function tooLargeUnpacked() {
  const megabytes = UNPACKED_MAX_BYTES / 1024 / 1024
  return refusal("request_too_large", `The body unpacks to more than ${megabytes} MB.`)
}
