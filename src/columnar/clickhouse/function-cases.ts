/** Calls of every semantic function, with arguments at which engines like to differ. For tests. */
import type { FunctionName } from "../../query/functions/index.ts"
import { TEXT_CASES } from "./function-cases-texts.ts"
import {
  type Arg,
  b,
  build,
  c,
  cn,
  type FunctionCase,
  f,
  i,
  kind,
  list,
  m,
  made,
  none,
  type Place,
  t,
} from "./function-leaves.ts"

const CASES: Partial<Record<FunctionName, readonly (readonly Arg[])[]>> = {
  coalesce: [
    [none("text"), t("a")],
    [none("float"), i(1), f(1.5)],
    [none("text"), none("text")],
  ],
  isSame: [
    [i(1), i(1)],
    [none("integer"), i(1)],
    [none("text"), none("text")],
    [t("a"), t("b")],
  ],
  least: [
    [i(3), none("integer"), i(2)],
    [t("b"), t("a")],
    [f(1.5), i(1)],
  ],
  greatest: [
    [i(3), none("integer"), i(2)],
    [t("b"), t("a")],
    [none("float"), none("float")],
  ],
  abs: [[i(-3)], [f(-2.5)], [none("float")]],
  intDiv: [
    [i(7), i(2)],
    [i(-7), i(2)],
    [f(7.5), f(2)],
    [i(1), i(0)],
    [f(1e30), f(1)],
  ],
  gcd: [
    [i(12), i(18)],
    [i(0), i(5)],
    [i(-4), i(6)],
    [i(0), i(0)],
  ],
  lcm: [
    [i(4), i(6)],
    [i(0), i(5)],
    [i(-4), i(6)],
  ],
  floor: [[f(-1.5)], [i(3)], [none("float")]],
  ceil: [[f(-1.5)], [f(1.2)]],
  truncate: [[f(-1.5)], [f(1.9)]],
  round: [
    [f(2.5), i(0)],
    [f(-2.5), i(0)],
    [f(0.125), i(2)],
    [f(1234.5), i(-2)],
    [f(1.005), i(2)],
    [i(15), i(-1)],
  ],
  roundEven: [
    [f(2.5), i(0)],
    [f(3.5), i(0)],
    [f(-2.5), i(0)],
    [f(1.7), i(0)],
  ],
  sign: [[f(-2.5)], [i(0)], [none("float")]],
  exp: [[f(1)], [f(1000)]],
  ln: [[f(10)], [f(0)], [f(-1)]],
  log2: [[f(8)], [f(0)]],
  log10: [[f(1000)], [i(0)]],
  sqrt: [[f(2)], [f(-1)]],
  cbrt: [[f(27)], [f(-8)]],
  power: [
    [f(2), f(10)],
    [f(0), f(-1)],
    [f(1e200), f(2)],
  ],
  sin: [[f(1)]],
  cos: [[f(1)]],
  tan: [[f(1)]],
  asin: [[f(0.5)], [f(2)]],
  acos: [[f(0.5)], [f(-2)]],
  atan: [[f(1)]],
  atan2: [
    [f(1), f(-1)],
    [i(1), i(2)],
  ],
  sinh: [[f(1)], [f(1000)]],
  cosh: [[f(1)]],
  tanh: [[f(1)]],
  asinh: [[f(1)]],
  acosh: [[f(2)], [f(0.5)]],
  atanh: [[f(0.5)], [f(1)]],
  gamma: [[f(5)], [f(0)], [f(0.5)]],
  lnGamma: [[f(5)], [f(0)]],
  factorial: [[i(5)], [i(21)], [i(-1)], [i(20)]],
  bitAnd: [[i(6), i(3)]],
  bitOr: [[i(6), i(3)]],
  bitXor: [[i(6), i(3)]],
  bitNot: [[i(5)]],
  bitShiftLeft: [
    [i(1), i(4)],
    [i(1), i(63)],
    [i(0), i(70)],
    [i(1), i(-1)],
  ],
  bitShiftRight: [
    [i(-8), i(1)],
    [i(8), i(2)],
    [i(8), i(70)],
  ],
  bitCount: [[i(255)], [i(-1)]],
  parseNumber: [
    "1",
    " 1.5 ",
    "1e3",
    "+2",
    ".5",
    "5.",
    "1e400",
    "inf",
    "nan",
    "1_000",
    "",
    "x",
    "0x10",
    "-0",
  ].map((x) => [t(x)]),
  parseInteger: ["1", "+5", "-7", "9223372036854775808", "1.0", "", " 1"].map((x) => [t(x)]),
  parseUuid: [
    [t("00000000-0000-4000-8000-00000000000A")],
    [t("x")],
    [t("0000000000004000800000000000000a")],
  ],
  parseMoment: [
    "2026-01-02",
    "2026-01-02T03:04:05Z",
    "2026-01-02 03:04:05.678",
    "2026-01-02T03:04:05+02:00",
    "2026-01-02T03:04:05.123456789Z",
    "2026/1/2",
    "02-01-2026",
    "2/1/2026 13:04",
    "31-02-2026",
    "2026-02-30",
    "Mon, 02 Mar 2026 10:00:00 GMT",
    "2 Mar 2026 10:00 +0130",
    "1767322445",
    "1767322445.5",
    "1767322445678",
    "2026-01-02T25:00:00",
    "tomorrow",
    "",
    "2026-07-01 12:00",
    "2026-01-02 03:04:05 UTC",
    "2026-01-02T03:04",
  ].flatMap((x) => [
    [t(x), c("UTC")],
    [t(x), c("America/New_York")],
  ]),
  parseFormat: [
    [t("2026-01-02 03:04:05"), c("%F %T"), c("UTC")],
    [t("02/01/26"), c("%d/%m/%y"), c("Europe/Berlin")],
    [t("Jan 5 2026"), c("%b %e %Y"), c("UTC")],
    [t("x"), c("%Y"), c("UTC")],
    [t("2026-02-30"), c("%F"), c("UTC")],
    [t("03:04 PM"), c("%I:%i %p"), c("UTC")],
  ],
  toInteger: [[f(1.9)], [f(-1.9)], [b(true)], [f(1e19)], [i(4)]],
  toFloat: [[i(3)], [b(false)]],
  numberText: [[f(1)], [f(1.5)], [i(7)], [f(1e21)], [f(1e-7)], [f(123456789012)], [f(-0.5)]],
  plainText: [
    [b(true)],
    [made("parseUuid", kind("uuid"), t("00000000-0000-4000-8000-00000000000A"))],
  ],
  toJson: [
    [t('a"b\u2028/\n\u0001ü')],
    [i(5)],
    [f(1.5)],
    [f(2)],
    [b(true)],
    [m("2026-01-02 03:04:05")],
    [none("text")],
    [list("text", t("a"), none("text"))],
    [list("float", f(1), f(2.5))],
    [list("integer", i(1))],
  ],
  addSeconds: [
    [m("2026-01-02 03:04:05.678901"), f(1.5)],
    [m("2026-01-02 03:04:05"), i(-86400)],
  ],
  diffSeconds: [[m("2026-01-02 03:04:05"), m("2026-01-02 03:04:06.5")]],
  diffDays: [
    [m("2026-01-02 23:59:59"), m("2026-01-03 00:00:00")],
    [m("2026-01-03 00:00:00"), m("2026-01-01 00:00:00")],
  ],
  diffHours: [
    [m("2026-01-02 23:59:59"), m("2026-01-03 00:00:00")],
    [m("2026-01-03 01:00:00"), m("2026-01-02 23:30:00")],
  ],
  diffWeeks: [
    [m("2026-01-02 00:00:00"), m("2026-01-20 00:00:00")],
    [m("2026-01-20 00:00:00"), m("2026-01-02 00:00:00")],
  ],
  diffMonths: [[m("2026-01-31 00:00:00"), m("2026-02-01 00:00:00")]],
  truncateSecond: [[m("2026-01-02 03:04:05.678901")]],
  startOf: [
    "second",
    "minute",
    "hour",
    "day",
    "week",
    "weekSunday",
    "month",
    "quarter",
    "year",
    "isoYear",
  ].flatMap((unit) =>
    ["UTC", "America/New_York", "Asia/Kolkata", "Pacific/Auckland"].flatMap((zone) =>
      ["2026-01-04 03:34:05.678901", "2026-11-01 05:30:00", "2026-03-29 01:15:00"].map((at) => [
        c(unit),
        m(at),
        c(zone),
      ]),
    ),
  ),
  startOfMinutes: [
    [cn(15), m("2026-01-02 03:34:05.6"), c("UTC")],
    [cn(30), m("2026-01-02 03:34:05.6"), c("Asia/Kathmandu")],
  ],
  dateOf: [
    [m("2026-01-02 03:04:05"), c("UTC")],
    [m("2026-01-02 03:04:05"), c("America/New_York")],
  ],
  momentOfDate: [
    [made("dateOf", kind("date"), m("2026-07-02 03:04:05"), c("UTC")), c("America/New_York")],
  ],
  datePart: [
    "year",
    "quarter",
    "month",
    "dayOfMonth",
    "dayOfYear",
    "dayOfWeek",
    "hour",
    "minute",
    "second",
    "isoYear",
    "isoWeek",
  ].flatMap((part) =>
    ["UTC", "America/New_York"].map((zone) => [c(part), m("2027-01-03 03:04:05.9"), c(zone)]),
  ),
  addUnits: ["second", "minute", "hour", "day", "week", "month", "quarter", "year"].flatMap(
    (unit) =>
      ["UTC", "America/New_York"].flatMap((zone) => [
        [c(unit), i(1), m("2026-03-07 12:30:00"), c(zone)],
        [c(unit), i(-13), m("2026-03-31 12:30:00.25"), c(zone)],
      ]),
  ),
  diffUnits: ["second", "minute", "hour", "day", "week", "month", "quarter", "year"].flatMap(
    (unit) =>
      ["UTC", "America/New_York", "Asia/Kolkata"].flatMap((zone) => [
        [c(unit), m("2025-12-30 23:30:00"), m("2026-03-08 12:30:30"), c(zone)],
        [c(unit), m("2026-03-08 12:30:30"), m("2026-03-01 12:30:00"), c(zone)],
      ]),
  ),
  formatMoment: [
    [
      c("%Y %y %m %d %e %j %H %I %i %S %s %f %p %M %b %W %a"),
      m("2026-07-05 13:04:05.678901"),
      c("UTC"),
    ],
    [
      c("%u %w %V %G %Q %F %T %R %D %z %n %t %% %q %"),
      m("2026-01-05 01:04:05"),
      c("America/New_York"),
    ],
    [c("it's 100"), m("2026-01-05 01:04:05"), c("UTC")],
  ],
  momentText: [[m("2026-01-05 01:04:05.5"), c("America/New_York")]],
  unixMilliseconds: [[m("2026-01-05 01:04:05.678901")]],
  momentOfUnix: [[f(1767322445.5)], [i(0)], [f(1e15)]],
  zoneOffset: [[m("2026-07-05 01:04:05"), c("America/New_York")]],
  inZone: [[m("2026-07-05 01:04:05"), c("America/New_York")]],
}

export const FUNCTION_CASES: readonly FunctionCase[] = Object.entries({
  ...CASES,
  ...TEXT_CASES,
}).flatMap(([name, calls]) =>
  calls.map((args) => ({
    name: `${name}(${args.map(describe).join(", ")})`,
    function: name as FunctionName,
    build: (place: Place) => build(name as FunctionName, args, place),
  })),
)

function describe(arg: Arg): string {
  if ("fixed" in arg)
    return arg.fixed.kind === "value" && "value" in arg.fixed.value
      ? JSON.stringify(arg.fixed.value.value)
      : arg.fixed.kind
  if ("items" in arg) return `[${arg.items.map(describe).join(", ")}]`
  if ("call" in arg) return arg.call
  return arg.type.kind === "float" && typeof arg.value === "number"
    ? `${arg.value}f`
    : JSON.stringify(arg.value)
}
