/**
 * Names of the IANA time zone database, aliases included. The runtime knows them in any case of letters,
 * other stores only as they are written, so that a name must be written right.
 */
const ZONE_NAME = /^[A-Z][\w+-]*(\/[A-Z][\w+-]*)*$/

export function isTimeZone(name: string): boolean {
  if (!ZONE_NAME.test(name)) return false
  const resolved = findResolved(name)
  return resolved !== undefined && (resolved === name || !isSameName(resolved, name))
}

/** The runtime's own name of a zone, which for an alias is another one. */
function findResolved(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
