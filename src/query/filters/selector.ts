/**
 * A subset of CSS as one RE2 pattern over a chain of elements. A chain holds the innermost element first,
 * joined by ";", each as `tag.class1.class2:name="value"name="value"`, with quotes in values written \".
 */
import { invalid } from "../../lib/errors.ts"

/** A value up to its closing quote. */
export const VALUE = `(?:[^"\\\\]|\\\\(?s:.))*`
const QUOTED = `"${VALUE}"`
const ANY_ELEMENT = `(?:[^";]|${QUOTED})*`
/** From the start over whole elements, so that a ";" inside a value is never taken for a border. */
const EARLIER_ELEMENTS = `^(?:${ANY_ELEMENT};)*`
const ATTRIBUTES = `(?:[^;="]+=${QUOTED})*`
const ELEMENT_END = "(?:;|$)"

/** Orders of conditions are spelled out, and grow as the factorial. */
const CLASS_COUNT_MAX = 4
const ATTRIBUTE_COUNT_MAX = 3
const PART_COUNT_MAX = 10
const SELECTOR_LENGTH_MAX = 1_000

interface Compound {
  readonly tag: string | undefined
  readonly classes: readonly string[]
  /** Patterns of `name="value"`. */
  readonly attributes: readonly string[]
}

/** The pattern of chains in which some element is selected. */
export function patternOfSelector(selector: string): string {
  const { compounds, isChild } = parseSelector(selector)
  const inner = compounds.toReversed().map(patternOfCompound)
  const between = isChild.toReversed().map((direct) => (direct ? ";" : `;(?:${ANY_ELEMENT};)*?`))
  const chain = inner.map((pattern, index) => `${pattern}${between[index] ?? ""}`).join("")
  return `${EARLIER_ELEMENTS}${chain}${ELEMENT_END}`
}

export function patternOfTag(tag: string): string {
  return `${EARLIER_ELEMENTS}${escapePattern(tag)}(?:[.:]${ANY_ELEMENT})?${ELEMENT_END}`
}

export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.|?*+()[\]{}]/g, "\\$&")
}

/** As (part of) a value stands in a chain: quotes, and backslashes right before them, are escaped. */
export const escapeValue = (value: string): string => value.replaceAll(/(\\*)"/g, '$1$1\\"')

/** A whole value, whose last backslashes are escaped too. */
export const escapeWholeValue = (value: string): string =>
  escapeValue(value).replace(/(?<!\\)(\\+)$/, "$1$1")

const NAME = String.raw`(?:[\w-]|\\.|[^\s!-~])+`
const TOKEN = new RegExp(
  [
    String.raw`(?<tag>[a-zA-Z][\w-]*|\*)`,
    String.raw`\.(?<class>${NAME})`,
    `#(?<id>${NAME})`,
    String.raw`\[(?<name>[\w-]+)(?:=(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[\w-]+)))?\]`,
    String.raw`:(?<nth>nth-(?:child|of-type))\((?<index>\d{1,9})\)`,
    String.raw`(?<combinator>\s*>\s*|\s+)`,
  ].join("|"),
  "y",
)

type Token = Readonly<Record<string, string | undefined>>

function parseSelector(selector: string) {
  const compounds: Compound[] = []
  const isChild: boolean[] = []
  let tokens: Token[] = []
  for (const token of listTokens(selector)) {
    if (token.combinator === undefined) {
      tokens.push(token)
      continue
    }
    compounds.push(parseCompound(selector, tokens))
    isChild.push(token.combinator.includes(">"))
    tokens = []
  }
  compounds.push(parseCompound(selector, tokens))
  if (compounds.length > PART_COUNT_MAX) throw unknownSelector(selector)
  return { compounds, isChild }
}

function listTokens(selector: string): readonly Token[] {
  const text = selector.trim()
  if (text.length > SELECTOR_LENGTH_MAX) throw unknownSelector(selector)
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text)
    if (match?.groups === undefined) throw unknownSelector(selector)
    tokens.push(match.groups)
  }
  return tokens
}

/** A tag may only come first, and something must come. */
function parseCompound(selector: string, tokens: readonly Token[]): Compound {
  if (tokens.length === 0 || tokens.some(({ tag }, index) => tag !== undefined && index > 0)) {
    throw unknownSelector(selector)
  }
  const classes = tokens.flatMap((token) => token.class ?? []).map(unescapeName)
  const attributes = tokens.flatMap((token) => patternOfAttribute(token) ?? [])
  if (classes.length > CLASS_COUNT_MAX || attributes.length > ATTRIBUTE_COUNT_MAX) {
    throw unknownSelector(selector)
  }
  const tag = tokens[0]?.tag
  return { tag: tag === "*" ? undefined : tag, classes, attributes }
}

const unescapeName = (name: string): string => name.replaceAll(/\\(.)/g, "$1")

function patternOfAttribute(token: Token): string | undefined {
  if (token.id !== undefined) return patternOfId(unescapeName(token.id))
  if (token.nth !== undefined) return `${token.nth}="${token.index}"`
  if (token.name === undefined) return undefined
  const value = token.double ?? token.single ?? token.bare
  if (token.name === "id" && value !== undefined) return patternOfId(value)
  const named = `(?:attr__)?${escapePattern(token.name)}=`
  return value === undefined ? `${named}${QUOTED}` : `${named}"${valuePattern(value)}"`
}

const patternOfId = (id: string): string => `(?:attr_|attr__)?id="${valuePattern(id)}"`

const valuePattern = (value: string): string => escapePattern(escapeWholeValue(value))

function patternOfCompound({ tag, classes, attributes }: Compound): string {
  const name = tag === undefined ? '[^.:;"]*' : escapePattern(tag)
  const filler = '(?:[.:][^;"]*?)?'
  const classOrders = permutations(classes.map((one) => `${filler}\\.${escapePattern(one)}`))
  const named = `${name}${either(classOrders)}`
  if (attributes.length === 0) return `${named}(?:[.:]${ANY_ELEMENT})?`
  const attributeOrders = permutations(attributes.map((one) => `${ATTRIBUTES}?${one}`))
  return `${named}${filler}:${either(attributeOrders)}${ATTRIBUTES}`
}

const either = (orders: readonly (readonly string[])[]): string =>
  `(?:${orders.map((order) => order.join("")).join("|")})`

/** Elements may list classes and attributes in any order. */
function permutations(items: readonly string[]): readonly (readonly string[])[] {
  if (items.length < 2) return [items]
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((others) => [item, ...others]),
  )
}

function unknownSelector(selector: string) {
  return invalid(
    `The selector "${selector.slice(0, 200)}" cannot be used: it may hold tags, .classes, #ids, ` +
      `[attribute="value"], :nth-child(n) and :nth-of-type(n), joined by spaces or ">", and at most ` +
      `${PART_COUNT_MAX} parts with ${CLASS_COUNT_MAX} classes and ${ATTRIBUTE_COUNT_MAX} attributes each.`,
    "properties",
  )
}
