/** Types of expressions, as far as the meaning of a query depends on them. */
export type Type =
  | { readonly kind: ScalarKind; readonly isNullable: boolean }
  | { readonly kind: "array"; readonly of: Type }
  | { readonly kind: "tuple"; readonly items: readonly Type[] }
  | { readonly kind: "map"; readonly key: Type; readonly value: Type }

/**
 * moment: a point in time, UTC inside. date: a day of the calendar. json: the text of a JSON value, such as all
 * properties of a row. unknown: could be anything; nothing is checked against it.
 */
export type ScalarKind =
  | "text"
  | "integer"
  | "float"
  | "boolean"
  | "moment"
  | "date"
  | "uuid"
  | "json"
  | "null"
  | "unknown"
