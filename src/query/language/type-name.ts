/** Types as answers name them. */
import type { ScalarKind, Type } from "../types.ts"

const NAMES: Readonly<Record<ScalarKind, string>> = {
  text: "String",
  integer: "UInt64",
  float: "Float64",
  boolean: "Bool",
  moment: "DateTime64(6, 'UTC')",
  date: "Date",
  uuid: "UUID",
  json: "String",
  null: "Nothing",
  unknown: "String",
}

export function typeName(type: Type): string {
  switch (type.kind) {
    case "array":
      return `Array(${typeName(type.of)})`
    case "tuple":
      return `Tuple(${type.items.map(typeName).join(", ")})`
    case "map":
      return `Map(${typeName(type.key)}, ${typeName(type.value)})`
    default:
      return type.isNullable ? `Nullable(${NAMES[type.kind]})` : NAMES[type.kind]
  }
}
