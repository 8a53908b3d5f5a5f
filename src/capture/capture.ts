/**
 * The capture API: a listener for node:http that stands before the framework, because this is the path that must be
 * fast. One request becomes one record of the log, and is answered when the record is on disk.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { DomainError } from "../lib/errors.ts"
import { newUuid } from "../lib/ids.ts"
import { LogFullError } from "../log/log.ts"
import {
  ACCEPTED,
  type Answer,
  bugAnswer,
  errorAnswer,
  NO_CONTENT,
  preflightAnswer,
  send,
  sendBeforeBody,
} from "./answers.ts"
import { AbortedError, HeldBytes, skipBody } from "./body.ts"
import { captureEvents, captureEventsV1 } from "./events.ts"
import { isRefusalReason, refusal } from "./refusal.ts"
import { findRoute, type RouteKind } from "./routes.ts"
import { answerConfig, answerExtension, answerFlags } from "./start-up.ts"
import { type CaptureParts, isBeacon, type Visit } from "./visit.ts"

export type { CaptureParts } from "./visit.ts"

/** The listener answers false when the path is none of capture's: let the others have it. */
export function createCapture(
  parts: CaptureParts,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const held = new HeldBytes()
  return (request, response) => {
    const found = findRoute(request.url ?? "")
    if (found === undefined) return false
    void answer({ parts, found, held, request, response, isLast: parts.isClosing() })
    return true
  }
}

const HANDLERS: Readonly<Record<RouteKind, (visit: Visit) => Promise<Answer>>> = {
  events: captureEvents,
  events_v1: captureEventsV1,
  recordings: dropRecording,
  flags: answerFlags,
  decide: answerFlags,
  config: answerConfig,
  extension: answerExtension,
}

async function answer(visit: Visit): Promise<void> {
  try {
    send(visit, await answerTo(visit))
  } catch (error) {
    refuse(visit, error)
  }
}

function answerTo(visit: Visit): Answer | Promise<Answer> {
  const { route } = visit.found
  const method = visit.request.method ?? ""
  if (method === "OPTIONS") return preflightAnswer(visit.request, route.methods)
  if (!route.methods.includes(method)) {
    const allowed = route.methods.join(", ")
    throw refusal("method_not_allowed", `Method "${method}" not allowed; use ${allowed}.`)
  }
  // Whoever only looks whether somebody is there sends nothing to be kept.
  if (method === "HEAD" && route.kind === "events") return ACCEPTED
  return HANDLERS[route.kind](visit)
}

async function dropRecording({ request, found, parts }: Visit): Promise<Answer> {
  await skipBody(request, found.route.bodyLimitBytes)
  parts.counts.drop("session_recording_unsupported", 1)
  return isBeacon(found.query) ? NO_CONTENT : ACCEPTED
}

function refuse(visit: Visit, error: unknown): void {
  const { parts, request, response } = visit
  const { counts, logger } = parts
  if (error instanceof AbortedError || request.socket.destroyed || response.headersSent) {
    counts.refuse("aborted")
    response.destroy()
    return
  }
  const told = error instanceof LogFullError ? fullLog(error) : error
  if (told instanceof DomainError) {
    counts.refuse(isRefusalReason(told.code) ? told.code : "error")
    sendBeforeBody(visit, errorAnswer(told, visit.found.route.methods))
    return
  }
  const requestId = newUuid()
  counts.refuse("error")
  logger.error({ err: error, request: requestId }, "bug")
  sendBeforeBody(visit, bugAnswer(requestId))
}

function fullLog(cause: LogFullError): DomainError {
  return refusal("unavailable", `Events cannot be kept right now: ${cause.message}.`)
}
