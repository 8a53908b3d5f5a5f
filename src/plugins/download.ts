/** Gets a document over HTTP within bounds of size, time and redirects. */
import { type DomainError, invalid } from "../lib/errors.ts"
import { systemCode } from "../lib/system-error.ts"

const TIMEOUT_MS = 30_000
const MAX_REDIRECTS = 5
const REDIRECTS = [301, 302, 303, 307, 308]

export interface DownloadRequest {
  readonly url: string
  /** What is asked for, for the error: `the repository ana/plugin`. */
  readonly what: string
  readonly headers: Readonly<Record<string, string>>
  readonly maxBytes: number
}

export async function download(request: DownloadRequest): Promise<Buffer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await follow(request, signal)
    if (!response.ok) throw refused(request.what, response.status)
    return await readBody(response, request)
  } catch (error) {
    throw unreachable(request, error)
  }
}

/** Redirects are followed by hand: only to https or within a host, and credentials stay with their host. */
async function follow(request: DownloadRequest, signal: AbortSignal): Promise<Response> {
  let url = new URL(request.url)
  let headers = request.headers
  for (let count = 0; count <= MAX_REDIRECTS; count++) {
    const response = await fetch(url, { headers, signal, redirect: "manual" })
    const target = response.headers.get("location")
    if (!REDIRECTS.includes(response.status) || !target) return response
    await response.body?.cancel()
    const next = new URL(target, url)
    const isSameHost = next.host === url.host && next.protocol === url.protocol
    if (!isSameHost && next.protocol !== "https:") {
      throw invalid(`${request.what} is redirected to an address that is not https`)
    }
    if (!isSameHost) headers = { "user-agent": headers["user-agent"] ?? "" }
    url = next
  }
  throw invalid(`${request.what} is redirected more than ${MAX_REDIRECTS} times`)
}

async function readBody(response: Response, { what, maxBytes }: DownloadRequest): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let sizeBytes = 0
  // Leaving the loop by an error cancels the rest of the body.
  for await (const part of response.body ?? []) {
    sizeBytes += part.length
    if (sizeBytes > maxBytes) throw invalid(`${what} has more than ${maxBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function refused(what: string, status: number): DomainError {
  if (status === 404) return invalid(`${what} was not found, or is private`)
  if (status === 401) return invalid(`${what} does not accept the private token`)
  if (status === 403 || status === 429) {
    return invalid(`${what} was refused (${status}): private, or asked for too often`)
  }
  return invalid(`${what} could not be fetched: the host answered ${status}`)
}

function unreachable({ url, what }: DownloadRequest, error: unknown): unknown {
  const name = error instanceof Error ? error.name : ""
  const host = new URL(url).host
  if (name === "TimeoutError") {
    return invalid(`${what}: ${host} could not be reached within ${TIMEOUT_MS} ms`)
  }
  // fetch wraps what the network says in a TypeError.
  if (!(error instanceof TypeError)) return error
  const reason = systemCode(error.cause) ?? "no connection"
  return invalid(`${what}: ${host} could not be reached: ${reason}`)
}
