/** What the sample is made of: a planning tool for gardeners and those who garden for a living. */
export const SITE = "https://trellis.example"

export interface Device {
  readonly browser: string
  readonly browserVersion: number
  readonly os: string
  readonly osVersion: string
  readonly type: "Desktop" | "Mobile" | "Tablet"
  readonly width: number
  readonly height: number
}

type Weighted<T> = readonly (readonly [T, number])[]

export const DEVICES: Weighted<Device> = [
  [device(["Chrome", 141, "Windows", "10.0.0", 1920, 1080]), 30],
  [device(["Chrome", 141, "Mac OS X", "10.15.7", 1728, 1117]), 16],
  [device(["Safari", 18, "Mac OS X", "10.15.7", 1512, 982]), 9],
  [device(["Firefox", 143, "Windows", "10.0.0", 1536, 864]), 6],
  [device(["Firefox", 143, "Linux", "6.8", 1920, 1200]), 4],
  [device(["Microsoft Edge", 141, "Windows", "10.0.0", 1920, 1080]), 9],
  [device(["Mobile Safari", 18, "iOS", "18.6", 393, 852]), 13],
  [device(["Chrome", 141, "Android", "15", 412, 915]), 10],
  [device(["Samsung Internet", 28, "Android", "14", 384, 854]), 3],
  [device(["Mobile Safari", 18, "iOS", "18.5", 820, 1180]), 2],
]

function device([browser, browserVersion, os, osVersion, width, height]: readonly [
  ...[browser: string, browserVersion: number],
  ...[os: string, osVersion: string],
  ...[width: number, height: number],
]): Device {
  const type = width < 500 ? "Mobile" : width < 1_000 ? "Tablet" : "Desktop"
  return { browser, browserVersion, os, osVersion, type, width, height }
}

export interface Place {
  readonly code: string
  readonly country: string
  readonly city: string
  readonly timezone: string
  /** Winter time; nobody sees the difference in a sample. */
  readonly utcOffsetHours: number
}

export const PLACES: Weighted<Place> = [
  [place(["DE", "Germany", "Hamburg", "Europe/Berlin", 1]), 16],
  [place(["GB", "United Kingdom", "Leeds", "Europe/London", 0]), 14],
  [place(["US", "United States", "Portland", "America/Los_Angeles", -8]), 16],
  [place(["US", "United States", "Boston", "America/New_York", -5]), 14],
  [place(["FR", "France", "Nantes", "Europe/Paris", 1]), 9],
  [place(["NL", "Netherlands", "Utrecht", "Europe/Amsterdam", 1]), 7],
  [place(["IN", "India", "Pune", "Asia/Kolkata", 5.5]), 8],
  [place(["BR", "Brazil", "Curitiba", "America/Sao_Paulo", -3]), 6],
  [place(["JP", "Japan", "Kyoto", "Asia/Tokyo", 9]), 5],
  [place(["AU", "Australia", "Hobart", "Australia/Hobart", 10]), 5],
]

function place([code, country, city, timezone, utcOffsetHours]: readonly [
  ...[code: string, country: string, city: string],
  ...[timezone: string, utcOffsetHours: number],
]): Place {
  return { code, country, city, timezone, utcOffsetHours }
}

export interface Source {
  readonly referrer: string
  readonly domain: string
  readonly utm: Readonly<Record<string, string>>
  /** How many more of its visitors sign up than of others. */
  readonly quality: number
}

export const SOURCES: Weighted<Source> = [
  [source("$direct", {}, 1), 28],
  [source("www.google.com", {}, 1.1), 26],
  [source("www.google.com", ad("google", "cpc", "spring-planting"), 0.9), 12],
  [source("duckduckgo.com", {}, 1.1), 6],
  [source("www.facebook.com", ad("facebook", "social", "before-after"), 0.5), 10],
  [source("news.ycombinator.com", {}, 0.7), 6],
  [source("mail.allotment-letter.example", ad("allotment-letter", "email", "issue-42"), 1.6), 7],
  [source("gardenforum.example", {}, 1.5), 5],
]

function source(domain: string, utm: Readonly<Record<string, string>>, quality: number): Source {
  const referrer = domain === "$direct" ? domain : `https://${domain}/`
  return { referrer, domain, utm, quality }
}

function ad(name: string, medium: string, campaign: string): Readonly<Record<string, string>> {
  return { utm_source: name, utm_medium: medium, utm_campaign: campaign }
}

export const FIRST_NAMES = [
  ...["Ana", "Bo", "Carla", "Dmitri", "Elif", "Femi", "Greta", "Hugo", "Ines", "Jonas", "Kaya"],
  ...["Lena", "Mateo", "Nadia", "Oskar", "Priya", "Quentin", "Rosa", "Sami", "Tomoko", "Uma"],
]
export const LAST_NAMES = [
  ...["Moss", "Fern", "Hazel", "Alder", "Birch", "Sorrel", "Linden", "Rowan", "Thorn", "Clover"],
  ...["Heath", "Marsh", "Orchard", "Meadow", "Reed", "Vale", "Bramble", "Aspen", "Yarrow"],
]

export interface Company {
  readonly key: string
  readonly name: string
  readonly industry: string
  readonly employees: number
}

const COMPANY_FIRST = ["Green", "Stone", "River", "Copper", "North", "Hill", "Sun", "Old", "Wild"]
const COMPANY_SECOND = ["field", "gate", "works", "yard", "barrow", "lane", "roots"]
const INDUSTRIES = ["landscaping", "nursery", "public parks", "hotels", "vineyards"]

/** Larger ones first: whoever picks with a preference for the front gets a few large customers. */
export const COMPANIES: readonly Company[] = COMPANY_FIRST.flatMap((first, row) =>
  COMPANY_SECOND.map((second, column) => {
    const index = row * COMPANY_SECOND.length + column
    return {
      key: `${first}${second}`.toLowerCase(),
      name: `${first}${second} Ltd`,
      industry: INDUSTRIES[index % INDUSTRIES.length] as string,
      employees: Math.round(900 / (index + 1)) + 3,
    }
  }),
)

export interface Feature {
  readonly event: string
  readonly pathname: string
  readonly button: string
}

export const FEATURES: Weighted<Feature> = [
  [{ event: "task completed", pathname: "/app/tasks", button: "Done" }, 38],
  [{ event: "plant added", pathname: "/app/beds", button: "Add plant" }, 26],
  [{ event: "watering scheduled", pathname: "/app/calendar", button: "Schedule" }, 14],
  [{ event: "photo uploaded", pathname: "/app/journal", button: "Upload" }, 10],
  [{ event: "plan shared", pathname: "/app/share", button: "Share" }, 7],
  [{ event: "report exported", pathname: "/app/reports", button: "Export" }, 5],
]

export interface Plan {
  readonly name: string
  readonly price: number
}

export const PLANS: Weighted<Plan> = [
  [{ name: "grower", price: 9 }, 60],
  [{ name: "team", price: 29 }, 30],
  [{ name: "estate", price: 99 }, 10],
]
