import fc from "fast-check"
import { expect, test } from "vitest"
import { slugOf, slugVariant } from "./slug.ts"

test.each([
  ["Garden Shop", "garden-shop"],
  ["  #1 Garden -- Shop!  ", "1-garden-shop"],
  ["Zoë's Café", "zoes-cafe"],
  ["snake_case", "snake_case"],
  ["ﬁne ① shop", "fine-1-shop"],
  ["北京", "organization"],
  ["🌿", "organization"],
  ["---", "organization"],
  ["x".repeat(64), "x".repeat(48)],
])("%j has the slug %s", (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

test("a slug fits into an address, whatever the name", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 64 }), (name) => {
      expect(slugOf(name)).toMatch(/^[a-z0-9_-]{1,48}$/)
    }),
  )
})

test("a taken slug leaves room for a dash and four letters", () => {
  expect(slugVariant("garden")).toMatch(/^garden-[a-z]{4}$/)
  expect(slugVariant("x".repeat(48))).toMatch(/^x{43}-[a-z]{4}$/)
})
