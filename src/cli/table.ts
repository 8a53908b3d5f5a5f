const GAP = "  "

/** Columns as wide as their widest cell, under a heading in capitals. */
export function printTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [columns.map((name) => name.toUpperCase()), ...rows]
  const widths = columns.map((_, index) =>
    Math.max(...lines.map((cells) => widthOf(cells[index] ?? ""))),
  )
  return lines
    .map((cells) =>
      cells
        .map((cell, index) => cell + " ".repeat((widths[index] ?? 0) - widthOf(cell)))
        .join(GAP)
        .trimEnd(),
    )
    .join("\n")
}

function widthOf(text: string): number {
  return Array.from(text).length
}
