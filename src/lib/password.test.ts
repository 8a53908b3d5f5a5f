import { describe, expect, test } from "vitest"
import { elapsedMs } from "./clock.ts"
import { checkPasswordStrength, hashPassword, isPassword, verifyNothing } from "./password.ts"

describe("a stored password", () => {
  test("is known again, and no other passes for it", async () => {
    const stored = await hashPassword("hazel & hawthorn")
    expect(stored).toMatch(/^scrypt\$16384\$8\$5\$[\w-]{22}\$[\w-]{43}$/)
    expect(stored).not.toContain("hazel")
    expect(await isPassword("hazel & hawthorn", stored)).toBe(true)
    expect(await isPassword("hazel & hawthor", stored)).toBe(false)
    expect(await isPassword("", stored)).toBe(false)
  })

  test("differs each time, by its salt", async () => {
    const [one, two] = await Promise.all([hashPassword("same words"), hashPassword("same words")])
    expect(one).not.toBe(two)
  })

  test("is the same in composed and decomposed letters", async () => {
    const stored = await hashPassword("Ga\u0308nseblu\u0308mchen")
    expect(await isPassword("Gänseblümchen", stored)).toBe(true)
  })

  test("of another cost is verified with the cost it names", async () => {
    // A vector of RFC 7914 has other sizes; this one is made with node's scrypt, N = 16, r = 1, p = 1.
    const stored =
      "scrypt$16$1$1$AAAAAAAAAAAAAAAAAAAAAA$Ehxjcumo0KK-pPhMuC6BwnlDphSvEuWgTedrGkwnoTk"
    expect(await isPassword("hazel", stored)).toBe(true)
    expect(await isPassword("hazle", stored)).toBe(false)
  })

  test("that is no hash of ours, or asks for boundless work, fits no password", async () => {
    const salt = "A".repeat(22)
    const hash = "A".repeat(43)
    const unusable = [
      "",
      "!",
      `bcrypt$16384$8$5$${salt}$${hash}`,
      `scrypt$1000$8$5$${salt}$${hash}`,
      `scrypt$8388608$99$1$${salt}$${hash}`,
      `scrypt$16384$0$5$${salt}$${hash}`,
      `scrypt$16384$8$5$${salt}$AAAA`,
    ]
    const checks = unusable.map((stored) => isPassword("hazel & hawthorn", stored))
    expect(await Promise.all(checks)).toEqual(unusable.map(() => false))
  })
})

describe("the time of a check", () => {
  test("is about the same for a wrong password and for an unknown user", async () => {
    const stored = await hashPassword("hazel & hawthorn")
    const wrongMs = await measureMs(() => isPassword("hawthorn & hazel", stored))
    const unknownMs = await measureMs(() => verifyNothing("hawthorn & hazel"))
    const unusableMs = await measureMs(() => isPassword("hawthorn & hazel", "!"))
    expect(unknownMs).toBeGreaterThan(wrongMs / 4)
    expect(unusableMs).toBeGreaterThan(wrongMs / 4)
  })

  test("is not spent on endless texts", async () => {
    const stored = `scrypt$16384$8$5$${"A".repeat(22)}$${"A".repeat(43)}`
    const endless = "x".repeat(1_000_000)
    expect(await measureMs(() => isPassword(endless, stored))).toBeLessThan(50)
    expect(await measureMs(() => verifyNothing(endless))).toBeLessThan(50)
  })

  test("is bounded by refusing what would wait in too long a line", async () => {
    const cheap = `scrypt$2$1$1$${"A".repeat(22)}$${"A".repeat(43)}`
    const checks = Array.from({ length: 80 }, () => isPassword("hazel", cheap))
    const refused = (await Promise.allSettled(checks)).filter(({ status }) => status === "rejected")
    expect(refused).toHaveLength(80 - 2 - 64)
    expect(refused[0]).toMatchObject({ reason: { kind: "unavailable", retryAfterSeconds: 5 } })
    expect(await isPassword("hazel", cheap)).toBe(false)
  })
})

describe("a new password", () => {
  test.each(["hazel & hawthorn", "xkqzvjwp", "漢字仮名交文学者", `${"x".repeat(127)}y`])(
    "may be %s",
    (text) => {
      expect(() => checkPasswordStrength(text)).not.toThrow()
    },
  )

  test.each([
    ["", "password_too_short"],
    ["xkqzvjw", "password_too_short"],
    ["😀😁😂🤣", "password_too_short"],
    [`${"x".repeat(128)}y`, "password_too_long"],
    ["Password123", "password_too_common"],
    ["QWERTYUIOP", "password_too_common"],
    ["ßßßßßßßßß", "password_too_common"],
  ])("is never %j: %s", (text, code) => {
    expect(() => checkPasswordStrength(text)).toThrow(
      expect.objectContaining({ kind: "invalid", attr: "password", code }),
    )
  })
})

async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const startMs = elapsedMs()
  await work()
  return elapsedMs() - startMs
}
