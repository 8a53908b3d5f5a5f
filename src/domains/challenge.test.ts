import { describe, expect, test } from "vitest"
import { openDnsServer } from "../../test/support/dns-server.ts"
import { elapsedMs } from "../lib/clock.ts"
import { StartError } from "../lib/errors.ts"
import { createTxtResolver, hasChallenge } from "./challenge.ts"

const challenge = "Jm9pT0y3vZ4q-_wXn2f8s1kLr6dBh5uEoCiAgYtPzMQ"
const name = "_hedgerow-challenge.example.com"

async function openCase(timeoutMs = 2_000) {
  const server = await openDnsServer()
  const resolver = createTxtResolver({ servers: [server.address], timeoutMs })
  return { ...server, has: (domain: string) => hasChallenge(resolver, domain, challenge) }
}

describe("a domain is proven", () => {
  test("by the challenge at its own name", async () => {
    await using dns = await openCase()
    dns.setTxt(name, challenge)
    expect(await dns.has("example.com")).toBe(true)
    expect(dns.queries).toEqual([name])
  })

  test("by a record in several strings, which belong together", async () => {
    await using dns = await openCase()
    dns.records.set(name, [[challenge.slice(0, 10), challenge.slice(10)]])
    expect(await dns.has("example.com")).toBe(true)
  })

  test("by one of several records", async () => {
    await using dns = await openCase()
    dns.records.set(name, [["v=spf1 -all"], [challenge], [""]])
    expect(await dns.has("example.com")).toBe(true)
  })

  test("as soon as the record is there", async () => {
    await using dns = await openCase()
    expect(await dns.has("example.com")).toBe(false)
    dns.setTxt(name, challenge)
    expect(await dns.has("example.com")).toBe(true)
  })

  test("when one of two name servers is gone", async () => {
    const gone = await openDnsServer()
    await gone[Symbol.asyncDispose]()
    await using dns = await openDnsServer()
    dns.setTxt(name, challenge)
    const resolver = createTxtResolver({ servers: [gone.address, dns.address], timeoutMs: 2_000 })
    expect(await hasChallenge(resolver, "example.com", challenge)).toBe(true)
  })
})

describe("a domain is not proven", () => {
  test.each([
    ["another text", [["something else"]]],
    ["the text in other case", [[challenge.toLowerCase()]]],
    ["the text with more around it", [[`${challenge} `], [`x${challenge}`]]],
    ["the text split over two records", [[challenge.slice(0, 10)], [challenge.slice(10)]]],
    ["an empty record", [[""]]],
    ["no record of this kind", []],
    ["a name that does not exist", "nxdomain"],
    ["a name server that fails", "servfail"],
    ["a name server that refuses", "refused"],
  ] as const)("by %s", async (_, answer) => {
    await using dns = await openCase()
    dns.records.set(name, answer)
    expect(await dns.has("example.com")).toBe(false)
  })

  test("by the challenge at the domain itself or at a parent", async () => {
    await using dns = await openCase()
    dns.setTxt("example.com", challenge)
    dns.setTxt(name, challenge)
    expect(await dns.has("shop.example.com")).toBe(false)
  })

  test("by silence, and the wait is bounded", async () => {
    await using dns = await openCase(300)
    dns.records.set(name, "silence")
    const startMs = elapsedMs()
    expect(await dns.has("example.com")).toBe(false)
    expect(elapsedMs() - startMs).toBeLessThan(1_500)
  })

  test("by an absent name server", async () => {
    const gone = await openDnsServer()
    await gone[Symbol.asyncDispose]()
    const resolver = createTxtResolver({ servers: [gone.address], timeoutMs: 300 })
    expect(await hasChallenge(resolver, "example.com", challenge)).toBe(false)
  })

  test.each([
    "",
    ".",
    "a..b.com",
    "x\0.com",
    "💙.com",
    `${"a".repeat(70)}.com`,
    "a.".repeat(5_000),
  ])("when its name is odd: %j", async (domain) => {
    await using dns = await openCase(300)
    expect(await dns.has(domain)).toBe(false)
    expect(dns.queries).toEqual([])
  })

  test("by an empty challenge", async () => {
    await using dns = await openCase()
    dns.setTxt(name, "")
    const resolver = createTxtResolver({ servers: [dns.address], timeoutMs: 300 })
    expect(await hasChallenge(resolver, "example.com", "")).toBe(false)
  })
})

describe("a name server", () => {
  test.each(["1.1.1.1", "127.0.0.1:5353", "::1", "[::1]", "[::1]:5353"])("may be %s", (server) => {
    expect(() => createTxtResolver({ servers: [server] })).not.toThrow()
  })

  test.each([
    "",
    "dns.example.com",
    "1.1.1",
    "1.1.1.1:",
    "1.1.1.1:0",
    "1.1.1.1:65536",
    "[::1]:0",
    "[1.1.1.1]:53",
    "::1:x",
  ])("is never %j", (server) => {
    expect(() => createTxtResolver({ servers: [server] })).toThrow(StartError)
  })

  test("of the system is used when none is named", () => {
    expect(() => createTxtResolver({ servers: undefined, timeoutMs: 100 })).not.toThrow()
  })
})
