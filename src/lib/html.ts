/**
 * HTML text that is safe by construction: whatever is put into the `html` tag is escaped, unless it was made
 * by the same tag. Used for mails and for the pages that need no client code.
 */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

/** Absent values print nothing; lists print their items one after the other. */
export type HtmlValue = Html | string | number | undefined | null | false | readonly HtmlValue[]

export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const text = parts.map((part, index) => part + print(values[index]))
  return new Html(text.join(""))
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}

function print(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return ""
  if (value instanceof Html) return value.text
  if (typeof value === "object") return value.map(print).join("")
  return escapeHtml(String(value))
}
