/** Text as an SQL literal, for statements of this folder whose parts cannot be bound. */
export function sqlText(text: string): string {
  if (text.includes("\0")) throw new Error("a text with a zero character cannot be an SQL literal")
  return `'${text.replaceAll("'", "''")}'`
}
