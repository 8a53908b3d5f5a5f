/** Calls of every semantic function, with arguments at which engines like to differ. For tests. */
import { call, text } from "../../query/build.ts"
import type { FunctionName } from "../../query/functions/index.ts"
import type { Expr } from "../../query/tree.ts"
import type { ScalarKind, Type } from "../../query/types.ts"

export interface Leaf {
  readonly constant: Expr
  readonly type: Type
  /** As a property holds it. */
  readonly value: string | number | boolean | null
}

export interface Typed {
  readonly expr: Expr
  readonly type: Type
}

type Place = (leaf: Leaf) => Expr

interface FunctionCase {
  readonly name: string
  readonly function: FunctionName
  readonly build: (place: Place) => Typed
}

/** An argument: a value, a constant that stays one, an array of values, or a lambda. */
type Arg =
  | Leaf
  | { readonly fixed: Expr; readonly type: Type }
  | { readonly items: readonly Leaf[]; readonly of: ScalarKind }
  | { readonly call: FunctionName; readonly args: readonly Arg[]; readonly type: Type }

const kind = (name: ScalarKind): Type => ({ kind: name, isNullable: true })
const leaf = (name: ScalarKind, constant: Expr, value: Leaf["value"]): Leaf => ({
  constant,
  type: kind(name),
  value,
})
const bound = (type: "text" | "number" | "boolean", value: never): Expr =>
  ({ kind: "value", value: { type, value } }) as Expr
const NULL: Expr = { kind: "value", value: { type: "null" } }

const t = (value: string) => leaf("text", bound("text", value as never), value)
const i = (value: number) => leaf("integer", bound("number", value as never), value)
const f = (value: number) =>
  leaf(
    "float",
    {
      kind: "arithmetic",
      operator: "/",
      left: bound("number", value as never),
      right: bound("number", 1 as never),
    },
    value,
  )
const b = (value: boolean) => leaf("boolean", bound("boolean", value as never), value)
const m = (value: string) =>
  leaf("moment", { kind: "value", value: { type: "timestamp", value } }, value)
const none = (name: ScalarKind): Leaf => leaf(name, NULL, null)
const c = (value: string) => ({ fixed: text(value), type: kind("text") })
const cn = (value: number) => ({ fixed: bound("number", value as never), type: kind("integer") })
const nothing = { fixed: NULL, type: kind("null") }
const list = (of: ScalarKind, ...items: readonly Leaf[]) => ({ items, of })
const made = (name: FunctionName, type: Type, ...args: readonly Arg[]) => ({
  call: name,
  args,
  type,
})
const arrayOf = (of: ScalarKind): Type => ({ kind: "array", of: kind(of) })
const mapped = (body: Expr) => ({
  fixed: { kind: "lambda", parameters: ["x"], body } as const,
  type: kind("unknown"),
})
const X: Expr = { kind: "parameter", name: "x" }

function print(arg: Arg, place: Place): Typed {
  if ("fixed" in arg) return { expr: arg.fixed, type: arg.type }
  if ("items" in arg) {
    return { expr: { kind: "array", items: arg.items.map(place) }, type: arrayOf(arg.of) }
  }
  if ("call" in arg) return { ...build(arg.call, arg.args, place), type: arg.type }
  return { expr: place(arg), type: arg.type }
}

