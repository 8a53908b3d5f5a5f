/** The paths of capture: what each one is for, which methods it takes, and how much it reads. */
export type RouteKind =
  | "events"
  | "events_v1"
  | "recordings"
  | "flags"
  | "decide"
  | "config"
  | "extension"

interface Route {
  readonly kind: RouteKind
  readonly methods: readonly string[]
  readonly bodyLimitBytes: number
  /** `/engage` only: an event without a name is an `$identify`. */
  readonly isEngage: boolean
}

export interface FoundRoute {
  readonly route: Route
  /** What stands after the question mark, as it came. */
  readonly query: string
  /** `/array/:token/…` only. */
  readonly token: string | undefined
  /** `/array/:token/config.js`: the script, not the JSON. */
  readonly isScript: boolean
}

const MEGABYTE = 1024 * 1024
const EVENTS_LIMIT_BYTES = 2 * MEGABYTE
const BATCH_LIMIT_BYTES = 20 * MEGABYTE
const RECORDINGS_LIMIT_BYTES = 25 * MEGABYTE

const ANY = ["GET", "HEAD", "POST", "OPTIONS"]

const EVENTS: Route = route("events", EVENTS_LIMIT_BYTES)
const CONFIG: Route = {
  ...route("config", EVENTS_LIMIT_BYTES),
  methods: ["GET", "HEAD", "OPTIONS"],
}

/** What posthog-js loads on demand: `/static/surveys.js`, `/static/1.2.3/recorder.js`. */
const EXTENSION: Route = { ...CONFIG, kind: "extension" }

const ROUTES: Readonly<Record<string, Route>> = {
  "/e": EVENTS,
  "/i/v0/e": EVENTS,
  "/capture": EVENTS,
  "/track": EVENTS,
  "/engage": { ...EVENTS, isEngage: true },
  "/batch": route("events", BATCH_LIMIT_BYTES),
  "/i/v1/analytics/events": {
    ...route("events_v1", BATCH_LIMIT_BYTES),
    methods: ["POST", "OPTIONS"],
  },
  "/s": route("recordings", RECORDINGS_LIMIT_BYTES),
  "/flags": route("flags", EVENTS_LIMIT_BYTES),
  "/decide": route("decide", EVENTS_LIMIT_BYTES),
}

function route(kind: RouteKind, bodyLimitBytes: number): Route {
  return { kind, methods: ANY, bodyLimitBytes, isEngage: false }
}

/** Both spellings of each path, so that one lookup finds it. */
const BY_PATH: ReadonlyMap<string, Route> = new Map(
  Object.entries(ROUTES).flatMap(([path, found]) => [
    [path, found],
    [`${path}/`, found],
  ]),
)

export function findRoute(url: string): FoundRoute | undefined {
  const mark = url.indexOf("?")
  const path = mark === -1 ? url : url.slice(0, mark)
  const query = mark === -1 ? "" : url.slice(mark + 1)
  const found = BY_PATH.get(path)
  if (found !== undefined) return { route: found, query, token: undefined, isScript: false }
  if (EXTENSION_PATH.test(path)) {
    return { route: EXTENSION, query, token: undefined, isScript: true }
  }
  return path.startsWith("/array/") ? findConfigRoute(path, query) : undefined
}

const EXTENSION_PATH = /^\/static\/([\w.-]+\/)?[\w-]+\.js$/

const CONFIG_PATH = /^\/array\/([^/]+)\/config(\.js)?\/?$/

function findConfigRoute(path: string, query: string): FoundRoute | undefined {
  const [, token, script] = CONFIG_PATH.exec(path) ?? []
  if (token === undefined) return undefined
  return { route: CONFIG, query, token, isScript: script !== undefined }
}
