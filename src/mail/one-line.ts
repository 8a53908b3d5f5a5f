/**
 * One line of bounded length: control characters, line breaks and marks that turn the reading direction become
 * a space, so that no user's text can add a header or pass for another text.
 */
export function oneLine(text: string, maxChars: number): string {
  const line = text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, " ").trim()
  const characters = Array.from(line)
  return characters.length <= maxChars ? line : `${characters.slice(0, maxChars - 1).join("")}…`
}
