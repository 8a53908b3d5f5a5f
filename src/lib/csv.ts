/**
 * CSV by RFC 4180: comma, CRLF, quotes where needed. Values are not altered: a cell that a spreadsheet would
 * take for a formula is still what was stored.
 */
import { exactNumberOf, stringifyExact } from "./exact-json.ts"

export const CSV_TYPE = "text/csv; charset=utf-8"

/**
 * One line for the header, then one for each row, as the pages of rows come. Objects and lists are JSON. The
 * header waits for the first page: until there is one, there may still be an error to tell instead.
 */
export async function* csvChunks<Column extends string>(
  columns: readonly Column[],
  pages: AsyncIterable<readonly Readonly<Record<Column, unknown>>[]>,
): AsyncGenerator<string> {
  let pending = csvLine(columns)
  for await (const rows of pages) {
    const lines = rows.map((row) => csvLine(columns.map((column) => row[column])))
    if (pending !== "" || lines.length > 0) yield pending + lines.join("")
    pending = ""
  }
  if (pending !== "") yield pending
}

export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map((cell) => quoted(cellText(cell))).join(",")}\r\n`
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return ""
  if (typeof value === "string") return exactNumberOf(value) ?? value
  return typeof value === "object" ? stringifyExact(value) : String(value)
}

/** Spaces at the ends are quoted too: some readers trim bare cells. */
function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
