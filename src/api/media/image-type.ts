/**
 * What a picture is, told by its first bytes: names and claimed types say nothing. SVG is left out on
 * purpose, it can hold scripts.
 */
export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const
export type ImageType = (typeof IMAGE_TYPES)[number]

const PNG = "\x89PNG\r\n\x1a\n"
const JPEG = "\xff\xd8\xff"
const GIF = /^GIF8[79]a/
const WEBP = /^RIFF[\s\S]{4}WEBP/
const LONGEST_START_BYTES = 12

export function findImageType(bytes: Uint8Array): ImageType | undefined {
  const start = Buffer.from(bytes.subarray(0, LONGEST_START_BYTES)).toString("latin1")
  if (start.startsWith(PNG)) return "image/png"
  if (start.startsWith(JPEG)) return "image/jpeg"
  if (GIF.test(start)) return "image/gif"
  return WEBP.test(start) ? "image/webp" : undefined
}
