/** Texts changed and encoded. */
import { call, eq, or, text } from "../../build.ts"
import { TEXT_LENGTH_MAX } from "../../functions/texts.ts"
import type { Expr } from "../../tree.ts"
import { type Definition, defineGroup } from "./define.ts"
import { argOf, choose, constantNumber, from, NULL, refuse, to } from "./lowering.ts"

const bounded = (length: Expr | undefined): void => {
  const known = constantNumber(length)
  if (known !== undefined && known > TEXT_LENGTH_MAX) {
    refuse(`A text can be made ${TEXT_LENGTH_MAX} characters long at most, not ${known}.`)
  }
}

const pad = (name: "leftPad" | "rightPad", example: Definition["example"]): Definition => ({
  signature: "(text, integer, text?) -> text",
  meaning: `Filled up ${name === "leftPad" ? "before" : "after"} it to a length with a text (a space), or cut to it; at most ${TEXT_LENGTH_MAX} code points.`,
  ...(example === undefined ? {} : { example }),
  lower: ({ args: [value = NULL, length = NULL, fill = text(" ")] }) => {
    bounded(length)
    return call(name, value, length, fill)
  },
})

const trim = (
  name: "trim" | "trimStart" | "trimEnd",
  where: string,
  example: Definition["example"],
): Definition => ({
  signature: "(text) -> text",
  meaning: `Without spaces at ${where}.`,
  ...(example === undefined ? {} : { example }),
  lower: to(name),
})

const replaceAll: Definition = {
  signature: "(text, text, text) -> text",
  meaning: "Every second text in the first replaced by the third.",
  example: ["replaceAll('a-b-c', '-', '+')", "a+b+c"],
  lower: to("replaceAll"),
}

const translate: Definition = {
  signature: "(text, text, text) -> text",
  meaning:
    "Every character of the second text replaced by the one at the same place of the third, or dropped if that is shorter.",
  example: ["translate('hello', 'el', 'ip')", "hippo"],
  lower: to("translate"),
}

const decode: Definition = {
  signature: "(text) -> text?",
  meaning: "The text whose UTF-8 bytes these are in base 64, or null.",
  example: ["base64Decode('aGVkZ2U=')", "hedge"],
  lower: to("base64Decode"),
}

const XML: readonly (readonly [string, string])[] = [
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&apos;"],
]

export const TEXT_EDITS = defineGroup(
  { group: "Texts changed and encoded", kind: "scalar" },
  {
    replace: replaceAll,
    replaceAll,
    replaceOne: {
      signature: "(text, text, text) -> text",
      meaning: "The first such text replaced.",
      example: ["replaceOne('a-b-c', '-', '+')", "a+b-c"],
      lower: to("replaceFirst"),
    },
    repeat: {
      signature: "(text, integer) -> text",
      meaning: `So many times; at most ${TEXT_LENGTH_MAX} code points in all.`,
      example: ["repeat('ab', 3)", "ababab"],
      lower: (parts) => {
        bounded(parts.args[1])
        return call("repeat", argOf(parts, 0), argOf(parts, 1))
      },
    },
    leftPad: pad("leftPad", ["leftPad('7', 3, '0')", "007"]),
    leftPadUTF8: pad("leftPad", undefined),
    rightPad: pad("rightPad", ["rightPad('ab', 4, '.')", "ab.."]),
    rightPadUTF8: pad("rightPad", undefined),
    trim: trim("trim", "both ends", ["trim('  a ')", "a"]),
    trimBoth: trim("trim", "both ends", undefined),
    trimLeft: trim("trimStart", "the start", ["trimLeft('  a ')", "a "]),
    trimRight: trim("trimEnd", "the end", ["trimRight('  a ')", "  a"]),
    translate,
    translateUTF8: translate,
    appendTrailingCharIfAbsent: {
      signature: "(text, text) -> text",
      meaning: "The text with the second at its end, unless it is empty or has it.",
      example: ["appendTrailingCharIfAbsent('a', '/')", "a/"],
      lower: from((value = NULL, end = NULL) =>
        choose(
          or(eq(value, text("")), call("endsWith", value, end)),
          value,
          call("concat", value, end),
        ),
      ),
    },
    base64Encode: {
      signature: "(text) -> text",
      meaning: "The UTF-8 bytes in base 64.",
      example: ["base64Encode('hedge')", "aGVkZ2U="],
    },
    base64Decode: decode,
    tryBase64Decode: decode,
    encodeXMLComponent: {
      signature: "(text) -> text",
      meaning: "With &, <, >, \" and ' as XML writes them.",
      example: ["encodeXMLComponent('a<b')", "a&lt;b"],
      lower: from((value = NULL) =>
        XML.reduce(
          (made, [plain, code]) => call("replaceAll", made, text(plain), text(code)),
          value,
        ),
      ),
    },
    decodeXMLComponent: {
      signature: "(text) -> text",
      meaning: "The contrary of encodeXMLComponent.",
      example: ["decodeXMLComponent('a&lt;b')", "a<b"],
      lower: from((value = NULL) =>
        [...XML]
          .reverse()
          .reduce(
            (made, [plain, code]) => call("replaceAll", made, text(code), text(plain)),
            value,
          ),
      ),
    },
  },
)
