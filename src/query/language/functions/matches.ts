/** Several needles at once, and all groups of a pattern. */
import { boolean, call, gt, number, or, text } from "../../build.ts"
import type { Expr } from "../../tree.ts"
import { type Definition, defineGroup } from "./define.ts"
import {
  arithmetic,
  arrayOf,
  constantText,
  from,
  lambda,
  letBe,
  NULL,
  parameter,
  refuse,
} from "./lowering.ts"
import { countGroups, GROUP_MAX } from "./patterns.ts"

/** The items of a constant array. */
function itemsOf(expr: Expr): readonly Expr[] {
  return expr.kind === "array" ? expr.items : refuse("The needles must be an array, written out.")
}

const anyOf =
  (test: (value: Expr, item: Expr) => Expr) =>
  (value: Expr = NULL, items: Expr = NULL): Expr =>
    itemsOf(items).length === 0
      ? boolean(false)
      : letBe(value, "value", (known) => or(...itemsOf(items).map((item) => test(known, item))))

const contains = (value: Expr, part: Expr): Expr => gt(call("position", value, part), number(0))
const containsFolded = (value: Expr, part: Expr): Expr =>
  contains(call("lower", value), call("lower", part))

const placesOf = (value: Expr, items: Expr): Expr =>
  letBe(value, "value", (known) =>
    arrayOf(...itemsOf(items).map((item) => call("position", known, item))),
  )

const search = (
  signature: string,
  meaning: string,
  more: Pick<Definition, "example" | "lower">,
): Definition => ({
  signature,
  meaning,
  ...more,
})

const matchesOf = (value: Expr, items: Expr): Expr =>
  letBe(value, "value", (known) =>
    arrayOf(
      ...itemsOf(items).map((item) =>
        call("coalesce", call("matches", known, item), boolean(false)),
      ),
    ),
  )

function patternOf(expr: Expr): string {
  return constantText(expr) ?? refuse("The pattern must be a constant text.")
}

/** All that each group took. */
function groupsOf(value: Expr, pattern: Expr): readonly Expr[] {
  const count = Math.min(countGroups(patternOf(pattern)), GROUP_MAX)
  if (count === 0) refuse("The pattern must have a group in brackets.")
  return Array.from({ length: count }, (_, index) =>
    call("extractMatches", value, pattern, number(index + 1)),
  )
}

export const MATCHES = defineGroup(
  { group: "Several patterns and groups", kind: "scalar" },
  {
    multiSearchAny: search(
      "(text, array(text)) -> boolean",
      "Whether one of the texts is in the first.",
      {
        example: ["multiSearchAny('hedgerow', ['x', 'row'])", 1],
        lower: from(anyOf(contains)),
      },
    ),
    multiSearchAnyCaseInsensitive: search(
      "(text, array(text)) -> boolean",
      "Like multiSearchAny, upper and lower case being equal.",
      { lower: from(anyOf(containsFolded)) },
    ),
    multiSearchAllPositions: search(
      "(text, array(text)) -> array(integer)",
      "Where each of the texts begins in the first; 0 if it is not in it.",
      {
        example: ["multiSearchAllPositions('hedgerow', ['row', 'x'])", [6, 0]],
        lower: from((value = NULL, items = NULL) => placesOf(value, items)),
      },
    ),
    multiSearchFirstIndex: search(
      "(text, array(text)) -> integer",
      "The number of the first of the texts that is in the first argument; 0 if none is.",
      {
        example: ["multiSearchFirstIndex('hedgerow', ['x', 'row'])", 2],
        lower: from((value = NULL, items = NULL) => {
          const isFound = gt(parameter("·place"), number(0))
          const found = call("arrayMap", lambda(["·place"], isFound), placesOf(value, items))
          return call("arrayIndexOf", found, boolean(true))
        }),
      },
    ),
    multiMatchAny: search(
      "(text, array(text)) -> boolean",
      "Whether one of the patterns is found.",
      {
        example: ["multiMatchAny('order 42', ['x', '[0-9]+'])", 1],
        lower: from(
          anyOf((value, pattern) =>
            call("coalesce", call("matches", value, pattern), boolean(false)),
          ),
        ),
      },
    ),
    multiSearchFirstPosition: search(
      "(text, array(text)) -> integer",
      "Where the first place of any of the texts is in the first argument; 0 if none is.",
      {
        example: ["multiSearchFirstPosition('hedgerow', ['row', 'ge'])", 4],
        lower: from((value = NULL, items = NULL) => {
          const isFound = gt(parameter("·place"), number(0))
          const found = call("arrayFilter", lambda(["·place"], isFound), placesOf(value, items))
          return call("coalesce", call("arrayMin", found), number(0))
        }),
      },
    ),
    multiMatchAnyIndex: search(
      "(text, array(text)) -> integer",
      "The number of the first of the patterns that is found; 0 if none is.",
      {
        example: ["multiMatchAnyIndex('order 42', ['x', '[0-9]+'])", 2],
        lower: from((value = NULL, items = NULL) =>
          call("arrayIndexOf", matchesOf(value, items), boolean(true)),
        ),
      },
    ),
    multiMatchAllIndices: search(
      "(text, array(text)) -> array(integer)",
      "The numbers of the patterns that are found.",
      {
        example: ["multiMatchAllIndices('order 42', ['[0-9]+', 'x', 'o'])", [1, 3]],
        lower: from((value = NULL, items = NULL) => {
          const place = parameter("·place")
          const found = letBe(matchesOf(value, items), "found", (known) =>
            call(
              "arrayFilter",
              lambda(["·place"], call("arrayElement", known, place)),
              call("range", number(1), number(itemsOf(items).length + 1), number(1)),
            ),
          )
          return found
        }),
      },
    ),
    countMatchesCaseInsensitive: search(
      "(text, text) -> integer?",
      "How many matches of the pattern (constant) the text has, upper and lower case being equal.",
      {
        example: ["countMatchesCaseInsensitive('aAb', 'a')", 2],
        lower: from((value = NULL, pattern = NULL) => {
          const folded = text(`(?i)${patternOf(pattern)}`)
          return call("arrayLength", call("extractMatches", value, folded, number(0)))
        }),
      },
    ),
    extractAllGroupsHorizontal: search(
      "(text, text) -> array(array(text))",
      "For each group of the pattern (constant), what it took in every match.",
      {
        example: [
          "extractAllGroupsHorizontal('a1b2', '([a-z])([0-9])')",
          [
            ["a", "b"],
            ["1", "2"],
          ],
        ],
        lower: from((value = NULL, pattern = NULL) => arrayOf(...groupsOf(value, pattern))),
      },
    ),
    extractAllGroupsVertical: search(
      "(text, text) -> array(array(text))",
      "For each match of the pattern (constant), what its groups took.",
      {
        example: [
          "extractAllGroupsVertical('a1b2', '([a-z])([0-9])')",
          [
            ["a", "1"],
            ["b", "2"],
          ],
        ],
        lower: from((value = NULL, pattern = NULL) =>
          letBe(arrayOf(...groupsOf(value, pattern)), "groups", (groups) => {
            const place = parameter("·place")
            const first = call("arrayElement", groups, number(1))
            const end = arithmetic(call("arrayLength", first), "+", number(1))
            const taken = call("arrayElement", parameter("·group"), place)
            const match = call("arrayMap", lambda(["·group"], taken), groups)
            return call(
              "arrayMap",
              lambda(["·place"], match),
              call("range", number(1), end, number(1)),
            )
          }),
        ),
      },
    ),
  },
)
