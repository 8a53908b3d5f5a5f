/** Texts and what they spell. */

const NUMBER = "'^\\\\s*([+-]?(?:\\\\d+\\\\.?\\\\d*|\\\\.\\\\d+)(?:[eE][+-]?\\\\d+)?)\\\\s*$'"

/** Only what JSON could mean as a number: the engine would also read inf and nan. */
export function printNumber(text: string): string {
  return `toFloat64OrNull(extract(${text}, ${NUMBER}))`
}
