import { describe, expect, test } from "vitest"
import { distinctIdOf, isIllegalDistinctId } from "./distinct-id.ts"

describe("an id that no person may be merged by", () => {
  test.each([
    ...["anonymous", "guest", "distinctid", "distinct_id", "id", "not_authenticated", "email"],
    ...["undefined", "true", "false", "Undefined", "GUEST", "'Anonymous'", '"EMAIL"'],
    ...[
      "[object Object]",
      "NaN",
      "None",
      "none",
      "null",
      "0",
      "'null'",
      '"0"',
      '"[object Object]"',
    ],
    ...["", " ", "\t\n"],
  ])("is %j", (id) => expect(isIllegalDistinctId(id)).toBe(true))

  test.each(["nan", "NULL", "NONE", "00", "1", "anonymous1", "'guest", "me@example.com"])(
    "is not %j",
    (id) => expect(isIllegalDistinctId(id)).toBe(false),
  )
})

test("no distinct id is undefined; anything else is text of at most 200 characters", () => {
  expect([undefined, null, "", 3, true].map(distinctIdOf)).toEqual([
    ...[undefined, undefined, "", "3", "true"],
  ])
  expect(distinctIdOf("x".repeat(300))).toHaveLength(200)
})
