/** The part of docs/language.md that is written by hand. A test compiles every query in it. */

export interface IntroNumbers {
  readonly rowsDefault: number
  readonly rowsMax: number
}

export function languageIntro({ rowsDefault, rowsMax }: IntroNumbers): readonly string[] {
  return `# The query language

Made by \`npm run gen\` from the tables and functions in \`src/query/language\`; a test runs every example.

One \`SELECT\` over the project's own data. It is SQL as analytical databases speak it:

\`\`\`sql
SELECT properties.plan AS plan, count() AS events, uniq(person_id) AS people
FROM events
WHERE event = 'purchase' AND timestamp >= now() - INTERVAL 30 DAY
GROUP BY plan
HAVING events > 1
ORDER BY events DESC
LIMIT 10
\`\`\`

- \`WITH name AS (SELECT ...)\` names a query, \`WITH expression AS name\` an expression.
- Sources are tables, queries in brackets and \`numbers(n)\`; \`JOIN\` is \`INNER\`, \`LEFT\`, \`RIGHT\`, \`FULL\` or \`CROSS\`.
  \`ARRAY JOIN\` makes a row of each item. \`UNION ALL\` adds rows of further queries.
- \`WHERE\`, \`GROUP BY\`, \`HAVING\`, \`WINDOW\`, \`ORDER BY\`, \`LIMIT n OFFSET m\`, \`LIMIT n BY x\`.
- Operators: \`+ - * / %\`, \`||\`, \`= != < <= > >=\`, \`[NOT] IN\`, \`[NOT] IN COHORT\`, \`[NOT] LIKE\`, \`[NOT] ILIKE\`,
  \`=~\` and \`!~\` (pattern found or not, RE2), \`=~*\` and \`!~*\` (upper and lower case being equal), \`IS [NOT] NULL\`,
  \`BETWEEN\`, \`??\` (if null), \`NOT\`, \`AND\`, \`OR\`, \`condition ? a : b\`, \`CASE\`.
- \`[1, 2]\` is an array, counted from 1; \`(1, 'a')\` is a tuple, \`t.1\` its first item; \`x -> x + 1\` is a lambda.
- Texts stand in single quotes, names with odd characters in backticks or double quotes; \`--\` and \`/* */\` are comments.

## Properties

\`properties.plan\`, \`properties['odd key']\` and \`properties.list.1\` read a value of an event, \`person.properties.plan\` one of
its person, \`group_0.properties.plan\` one of its group. A value is text: strings as they are, others as JSON; what is
missing or null in JSON is null. Where a number is wanted (\`sum\`, arithmetic, \`> 5\`) the number that it spells is taken,
or null.

\`\`\`sql
SELECT sum(properties.price), avg(properties.seats * 2) FROM events WHERE properties.price > 5
\`\`\`

## Null

Comparisons are true or false, never null: null equals null alone, is not equal to anything else, and is neither less nor
greater than anything. A pattern or \`LIKE\` does not match null. What is computed from null is null; dividing by zero and
reading a number or date out of a text that is none give null.

## Dates

A moment is a point in time; a date is a day of the calendar. Functions of dates and texts that are compared with
moments use the project's time zone, unless a zone is named. \`INTERVAL 1 DAY\` is added to and taken from both.

\`\`\`sql
SELECT toStartOfWeek(timestamp) AS week, count() FROM events WHERE timestamp > '2026-01-01' GROUP BY week ORDER BY week
\`\`\`

## Placeholders

\`{name}\` stands for a value that is sent beside the query, never for text of the query. \`{filters}\` in \`WHERE\` stands for
the filters that are sent beside it (date range, properties, test accounts); without any it is true.

\`\`\`sql
SELECT event, count() FROM events WHERE {filters} GROUP BY event
\`\`\`

## Limits

Without \`LIMIT\` a query answers ${rowsDefault} rows, with it at most ${rowsMax}. Only the project's own rows can be seen. No function
reads files, settings or the network; what functions make out of little (\`range\`, \`repeat\`, padding) is bounded.
`.split("\n")
}
