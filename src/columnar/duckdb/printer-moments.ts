/** Written dates as people and SDKs send them, each told by its shape, as UTC moments. */

const UNIX_SECONDS = "'\\d{9,10}(\\.\\d+)?'"
const UNIX_MILLISECONDS = "'\\d{12,13}'"
const YEAR_FIRST = "'\\d{4}[-/]\\d{1,2}[-/]\\d{1,2}([T ]\\d.*)?'"
const YEAR_FIRST_WITH_ZONE =
  "'\\d{4}[-/]\\d{1,2}[-/]\\d{1,2}[T ]\\d{1,2}:\\d{2}.*(Z|UTC|[+-]\\d{2}(:?\\d{2})?)'"
const DAY_FIRST = "'\\d{1,2}[-/]\\d{1,2}[-/]\\d{4}([T ]\\d.*)?'"
const RFC_822 = "'([A-Z][a-z]{2}, )?\\d{1,2} [A-Z][a-z]{2} \\d{4} .*'"

const DAY_FIRST_FORMATS = timesOfDay("%d-%m-%Y")
const RFC_822_FORMATS = ["%a, %d %b %Y", "%d %b %Y"]
  .flatMap((day) => [`${day} %H:%M:%S %z`, `${day} %H:%M %z`])
  .map((format) => `'${format}'`)
  .join(", ")

/** `zone` is the printed name of the zone in which dates without one are meant. */
export function printMoment(text: string, zone: string): string {
  const inZone = (local: string) => `timezone('UTC', timezone(${zone}, ${local}))`
  const dayFirst = `try_strptime(replace(replace(${text}, '/', '-'), 'T', ' '), [${DAY_FIRST_FORMATS}])`
  const numericZone = `regexp_replace(${text}, ' (GMT|UTC|UT|Z)$', ' +0000')`
  const branches: readonly (readonly [shape: string, moment: string])[] = [
    [UNIX_SECONDS, `make_timestamp(CAST(round(TRY_CAST(${text} AS DOUBLE) * 1000000) AS BIGINT))`],
    [UNIX_MILLISECONDS, `make_timestamp(TRY_CAST(${text} AS BIGINT) * 1000)`],
    [YEAR_FIRST_WITH_ZONE, `timezone('UTC', TRY_CAST(${text} AS TIMESTAMPTZ))`],
    [YEAR_FIRST, inZone(`TRY_CAST(${text} AS TIMESTAMP)`)],
    [DAY_FIRST, inZone(dayFirst)],
    [RFC_822, `timezone('UTC', try_strptime(${numericZone}, [${RFC_822_FORMATS}]))`],
  ]
  const cases = branches.map(
    ([shape, moment]) => `WHEN regexp_full_match(${text}, ${shape}) THEN ${moment}`,
  )
  return `CASE ${cases.join(" ")} END`
}

function timesOfDay(day: string): string {
  return [day, `${day} %H:%M`, `${day} %H:%M:%S`, `${day} %H:%M:%S.%f`]
    .map((format) => `'${format}'`)
    .join(", ")
}
