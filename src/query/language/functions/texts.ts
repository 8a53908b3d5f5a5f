/** Texts. Places and lengths count code points, from 1; names with UTF8 mean the same. */
import { call, eq, gt, not, number, text } from "../../build.ts"
import type { Expr } from "../../tree.ts"
import type { Type } from "../../types.ts"
import { lowerToText } from "./conversion.ts"
import { type Definition, defineGroup } from "./define.ts"
import type { CallParts, LoweringContext } from "./function.ts"
import {
  argOf,
  arithmetic,
  choose,
  constantText,
  from,
  letBe,
  NULL,
  refuse,
  to,
} from "./lowering.ts"

const isArray = ({ types }: CallParts): boolean => types[0]?.kind === "array"
const isMap = ({ types }: CallParts): boolean => types[0]?.kind === "map"

function lengthOf(parts: CallParts): Expr {
  const value = argOf(parts, 0)
  if (isMap(parts)) return call("arrayLength", call("mapKeys", value))
  return call(isArray(parts) ? "arrayLength" : "textLength", value)
}

function isEmpty(parts: CallParts): Expr {
  if (parts.types[0]?.kind === "text") return eq(argOf(parts, 0), text(""))
  return eq(lengthOf(parts), number(0))
}

/** Every argument as text. */
function textsOf({ args, types, ...rest }: CallParts, context: LoweringContext): readonly Expr[] {
  return args.map((arg, index) =>
    lowerToText({ ...rest, args: [arg], types: types.slice(index, index + 1) }, context),
  )
}

function lowerConcat(parts: CallParts, context: LoweringContext): Expr {
  return isArray(parts)
    ? call("arrayConcat", ...parts.args)
    : call("concat", ...textsOf(parts, context))
}

function lowerFormat(parts: CallParts, context: LoweringContext): Expr {
  const format = constantText(parts.args[0])
  if (format === undefined) return refuse("The format must be a constant text.")
  const values = textsOf(parts, context).slice(1)
  let next = 0
  const pieces = format.split(/(\{\{|\}\}|\{\d*\})/).map((piece): Expr => {
    if (piece === "{{" || piece === "}}") return text(piece.charAt(0))
    if (!/^\{\d*\}$/.test(piece)) return text(piece)
    const index = piece === "{}" ? next++ : Number(piece.slice(1, -1))
    return values[index] ?? refuse(`The format names argument ${index}, which is not given.`)
  })
  return call("concat", ...pieces)
}

const TYPE_OF_CONCAT = (types: readonly Type[]) =>
  types[0]?.kind === "array"
    ? { type: types[0] }
    : {
        type: {
          kind: "text",
          isNullable: types.some((type) => "isNullable" in type && type.isNullable),
        } as const,
      }

const position = (isFolded: boolean): Definition => ({
  signature: "(text, text) -> integer",
  meaning: `Where the second text begins in the first${isFolded ? ", upper and lower case being equal" : ""}; 0 if it is not in it.`,
  example: isFolded
    ? ["positionCaseInsensitive('Hedge', 'GE')", 4]
    : ["position('hedgerow', 'row')", 6],
  lower: from((value = NULL, part = NULL) =>
    isFolded
      ? call("position", call("lower", value), call("lower", part))
      : call("position", value, part),
  ),
})

/** More than any text has. */
const OPEN_LENGTH = number(2_000_000_000)

const substring: Definition = {
  signature: "(text, integer, integer?) -> text",
  meaning: "From a place on, negative ones counting from the end, so many code points or all.",
  example: ["substring('hedgerow', 2, 3)", "edg"],
  lower: from((value = NULL, place = NULL, length = OPEN_LENGTH) =>
    call("substring", value, place, length),
  ),
}

const ofText = (
  name: "lower" | "upper" | "reverseText",
  meaning: string,
  example: Definition["example"],
): Definition => ({
  signature: "(text) -> text",
  meaning,
  ...(example === undefined ? {} : { example }),
  lower: to(name),
})

const lower = ofText("lower", "In lower case.", ["lower('ÄB')", "äb"])
const upper = ofText("upper", "In upper case.", ["upper('äb')", "ÄB"])
const textLength: Definition = {
  signature: "(text) -> integer",
  meaning: "How many code points.",
  example: ["lengthUTF8('Käse')", 4],
  lower: to("textLength"),
}

