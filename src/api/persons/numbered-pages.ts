/** Pages by number, `page` and `limit`, beside those by `limit` and `offset` that every list has. */
import { type Envelope, envelope, type Listing, type Page } from "../http/paging.ts"

const NUMBERED_PAGE_SIZE = 10

export interface PageSource {
  readonly page: Page
  readonly query: {
    readonly page?: string | undefined
    readonly limit?: string | undefined
    readonly offset?: string | undefined
  }
  readonly address: string
}

/** The page that is asked for, however it is told. */
export function pageOf({ page, query }: PageSource): Page {
  const number = pageNumberIn(query)
  if (number === undefined) return page
  const limit = query.limit === undefined ? NUMBERED_PAGE_SIZE : page.limit
  return { limit, offset: (number - 1) * limit }
}

/** With links of the kind that was asked with. */
export function numberedEnvelope<T>(listing: Listing<T>, source: PageSource): Envelope<T> {
  const page = pageOf(source)
  const { address } = source
  const number = pageNumberIn(source.query)
  if (number === undefined) return envelope(listing, page, address)
  const hasNext = page.offset + page.limit < listing.count
  return {
    count: listing.count,
    next: hasNext ? numberedAddress(address, number + 1) : null,
    previous: number > 1 ? numberedAddress(address, number - 1) : null,
    results: listing.results,
  }
}

/** Six digits: further than any log here reaches. An offset says more, and wins. */
function pageNumberIn({ page, offset }: PageSource["query"]): number | undefined {
  return offset === undefined && /^[1-9]\d{0,5}$/.test(page ?? "") ? Number(page) : undefined
}

function numberedAddress(address: string, number: number): string {
  const url = new URL(address)
  url.searchParams.set("page", String(number))
  // A key may travel in the query; a link is the last place where it should be kept.
  url.searchParams.delete("personal_api_key")
  return url.href
}
