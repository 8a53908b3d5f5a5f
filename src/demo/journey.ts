/**
 * What one visitor does and when: visits, signing up, first success, coming back, paying. A journey is a list of
 * steps in the order of time; `event.ts` makes an event of each.
 */
import { busyness, type Calendar, DAY_MS, dayOf } from "./calendar.ts"
import type { Random } from "./random.ts"
import type { Account, Visitor } from "./visitor.ts"
import type { Feature } from "./world.ts"

export type StepKind =
  | "page"
  | "leave"
  | "click"
  | "identify"
  | "group"
  | "sign-up"
  | "activate"
  | "feature"
  | "purchase"
  | "invoice"
  | "open-app"
  | "screen"

export interface Step {
  readonly kind: StepKind
  readonly at: number
  /** Of the visitor, from 0; steps outside of any have -1. */
  readonly session: number
  /** The page or screen it happens on. */
  readonly pathname: string
  /** Whether the visitor is signed in by then. */
  readonly isKnown: boolean
  readonly isOnPhone: boolean
  /** The button's text of a click. */
  readonly label?: string
  readonly feature?: Feature
}

const PAUSE_MS_MIN = 4_000
const PAUSE_MS_MAX = 90_000
const REVISITS_MAX = 2
const REVISIT_SHARE = 0.35
const REVISIT_DAYS_MAX = 10
const PURCHASE_DAYS_MAX = 14
const INVOICE_DAYS = 30
const FEATURES_PER_SESSION_MAX = 5
/** Share of the days on which somebody comes back, and how it falls with the days since. */
const RETURNING = { first: 0.5, last: 0.07, halvedEveryDays: 25 }
const RETURNING_LOST = { first: 0.2, last: 0, halvedEveryDays: 3 }
const PHONE_SESSION_SHARE = 0.4

export function journeyOf(visitor: Visitor, calendar: Calendar, random: Random): Step[] {
  const journey = new Journey(visitor, calendar, random)
  journey.visit()
  const { account } = visitor
  if (account === undefined) journey.revisit()
  else journey.live(account)
  return journey.steps.filter(({ at }) => at <= calendar.endMs).toSorted((a, b) => a.at - b.at)
}

class Journey {
  readonly steps: Step[] = []
  readonly #visitor: Visitor
  readonly #calendar: Calendar
  readonly #random: Random
  #at: number
  #session = 0
  #pathname = "/"
  #isKnown = false
  #isOnPhone = false

  constructor(visitor: Visitor, calendar: Calendar, random: Random) {
    this.#visitor = visitor
    this.#calendar = calendar
    this.#random = random
    this.#at = calendar.arrival(visitor.place, random)
  }

  visit(): void {
    const random = this.#random
    this.#page("/")
    if (random.chance(0.4)) this.#page("/features")
    if (random.chance(0.35)) {
      this.#click("See plans")
      this.#page("/pricing")
    }
    if (this.#visitor.account === undefined) this.#do("leave")
  }

  revisit(): void {
    for (let count = 0; count < REVISITS_MAX && this.#random.chance(REVISIT_SHARE); count++) {
      this.#beginSession(dayOf(this.#at) + this.#random.whole(1, REVISIT_DAYS_MAX) * DAY_MS)
      this.visit()
    }
  }

  live(account: Account): void {
    this.#signUp(account)
    const signedUpAt = this.#at
    if (account.isActivated) this.#activate()
    this.#do("leave")
    if (account.plan !== undefined) this.#pay()
    this.#comeBack(account, signedUpAt)
  }

  #signUp(account: Account): void {
    this.#click("Start free")
    this.#page("/signup")
    this.#isKnown = true
    this.#do("identify")
    this.#do("sign-up")
    if (account.company !== undefined) this.#do("group")
    this.#page("/app/welcome")
  }

  /** Most find their way at once, the others on one of the next days. */
  #activate(): void {
    if (this.#random.chance(0.35)) {
      this.#do("leave")
      this.#beginSession(dayOf(this.#at) + this.#random.whole(1, 3) * DAY_MS)
    }
    this.#page("/app/beds/new")
    this.#do("activate")
  }

  #pay(): void {
    const [at, session] = [this.#at, this.#session]
    this.#beginSession(dayOf(at) + this.#random.whole(1, PURCHASE_DAYS_MAX) * DAY_MS)
    this.#page("/app/billing")
    this.#click("Upgrade")
    this.#do("purchase")
    this.#do("leave")
    const paidAt = this.#at
    this.#at = paidAt + INVOICE_DAYS * DAY_MS
    for (; this.#at <= this.#calendar.endMs; this.#at += INVOICE_DAYS * DAY_MS) {
      this.#add("invoice", { session: -1 })
    }
    // Coming back is told by days, beside all this.
    this.#at = at
    this.#session = Math.max(session, this.#session)
  }

  #comeBack(account: Account, signedUpAt: number): void {
    const habit = account.isActivated ? RETURNING : RETURNING_LOST
    const firstDay = dayOf(signedUpAt) + DAY_MS
    for (let day = firstDay; day <= this.#calendar.endMs; day += DAY_MS) {
      const age = (day - firstDay) / DAY_MS
      const fallen = (habit.first - habit.last) * 0.5 ** (age / habit.halvedEveryDays)
      if (!this.#random.chance((habit.last + fallen) * busyness(day))) continue
      this.#beginSession(day)
      if (account.phone !== undefined && this.#random.chance(PHONE_SESSION_SHARE)) {
        this.#usePhone(account)
      } else this.#work(account)
    }
  }

  #work(account: Account): void {
    const { favourites } = account
    this.#page("/app")
    const count = this.#random.whole(1, FEATURES_PER_SESSION_MAX)
    for (let done = 0; done < count; done++) {
      const feature = this.#random.pick(favourites)
      if (feature.pathname !== this.#pathname) this.#page(feature.pathname)
      if (this.#random.chance(0.4)) this.#click(feature.button)
      this.#do("feature", { feature })
    }
    this.#do("leave")
  }

  #usePhone(account: Account): void {
    this.#isOnPhone = true
    this.#pathname = "Today"
    this.#do("open-app")
    // Each time, as apps do: the first one joins the phone's own id to the person.
    this.#do("identify")
    this.#do("screen")
    const count = this.#random.whole(1, FEATURES_PER_SESSION_MAX - 2)
    for (let done = 0; done < count; done++) {
      this.#do("feature", { feature: this.#random.pick(account.favourites) })
    }
    this.#isOnPhone = false
  }

  #beginSession(dayMs: number): void {
    const moment = this.#calendar.moment(dayMs, this.#visitor.place, this.#random)
    // A day by the calendar there may begin before what was last done here.
    this.#at = Math.max(moment, this.#at + PAUSE_MS_MAX)
    this.#session += 1
  }

  #page(pathname: string): void {
    this.#pathname = pathname
    this.#do("page")
  }

  #click(label: string): void {
    this.#do("click", { label })
  }

  #do(kind: StepKind, more: Pick<Step, "label" | "feature"> = {}): void {
    this.#add(kind, more)
    this.#at += Math.floor(this.#random.between(PAUSE_MS_MIN, PAUSE_MS_MAX))
  }

  #add(kind: StepKind, more: Partial<Step>): void {
    this.steps.push({
      kind,
      at: this.#at,
      session: this.#session,
      pathname: this.#pathname,
      isKnown: this.#isKnown,
      isOnPhone: this.#isOnPhone,
      ...more,
    })
  }
}
