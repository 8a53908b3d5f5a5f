/** The current browser SDK in a real Chromium, on a page of another origin; what became of it, over the API. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import path from "node:path"
import { build } from "esbuild"
import { type Browser, chromium, type Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { useTestApp } from "../support/app.ts"

const app = useTestApp()
const CHROMIUM = "/usr/bin/chromium"

let site: Server
let browser: Browser

beforeAll(async () => {
  const script = await bundledSdk()
  site = createServer((request, response) => {
    if (request.url === "/sdk.js") {
      response.setHeader("content-type", "text/javascript").end(script)
      return
    }
    const html = `<!doctype html><title>Shop</title><script src="/sdk.js"></script>
      <h1>Shop</h1><button id="buy" class="button big">Buy now</button>`
    response.setHeader("content-type", "text/html").end(html)
  }).listen(0, "127.0.0.1")
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", ...quiet],
  })
})

afterAll(async () => {
  await browser?.close()
  site?.close()
})

async function bundledSdk(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import posthog from "posthog-js"; window.posthog = posthog`,
      resolveDir: import.meta.dirname,
    },
    absWorkingDir: path.resolve(import.meta.dirname),
    bundle: true,
    write: false,
  })
  return outputFiles[0]?.text ?? ""
}

/** A page with the SDK started, and all that the console and the network complained about. */
async function openShop(token: string): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const complaints: string[] = []
  page.on("console", (message) => {
    if (["warning", "error"].includes(message.type())) complaints.push(message.text())
  })
  page.on("pageerror", (error) => complaints.push(String(error)))
  page.on("response", (response) => {
    const isOurs = response.url().startsWith(app.app.address)
    if (isOurs && response.status() >= 400)
      complaints.push(`${response.status()} ${response.url()}`)
  })
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/shop?utm_source=mail`)
  await page.evaluate(
    ([key, host]) =>
      new Promise<void>((resolve) => {
        const { posthog } = window as unknown as {
          posthog: { init: (...words: unknown[]) => void }
        }
        posthog.init(key, {
          api_host: host,
          person_profiles: "always",
          request_batching: false,
          // A headless browser is taken for a bot.
          opt_out_useragent_filter: true,
          loaded: () => resolve(),
        })
      }),
    [token, app.app.address] as const,
  )
  return { page, complaints }
}

test("posthog-js starts without a complaint, sends, identifies, groups; all of it is there", async () => {
  const { owner, project } = await app.addOrganization()
  const [row] = await app.db<{ api_token: string }[]>`
    select api_token from project where id = ${project.id}`
  const { page, complaints } = await openShop(row?.api_token ?? "")

  const anonymousId = await page.evaluate(() => {
    const { posthog } = window as unknown as {
      posthog: Record<string, (...words: unknown[]) => string>
    }
    const before = posthog.get_distinct_id?.() ?? ""
    posthog.capture?.("added to cart", { price: 12.5, big: "12345678901234567890" })
    posthog.identify?.("ana", { email: "ana@example.com" }, { first_seen: "today" })
    posthog.alias?.("ana-2")
    posthog.group?.("company", "acme", { seats: 7 })
    return before
  })
  await page.click("#buy")
  const [, flags] = await page.evaluate(async () => {
    const { posthog } = window as unknown as {
      posthog: { onFeatureFlags(done: (flags: string[]) => void): void }
    }
    return ["flags", await new Promise<string[]>((resolve) => posthog.onFeatureFlags(resolve))]
  })
  expect(flags).toEqual([])

  const wanted = [
    "$autocapture",
    "$create_alias",
    "$groupidentify",
    "$identify",
    "$pageview",
    "added to cart",
  ]
  const events = await eventually(async () => {
    await app.app.ingest?.settle()
    const url = `/api/projects/${project.id}/events?expand=properties,elements,person`
    const { body } = await app.get(url, owner.key)
    const names = new Set(body.results.map((event: { event: string }) => event.event))
    return wanted.every((name) => names.has(name)) ? body.results : undefined
  })
  const byName = new Map<string, Record<string, unknown>>(
    events.map((event: { event: string }) => [event.event, event]),
  )
  expect(byName.get("added to cart")).toMatchObject({
    properties: { price: 12.5, big: "12345678901234567890", $lib: "web" },
    person: { is_identified: true },
  })
  expect(byName.get("$autocapture")).toMatchObject({
    elements: expect.arrayContaining([
      expect.objectContaining({ tag_name: "button", attr_id: "buy", text: "Buy now" }),
    ]),
  })
  const persons = await app.get(`/api/projects/${project.id}/persons`, owner.key)
  expect(persons.body.results).toMatchObject([
    {
      is_identified: true,
      properties: { email: "ana@example.com", first_seen: "today", $initial_utm_source: "mail" },
    },
  ])
  expect(persons.body.results[0].distinct_ids.toSorted()).toEqual(
    ["ana", "ana-2", anonymousId].toSorted(),
  )
  await page.close({ runBeforeUnload: true })
  expect(complaints).toEqual([])
})

test("what is left when the page goes away comes by beacon", async () => {
  const { owner, project } = await app.addOrganization()
  const [row] = await app.db<{ api_token: string }[]>`
    select api_token from project where id = ${project.id}`
  const { page } = await openShop(row?.api_token ?? "")
  await page.goto("about:blank")
  const events = await eventually(async () => {
    await app.app.ingest?.settle()
    const { body } = await app.get(`/api/projects/${project.id}/events?event=$pageleave`, owner.key)
    return body.results.length > 0 ? body.results : undefined
  })
  expect(events).toHaveLength(1)
})

async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error("it did not come")
}
