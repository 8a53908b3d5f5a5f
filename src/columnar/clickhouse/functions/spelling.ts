/** How values are spelled in texts. */

const NUMBER = "'^\\\\s*([+-]?(?:\\\\d+\\\\.?\\\\d*|\\\\.\\\\d+)(?:[eE][+-]?\\\\d+)?)\\\\s*$'"

/** Only what JSON could mean as a number: the engine would also read inf and nan, and infinity for what is too large. */
export function printNumber(text: string): string {
  const number = `toFloat64OrNull(extract(${text}, ${NUMBER}))`
  return `if(isFinite(${number}), ${number}, NULL)`
}

/** Line ends to some, characters to JSON: the engine escapes them. */
const LINE_ENDS = ["\u2028", "\u2029"]

/** As JavaScript writes it. */
export function jsonString(text: string): string {
  return LINE_ENDS.reduce((json, character) => {
    const escaped = `\\\\u${(character.codePointAt(0) ?? 0).toString(16)}`
    return `replaceAll(${json}, '${escaped}', '${character}')`
  }, `toJSONString(${text})`)
}
