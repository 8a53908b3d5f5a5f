/** Mathematics: null where there is no finite answer. */
import { call, compare, gte, lt, lte, not, number } from "../../build.ts"
import type { FunctionName } from "../../functions/index.ts"
import type { Expr } from "../../tree.ts"
import { type Definition, defineGroup } from "./define.ts"
import { arithmetic, choose, from, letBe, NULL, to } from "./lowering.ts"

type Example = readonly [string, unknown]

const ofOne = (name: FunctionName, meaning: string, example: Example): Definition => ({
  signature: "(number) -> float?",
  meaning,
  example,
  lower: to(name),
})

const constant = (value: number, meaning: string, name: string): Definition => ({
  signature: "() -> float",
  meaning,
  example: [`${name}()`, value],
  lower: () => number(value),
})

const times = (value: Expr, factor: number): Expr => arithmetic(value, "*", number(factor))
const squared = (value: Expr): Expr => arithmetic(value, "*", value)

const hypot = from((x = NULL, y = NULL) =>
  letBe(x, "x", (a) => letBe(y, "y", (b) => call("sqrt", arithmetic(squared(a), "+", squared(b))))),
)

const bucket = from((value = NULL, low = NULL, high = NULL, count = NULL) => {
  const share = arithmetic(arithmetic(value, "-", low), "/", arithmetic(high, "-", low))
  const place = arithmetic(call("floor", arithmetic(share, "*", count)), "+", number(1))
  const inside = choose(gte(value, high), arithmetic(count, "+", number(1)), place)
  return call("toInteger", choose(lt(value, low), number(0), inside))
})

const EARTH_RADIUS_METRES = 6_371_000
const RADIANS = Math.PI / 180

/** The haversine formula. */
const greatCircleDistance = from((lon1 = NULL, lat1 = NULL, lon2 = NULL, lat2 = NULL) => {
  const halfSine = (from: Expr, until: Expr) =>
    letBe(call("sin", times(arithmetic(until, "-", from), RADIANS / 2)), "sine", squared)
  const cosines = arithmetic(
    call("cos", times(lat1, RADIANS)),
    "*",
    call("cos", times(lat2, RADIANS)),
  )
  const square = arithmetic(
    halfSine(lat1, lat2),
    "+",
    arithmetic(cosines, "*", halfSine(lon1, lon2)),
  )
  const sine = call("least", number(1), call("sqrt", square))
  return times(call("asin", sine), 2 * EARTH_RADIUS_METRES)
})

const finite = (value: Expr): Expr => lte(call("abs", value), number(Number.MAX_VALUE))

