/**
 * What SDKs ask for when they start: feature flags, of which there are none, and their own settings, which turn off
 * what this server does not take (recordings, surveys, site apps).
 */
import { newUuid } from "../lib/ids.ts"
import { type Answer, jsonAnswer } from "./answers.ts"
import { isObject, type JsonObject } from "./event-fields.ts"
import { findField } from "./form.ts"
import { refusal } from "./refusal.ts"

const SDK_SETTINGS = {
  supportedCompression: ["gzip", "gzip-js"],
  hasFeatureFlags: false,
  config: { enable_collect_everything: true },
  toolbarParams: {},
  isAuthenticated: false,
  sessionRecording: false,
  surveys: false,
  heatmaps: false,
  capturePerformance: false,
  captureDeadClicks: false,
  autocaptureExceptions: false,
  autocapture_opt_out: false,
  siteApps: [],
  defaultIdentifiedOnly: true,
} as const

export interface FlagsQuestion {
  readonly token: unknown
  readonly version: number
  readonly isWithSettings: boolean
}

/** The token is as it came, of any type. */
export function parseFlagsQuestion(body: unknown, query: string): FlagsQuestion {
  const given: JsonObject = isObject(body) ? body : {}
  return {
    token: given.token ?? given.api_key,
    version: Number.parseInt(findField(query, "v") ?? "1", 10) || 1,
    isWithSettings: isTrue(findField(query, "config")),
  }
}

export function checkFlagsDistinctId(body: unknown, query: string): void {
  const given: JsonObject = isObject(body) ? body : {}
  const distinctId = given.distinct_id ?? given.$distinct_id ?? findField(query, "distinct_id")
  if (distinctId !== undefined && distinctId !== "") return
  throw refusal(
    "missing_distinct_id",
    "Flags are evaluated for somebody: add distinct_id.",
    "distinct_id",
  )
}

function isTrue(text: string | undefined): boolean {
  return text === "true" || text === "1"
}

export function flagsAnswer({ version, isWithSettings }: FlagsQuestion, nowMs: number): Answer {
  const common = {
    errorsWhileComputingFlags: false,
    ...(isWithSettings ? SDK_SETTINGS : {}),
    requestId: newUuid(),
  }
  if (version >= 2) return jsonAnswer({ flags: {}, ...common, evaluatedAt: nowMs })
  return jsonAnswer({ featureFlags: {}, featureFlagPayloads: {}, ...common })
}

/** The older question: settings always, flags in the form of its version. */
export function decideAnswer({ version }: FlagsQuestion): Answer {
  const flags = version < 2 ? { featureFlags: [] } : { featureFlags: {} }
  const payloads = version < 3 ? {} : { featureFlagPayloads: {} }
  return jsonAnswer({ ...SDK_SETTINGS, ...flags, ...payloads, errorsWhileComputingFlags: false })
}

const CONFIG_HEADERS = ["cross-origin-resource-policy", "cross-origin"]
const SCRIPT_TYPE = "text/javascript; charset=utf-8"

export function configAnswer(token: string, isScript: boolean): Answer {
  const settings = JSON.stringify({ token, ...SDK_SETTINGS, analytics: { endpoint: "/i/v0/e/" } })
  if (!isScript) return { status: 200, body: settings, headers: CONFIG_HEADERS }
  // posthog-js looks for its settings under this name once the script has run.
  const all = "window._POSTHOG_REMOTE_CONFIG"
  const body = `${all} = ${all} || {}
${all}[${inScript(JSON.stringify(token))}] = { config: ${inScript(settings)}, siteApps: [] }
`
  return { status: 200, body, contentType: SCRIPT_TYPE, headers: CONFIG_HEADERS }
}

/** So that the text is the same script inside a page. */
function inScript(json: string): string {
  return json.replaceAll("<", "\\u003c")
}

/** The SDK asks for parts of itself that this server has no use for; a script without any is what it bears best. */
export function extensionAnswer(): Answer {
  return { status: 200, body: "", contentType: SCRIPT_TYPE, headers: CONFIG_HEADERS }
}
