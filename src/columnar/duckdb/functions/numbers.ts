/** How DuckDB says functions of numbers. It refuses arguments without an answer, so they never get there. */
import type { NUMBERS } from "../../../query/functions/numbers.ts"
import { type Call, named, once, type Printer, tryOnce, wholeNumber } from "./call.ts"

export const NUMBER_PRINTERS: Readonly<Record<keyof typeof NUMBERS, Printer>> = {
  abs: named("abs"),
  intDiv: printIntDiv,
  gcd: ({ arg }) => `CAST(gcd(${wholeNumber(arg(0))}, ${wholeNumber(arg(1))}) AS BIGINT)`,
  lcm: ({ arg }) =>
    tryOnce([wholeNumber(arg(0)), wholeNumber(arg(1))], (a, b) => `lcm(${a}, ${b})`),
  floor: named("floor"),
  ceil: named("ceil"),
  truncate: named("trunc"),
  round: ({ arg }) => `round(${arg(0)}, TRY_CAST(${arg(1)} AS INTEGER))`,
  roundEven: ({ arg }) => `round_even(${arg(0)}, TRY_CAST(${arg(1)} AS INTEGER))`,
  sign: named("sign"),
  exp: finite("exp"),
  ln: within("ln", (x) => `${x} > 0`),
  log2: within("log2", (x) => `${x} > 0`),
  log10: within("log10", (x) => `${x} > 0`),
  sqrt: within("sqrt", (x) => `${x} >= 0`),
  cbrt: named("cbrt"),
  power: finite("pow"),
  sin: within("sin", (x) => `isfinite(CAST(${x} AS DOUBLE))`),
  cos: within("cos", (x) => `isfinite(CAST(${x} AS DOUBLE))`),
  tan: within("tan", (x) => `isfinite(CAST(${x} AS DOUBLE))`),
  asin: within("asin", (x) => `${x} BETWEEN -1 AND 1`),
  acos: within("acos", (x) => `${x} BETWEEN -1 AND 1`),
  atan: named("atan"),
  atan2: named("atan2"),
  sinh: finite("sinh"),
  cosh: finite("cosh"),
  tanh: named("tanh"),
  asinh: named("asinh"),
  acosh: within("acosh", (x) => `${x} >= 1`),
  atanh: within("atanh", (x) => `${x} > -1 AND ${x} < 1`),
  gamma: ({ arg }) =>
    once(
      tryOnce([arg(0)], (x) => `gamma(${x})`),
      nullUnlessFinite,
      "r",
    ),
  lnGamma: ({ arg }) =>
    once(
      tryOnce([arg(0)], (x) => `lgamma(${x})`),
      nullUnlessFinite,
      "r",
    ),
  factorial: ({ arg }) =>
    once(
      wholeNumber(arg(0)),
      (x) =>
        `CASE WHEN ${x} BETWEEN 0 AND 20 THEN CAST(factorial(CAST(${x} AS INTEGER)) AS BIGINT) END`,
    ),
  bitAnd: ({ arg }) => `(${wholeNumber(arg(0))} & ${wholeNumber(arg(1))})`,
  bitOr: ({ arg }) => `(${wholeNumber(arg(0))} | ${wholeNumber(arg(1))})`,
  bitXor: ({ arg }) => `xor(${wholeNumber(arg(0))}, ${wholeNumber(arg(1))})`,
  bitNot: ({ arg }) => `(~${wholeNumber(arg(0))})`,
  bitShiftLeft: ({ arg }) =>
    tryOnce([wholeNumber(arg(0)), wholeNumber(arg(1))], (a, b) => `${a} << ${b}`),
  bitShiftRight: ({ arg }) =>
    tryOnce([wholeNumber(arg(0)), wholeNumber(arg(1))], (a, b) => `${a} >> ${b}`),
  bitCount: ({ arg }) => `CAST(bit_count(${wholeNumber(arg(0))}) AS BIGINT)`,
}

function within(name: string, isAllowed: (x: string) => string): Printer {
  return ({ arg }) => once(arg(0), (x) => `CASE WHEN ${isAllowed(x)} THEN ${name}(${x}) END`)
}

function finite(name: string): Printer {
  return (call) => once(named(name)(call), nullUnlessFinite, "r")
}

const nullUnlessFinite = (x: string): string => `CASE WHEN isfinite(${x}) THEN ${x} END`

function printIntDiv({ arg, types }: Call): string {
  const isWhole = types.length === 2 && types.every(({ kind }) => kind === "integer")
  if (isWhole) return `(${wholeNumber(arg(0))} // NULLIF(${wholeNumber(arg(1))}, 0))`
  return `TRY_CAST(trunc(${arg(0)} / NULLIF(${arg(1)}, 0)) AS BIGINT)`
}
