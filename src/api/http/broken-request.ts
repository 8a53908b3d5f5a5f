/**
 * What is no HTTP request at all never reaches the framework; it is answered on the bare socket, in the shape
 * of every other error, and the connection is closed.
 */
import { STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import { systemCode } from "../../lib/system-error.ts"
import type { Problem } from "./problem.ts"

interface Refusal {
  readonly status: number
  readonly code: string
  readonly detail: string
}

const REFUSALS: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: "request_timeout",
    detail: "The request did not arrive in time.",
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: "headers_too_large",
    detail: "The headers of the request, or its address, are larger than this server takes.",
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: "request_too_large",
    detail: "The chunk extensions of the request are larger than this server takes.",
  },
}

const NO_HTTP: Refusal = {
  status: 400,
  code: "parse_error",
  detail: "The request is not valid HTTP.",
}

export function refuseBrokenRequest(error: Error, socket: Socket): void {
  const systemError = systemCode(error) ?? ""
  if (socket.writable && systemError !== "ECONNRESET") {
    socket.write(answerOf(REFUSALS[systemError] ?? NO_HTTP))
  }
  socket.destroy()
}

function answerOf({ status, code, detail }: Refusal): string {
  const problem: Problem = { type: "invalid_request", code, detail, attr: null }
  const body = JSON.stringify(problem)
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "cache-control: no-store",
    "x-content-type-options: nosniff",
    "connection: close",
    "",
    body,
  ].join("\r\n")
}
