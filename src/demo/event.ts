/** One step of a visitor as the event that an SDK would send. */
import type { JsonObject, JsonValue } from "../lib/json.ts"
import type { Step, StepKind } from "./journey.ts"
import type { Account, Visitor } from "./visitor.ts"
import { SITE } from "./world.ts"

export interface DemoEvent {
  readonly uuid: string
  readonly event: string
  readonly distinct_id: string
  readonly timestamp: string
  readonly properties: JsonObject
}

const HOST = new URL(SITE).host

type Named = Pick<DemoEvent, "event" | "distinct_id" | "properties">

export function eventOf(visitor: Visitor, step: Step): Named {
  const { account } = visitor
  const { event, properties } = PRINTERS[step.kind](visitor, step)
  const known = step.isKnown ? account : undefined
  return {
    event,
    distinct_id: known?.email ?? visitor.anonymousId,
    properties: Object.assign(
      surroundings(visitor, step),
      known?.company === undefined ? undefined : { $groups: { company: known.company.key } },
      properties,
    ),
  }
}

interface Print {
  readonly event: string
  readonly properties: JsonObject
}

const PRINTERS: Readonly<Record<StepKind, (visitor: Visitor, step: Step) => Print>> = {
  page: (_visitor, { pathname }) => ({
    event: "$pageview",
    properties: { title: titleOf(pathname) },
  }),
  leave: () => ({ event: "$pageleave", properties: {} }),
  click: (_visitor, { label = "" }) => ({
    event: "$autocapture",
    properties: { $event_type: "click", $el_text: label, $elements: elementsOf(label) },
  }),
  identify,
  group,
  "sign-up": (visitor) => ({
    event: "signed up",
    properties: {
      method: visitor.index % 3 === 0 ? "google" : "email",
      $set_once: { sign_up_source: visitor.source.utm.utm_source ?? visitor.source.domain },
    },
  }),
  activate: () => ({
    event: "first bed planted",
    properties: { $set: { is_activated: true } },
  }),
  feature: (visitor, { feature, at }) => ({
    event: feature?.event ?? "",
    // Small whole numbers without drawing any: what is drawn decides the story, not its colours.
    properties: { item_count: 1 + ((visitor.index + Math.floor(at / 1_000)) % 7) },
  }),
  purchase: (visitor) => payment("subscription started", visitor),
  invoice: (visitor) => payment("invoice paid", visitor),
  "open-app": (_visitor) => ({
    event: "Application Opened",
    properties: { from_background: true },
  }),
  screen: (_visitor, { pathname }) => ({
    event: "$screen",
    properties: { $screen_name: pathname },
  }),
}

function identify({ anonymousId, account, place }: Visitor, { isOnPhone }: Step): Print {
  const { email = "", name = "", phone } = account ?? {}
  return {
    event: "$identify",
    properties: {
      $anon_distinct_id: isOnPhone ? (phone?.anonymousId ?? anonymousId) : anonymousId,
      $set: { email, name, country: place.country },
      $set_once: { plan: "free" },
    },
  }
}

function group({ account }: Visitor): Print {
  const { key = "", ...company } = account?.company ?? {}
  return {
    event: "$groupidentify",
    properties: { $group_type: "company", $group_key: key, $group_set: company as JsonObject },
  }
}

function payment(event: string, { account }: Visitor): Print {
  const { plan, company } = account as Account
  const seats = company === undefined ? 1 : Math.min(20, Math.ceil(company.employees / 25))
  const { name = "", price = 0 } = plan ?? {}
  return {
    event,
    properties: {
      plan: name,
      seats,
      revenue: price * seats,
      currency: "EUR",
      $set: { plan: name },
    },
  }
}

function surroundings(visitor: Visitor, step: Step): Record<string, JsonValue> {
  if (step.kind === "invoice") return { $lib: "posthog-node", $lib_version: "5.9.2" }
  const { browser, phone } = constantsOf(visitor)
  const $session_id = `${visitor.anonymousId.slice(0, 18)}-${sessionText(step)}`
  if (step.isOnPhone) return { ...phone, $session_id }
  const { pathname } = step
  const isFirstVisit = step.session === 0
  const page = {
    ...browser,
    $session_id,
    $current_url: `${SITE}${pathname}`,
    $pathname: pathname,
    $referrer: isFirstVisit ? visitor.source.referrer : "$direct",
    $referring_domain: isFirstVisit ? visitor.source.domain : "$direct",
  }
  return isFirstVisit ? Object.assign(page, visitor.source.utm) : page
}

function sessionText({ session }: Step): string {
  return `9000-${String(session).padStart(12, "0")}`
}

interface Constants {
  readonly browser: Record<string, JsonValue>
  readonly phone: Record<string, JsonValue>
}

/** Copying one whole object is several times as fast as joining its parts for every event. */
const constants = new WeakMap<Visitor, Constants>()

function constantsOf(visitor: Visitor): Constants {
  const kept = constants.get(visitor)
  if (kept !== undefined) return kept
  const { place, ip } = visitor
  const where = {
    $ip: ip,
    $geoip_country_code: place.code,
    $geoip_country_name: place.country,
    $geoip_city_name: place.city,
    $timezone: place.timezone,
  }
  const made = {
    browser: { ...where, ...ofBrowser(visitor) },
    phone: { ...where, ...ofPhone(visitor) },
  }
  constants.set(visitor, made)
  return made
}

function ofPhone({ account }: Visitor): Record<string, JsonValue> {
  const isApple = account?.phone?.os === "iOS"
  return {
    $lib: isApple ? "posthog-ios" : "posthog-android",
    $lib_version: isApple ? "3.31.0" : "3.21.2",
    $os: isApple ? "iOS" : "Android",
    $device_type: "Mobile",
    $device_manufacturer: isApple ? "Apple" : "Google",
    $device_model: isApple ? "iPhone16,1" : "Pixel 9",
    $app_name: "Trellis",
    $app_version: "2.4.1",
  }
}

function ofBrowser({ device, anonymousId }: Visitor): Record<string, JsonValue> {
  return {
    $lib: "web",
    $lib_version: "1.268.0",
    $device_id: anonymousId,
    $browser: device.browser,
    $browser_version: device.browserVersion,
    $os: device.os,
    $os_version: device.osVersion,
    $device_type: device.type,
    $screen_width: device.width,
    $screen_height: device.height,
    $host: HOST,
  }
}

function titleOf(pathname: string): string {
  const [last = ""] = pathname.split("/").slice(-1)
  return last === "" ? "Trellis: plan your garden" : `${last} · Trellis`
}

function elementsOf(label: string): readonly JsonObject[] {
  const name = label.toLowerCase().replaceAll(" ", "-")
  return [
    {
      tag_name: "button",
      $el_text: label,
      attr__class: ["button", "primary"],
      "attr__data-attr": name,
      nth_child: 2,
      nth_of_type: 1,
    },
    { tag_name: "div", attr__class: ["actions"], nth_child: 1, nth_of_type: 1 },
    { tag_name: "main", attr__id: "content", nth_child: 2, nth_of_type: 1 },
  ]
}