export const MATHS = defineGroup(
  { group: "Mathematics", kind: "scalar" },
  {
    e: constant(Math.E, "Euler's number.", "e"),
    pi: constant(Math.PI, "The number pi.", "pi"),
    exp: ofOne("exp", "e to the power.", ["exp(0)", 1]),
    exp2: {
      signature: "(number) -> float?",
      meaning: "2 to the power.",
      example: ["exp2(3)", 8],
      lower: from((value = NULL) => call("power", number(2), value)),
    },
    exp10: {
      signature: "(number) -> float?",
      meaning: "10 to the power.",
      example: ["exp10(2)", 100],
      lower: from((value = NULL) => call("power", number(10), value)),
    },
    intExp2: {
      signature: "(number) -> integer?",
      meaning: "2 to the power, as a whole number.",
      example: ["intExp2(10)", 1024],
      lower: from((value = NULL) => call("toInteger", call("power", number(2), value))),
    },
    intExp10: {
      signature: "(number) -> integer?",
      meaning: "10 to the power, as a whole number.",
      example: ["intExp10(3)", 1000],
      lower: from((value = NULL) => call("toInteger", call("power", number(10), value))),
    },
    log: ofOne("ln", "The natural logarithm.", ["log(1)", 0]),
    ln: ofOne("ln", "The natural logarithm; null of 0 and less.", ["ln(0)", null]),
    log2: ofOne("log2", "The logarithm to base 2.", ["log2(8)", 3]),
    log10: ofOne("log10", "The logarithm to base 10.", ["log10(1000)", 3]),
    log1p: {
      signature: "(number) -> float?",
      meaning: "The natural logarithm of 1 more.",
      example: ["log1p(0)", 0],
      lower: from((value = NULL) => call("ln", arithmetic(value, "+", number(1)))),
    },
    sqrt: ofOne("sqrt", "The square root; null of less than 0.", ["sqrt(9)", 3]),
    cbrt: ofOne("cbrt", "The cube root.", ["round(cbrt(27), 9)", 3]),
    pow: {
      signature: "(number, number) -> float?",
      meaning: "The first to the power of the second.",
      example: ["pow(2, 10)", 1024],
      lower: to("power"),
    },
    power: {
      signature: "(number, number) -> float?",
      meaning: "The same as pow.",
      example: ["power(9, 0.5)", 3],
    },
    sin: ofOne("sin", "The sine of radians.", ["sin(0)", 0]),
    cos: ofOne("cos", "The cosine of radians.", ["cos(0)", 1]),
    tan: ofOne("tan", "The tangent of radians.", ["tan(0)", 0]),
    asin: ofOne("asin", "The arc sine; null outside of -1 to 1.", ["asin(2)", null]),
    acos: ofOne("acos", "The arc cosine; null outside of -1 to 1.", ["acos(1)", 0]),
    atan: ofOne("atan", "The arc tangent.", ["atan(0)", 0]),
    atan2: {
      signature: "(number, number) -> float",
      meaning: "The angle of the point with y (first) and x (second), in radians.",
      example: ["atan2(0, 1)", 0],
    },
    sinh: ofOne("sinh", "The hyperbolic sine.", ["sinh(0)", 0]),
    cosh: ofOne("cosh", "The hyperbolic cosine.", ["cosh(0)", 1]),
    tanh: ofOne("tanh", "The hyperbolic tangent.", ["tanh(0)", 0]),
    asinh: ofOne("asinh", "The inverse hyperbolic sine.", ["asinh(0)", 0]),
    acosh: ofOne("acosh", "The inverse hyperbolic cosine; null below 1.", ["acosh(1)", 0]),
    atanh: ofOne("atanh", "The inverse hyperbolic tangent.", ["atanh(0)", 0]),
    hypot: {
      signature: "(number, number) -> float",
      meaning: "The length of the longest side of a right-angled triangle.",
      example: ["hypot(3, 4)", 5],
      lower: hypot,
    },
    degrees: {
      signature: "(number) -> float",
      meaning: "Radians as degrees.",
      example: ["degrees(0)", 0],
      lower: from((value = NULL) => times(value, 180 / Math.PI)),
    },
    radians: {
      signature: "(number) -> float",
      meaning: "Degrees as radians.",
      example: ["radians(0)", 0],
      lower: from((value = NULL) => times(value, RADIANS)),
    },
    tgamma: ofOne("gamma", "The gamma function.", ["tgamma(5)", 24]),
    lgamma: ofOne("lnGamma", "The logarithm of the gamma function.", ["lgamma(1)", 0]),
    factorial: {
      signature: "(integer) -> integer?",
      meaning: "The product of 1 to the number; null outside of 0 to 20.",
      example: ["factorial(5)", 120],
    },
    width_bucket: {
      signature: "(number, number, number, integer) -> integer?",
      meaning:
        "In which of so many (fourth) equal parts of low (second) to high (third) the value lies, from 1; 0 below, " +
        "one more than the last above.",
      example: ["width_bucket(5, 0, 10, 4)", 3],
      lower: bucket,
    },
    isFinite: {
      signature: "(number) -> boolean",
      meaning: "Whether it is a finite number.",
      example: ["isFinite(1.5)", 1],
      lower: from((value = NULL) => finite(value)),
    },
    isInfinite: {
      signature: "(number) -> boolean",
      meaning: "Whether it is an infinite number; functions never make one.",
      example: ["isInfinite(1)", 0],
      lower: from((value = NULL) => not(finite(value))),
    },
    isNaN: {
      signature: "(number) -> boolean",
      meaning: "Whether it is not a number; functions answer null instead.",
      example: ["isNaN(1)", 0],
      lower: from((value = NULL) => compare("!=", value, value)),
    },
    ifNotFinite: {
      signature: "(number, number) -> number",
      meaning: "The first, or the second if that is not finite.",
      example: ["ifNotFinite(1 / 0, 5)", 5],
      lower: from((value = NULL, otherwise = NULL) => choose(finite(value), value, otherwise)),
    },
    greatCircleDistance: {
      signature: "(number, number, number, number) -> float",
      meaning:
        "Metres between two points given as longitude, latitude, longitude, latitude in degrees, on a globe with a " +
        "radius of 6,371 km.",
      example: ["round(greatCircleDistance(0, 0, 0, 1))", 111_195],
      lower: greatCircleDistance,
    },
  },
)
