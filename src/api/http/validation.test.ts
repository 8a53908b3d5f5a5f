import { describe, expect, test } from "vitest"
import { z } from "zod"
import { DomainError } from "../../lib/errors.ts"
import { anyText, LevelChoice, text } from "./fields.ts"
import { parseInput } from "./validation.ts"

const Plant = z.object({
  name: text(10),
  note: anyText(5).optional(),
  level: LevelChoice.optional(),
  height: z.int().min(1).max(300).optional(),
  is_wet: z.boolean().optional(),
  tags: z.array(z.string()).min(2).max(3).optional(),
  place: z.object({ bed: z.enum(["north", "south"]) }).optional(),
})

function problemWith(input: unknown) {
  try {
    parseInput(Plant, input)
  } catch (error) {
    expect(error).toBeInstanceOf(DomainError)
    const { code, attr, message } = error as DomainError
    return { code, attr, message }
  }
  throw new Error("the input was taken")
}

describe("a wrong field", () => {
  test.each([
    [{}, "required", "name"],
    [{ name: null }, "null", "name"],
    [{ name: 5 }, "invalid_input", "name"],
    [{ name: ["fern"] }, "invalid_input", "name"],
    [{ name: "" }, "blank", "name"],
    [{ name: " \t\n" }, "blank", "name"],
    [{ name: "x".repeat(11) }, "max_length", "name"],
    [{ name: "fern", note: "too long" }, "max_length", "note"],
    [{ name: "fern", level: 7 }, "invalid_choice", "level"],
    [{ name: "fern", level: "8" }, "invalid_choice", "level"],
    [{ name: "fern", level: null }, "null", "level"],
    [{ name: "fern", height: 0 }, "min_value", "height"],
    [{ name: "fern", height: 301 }, "max_value", "height"],
    [{ name: "fern", height: 1.5 }, "invalid_input", "height"],
    [{ name: "fern", is_wet: "yes" }, "invalid_input", "is_wet"],
    [{ name: "fern", tags: "green" }, "not_a_list", "tags"],
    [{ name: "fern", tags: ["a"] }, "min_length", "tags"],
    [{ name: "fern", tags: ["a", "b", "c", "d"] }, "max_length", "tags"],
    [{ name: "fern", tags: ["a", 5] }, "invalid_input", "tags__1"],
    [{ name: "fern", place: {} }, "required", "place__bed"],
    [{ name: "fern", place: { bed: "west" } }, "invalid_choice", "place__bed"],
  ])("%j is %s at %s", (input, code, attr) => {
    expect(problemWith(input)).toMatchObject({ code, attr })
  })

  test("is reported alone: the first one, in the order of the schema", () => {
    expect(problemWith({ place: { bed: "west" }, note: "too long", name: "" })).toMatchObject({
      attr: "name",
    })
  })

  test("is shown, but not at length", () => {
    const { message } = problemWith({ name: "fern", level: "x".repeat(1_000) })
    expect(message).toContain('"xxx')
    expect(message.length).toBeLessThan(200)
  })
})

describe("what is no object where one is wanted", () => {
  test.each([[[]], [5], ["fern"], [true]])("%j belongs to no field", (input) => {
    expect(problemWith(input)).toMatchObject({ code: "invalid_input", attr: null })
  })

  test("null is null", () => {
    expect(problemWith(null)).toMatchObject({ code: "null", attr: null })
  })
})

describe("what is right", () => {
  test("is trimmed, and what nobody asked for is left out", () => {
    expect(parseInput(Plant, { name: " fern ", colour: "green" })).toEqual({ name: "fern" })
  })

  test("counts characters as the caller sees them after trimming", () => {
    expect(parseInput(Plant, { name: `  ${"x".repeat(10)}  ` })).toEqual({ name: "x".repeat(10) })
  })

  test("an endpoint may give its own code and words", () => {
    const Own = z.string().refine((value) => value !== "weed", {
      error: "weeds are not planted",
      params: { code: "weed" },
    })
    expect(() => parseInput(Own, "weed")).toThrow(
      expect.objectContaining({ code: "weed", message: "weeds are not planted" }),
    )
  })
})
