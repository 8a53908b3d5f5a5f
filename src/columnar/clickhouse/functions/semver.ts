/**
 * Text whose byte order is the precedence of versions: padded numbers, then "~" for a release or "-" and the
 * pre-release identifiers (numeric ones first), with a separator lower than any character in them.
 */
const SEMVER =
  "'^\\\\s*v?(\\\\d{1,18})(?:\\\\.(\\\\d{1,18}))?(?:\\\\.(\\\\d{1,18}))?(?:-([0-9A-Za-z.-]+))?(?:\\\\+[0-9A-Za-z.-]+)?\\\\s*$'"

/** Null where the text is no version. */
export function printSemverKey(version: string): string {
  const parts = `extractGroups(assumeNotNull(${version}), ${SEMVER})`
  const padded = (group: number) => `leftPad(g[${group}], 18, '0')`
  const identifier =
    "if(match(i, '^\\\\d{1,18}$'), concat('0', leftPad(i, 18, '0')), concat('1', i))"
  const identifiers = `arrayStringConcat(arrayMap(i -> ${identifier}, splitByChar('.', g[4])), char(1))`
  const release = `if(g[4] = '', '~', concat('-', ${identifiers}))`
  const key = `concat(${padded(1)}, ${padded(2)}, ${padded(3)}, ${release})`
  return `arrayMap(g -> if(isNull(${version}) OR empty(g), NULL, ${key}), [${parts}])[1]`
}
