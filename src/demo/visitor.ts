/** Who comes, and how far they will go. */
import type { Random } from "./random.ts"
import {
  COMPANIES,
  type Company,
  DEVICES,
  type Device,
  FEATURES,
  type Feature,
  FIRST_NAMES,
  LAST_NAMES,
  PLACES,
  PLANS,
  type Place,
  type Plan,
  SOURCES,
  type Source,
} from "./world.ts"

export interface Visitor {
  readonly index: number
  readonly anonymousId: string
  readonly device: Device
  readonly place: Place
  readonly source: Source
  readonly ip: string
  /** Present for those who sign up. */
  readonly account: Account | undefined
}

export interface Account {
  /** The distinct id after signing up. */
  readonly email: string
  readonly name: string
  readonly company: Company | undefined
  readonly isActivated: boolean
  /** Present for those who pay. */
  readonly plan: Plan | undefined
  readonly favourites: readonly Feature[]
  /** Present for those who use the mobile app too. */
  readonly phone: Phone | undefined
}

interface Phone {
  readonly anonymousId: string
  readonly os: "iOS" | "Android"
}

const SIGN_UP_SHARE = 0.24
const SMALL_SCREEN_FACTOR = 0.6
const COMPANY_SHARE = 0.4
const ACTIVATED_SHARE = 0.6
const PAYING_SHARE = 0.25
const PAYING_COMPANY_SHARE = 0.5
const PHONE_SHARE = 0.3
const FAVOURITES_MAX = 3

export function createVisitor(index: number, random: Random): Visitor {
  const device = random.weighted(DEVICES)
  const source = random.weighted(SOURCES)
  const screenFactor = device.type === "Desktop" ? 1 : SMALL_SCREEN_FACTOR
  const signsUp = random.chance(SIGN_UP_SHARE * source.quality * screenFactor)
  return {
    index,
    anonymousId: anonymousId(random),
    device,
    place: random.weighted(PLACES),
    source,
    // A network that is kept free for examples.
    ip: `198.51.100.${random.whole(1, 254)}`,
    account: signsUp ? createAccount(index, random) : undefined,
  }
}

function createAccount(index: number, random: Random): Account {
  const name = `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`
  const company = random.chance(COMPANY_SHARE) ? pickCompany(random) : undefined
  const isActivated = random.chance(ACTIVATED_SHARE)
  const payingShare = company === undefined ? PAYING_SHARE : PAYING_COMPANY_SHARE
  const isPaying = isActivated && random.chance(payingShare)
  const host = `${company?.key ?? "post"}.example`
  return {
    email: `${name.toLowerCase().replace(" ", ".")}.${index}@${host}`,
    name,
    company,
    isActivated,
    plan: isPaying ? random.weighted(PLANS) : undefined,
    favourites: pickFavourites(random),
    phone: isActivated && random.chance(PHONE_SHARE) ? createPhone(random) : undefined,
  }
}

/** The square prefers the front of the list, where the large ones are. */
function pickCompany(random: Random): Company {
  return COMPANIES[Math.floor(random.fraction() ** 2 * COMPANIES.length)] as Company
}

function pickFavourites(random: Random): readonly Feature[] {
  const count = random.whole(1, FAVOURITES_MAX)
  return [...new Set(Array.from({ length: count }, () => random.weighted(FEATURES)))]
}

function createPhone(random: Random): Phone {
  return { anonymousId: anonymousId(random), os: random.chance(0.55) ? "iOS" : "Android" }
}

function anonymousId(random: Random): string {
  const digits = random.hex(30)
  const [first, second] = [digits.slice(0, 8), digits.slice(8, 12)]
  return `${first}-${second}-7${digits.slice(12, 15)}-8${digits.slice(15, 18)}-${digits.slice(18)}`
}