function build(name: FunctionName, args: readonly Arg[], place: Place): Typed {
  const printed = args.map((arg) => print(arg, place))
  const expr = call(name, ...printed.map((each) => each.expr))
  const types = printed.map(({ type }) => type)
  return { expr: { ...expr, types } as Expr, type: kind("unknown") }
}

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
  textLength: [[t("aü🦔")], [none("text")]],
  lower: [[t("AÜß")]],
  upper: [[t("aü")]],
  reverseText: [[t("aü🦔")]],
  concat: [
    [t("a"), t("b"), t("ü")],
    [t("a"), none("text")],
  ],
  substring: [
    [2, 2],
    [-2, 5],
    [-9, 3],
    [0, 2],
    [2, -1],
    [9, 1],
    [1, 99],
  ].map(([p, n]) => [t("aüc🦔"), i(p ?? 0), i(n ?? 0)]),
  position: [
    [t("aüc"), t("c")],
    [t("abc"), t("x")],
    [t("abc"), t("")],
  ],
  contains: [
    [t("abc"), t("b")],
    [t("abc"), t("")],
    [none("text"), t("a")],
  ],
  startsWith: [
    [t("abc"), t("ab")],
    [t("abc"), t("")],
  ],
  endsWith: [
    [t("abc"), t("bc")],
    [t("abc"), t("x")],
  ],
  replaceAll: [
    [t("aaa"), t("a"), t("b")],
    [t("abc"), t(""), t("x")],
  ],
  replaceFirst: [
    [t("aaa"), t("a"), t("b")],
    [t("abc"), t(""), t("x")],
  ],
  repeat: [
    [t("ab"), i(3)],
    [t("ab"), i(-1)],
  ],
  leftPad: [
    [t("a"), i(3), t("xy")],
    [t("abc"), i(2), t("x")],
    [t("ü"), i(3), t("ö")],
  ],
  rightPad: [
    [t("a"), i(4), t("xy")],
    [t("abc"), i(2), t("x")],
  ],
  trim: [[t("  a b ")], [t("\ta ")]],
  trimStart: [[t("  a ")]],
  trimEnd: [[t("  a ")]],
  split: [
    [t("a,b,"), c(",")],
    [t(""), c(",")],
    [t("aü🦔"), c("")],
    [t(""), c("")],
    [t("a--b"), c("--")],
  ],
  join: [[list("text", t("a"), none("text"), t("b")), c("-")]],
  codePoint: [[t("a")], [t("ü")], [t("€")], [t("🦔")], [t("")], [none("text")]],
  translate: [
    [t("abcü"), c("aü"), c("x")],
    [t("abc"), c("ab"), c("xy")],
  ],
  like: [
    [t("abc"), c("a%")],
    [t("abc"), c("a_c")],
    [t("a_c"), c("a\\_c")],
    [t("abc"), c("a\\_c")],
    [t("a\nc"), c("a%c")],
    [t("ü"), c("_")],
  ],
  ilike: [
    [t("ABC"), c("a%")],
    [t("ÜX"), c("üx")],
  ],
  base64Encode: [[t("aü")]],
  base64Decode: [[t("YcO8")], [t("!!")], [t("YQ==")], [t("")]],
  urlEncode: [[t("a b/ü?~-_.")]],
  urlDecode: [[t("a%20b%C3%BC")], [t("100%")]],
  matches: [
    [t("abc"), c("^a.c$")],
    [t("a\nc"), c("a.c")],
    [t("abc"), c("(")],
    [none("text"), c("a")],
    [t("ABC"), c("(?i)b")],
  ],
  replaceMatches: [
    [t("a1b22"), c("[0-9]+"), c("\\1")],
    [t("abc"), c("("), c("x")],
  ],
  elementMatches: [
    [t('a:text="x \\"y"nth-child="1"'), c("text"), c("y")],
    [t("a"), c("text"), c("y")],
  ],
  extractMatch: [
    [t("a12b3"), c("[0-9]+"), cn(0)],
    [t("a12b3"), c("([a-z])([0-9])"), cn(2)],
    [t("x"), c("(y)?x"), cn(1)],
    [t("x"), c("z"), cn(0)],
    [none("text"), c("z"), cn(0)],
  ],
  extractMatches: [
    [t("a12b3"), c("[0-9]+"), cn(0)],
    [t("a1b2"), c("([a-z])([0-9])"), cn(1)],
    [t("x"), c("z"), cn(0)],
  ],
  replacePattern: [
    [t("a1b2"), c("([a-z])([0-9])"), c("\\2\\1")],
    [t("a1b2"), c("[0-9]"), c("<\\0>")],
  ],
  replacePatternFirst: [[t("a1b2"), c("[0-9]"), c("<\\0>")]],
  splitPattern: [
    [t("a1b22c"), c("[0-9]+")],
    [t(""), c(",")],
  ],
  semverKey: ["1.2.3", "v1.2", "1.2.3-rc.1", "1.2.3+b", "x", "1.2.3-alpha", " 1 "].map((x) => [
    t(x),
  ]),
  arrayLength: [[list("integer", i(1), i(2))]],
  arrayElement: [1, 2, -1, 9, 0].map((place) => [list("text", t("a"), t("b")), i(place)]),
  arrayMap: [
    [
      mapped({ kind: "arithmetic", operator: "+", left: X, right: bound("number", 1 as never) }),
      list("integer", i(1), i(2)),
    ],
  ],
  arrayFilter: [
    [
      mapped({ kind: "compare", operator: ">", left: X, right: bound("number", 1 as never) }),
      list("integer", i(1), none("integer"), i(2)),
    ],
  ],
  arrayHas: [
    [list("integer", i(1), i(2)), i(2)],
    [list("text", t("a"), none("text")), none("text")],
    [list("text", t("a")), t("b")],
  ],
  arrayIndexOf: [
    [list("integer", i(1), i(2)), i(2)],
    [list("integer", i(1)), i(5)],
  ],
  arrayConcat: [[list("integer", i(1)), list("integer", i(2))]],
  arraySlice: [
    [list("integer", i(1), i(2), i(3)), i(2), i(1)],
    [list("integer", i(1), i(2), i(3)), i(-2), nothing],
    [list("integer", i(1), i(2), i(3)), i(-9), i(2)],
    [list("integer", i(1), i(2), i(3)), i(2), nothing],
    [list("integer", i(1), i(2), i(3)), i(1), i(-1)],
  ],
  arraySort: [
    [list("integer", i(3), none("integer"), i(1))],
    [list("text", t("b"), t("B"), t("a"))],
  ],
  arraySortBy: [
    [
      mapped({ kind: "arithmetic", operator: "%", left: X, right: bound("number", 2 as never) }),
      list("integer", i(4), i(3), i(2), i(1)),
    ],
  ],
  arrayReverse: [[list("integer", i(1), i(2))]],
  arrayDistinct: [[list("integer", i(3), i(1), none("integer"), i(3))]],
  arrayFlatten: [
    [
      made(
        "arrayMap",
        { kind: "array", of: arrayOf("integer") },
        mapped({ kind: "array", items: [X, X] }),
        list("integer", i(1), i(2)),
      ),
    ],
  ],
  arraySum: [[list("integer", i(1), none("integer"), i(2))], [list("float", f(1.5))]],
  arrayProduct: [[list("integer", i(2), i(3))]],
  arrayAvg: [[list("integer", i(1), i(2))]],
  arrayMin: [[list("integer", i(2), none("integer"), i(1))]],
  arrayMax: [[list("integer", i(2), none("integer"), i(1))]],
  arrayCumSum: [[list("integer", i(1), i(2), i(3))]],
  range: [
    [i(0), i(5), i(2)],
    [i(3), i(1), i(1)],
    [i(-2), i(1), i(1)],
  ],
  mapOf: [
    [t("a"), i(1), t("b"), i(2)],
    [t("a"), i(1), t("a"), i(2)],
  ],
  mapFromArrays: [[list("text", t("a"), t("b"), t("a")), list("integer", i(1), i(2), i(3))]],
  mapKeys: [[made("mapOf", kind("unknown"), t("a"), i(1))]],
  mapValues: [[made("mapOf", kind("unknown"), t("a"), i(1))]],
  mapElement: [
    [made("mapOf", kind("unknown"), t("a"), i(1)), t("a")],
    [made("mapOf", kind("unknown"), t("a"), i(1)), t("x")],
  ],
  isJson: [[t("{}")], [t("{")], [t('"x"')], [t("1")], [t("")]],
  jsonAt: [
    [t('{"a":{"b":[1,"x"]}}'), t("a"), t("b"), i(2)],
    [t('{"a":{"b":[1,"x"]}}'), t("a"), t("b"), i(-1)],
    [t('{"a":1}'), t("x")],
    [t('{"a":null}'), t("a")],
    [t("{"), t("a")],
    [t('{"a.b/c~":1}'), t("a.b/c~")],
    [t("[1,2]"), i(0)],
    [t('{"a":{"b": [1, 2]}}'), t("a")],
  ],
  jsonType: ["{}", "[]", '"x"', "1", "1.5", "true", "null", "{"].map((x) => [t(x)]),
  jsonString: [[t('"a\\n\\u00fc"')], [t("1")], [t("x")]],
  jsonLength: [[t("[1,2]")], [t('{"a":1}')], [t("1")], [t("x")]],
  jsonKeys: [[t('{"b":1,"a":2}')], [t("[1]")]],
  jsonItems: [[t('[1,"a",{"x":1},null]')], [t("{}")]],
  arrayZip: [[list("text", t("a"), t("b")), list("integer", i(1))]],
}

export const FUNCTION_CASES: readonly FunctionCase[] = Object.entries(CASES).flatMap(
  ([name, calls]) =>
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
