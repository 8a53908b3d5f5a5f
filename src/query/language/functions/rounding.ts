/** Numbers rounded to steps, and written for people. */
import { call, gte, lt, lte, number, text } from "../../build.ts"
import type { Expr } from "../../tree.ts"
import { type Definition, defineGroup } from "./define.ts"
import { arithmetic, arrayOf, choose, from, lambda, letBe, NULL, parameter } from "./lowering.ts"

/** The largest step that is not larger, or the first step. */
function stepBelow(value: Expr, steps: Expr): Expr {
  const step = parameter("·step")
  return letBe(steps, "steps", (known) =>
    letBe(value, "value", (given) => {
      const below = call("arrayFilter", lambda(["·step"], lte(step, given)), known)
      return choose(
        { kind: "isNull", operand: given },
        NULL,
        call("coalesce", call("arrayMax", below), call("arrayMin", known)),
      )
    }),
  )
}

const ladder = (steps: readonly number[]) =>
  from((value = NULL) => stepBelow(value, arrayOf(...steps.map(number))))

const DURATIONS = [
  0, 1, 10, 30, 60, 120, 180, 240, 300, 600, 1200, 1800, 3600, 7200, 18_000, 36_000,
]
const AGES = [0, 17, 18, 25, 35, 45, 55]

/** Ages below 1 are unknown; 1 to 17 count as 17. */
const roundAge = from((value = NULL) =>
  letBe(value, "age", (age) =>
    choose(
      lt(age, number(1)),
      number(0),
      call("greatest", number(17), stepBelow(age, arrayOf(...AGES.map(number)))),
    ),
  ),
)

interface Scale {
  readonly base: number
  readonly units: readonly string[]
}

/** "1.5 KiB": as many of the largest unit that is not larger, with two digits after the dot at most. */
const scaled = ({ base, units }: Scale) =>
  from((value = NULL) =>
    letBe(value, "value", (given) => {
      const shown = (power: number): Expr => {
        const count = arithmetic(call("toFloat", given), "/", number(base ** power))
        const digits = call("numberText", call("round", count, number(2)))
        const unit = units[power] ?? ""
        return unit === "" ? digits : call("concat", digits, text(` ${unit}`))
      }
      const branches = units
        .map((_, power) => ({
          when: gte(call("abs", given), number(base ** power)),
          result: shown(power),
        }))
        .slice(1)
        .reverse()
      return { kind: "case", branches, otherwise: shown(0) }
    }),
  )

const readable = (
  scale: Scale,
  meaning: string,
  example: readonly [string, unknown],
): Definition => ({
  signature: "(number) -> text",
  meaning,
  example,
  lower: scaled(scale),
})

export const ROUNDING = defineGroup(
  { group: "Steps and readable numbers", kind: "scalar" },
  {
    roundDown: {
      signature: "(number, array(number)) -> number",
      meaning: "The largest of the steps that is not larger; the smallest step if all are.",
      example: ["roundDown(7, [1, 5, 10])", 5],
      lower: from((value = NULL, steps = NULL) => stepBelow(value, steps)),
    },
    roundToExp2: {
      signature: "(number) -> number",
      meaning: "The largest power of 2 that is not larger; 0 below 1.",
      example: ["roundToExp2(100)", 64],
      lower: from((value = NULL) =>
        letBe(value, "value", (given) =>
          choose(
            lt(given, number(1)),
            number(0),
            call("toInteger", call("power", number(2), call("floor", call("log2", given)))),
          ),
        ),
      ),
    },
    roundDuration: {
      signature: "(number) -> number",
      meaning: `Seconds rounded down to one of ${DURATIONS.join(", ")}.`,
      example: ["roundDuration(200)", 180],
      lower: ladder(DURATIONS),
    },
    roundAge: {
      signature: "(number) -> number",
      meaning: "0 below 1, 17 below 18, else rounded down to one of 18, 25, 35, 45, 55.",
      example: ["roundAge(30)", 25],
      lower: roundAge,
    },
    formatReadableSize: readable(
      { base: 1024, units: ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] },
      "Bytes written with a unit, 1,024 of which make the next.",
      ["formatReadableSize(1536)", "1.5 KiB"],
    ),
    formatReadableDecimalSize: readable(
      { base: 1000, units: ["B", "KB", "MB", "GB", "TB", "PB"] },
      "Bytes written with a unit, 1,000 of which make the next.",
      ["formatReadableDecimalSize(1500000)", "1.5 MB"],
    ),
    formatReadableQuantity: readable(
      { base: 1000, units: ["", "thousand", "million", "billion", "trillion"] },
      "A number written with thousand, million, billion or trillion.",
      ["formatReadableQuantity(2500000)", "2.5 million"],
    ),
  },
)
