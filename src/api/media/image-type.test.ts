import { describe, expect, test } from "vitest"
import { findImageType } from "./image-type.ts"

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"))

describe("a picture", () => {
  test.each([
    ["image/png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"],
    ["image/jpeg", "\xff\xd8\xff\xe0\0\x10JFIF"],
    ["image/gif", "GIF87a\x01\0"],
    ["image/gif", "GIF89a\x01\0"],
    ["image/webp", "RIFF\x24\0\n\0WEBPVP8 "],
  ])("of type %s is known by its first bytes", (type, text) => {
    expect(findImageType(bytesOf(text))).toBe(type)
  })

  test.each([
    ["nothing", ""],
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ["a page", "<!doctype html><script>alert(1)</script>"],
    ["a sound", "RIFF\x24\0\0\0WAVEfmt "],
    ["a cut start", "\x89PNG"],
    ["a start in the middle", " GIF89a"],
    ["a bitmap", "BM\x36\0\0\0"],
  ])("is never %s", (_, text) => {
    expect(findImageType(bytesOf(text))).toBe(undefined)
  })
})
