import { describe, expect, test } from "vitest"
import type { DemoEvent } from "./event.ts"
import { demoEvents } from "./events.ts"

const END = new Date("2026-03-02T10:00:00Z")
const DAY_MS = 86_400_000
const plan = { count: 20_000, seed: "hedgerow", end: END, days: 60 }
const events = [...demoEvents(plan)]

function personsWith(name: string): Set<string> {
  return new Set(events.filter(({ event }) => event === name).map((event) => event.distinct_id))
}

function valuesOf(key: string): Set<unknown> {
  return new Set(events.map(({ properties }) => properties[key]).filter((value) => value != null))
}

function countOn(isWanted: (day: number) => boolean): number {
  const days = new Map<string, number>()
  for (const { timestamp } of events) {
    const day = timestamp.slice(0, 10)
    days.set(day, (days.get(day) ?? 0) + 1)
  }
  const counts = [...days].filter(([day]) => isWanted(new Date(day).getUTCDay()))
  return counts.reduce((sum, [, count]) => sum + count, 0) / counts.length
}

describe("the sample", () => {
  test("has exactly as many events as asked for, in the order of time, ending now", () => {
    expect(events).toHaveLength(plan.count)
    const times = events.map(({ timestamp }) => timestamp)
    expect(times).toEqual(times.toSorted())
    expect(new Date(times[0] ?? "").getTime()).toBeGreaterThanOrEqual(
      END.getTime() - plan.days * DAY_MS,
    )
    const lastMs = new Date(times.at(-1) ?? "").getTime()
    expect(lastMs).toBeLessThanOrEqual(END.getTime())
    expect(END.getTime() - lastMs).toBeLessThan(DAY_MS / 12)
  })

  test.each([0, 1, 2, 17, 1_000])("may have any size, such as %i", (count) => {
    expect([...demoEvents({ ...plan, count })]).toHaveLength(count)
  })

  test("is the same for the same seed, and another for another", () => {
    const small = { ...plan, count: 500 }
    expect([...demoEvents(small)]).toEqual([...demoEvents(small)])
    expect([...demoEvents({ ...small, seed: "other" })]).not.toEqual([...demoEvents(small)])
  })

  test("gives every event a uuid of its own", () => {
    expect(new Set(events.map(({ uuid }) => uuid)).size).toBe(plan.count)
  })

  test("has a funnel that loses people at each step, and some who reach the end", () => {
    const steps = ["$pageview", "signed up", "first bed planted", "subscription started"]
    const counts = steps.map((name) => personsWith(name).size)
    expect(counts).toEqual(counts.toSorted((a, b) => b - a))
    expect(new Set(counts).size).toBe(steps.length)
    expect(counts.at(-1)).toBeGreaterThan(10)
    const signedUp = personsWith("signed up")
    expect([...personsWith("subscription started")].filter((id) => !signedUp.has(id))).toEqual([])
  })

  test("has quiet weekends and grows", () => {
    const isWeekend = (day: number) => day === 0 || day === 6
    expect(countOn(isWeekend)).toBeLessThan(0.6 * countOn((day) => !isWeekend(day)))
    const middle = new Date(END.getTime() - (plan.days / 2) * DAY_MS).toISOString()
    const early = events.filter(({ timestamp }) => timestamp < middle).length
    expect(early).toBeLessThan(0.4 * plan.count)
  })

  test("comes from several browsers, systems, countries, campaigns and libraries", () => {
    for (const key of ["$browser", "$os", "$device_type", "$geoip_country_code", "$lib"]) {
      expect([key, valuesOf(key).size >= 3]).toEqual([key, true])
    }
    expect(valuesOf("utm_campaign").size).toBeGreaterThanOrEqual(3)
    expect(valuesOf("$referring_domain").size).toBeGreaterThanOrEqual(5)
  })

  test("tells who anonymous visitors were, before anything else is done under their name", () => {
    const firstOf = new Map<string, DemoEvent>()
    for (const event of events) {
      if (!firstOf.has(event.distinct_id)) firstOf.set(event.distinct_id, event)
    }
    const named = [...firstOf].filter(([id]) => id.includes("@"))
    expect(named.length).toBeGreaterThan(50)
    for (const [, { event, properties }] of named) {
      expect(event).toBe("$identify")
      expect(firstOf.has(String(properties.$anon_distinct_id))).toBe(true)
    }
  })

  test("has companies, clicks on elements, and revenue", () => {
    const companies = events.filter(({ event }) => event === "$groupidentify")
    expect(companies[0]?.properties).toMatchObject({
      $group_type: "company",
      $group_set: { name: expect.any(String), employees: expect.any(Number) },
    })
    const click = events.find(({ event }) => event === "$autocapture")
    expect(click?.properties.$elements).toMatchObject([{ tag_name: "button" }, {}, {}])
    const paid = events.filter(({ event }) => event === "subscription started")
    expect(paid.every(({ properties }) => Number(properties.revenue) > 0)).toBe(true)
  })

  test("has people who come back for weeks, and more of them in the first week than later", () => {
    const signedUp = new Map(
      events
        .filter(({ event }) => event === "signed up")
        .map(({ distinct_id, timestamp }) => [distinct_id, new Date(timestamp).getTime()]),
    )
    const active = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()]
    for (const { distinct_id, timestamp } of events) {
      const since = new Date(timestamp).getTime() - (signedUp.get(distinct_id) ?? Infinity)
      active[Math.floor(since / (7 * DAY_MS))]?.add(distinct_id)
    }
    const counts = active.map(({ size }) => size)
    expect(counts).toEqual(counts.toSorted((a, b) => b - a))
    expect(counts[3]).toBeGreaterThan(5)
  })
})
