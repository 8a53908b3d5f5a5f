/** docs/language.md: the language in brief, its tables, and every function with an example that a test runs. */
import { LANGUAGE_FUNCTIONS, type LanguageFunction } from "../src/query/language/functions/index.ts"
import { ROWS_DEFAULT, ROWS_MAX } from "../src/query/language/limits.ts"
import type { FieldDefinition } from "../src/query/language/table-fields.ts"
import { LANGUAGE_TABLES } from "../src/query/language/tables.ts"
import { languageIntro } from "./language-intro.ts"
import { LEFT_OUT } from "./language-left-out.ts"

export function languagePage(): string {
  return [
    ...languageIntro({ rowsDefault: ROWS_DEFAULT, rowsMax: ROWS_MAX }),
    ...tablesSection(),
    ...functionsSection(),
    ...leftOutSection(),
    "",
  ].join("\n")
}

function tablesSection(): readonly string[] {
  return [
    "## Tables",
    "",
    ...LANGUAGE_TABLES.flatMap(({ name, meaning, fields }) => [
      `### ${name}`,
      "",
      `${capital(meaning)}.`,
      "",
      "| Field | Type | Meaning |",
      "|---|---|---|",
      ...fields.map(
        (field) => `| \`${field.name}\` | ${typeOfField(field)} | ${cell(field.meaning)} |`,
      ),
      "",
    ]),
  ]
}

function typeOfField(field: FieldDefinition): string {
  switch (field.kind) {
    case "properties":
      return "json"
    case "link":
      return field.fields.map(({ name }) => `\`.${name}\``).join(" ")
    case "column":
      return "isNullable" in field.type && field.type.isNullable
        ? `${field.type.kind} or null`
        : field.type.kind
  }
}

function functionsSection(): readonly string[] {
  const shown = LANGUAGE_FUNCTIONS.filter((each) => !isConditional(each))
  const groups = [...new Set(shown.map(({ group }) => group))]
  return [
    "## Functions",
    "",
    "Names are case-sensitive. In signatures, `?` marks what may be left out or null, `...` what may be repeated;",
    "`T`, `U` and `V` are any type, the same wherever they stand. Unless said otherwise, null in gives null out.",
    "",
    ...groups.flatMap((group) => groupSection(group, shown)),
  ]
}

function groupSection(group: string, shown: readonly LanguageFunction[]): readonly string[] {
  const rows = shown
    .filter((each) => each.group === group)
    .map(({ name, signature, meaning, example }) => {
      const [text, answer] = example ?? []
      const shownExample = text === undefined ? "" : `\`${text}\` → \`${JSON.stringify(answer)}\``
      return `| \`${name}\` | \`${cell(signature)}\` | ${cell(meaning)} | ${cell(shownExample)} |`
    })
  return [
    `### ${group}`,
    "",
    ...(group === "Aggregates" ? [CONDITIONAL_NOTE, ""] : []),
    "| Name | Signature | Meaning | Example |",
    "|---|---|---|---|",
    ...rows,
    "",
  ]
}

const CONDITIONAL_NOTE =
  "Each also with `If` after its name and a condition as one more argument, such as `sumIf(x, condition)` and " +
  "`countIf(condition)`. Any of them can have `OVER (...)`."

function isConditional({ kind, name }: LanguageFunction): boolean {
  return kind === "aggregate" && name.endsWith("If")
}

function leftOutSection(): readonly string[] {
  return [
    "## What is left out",
    "",
    "Functions that other systems with this dialect have, and why they are not here:",
    "",
    ...LEFT_OUT.map(([names, reason]) => `- ${names}: ${reason}`),
  ]
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
/** Bars would end the cell. */
const cell = (text: string): string => text.replaceAll("|", "\\|")
