import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createSecretBox } from "./secret-box.ts"

const box = createSecretBox("the secret of this instance", "tests")

describe("a secret box", () => {
  test("gives back what was sealed, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(box.open(box.seal(text))).toBe(text)
      }),
    )
  })

  test("shows nothing of the text, and never the same form twice", () => {
    const sealed = box.seal("hunter2")
    expect(sealed).toMatch(/^v1\.[\w-]+$/)
    expect(Buffer.from(sealed.slice(3), "base64url").toString("latin1")).not.toContain("hunter2")
    expect(box.seal("hunter2")).not.toBe(sealed)
  })

  test("opens nothing that another secret or another purpose sealed", () => {
    const sealed = box.seal("hunter2")
    expect(createSecretBox("another secret", "tests").open(sealed)).toBeUndefined()
    expect(createSecretBox("the secret of this instance", "mail").open(sealed)).toBeUndefined()
  })

  test("opens nothing that was changed in any place", () => {
    const sealed = box.seal("hunter2")
    const bytes = Buffer.from(sealed.slice(3), "base64url")
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes)
      changed[i] = (changed[i] ?? 0) ^ 1
      expect(box.open(`v1.${changed.toString("base64url")}`)).toBeUndefined()
    }
  })

  test.each(["", "v1.", "v1.AAAA", "v2.AAAA", "hunter2"])("opens nothing of %j", (text) => {
    expect(box.open(text)).toBeUndefined()
  })
})
