/** One request with all that is needed to answer it, and the steps that several routes share. */
import type { Clock } from "../lib/clock.ts"
import type { Logger } from "../lib/logger.ts"
import type { Log } from "../log/log.ts"
import type { Exchange } from "./answers.ts"
import { type HeldBytes, readBody } from "./body.ts"
import type { CaptureCounts } from "./counts.ts"
import { findField } from "./form.ts"
import { type Payload, readPayload } from "./payload.ts"
import type { RecentRequests } from "./recent.ts"
import { refusal } from "./refusal.ts"
import type { FoundRoute } from "./routes.ts"
import type { Project, ProjectTokens } from "./tokens.ts"

export interface CaptureParts {
  readonly log: Pick<Log, "append">
  /** Where ingestion looks before it reads the log. */
  readonly recent?: Pick<RecentRequests, "keep">
  readonly projects: Pick<ProjectTokens, "find">
  readonly clock: Clock
  /** Whether the X-Forwarded-For of this peer is believed. */
  readonly trustProxy: (remoteAddress: string) => boolean
  readonly counts: CaptureCounts
  readonly isClosing: () => boolean
  readonly logger: Pick<Logger, "error">
}

export interface Visit extends Exchange {
  readonly parts: CaptureParts
  readonly found: FoundRoute
  readonly held: HeldBytes
}

/** Reads the body for as long as `work` runs; what it held is given back whatever happens. */
export async function withBody<T>(visit: Visit, work: (body: Buffer) => Promise<T>): Promise<T> {
  const { request, found, held } = visit
  const body = await readBody(request, found.route.bodyLimitBytes, held)
  try {
    return await work(body)
  } finally {
    held.give(body.length)
  }
}

export function payloadOf({ request, found }: Visit, body: Buffer): Payload | Promise<Payload> {
  const { headers } = request
  return readPayload({
    body,
    query: found.query,
    contentType: headers["content-type"],
    contentEncoding: headers["content-encoding"],
  })
}

/** For bodies that name no token of their own. */
export function tokenOfQuery(query: string): string | undefined {
  if (query === "") return undefined
  return findField(query, "api_key") ?? findField(query, "token")
}

export function isBeacon(query: string): boolean {
  return query !== "" && findField(query, "beacon") === "1"
}

export async function getProject({ parts }: Visit, token: string): Promise<Project> {
  const project = await parts.projects.find(token)
  if (project === undefined) {
    throw refusal("invalid_api_key", "No project has this token; it is in the project's settings.")
  }
  return project
}
