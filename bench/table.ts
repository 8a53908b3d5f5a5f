import type { Cell, Table } from "./benchmark.ts"

/** Markdown, so that a result can be kept as it was printed. */
export function printTable(table: Table): void {
  const [head = [], ...rows] = table
  const widths = head.map((_, column) =>
    Math.max(...table.map((row) => String(row[column] ?? "").length)),
  )
  const line = (row: readonly Cell[]) =>
    `| ${row.map((cell, column) => String(cell).padEnd(widths[column] ?? 0)).join(" | ")} |`
  console.log(line(head))
  console.log(`|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`)
  for (const row of rows) console.log(line(row))
  console.log()
}
