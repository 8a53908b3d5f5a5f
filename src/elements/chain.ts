/**
 * The text that a click is stored as: `a.small.link:href="/x"nth-child="1"nth-of-type="2"text="Go";div:…`, innermost
 * first. In a value, a quote has a backslash before it, and so has each backslash of a run that ends at a quote or
 * at the value's end; any other backslash stands for itself.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json.ts"
import { textOf } from "../lib/text.ts"

/** A page is not deeper, and more would fill the event. */
const ELEMENTS_MAX = 500
const TEXT_LENGTH_MAX = 400
const HREF_LENGTH_MAX = 2_048

/** From the list of `$elements` that old browser clients send. */
export function elementsChain(elements: readonly JsonValue[]): string {
  return elements.slice(0, ELEMENTS_MAX).filter(isJsonObject).map(printElement).join(";")
}

function printElement(element: JsonObject): string {
  const tag = clean(textAt(element, "tag_name") ?? "", /[.:;"\s]/g)
  const classes = classesOf(element.attr__class ?? element.attr_class)
  const attributes = [...attributesOf(element)].toSorted(([left], [right]) =>
    left < right ? -1 : 1,
  )
  const printed = attributes.map(([key, value]) => `${clean(key, /[=;"]/g)}="${quoted(value)}"`)
  return `${[tag, ...classes].join(".")}:${printed.join("")}`
}

function classesOf(value: JsonValue | undefined): string[] {
  const names = Array.isArray(value)
    ? value.map(textOf)
    : [value == null ? "" : textOf(value as JsonValue)]
  return names
    .flatMap((name) => name.split(/\s+/))
    .map((name) => clean(name, /[;"]/g))
    .filter((name) => name !== "")
    .toSorted()
}

function attributesOf(element: JsonObject): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const key of Object.keys(element)) {
    const value = key.startsWith("attr__") ? textAt(element, key) : undefined
    if (value !== undefined) attributes.set(key, value)
  }
  const href = textAt(element, "attr__href") ?? textAt(element, "href")
  if (href !== undefined) attributes.set("href", href.slice(0, HREF_LENGTH_MAX).toWellFormed())
  const id = textAt(element, "attr__id") ?? textAt(element, "attr_id")
  if (id !== undefined) attributes.set("attr_id", id)
  const text = textAt(element, "$el_text") ?? textAt(element, "text")
  if (text !== undefined) attributes.set("text", text.slice(0, TEXT_LENGTH_MAX).toWellFormed())
  attributes.set("nth-child", textAt(element, "nth_child") ?? "0")
  attributes.set("nth-of-type", textAt(element, "nth_of_type") ?? "0")
  return attributes
}

function textAt(element: JsonObject, key: string): string | undefined {
  const value = element[key]
  return value === undefined || value === null || value === "" ? undefined : textOf(value)
}

function clean(text: string, unwanted: RegExp): string {
  return text.replace(unwanted, "")
}

function quoted(value: string): string {
  if (!value.includes('"') && !value.endsWith("\\")) return value
  const halves = value.split('"').map((part) => part + "\\".repeat(endingBackslashCount(part)))
  return halves.join('\\"')
}

function endingBackslashCount(text: string): number {
  let count = 0
  while (text.charAt(text.length - 1 - count) === "\\") count += 1
  return count
}
