import { expect, test } from "vitest"
import {
  DomainError,
  forbidden,
  invalid,
  notFound,
  unauthenticated,
  unavailable,
} from "./errors.ts"

test.each([
  [invalid("Wrong."), { kind: "invalid", code: "invalid_input", attr: null }],
  [invalid("Wrong.", "name", "blank"), { kind: "invalid", code: "blank", attr: "name" }],
  [unauthenticated("Who?"), { kind: "unauthenticated", code: "authentication_failed", attr: null }],
  [forbidden("No."), { kind: "forbidden", code: "permission_denied", attr: null }],
  [notFound(), { kind: "not_found", code: "not_found", attr: null, message: "Not found." }],
  [unavailable("Later.", 5), { kind: "unavailable", code: "unavailable", retryAfterSeconds: 5 }],
])("%s has a kind and a stable code", (error, facts) => {
  expect(error).toBeInstanceOf(DomainError)
  expect(error).toMatchObject(facts)
})

test("a cause is kept for the log", () => {
  const cause = new Error("rain")
  expect(new DomainError("conflict", { code: "conflict", detail: "Wet.", cause }).cause).toBe(cause)
})
