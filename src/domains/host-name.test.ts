import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isHostName } from "./host-name.ts"

const longest = `${"a".repeat(124)}.com`

describe("a host name", () => {
  test.each([
    "example.com",
    "a.io",
    "mail.my-firm.co.uk",
    "1and1.com",
    "7.example",
    "a-b-c.museum",
    longest,
  ])("may be %s", (text) => {
    expect(isHostName(text)).toBe(true)
  })

  test.each([
    ["", "nothing"],
    ["localhost", "without a dot"],
    ["Example.com", "in upper case"],
    ["example.COM", "in upper case"],
    ["ana@example.com", "a mail address"],
    ["https://example.com", "a link"],
    ["example.com/", "with a path"],
    ["example.com:80", "with a port"],
    ["💙.com", "with other characters"],
    ["bücher.example", "with other letters"],
    ["xn--bcher-kva.example", "with a double hyphen"],
    ["-a.com", "with a leading hyphen"],
    ["a-.com", "with a trailing hyphen"],
    ["a_b.com", "with an underscore"],
    ["example.c", "with a top level of one letter"],
    ["127.0.0.1", "an address"],
    ["example.c0m", "with a digit in the top level"],
    [".example.com", "with a leading dot"],
    ["example..com", "with an empty label"],
    ["example.com.", "with a trailing dot"],
    ["example.com\n", "with a line break"],
    [" example.com", "with a space"],
    ["<script>.com", "with markup"],
    [`a${longest}`, "over 128 characters"],
  ])("is never %j (%s)", (text) => {
    expect(isHostName(text)).toBe(false)
  })

  test("of any shape is judged at once and holds only host characters", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "0", "-", ".", "A", "_", "é") }),
        (text) => {
          if (isHostName(text)) expect(text).toMatch(/^[a-z0-9.-]+$/)
        },
      ),
    )
    expect(isHostName("a-".repeat(50_000))).toBe(false)
  })
})
