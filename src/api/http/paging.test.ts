import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { envelope, listed, parsePage } from "./paging.ts"

const ADDRESS = "https://hedgerow.example.com/api/plants/"

describe("a page", () => {
  test.each([
    [{}, 100, 0],
    [{ limit: "5", offset: "10" }, 5, 10],
    [{ limit: "1000" }, 1000, 0],
    [{ limit: "1001" }, 1000, 0],
    [{ limit: "999999999999" }, 1000, 0],
    [{ limit: "0" }, 100, 0],
    [{ limit: "-1", offset: "-1" }, 100, 0],
    [{ limit: "many", offset: "far" }, 100, 0],
    [{ limit: "1.5", offset: "1e3" }, 100, 0],
    [{ limit: "", offset: "" }, 100, 0],
    [{ limit: ["1", "2"], offset: ["3"] }, 100, 0],
    [{ offset: "999999999999999" }, 100, 2_147_483_647],
    [{ offset: "9".repeat(400) }, 100, 2_147_483_647],
  ])("asked for by %j has limit %i and offset %i", (query, limit, offset) => {
    expect(parsePage(query, 1_000)).toEqual({ limit, offset })
  })
})

describe("links", () => {
  function linksOf(count: number, page: { limit: number; offset: number }, address = ADDRESS) {
    const { next, previous } = envelope({ count, results: [] }, page, address)
    return { next, previous }
  }

  test("are null at both ends", () => {
    expect(linksOf(0, { limit: 100, offset: 0 })).toEqual({ next: null, previous: null })
    expect(linksOf(100, { limit: 100, offset: 0 })).toEqual({ next: null, previous: null })
  })

  test("lead on and back", () => {
    expect(linksOf(10, { limit: 3, offset: 3 })).toEqual({
      next: `${ADDRESS}?limit=3&offset=6`,
      previous: `${ADDRESS}?limit=3`,
    })
  })

  test("back to the first page has no offset, also from a crooked one", () => {
    expect(linksOf(10, { limit: 5, offset: 2 }).previous).toBe(`${ADDRESS}?limit=5`)
  })

  test("keep the other parameters, and never a key", () => {
    const address = `${ADDRESS}?search=a%26b&personal_api_key=phx_hush&limit=2&tag=x&tag=y`
    const { next } = linksOf(10, { limit: 2, offset: 0 }, address)
    expect(next).toBe(`${ADDRESS}?search=a%26b&limit=2&tag=x&tag=y&offset=2`)
  })

  test("followed to the end visit every row once, and back to the start too", () => {
    const rows = fc.integer({ min: 0, max: 60 })
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 20 }), (count, limit) => {
        const all = Array.from({ length: count }, (_, index) => index)
        const forth = walk(all, `${ADDRESS}?limit=${limit}`, "next")
        expect(forth.rows).toEqual(all)
        const back = walk(all, forth.last, "previous")
        expect(back.pages).toBe(forth.pages)
      }),
    )
  })

  function walk(all: readonly number[], start: string, direction: "next" | "previous") {
    const rows: number[] = []
    let last = start
    let pages = 0
    for (let address: string | null = start; address !== null; ) {
      const page = parsePage(Object.fromEntries(new URL(address).searchParams), 1_000)
      const results = all.slice(page.offset, page.offset + page.limit)
      rows.push(...results)
      last = address
      pages += 1
      address = envelope({ count: all.length, results }, page, address)[direction]
    }
    return { rows, last, pages }
  }
})

describe("the total", () => {
  const rows = (length: number) => Promise.resolve(Array.from({ length }, () => "row"))
  const counting = () => {
    let calls = 0
    const count = () => {
      calls += 1
      return Promise.resolve([{ count: 42 }])
    }
    return { count, calls: () => calls }
  }

  test.each([
    [3, 0, 3, 0],
    [0, 0, 0, 0],
    [3, 10, 13, 0],
    [5, 0, 42, 1],
    [0, 10, 42, 1],
  ])("of %i rows at offset %i is %i, after %i counts", async (length, offset, total, calls) => {
    const counter = counting()
    const listing = await listed({ limit: 5, offset }, rows(length), counter.count)
    expect([listing.count, counter.calls()]).toEqual([total, calls])
  })
})
