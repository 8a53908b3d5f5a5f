/** What ClickHouse answers as JSON, as plain JavaScript, by the type of its column. */

export type ReadValue = (value: unknown) => unknown

/** UUIDs and times as text, whole numbers as numbers when they are safe and as text when not. */
export function readerOf(type: string): ReadValue {
  const { name, args } = parseType(type)
  switch (name) {
    case "Nullable": {
      const read = readerOf(args[0] ?? "")
      return (value) => (value === null ? null : read(value))
    }
    case "LowCardinality":
      return readerOf(args[0] ?? "")
    case "SimpleAggregateFunction":
      return readerOf(args[1] ?? "")
    case "Array": {
      const read = readerOf(args[0] ?? "")
      return (value) => (value as readonly unknown[]).map(read)
    }
    case "Tuple":
      return tupleReader(args)
    case "Map": {
      const read = readerOf(args[1] ?? "")
      return (value) =>
        Object.fromEntries(
          Object.entries(value as object).map(([key, held]) => [key, read(held)] as const),
        )
    }
    default:
      return scalarReader(name)
  }
}

function tupleReader(types: readonly string[]): ReadValue {
  const readers = types.map(readerOf)
  return (value) => (value as readonly unknown[]).map((item, index) => readers[index]?.(item))
}

function scalarReader(name: string): ReadValue {
  if (/^U?Int(64|128|256)$/.test(name)) return readInteger
  if (/^(Float|BFloat|Decimal)/.test(name)) return readFloat
  if (name === "DateTime64" || name === "DateTime") return readTime
  return (value) => value
}

function readInteger(value: unknown): number | string {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}

const EXTREMES: ReadonlyMap<unknown, number> = new Map([
  ["nan", Number.NaN],
  ["-nan", Number.NaN],
  ["inf", Number.POSITIVE_INFINITY],
  ["-inf", Number.NEGATIVE_INFINITY],
])

function readFloat(value: unknown): number {
  return EXTREMES.get(value) ?? Number(value)
}

/** "2026-01-02 03:04:05.678901" in UTC: six digits of fraction, or none when it is zero. */
function readTime(value: unknown): string {
  const [seconds = "", fraction = ""] = String(value).split(".")
  const iso = seconds.replace(" ", "T")
  return /^0*$/.test(fraction) ? `${iso}Z` : `${iso}.${fraction.padEnd(6, "0")}Z`
}

/** "Map(String, Array(UInt8))" → Map with two arguments; names of a tuple's items are left out. */
function parseType(type: string): { name: string; args: readonly string[] } {
  const open = type.indexOf("(")
  if (open === -1) return { name: type, args: [] }
  const args: string[] = []
  let depth = 0
  let start = open + 1
  for (let index = open; index < type.length; index += 1) {
    const character = type.charAt(index)
    if (character === "(") depth += 1
    if (character === ")") depth -= 1
    if ((character === "," && depth === 1) || (character === ")" && depth === 0)) {
      args.push(type.slice(start, index).trim())
      start = index + 1
    }
  }
  return { name: type.slice(0, open), args }
}
