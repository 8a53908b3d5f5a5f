/** The short name of an organization in addresses: made once from its name, never changed. */
import { randomLetters } from "../../lib/ids.ts"

const LENGTH_MAX = 48
const SUFFIX_LENGTH = 4
const LETTERS = "abcdefghijklmnopqrstuvwxyz"

export function slugOf(name: string): string {
  const slug = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9_\s-]/g, "")
    .replaceAll(/[\s-]+/g, "-")
    .replaceAll(/^[-_]+|[-_]+$/g, "")
    .slice(0, LENGTH_MAX)
  return slug === "" ? "organization" : slug
}

/** For a slug that is taken: room for a dash and four letters. */
export function slugVariant(slug: string): string {
  const room = LENGTH_MAX - SUFFIX_LENGTH - 1
  return `${slug.slice(0, room)}-${randomLetters(LETTERS, SUFFIX_LENGTH)}`
}
