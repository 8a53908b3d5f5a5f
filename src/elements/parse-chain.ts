/** Reads a chain, ours or a browser client's. What has no such form yields what can be read of it. */
import type { Element } from "./element.ts"

export function parseElementsChain(chain: string): Element[] {
  const elements: Element[] = []
  let index = 0
  while (index < chain.length) {
    const end = endOfElement(chain, index)
    elements.push(parseElement(chain.slice(index, end), elements.length))
    index = end + 1
  }
  return elements
}

function endOfElement(chain: string, start: number): number {
  let index = start
  while (index < chain.length && chain.charAt(index) !== ";") {
    index = chain.charAt(index) === '"' ? endOfValue(chain, index + 1) + 1 : index + 1
  }
  return Math.min(index, chain.length)
}

/** Of the quote that ends the value: one with an even run of backslashes before it. */
function endOfValue(text: string, start: number): number {
  let quote = text.indexOf('"', start)
  while (quote !== -1) {
    let backslashes = 0
    while (quote - backslashes > start && text.charAt(quote - backslashes - 1) === "\\") {
      backslashes += 1
    }
    if (backslashes % 2 === 0) return quote
    quote = text.indexOf('"', quote + 1)
  }
  return text.length
}

/** Class names may hold colons themselves: attributes begin where a name and `="` follow. */
const ATTRIBUTES_START = /:(?=attr_|[\w-]*=")/

function parseElement(text: string, order: number): Element {
  const start = text.search(ATTRIBUTES_START)
  const head = start === -1 ? text.replace(/:$/, "") : text.slice(0, start)
  const attributes = start === -1 ? new Map() : parseAttributes(text.slice(start + 1))
  const [tag = "", ...classes] = head.split(".")
  const take = (key: string): string | null => {
    const value = attributes.get(key) ?? null
    attributes.delete(key)
    return value
  }
  return {
    text: take("text"),
    tag_name: tag === "" ? null : tag,
    attr_class: classes.length === 0 ? null : classes,
    href: take("href"),
    attr_id: take("attr_id"),
    nth_child: numberOf(take("nth-child")),
    nth_of_type: numberOf(take("nth-of-type")),
    attributes: Object.fromEntries(attributes),
    order,
  }
}

function parseAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>()
  let index = 0
  for (;;) {
    const equals = text.indexOf('="', index)
    if (equals === -1) return attributes
    const end = endOfValue(text, equals + 2)
    attributes.set(text.slice(index, equals), unquoted(text.slice(equals + 2, end)))
    index = end + 1
  }
}

/** Looks at each run once, from its start: a long one would otherwise be tried from each of its characters. */
const BACKSLASH_RUN = /(?<!\\)(\\+)("|$)/g

/** A run of backslashes is halved where a quote or the end follows, and stands for itself elsewhere. */
function unquoted(value: string): string {
  return value.includes("\\") ? value.replace(BACKSLASH_RUN, halved) : value
}

function halved(_run: string, backslashes: string, end: string): string {
  return "\\".repeat(Math.floor(backslashes.length / 2)) + end
}

function numberOf(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null
}
