/** Zones and the moments they apply to. */
import { call, text } from "../../build.ts"
import type { Expr } from "../../tree.ts"
import type { CallParts, LoweringContext } from "./function.ts"
import { argOf, constantText, NULL, refuse } from "./lowering.ts"

/** The zone given, or the one that toTimeZone put around the first moment, or the project's. */
export function zoneOf(parts: CallParts, index: number, context: LoweringContext): Expr {
  const given = parts.args[index]
  if (given !== undefined) return zoneFrom(given)
  const named = parts.args.find((arg) => arg.kind === "call" && arg.name === "inZone")
  const zone = named?.kind === "call" ? named.args[1] : undefined
  return zone ?? text(context.timezone)
}

/** Engines fail a query for a zone they do not know, so it must be known while compiling. */
export function zoneFrom(expr: Expr): Expr {
  const name = constantText(expr)
  if (name === undefined) return refuse("The time zone must be a constant text.")
  return text(knownZone(name))
}

function knownZone(name: string): string {
  try {
    const zone = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone
    if (/^[A-Za-z]/.test(zone)) return zone === "Etc/UTC" ? "UTC" : zone
  } catch {
    // Told below.
  }
  return refuse(`There is no time zone "${name}"; one is Europe/Paris.`)
}

/** A date counts as its start in the zone. */
export function asMoment(parts: CallParts, index: number, context: LoweringContext): Expr {
  const value = argOf(parts, index)
  const kind = parts.types[index]?.kind
  if (kind === "date") return call("momentOfDate", value, text(context.timezone))
  return kind === "null" ? NULL : value
}
