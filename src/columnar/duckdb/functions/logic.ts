import type { LOGIC } from "../../../query/functions/logic.ts"
import { named, type Printer } from "./call.ts"

export const LOGIC_PRINTERS: Readonly<Record<keyof typeof LOGIC, Printer>> = {
  coalesce: named("COALESCE"),
  isSame: ({ arg }) => `(${arg(0)} IS NOT DISTINCT FROM ${arg(1)})`,
  least: named("least"),
  greatest: named("greatest"),
}
