/** How ClickHouse says functions of numbers. What has no finite answer is null. */
import type { NUMBERS } from "../../../query/functions/numbers.ts"
import { type Call, named, once, type Printer, whole } from "./call.ts"

export const NUMBER_PRINTERS: Readonly<Record<keyof typeof NUMBERS, Printer>> = {
  abs: named("abs"),
  intDiv: printIntDiv,
  gcd: printGcd,
  lcm: printLcm,
  floor: named("floor"),
  ceil: named("ceil"),
  truncate: named("trunc"),
  round: (call) => printRound(call),
  roundEven: (call) => `roundBankers(${call.arg(0)}, toInt16(${call.arg(1)}))`,
  sign: ({ arg }) => `sign(${arg(0)})`,
  exp: finite("exp"),
  ln: within("log", (x) => `${x} > 0`),
  log2: within("log2", (x) => `${x} > 0`),
  log10: within("log10", (x) => `${x} > 0`),
  sqrt: within("sqrt", (x) => `${x} >= 0`),
  cbrt: named("cbrt"),
  power: finite("pow"),
  sin: within("sin", (x) => `isFinite(${x})`),
  cos: within("cos", (x) => `isFinite(${x})`),
  tan: within("tan", (x) => `isFinite(${x})`),
  asin: within("asin", (x) => `${x} >= -1 AND ${x} <= 1`),
  acos: within("acos", (x) => `${x} >= -1 AND ${x} <= 1`),
  atan: named("atan"),
  atan2: ({ arg }) => `atan2(toFloat64(${arg(0)}), toFloat64(${arg(1)}))`,
  sinh: finite("sinh"),
  cosh: finite("cosh"),
  tanh: named("tanh"),
  asinh: named("asinh"),
  acosh: within("acosh", (x) => `${x} >= 1`),
  atanh: within("atanh", (x) => `${x} > -1 AND ${x} < 1`),
  gamma: within("tgamma", (x) => `isFinite(tgamma(${x}))`),
  lnGamma: within("lgamma", (x) => `isFinite(lgamma(${x}))`),
  factorial: (call) =>
    once(whole(call, 0), (x) => {
      const isAllowed = `${x} >= 0 AND ${x} <= 20`
      return `if(${isAllowed}, toInt64(factorial(if(${isAllowed}, ${x}, 0))), NULL)`
    }),
  bitAnd: ofBits("bitAnd"),
  bitOr: ofBits("bitOr"),
  bitXor: ofBits("bitXor"),
  bitNot: (call) => `bitNot(${whole(call, 0)})`,
  bitShiftLeft: printShiftLeft,
  bitShiftRight: printShiftRight,
  bitCount: (call) => `toInt64(bitCount(${whole(call, 0)}))`,
}

function ofBits(name: string): Printer {
  return (call) => `${name}(${whole(call, 0)}, ${whole(call, 1)})`
}

function within(name: string, isAllowed: (x: string) => string): Printer {
  return ({ arg }) =>
    once(`toFloat64(${arg(0)})`, (x) => `if(${isAllowed(x)}, ${name}(${x}), NULL)`)
}

function finite(name: string): Printer {
  return ({ exprs, arg }) => {
    const args = exprs.map((_, index) => `toFloat64(${arg(index)})`)
    return once(`${name}(${args.join(", ")})`, (x) => `if(isFinite(${x}), ${x}, NULL)`)
  }
}

function printIntDiv(call: Call): string {
  const { arg, types } = call
  const isWhole = types.length === 2 && types.every(({ kind }) => kind === "integer")
  if (isWhole) return `intDiv(toInt64(${arg(0)}), nullIf(toInt64(${arg(1)}), 0))`
  return `accurateCastOrNull(trunc(toFloat64(${arg(0)}) / nullIf(${arg(1)}, 0)), 'Int64')`
}

/** The engine refuses zero. */
function printGcd(call: Call): string {
  return ofTwo(call, (a, b) => {
    const found = `abs(gcd(if(${a} = 0, 1, ${a}), if(${b} = 0, 1, ${b})))`
    return `toInt64(multiIf(${a} = 0, abs(${b}), ${b} = 0, abs(${a}), ${found}))`
  })
}

function printLcm(call: Call): string {
  return ofTwo(call, (a, b) => {
    const found = `abs(lcm(if(${a} = 0, 1, ${a}), if(${b} = 0, 1, ${b})))`
    return `if(${a} = 0 OR ${b} = 0, ${a} * ${b}, toInt64(${found}))`
  })
}

function ofTwo(call: Call, use: (a: string, b: string) => string): string {
  return once(whole(call, 0), (a) => once(whole(call, 1), (b) => use(a, b), "y"))
}

/** The engine's own rounding takes halves of floats to the even digit. */
function printRound(call: Call): string {
  const isWhole = call.types[0]?.kind === "integer"
  const rounded = once(`toFloat64(${call.arg(0)})`, (x) =>
    once(
      `pow(10, toFloat64(${call.arg(1)}))`,
      (m) =>
        once(
          `${x} * ${m}`,
          (v) =>
            `if(isFinite(${v}), (trunc(${v}) + if(abs(${v} - trunc(${v})) >= 0.5, sign(${v}), 0)) / ${m}, ${x})`,
          "v",
        ),
      "m",
    ),
  )
  return isWhole ? `toInt64(${rounded})` : rounded
}

/** Null if the bits do not fit. */
function printShiftLeft(call: Call): string {
  return ofTwo(call, (a, b) => {
    const places = `greatest(0, least(${b}, 62))`
    const isTooLarge = `${b} > 62 OR bitShiftRight(${a}, 63 - ${places}) > 0`
    return `multiIf(${b} < 0 OR ${a} < 0, NULL, ${b} = 0 OR ${a} = 0, ${a}, ${isTooLarge}, NULL, bitShiftLeft(${a}, ${places}))`
  })
}

function printShiftRight(call: Call): string {
  return ofTwo(call, (a, b) => {
    return `if(${b} < 0 OR ${b} > 63, 0, bitShiftRight(${a}, greatest(0, least(${b}, 63))))`
  })
}
