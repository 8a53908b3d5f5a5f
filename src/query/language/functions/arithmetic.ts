/** Arithmetic and rounding. Dividing by nothing is null. */
import { call, lt, number } from "../../build.ts"
import type { Expr } from "../../tree.ts"
import { defineGroup } from "./define.ts"
import { arithmetic, choose, from, letBe, NULL, to } from "./lowering.ts"

type Operator = "+" | "-" | "*" | "/" | "%"

const operation = (operator: Operator, meaning: string, example: [string, unknown]) => ({
  signature: operator === "/" ? "(number, number) -> float?" : "(number, number) -> number",
  meaning,
  example,
  lower: from((left = NULL, right = NULL) => arithmetic(left, operator, right)),
})

const scaled = (name: "floor" | "ceil" | "truncate") =>
  from((value = NULL, digits?: Expr) => {
    if (digits === undefined) return call(name, value)
    const scale = call("power", number(10), digits)
    return letBe(scale, "scale", (by) =>
      arithmetic(call(name, arithmetic(value, "*", by)), "/", by),
    )
  })

const rounded = (name: "round" | "roundEven") =>
  from((value = NULL, digits: Expr = number(0)) => call(name, value, digits))

const positiveModulo = from((value = NULL, by = NULL) =>
  letBe(arithmetic(value, "%", by), "rest", (rest) =>
    choose(lt(rest, number(0)), arithmetic(rest, "+", call("abs", by)), rest),
  ),
)

const orZero = (expr: Expr): Expr => call("coalesce", expr, number(0))

export const ARITHMETIC = defineGroup(
  { group: "Arithmetic and rounding", kind: "scalar" },
  {
    plus: operation("+", "The same as a + b.", ["plus(1, 2)", 3]),
    minus: operation("-", "The same as a - b.", ["minus(1, 2.5)", -1.5]),
    multiply: operation("*", "The same as a * b.", ["multiply(3, 2)", 6]),
    divide: operation("/", "The same as a / b: never cut to whole numbers, null by zero.", [
      "divide(1, 4)",
      0.25,
    ]),
    modulo: {
      ...operation("%", "The rest, with the sign of the first; null by zero.", [
        "modulo(-7, 3)",
        -1,
      ]),
      signature: "(number, number) -> number?",
    },
    moduloOrZero: {
      signature: "(number, number) -> number",
      meaning: "The rest, or 0 by zero.",
      example: ["moduloOrZero(5, 0)", 0],
      lower: from((left = NULL, right = NULL) => orZero(arithmetic(left, "%", right))),
    },
    positiveModulo: {
      signature: "(number, number) -> number?",
      meaning: "The rest, never negative.",
      example: ["positiveModulo(-7, 3)", 2],
      lower: positiveModulo,
    },
    intDiv: {
      signature: "(number, number) -> integer?",
      meaning: "The quotient cut to a whole number, toward zero; null by zero.",
      example: ["intDiv(-7, 2)", -3],
    },
    intDivOrZero: {
      signature: "(number, number) -> integer",
      meaning: "Like intDiv, 0 by zero.",
      example: ["intDivOrZero(7, 0)", 0],
      lower: (parts) => orZero(to("intDiv")(parts)),
    },
    negate: {
      signature: "(number) -> number",
      meaning: "The number with the other sign; also written -a.",
      example: ["negate(5)", -5],
      lower: from((value = NULL) => arithmetic(number(0), "-", value)),
    },
    abs: {
      signature: "(number) -> number",
      meaning: "The number without its sign.",
      example: ["abs(-2.5)", 2.5],
    },
    sign: {
      signature: "(number) -> integer",
      meaning: "-1, 0 or 1.",
      example: ["sign(-3)", -1],
    },
    gcd: {
      signature: "(integer, integer) -> integer",
      meaning: "The greatest common divisor.",
      example: ["gcd(12, 18)", 6],
    },
    lcm: {
      signature: "(integer, integer) -> integer?",
      meaning: "The least common multiple.",
      example: ["lcm(4, 6)", 12],
    },
    floor: {
      signature: "(number, integer?) -> number",
      meaning: "The largest number that is not larger, with so many digits after the dot (0).",
      example: ["floor(-1.5)", -2],
      lower: scaled("floor"),
    },
    ceil: {
      signature: "(number, integer?) -> number",
      meaning: "The smallest number that is not smaller, with so many digits after the dot (0).",
      example: ["ceil(1.21, 1)", 1.3],
      lower: scaled("ceil"),
    },
    trunc: {
      signature: "(number, integer?) -> number",
      meaning: "Cut after so many digits after the dot (0).",
      example: ["trunc(-1.59, 1)", -1.5],
      lower: scaled("truncate"),
    },
    round: {
      signature: "(number, integer?) -> number",
      meaning: "Rounded to so many digits after the dot (0), halves away from zero.",
      example: ["round(2.5)", 3],
      lower: rounded("round"),
    },
    roundBankers: {
      signature: "(number, integer?) -> number",
      meaning: "Rounded to so many digits after the dot (0), halves to the even digit.",
      example: ["roundBankers(2.5)", 2],
      lower: rounded("roundEven"),
    },
  },
)