const counted = (isFolded: boolean): Definition => ({
  signature: "(text, text) -> integer",
  meaning: `How often the second text is in the first, without overlaps${isFolded ? ", upper and lower case being equal" : ""}.`,
  ...(isFolded ? {} : { example: ["countSubstrings('banana', 'an')", 2] }),
  lower: from((whole = NULL, part = NULL) => {
    const fold = (expr: Expr) => (isFolded ? call("lower", expr) : expr)
    return letBe(fold(whole), "whole", (value) =>
      letBe(fold(part), "part", (found) => {
        const rest = call("textLength", call("replaceAll", value, found, text("")))
        const gone = arithmetic(call("textLength", value), "-", rest)
        return call(
          "coalesce",
          call("toInteger", arithmetic(gone, "/", call("textLength", found))),
          choose(eq(found, text("")), number(0)),
        )
      }),
    )
  }),
})

export const TEXTS = defineGroup(
  { group: "Texts", kind: "scalar" },
  {
    length: {
      signature: "(any) -> integer",
      meaning: "How many code points a text has, or items an array, or keys a map.",
      example: ["length('Käse')", 4],
      lower: lengthOf,
    },
    lengthUTF8: textLength,
    empty: {
      signature: "(any) -> boolean",
      meaning: "Whether the text, array or map is empty; null of null.",
      example: ["empty('')", 1],
      lower: isEmpty,
    },
    notEmpty: {
      signature: "(any) -> boolean",
      meaning: "Whether the text, array or map is not empty; null of null.",
      example: ["notEmpty([1])", 1],
      lower: (parts) => not(isEmpty(parts)),
    },
    lower,
    lowerUTF8: lower,
    upper,
    upperUTF8: upper,
    reverse: {
      signature: "(T) -> T",
      meaning: "A text's code points or an array's items from last to first.",
      example: ["reverse('abc')", "cba"],
      lower: (parts) => call(isArray(parts) ? "arrayReverse" : "reverseText", argOf(parts, 0)),
    },
    reverseUTF8: ofText("reverseText", "The code points from last to first.", undefined),
    concat: {
      signature: "(any, any...) -> text",
      meaning:
        "The texts one after another, other values as toString; null if one is. Also a || b. Arrays are joined.",
      example: ["concat('a', 1, true)", "a1true"],
      typeOf: TYPE_OF_CONCAT,
      lower: lowerConcat,
    },
    concatWithSeparator: {
      signature: "(text, any...) -> text",
      meaning: "The values as toString with a separator (first) between them.",
      example: ["concatWithSeparator('-', 'a', 'b', 3)", "a-b-3"],
      lower: (parts, context) => {
        const [separator = NULL, ...values] = textsOf(parts, context)
        return call(
          "concat",
          text(""),
          ...values.flatMap((value, index) => (index === 0 ? [value] : [separator, value])),
        )
      },
    },
    format: {
      signature: "(text, any...) -> text",
      meaning:
        "The format (constant) with each {} or {n}, counted from 0, replaced by an argument.",
      example: ["format('{1} of {0}', 3, 'two')", "two of 3"],
      lower: lowerFormat,
    },
    substring,
    substringUTF8: substring,
    left: {
      signature: "(text, integer) -> text",
      meaning: "So many code points from the start.",
      example: ["left('hedge', 2)", "he"],
      lower: from((value = NULL, length = NULL) => call("substring", value, number(1), length)),
    },
    right: {
      signature: "(text, integer) -> text",
      meaning: "So many code points at the end.",
      example: ["right('hedge', 2)", "ge"],
      lower: from((value = NULL, length = NULL) =>
        choose(
          gt(length, number(0)),
          call("substring", value, arithmetic(number(0), "-", length), length),
          text(""),
        ),
      ),
    },
    position: position(false),
    positionUTF8: { ...position(false) },
    positionCaseInsensitive: position(true),
    positionCaseInsensitiveUTF8: position(true),
    startsWith: {
      signature: "(text, text) -> boolean",
      meaning: "Whether the first text begins with the second.",
      example: ["startsWith('hedge', 'he')", 1],
    },
    endsWith: {
      signature: "(text, text) -> boolean",
      meaning: "Whether the first text ends with the second.",
      example: ["endsWith('hedge', 'he')", 0],
    },
    countSubstrings: counted(false),
    countSubstringsCaseInsensitive: counted(true),
    ascii: {
      signature: "(text) -> integer",
      meaning: "The number of the first code point; 0 for none.",
      example: ["ascii('A')", 65],
      lower: to("codePoint"),
    },
  },
)
