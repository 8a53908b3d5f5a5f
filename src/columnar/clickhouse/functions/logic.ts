import type { LOGIC } from "../../../query/functions/logic.ts"
import { named, type Printer } from "./call.ts"

export const LOGIC_PRINTERS: Readonly<Record<keyof typeof LOGIC, Printer>> = {
  coalesce: named("coalesce"),
  isSame: ({ arg }) => `ifNull(${arg(0)} = ${arg(1)}, isNull(${arg(0)}) AND isNull(${arg(1)}))`,
  least: named("least"),
  greatest: named("greatest"),
}
