import fc from "fast-check"
import { expect, test } from "vitest"
import { crc32c } from "./crc32c.ts"

test.each([
  ["nothing", Buffer.alloc(0), 0],
  ["the digits", Buffer.from("123456789"), 0xe3069283],
  ["32 zeros", Buffer.alloc(32), 0x8a9136aa],
  ["32 times 0xff", Buffer.alloc(32, 0xff), 0x62a8ab43],
  ["0 to 31", Buffer.from(Array.from({ length: 32 }, (_, index) => index)), 0x46dd794e],
])("the checksum of %s is the one of the standard", (_what, bytes, crc) => {
  expect(crc32c(bytes)).toBe(crc)
})

test("the checksum goes on from that of the bytes in front, wherever they are cut", () => {
  const cut = fc.tuple(fc.uint8Array({ maxLength: 100 }), fc.nat(100))
  fc.assert(
    fc.property(cut, ([bytes, at]) => {
      const first = crc32c(bytes.subarray(0, at))
      expect(crc32c(bytes.subarray(at), first)).toBe(crc32c(bytes))
    }),
  )
})

test("one flipped bit changes the checksum", () => {
  const flip = fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 100 }), fc.nat(), fc.nat(7))
  fc.assert(
    fc.property(flip, ([bytes, place, bit]) => {
      const flipped = Uint8Array.from(bytes)
      const at = place % bytes.length
      flipped[at] = (flipped[at] as number) ^ (1 << bit)
      expect(crc32c(flipped)).not.toBe(crc32c(bytes))
    }),
  )
})
