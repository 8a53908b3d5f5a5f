import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { encodeBatch, withoutFirst } from "./batch.ts"
import { HEADER_BYTES, MARK, payloadCrc } from "./record.ts"
import { type Gap, scanPiece } from "./scan.ts"

/** The bytes of records, the first at `start`. */
function encode(payloads: readonly Uint8Array[], start: number): Buffer {
  const appends = payloads.map((payload) => ({
    parts: [payload],
    payloadBytes: payload.length,
    payloadCrc: payloadCrc([payload]),
    resolve: () => {},
    reject: () => {},
  }))
  return Buffer.concat(encodeBatch(appends, start).parts)
}

/** Scans as a reader does: in chunks, each as large as the last one asked for at least. */
function scanInChunks(bytes: Buffer, start: number, chunkBytes: number) {
  const extentEnd = start + bytes.length
  const payloads: Buffer[] = []
  const gaps: Gap[] = []
  let at = start
  let wantedBytes = HEADER_BYTES
  let open: Gap | undefined
  while (at < extentEnd) {
    const chunk = bytes.subarray(at - start, at - start + Math.max(chunkBytes, wantedBytes))
    const scan = scanPiece({ chunk, position: at, extentEnd, open })
    payloads.push(...scan.records.map(({ payload }) => payload))
    gaps.push(...scan.gaps)
    expect(scan.next > at || scan.wantedBytes > chunk.length).toBe(true)
    at = scan.next
    wantedBytes = scan.wantedBytes
    open = scan.open
  }
  return { payloads, gaps, open }
}

/** Also bytes that look like a record's beginning. */
const anyPayload = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.uint8Array({ maxLength: 20 }).map((rest) => Buffer.concat([MARK, rest, MARK])),
  fc.nat(3000).map((position) => encode([Buffer.from("inner")], position)),
)
const anyPayloads = fc.array(anyPayload, { minLength: 1, maxLength: 8 })
const anyStart = fc.oneof(fc.nat(1000), fc.constant(2 ** 40 + 7), fc.constant(2 ** 52))
const anyChunkBytes = fc.integer({ min: 1, max: 200 })

function asBuffers(payloads: readonly Uint8Array[]): Buffer[] {
  return payloads.map((payload) => Buffer.from(payload))
}

describe("a scan", () => {
  test("finds the records as they were written, in chunks of any size", () => {
    fc.assert(
      fc.property(anyPayloads, anyStart, anyChunkBytes, (payloads, start, chunkBytes) => {
        const found = scanInChunks(encode(payloads, start), start, chunkBytes)
        expect(found).toEqual({ payloads: asBuffers(payloads), gaps: [], open: undefined })
      }),
    )
  })

  test("finds the whole records before a cut, and a gap after them", () => {
    fc.assert(
      fc.property(anyPayloads, fc.nat(), anyChunkBytes, (payloads, place, chunkBytes) => {
        const bytes = encode(payloads, 9)
        const cut = place % (bytes.length + 1)
        const wholeCount = payloads.filter(
          (_, index) => encode(payloads.slice(0, index + 1), 9).length <= cut,
        ).length
        const wholeBytes = encode(payloads.slice(0, wholeCount), 9).length
        const found = scanInChunks(bytes.subarray(0, cut), 9, chunkBytes)
        expect(found.payloads).toEqual(asBuffers(payloads.slice(0, wholeCount)))
        expect(found.open?.bytes ?? 0).toBe(cut - wholeBytes)
      }),
    )
  })

  test("finds every other record when bytes of one are damaged, and tells which bytes are lost", () => {
    const damage = fc.record({
      victim: fc.nat(),
      places: fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
      byte: fc.integer({ min: 1, max: 255 }),
    })
    fc.assert(
      fc.property(
        anyPayloads,
        damage,
        anyChunkBytes,
        (payloads, { victim, places, byte }, size) => {
          const index = victim % payloads.length
          const from = encode(payloads.slice(0, index), 0).length
          const to = encode(payloads.slice(0, index + 1), 0).length
          const bytes = encode([...payloads, Buffer.from("last")], 0)
          for (const place of new Set(places.map((each) => from + (each % (to - from))))) {
            bytes[place] = (bytes[place] as number) ^ byte
          }
          const { payloads: found, gaps } = scanInChunks(bytes, 0, size)
          const expected = [...payloads.toSpliced(index, 1), Buffer.from("last")]
          expect(found).toEqual(asBuffers(expected))
          expect(gaps).toEqual([{ position: from, bytes: to - from, records: 1 }])
        },
      ),
    )
  })

  test("takes no record that was written for another position", () => {
    const bytes = encode([Buffer.from("moved")], 100)
    expect(scanInChunks(bytes, 200, 64)).toMatchObject({ payloads: [], open: { position: 200 } })
  })

  test("takes no record that reaches beyond the extent", () => {
    const chunk = encode([Buffer.from("first"), Buffer.from("second")], 0)
    const scan = scanPiece({ chunk, position: 0, extentEnd: chunk.length - 1 })
    expect(scan.records.map(({ payload }) => payload.toString())).toEqual(["first"])
  })
})

test("what is left after a short write is the rest of the bytes", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 9 })), fc.nat(60), (parts, count) => {
      const rest = Buffer.concat(withoutFirst(parts, count))
      expect(rest).toEqual(Buffer.concat(parts).subarray(count))
    }),
  )
})
