/** The ids of an uploaded list: the first cell of each line of a CSV file, by RFC 4180. */
import { invalid } from "../lib/errors.ts"

const decoder = new TextDecoder("utf-8", { fatal: true })

/** Each id once. A header is an id that nobody has. */
export function parseFirstColumn(bytes: Uint8Array): readonly string[] {
  const cells = new Set<string>()
  const text = decode(bytes)
  for (let place = 0; place < text.length; ) {
    const cell = cellAt(text, place)
    if (cell.text !== "") cells.add(cell.text)
    place = lineEnd(text, cell.end)
  }
  return [...cells]
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw invalid("The list is not UTF-8 text.", "csv")
  }
}

interface Cell {
  readonly text: string
  readonly end: number
}

function cellAt(text: string, start: number): Cell {
  if (text[start] === '"') return quotedCellAt(text, start)
  let end = start
  while (end < text.length && !/[,\r\n]/.test(text[end] ?? "")) end++
  return { text: text.slice(start, end).trim(), end }
}

/** Inside quotes, two of them are one. */
function quotedCellAt(text: string, start: number): Cell {
  let end = start + 1
  for (; end < text.length; end++) {
    if (text[end] !== '"') continue
    if (text[end + 1] !== '"') break
    end++
  }
  return { text: text.slice(start + 1, end).replaceAll('""', '"'), end: end + 1 }
}

/** Where the next line starts; quoted cells may hold line ends. */
function lineEnd(text: string, start: number): number {
  let isQuoted = false
  for (let place = start; place < text.length; place++) {
    const character = text[place]
    if (character === '"') isQuoted = !isQuoted
    if (isQuoted || (character !== "\n" && character !== "\r")) continue
    return character === "\r" && text[place + 1] === "\n" ? place + 2 : place + 1
  }
  return text.length
}
