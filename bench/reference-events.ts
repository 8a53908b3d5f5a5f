/**
 * The events of every measurement: made from a seed, so always the same. A small shop: 17 properties of about
 * 460 bytes, 50 events a person with a few who are far busier, 90 days.
 */
import { createRandom, type Random } from "../test/support/random.ts"

export interface ReferenceEvent {
  readonly uuid: string
  readonly event: string
  readonly distinct_id: string
  readonly timestamp: string
  readonly properties: Readonly<Record<string, string | number>>
}

/** The type of each property as a raw table would declare it. */
export const REFERENCE_PROPERTIES: Readonly<Record<string, "VARCHAR" | "DOUBLE">> = {
  $browser: "VARCHAR",
  $browser_version: "DOUBLE",
  $os: "VARCHAR",
  $device_type: "VARCHAR",
  $screen_height: "DOUBLE",
  $screen_width: "DOUBLE",
  $current_url: "VARCHAR",
  $pathname: "VARCHAR",
  $referrer: "VARCHAR",
  $referring_domain: "VARCHAR",
  $lib: "VARCHAR",
  $lib_version: "VARCHAR",
  $session_id: "VARCHAR",
  $ip: "VARCHAR",
  utm_campaign: "VARCHAR",
  plan: "VARCHAR",
  price: "DOUBLE",
}

const FIRST_DAY = Date.UTC(2026, 0, 1)
const SPAN_MS = 90 * 24 * 60 * 60 * 1_000
const EVENTS_PER_PERSON = 50
const PERSONS_MIN = 1_000
const EVENTS_PER_SESSION_PERIOD = 5_000

const BROWSERS = ["Chrome", "Safari", "Firefox", "Edge", "Opera", "Samsung Internet", "Chrome iOS"]
const SYSTEMS = ["Windows", "Mac OS X", "Linux", "iOS", "Android"]
const DEVICES = ["Desktop", "Mobile", "Tablet"]
const REFERRERS = ["$direct", "www.google.com", "news.example.org", "t.co", "www.bing.com"]
const PLANS = ["free", "pro", "team", "enterprise"]
/** Each name up to its share; the rest are the features. */
const MIX: readonly (readonly [string, number])[] = [
  ["$pageview", 0.55],
  ["view_item", 0.7],
  ["add_to_cart", 0.8],
  ["checkout", 0.86],
  ["purchase", 0.9],
  ["signup", 0.95],
]
const FEATURES_PER_SHARE = 400

export function* referenceEvents(count: number, seed = 20260101): Generator<ReferenceEvent> {
  const random = createRandom(seed)
  const personCount = Math.max(PERSONS_MIN, Math.floor(count / EVENTS_PER_PERSON))
  for (let index = 0; index < count; index++) {
    const person = Math.floor(personCount * random.fraction() ** 1.7)
    const share = Math.min(0.999999, index / count + 0.02 * random.fraction())
    yield {
      uuid: random.uuid(),
      event: nameAt(random.fraction()),
      distinct_id: `user_${person}@example.com`,
      timestamp: new Date(FIRST_DAY + Math.floor(share * SPAN_MS)).toISOString(),
      properties: propertiesOf(random, person, index),
    }
  }
}

function propertiesOf(random: Random, person: number, index: number) {
  const pathname = `/products/${Math.floor(500 * random.fraction() ** 2)}`
  const referrer = random.pick(REFERRERS)
  const session = `${person}-${Math.floor(index / EVENTS_PER_SESSION_PERIOD)}-${random.hex()}`
  return {
    $browser: random.pick(BROWSERS),
    $browser_version: random.integer(100, 130),
    $os: random.pick(SYSTEMS),
    $device_type: random.pick(DEVICES),
    $screen_height: random.integer(700, 1_500),
    $screen_width: random.integer(1_000, 2_500),
    $current_url: `https://shop.example.com${pathname}?ref=${random.hex()}`,
    $pathname: pathname,
    $referrer: `https://${referrer}/`,
    $referring_domain: referrer,
    $lib: "web",
    $lib_version: "1.140.2",
    $session_id: session.padEnd(32, "0"),
    $ip: `10.${random.integer(0, 255)}.${random.integer(0, 255)}.7`,
    utm_campaign: `campaign-${random.integer(0, 40)}`,
    plan: random.pick(PLANS),
    price: random.integer(0, 20_000) / 100,
  }
}

function nameAt(share: number): string {
  const found = MIX.find(([, below]) => share < below)
  return found?.[0] ?? `feature_${Math.floor((share - 0.95) * FEATURES_PER_SHARE)}`
}
