/** Limit/offset pages: never an error, absolute links that keep the other parameters. */
import { z } from "zod"

export const DEFAULT_PAGE_SIZE = 100
export const MANAGEMENT_PAGE_SIZE_MAX = 1_000
/** Further than any table here reaches, and still an integer for PostgreSQL. */
const OFFSET_MAX = 2_147_483_647

export interface Page {
  readonly limit: number
  readonly offset: number
}

export interface Listing<T> {
  readonly count: number
  readonly results: readonly T[]
}

export interface Envelope<T> extends Listing<T> {
  readonly next: string | null
  readonly previous: string | null
}

/** The documented shape of a page of `item`s. */
export function envelopeOf<T extends z.ZodType>(item: T) {
  return z.object({
    count: z.int(),
    next: z.url().nullable(),
    previous: z.url().nullable(),
    results: z.array(item),
  })
}

export function parsePage(query: Readonly<Record<string, unknown>>, limitMax: number): Page {
  const limit = wholeNumber(query.limit)
  const offset = wholeNumber(query.offset)
  return {
    limit: limit === undefined || limit === 0 ? DEFAULT_PAGE_SIZE : Math.min(limit, limitMax),
    offset: Math.min(offset ?? 0, OFFSET_MAX),
  }
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === "string" && /^\d+$/.test(value.trim()) ? Number(value) : undefined
}

/** `address` is the absolute address of this request. */
export function envelope<T>(listing: Listing<T>, page: Page, address: string): Envelope<T> {
  const { limit, offset } = page
  const { count, results } = listing
  const hasNext = offset + limit < count
  return {
    count,
    next: hasNext ? pageAddress(address, { limit, offset: offset + limit }) : null,
    previous:
      offset > 0 ? pageAddress(address, { limit, offset: Math.max(0, offset - limit) }) : null,
    results,
  }
}

export function pageAddress(address: string, page: Page): string {
  const url = new URL(address)
  url.searchParams.set("limit", String(page.limit))
  if (page.offset === 0) url.searchParams.delete("offset")
  else url.searchParams.set("offset", String(page.offset))
  // A key may travel in the query; a link is the last place where it should be kept.
  url.searchParams.delete("personal_api_key")
  return url.href
}

/** A page of rows with the exact total; counts only when the page itself does not tell. */
export async function listed<T>(
  page: Page,
  rows: PromiseLike<readonly T[]>,
  count: () => PromiseLike<readonly { count: number }[]>,
): Promise<Listing<T>> {
  const results = await rows
  const isLastPage = results.length < page.limit && (results.length > 0 || page.offset === 0)
  if (isLastPage) return { count: page.offset + results.length, results }
  return { count: (await count())[0]?.count ?? 0, results }
}
