const SEMVER =
  "'\\s*v?(\\d{1,18})(?:\\.(\\d{1,18}))?(?:\\.(\\d{1,18}))?(?:-([0-9A-Za-z.-]+))?(?:\\+[0-9A-Za-z.-]+)?\\s*'"

/**
 * Text whose byte order is the precedence of versions: padded numbers, then "~" for a release or "-" and
 * the pre-release identifiers (numeric ones first), with a separator lower than any character in them.
 */
export function printSemverKey(version: string): string {
  const part = (group: number) => `regexp_extract(${version}, ${SEMVER}, ${group})`
  const padded = (group: number) => `lpad(${part(group)}, 18, '0')`
  const identifier =
    "CASE WHEN regexp_full_match(i, '\\d{1,18}') THEN '0' || lpad(i, 18, '0') ELSE '1' || i END"
  const identifiers = `array_to_string(list_transform(string_split(${part(4)}, '.'), lambda i: ${identifier}), chr(1))`
  const release = `CASE WHEN ${part(4)} = '' THEN '~' ELSE '-' || ${identifiers} END`
  const key = `${padded(1)} || ${padded(2)} || ${padded(3)} || ${release}`
  return `CASE WHEN regexp_full_match(${version}, ${SEMVER}) THEN ${key} END`
}
