/** The address of this instance as the caller sees it: the setting, or what the (trusted) proxy says. */
import type { FastifyRequest } from "fastify"

export function siteUrlOf(setting: string | undefined, request: FastifyRequest): string {
  if (setting !== undefined) return setting
  const host = isHost(request.host) ? request.host : "localhost"
  const prefix = forwardedPrefix(request)
  return `${request.protocol === "https" ? "https" : "http"}://${host}${prefix}`
}

export function requestAddress(setting: string | undefined, request: FastifyRequest): string {
  return `${siteUrlOf(setting, request)}${pathAndQuery(request.url)}`
}

let lastHost = { text: "", isGood: false }

/** Host and port, nothing else. Most requests name the same host, so the last answer is remembered. */
function isHost(text: string): boolean {
  if (text !== lastHost.text) lastHost = { text, isGood: isGoodHost(text) }
  return lastHost.isGood
}

/** Anything more in a Host header is somebody playing. */
function isGoodHost(text: string): boolean {
  return /^[A-Za-z0-9._~[\]:-]{1,255}$/.test(text) && URL.canParse(`http://${text}/`)
}

/** The request line may hold a whole address; its host is not ours to repeat. */
function pathAndQuery(url: string): string {
  return url.replace(/^https?:\/\/[^/]*/i, "")
}

/** A proxy that serves us under a path says so in X-Forwarded-Prefix, and strips it. */
function forwardedPrefix(request: FastifyRequest): string {
  const isTrusted = request.ips !== undefined && request.ips.length > 1
  const prefix = request.headers["x-forwarded-prefix"]
  if (!isTrusted || typeof prefix !== "string" || !/^(\/[A-Za-z0-9._~-]+)+\/?$/.test(prefix))
    return ""
  return prefix.replace(/\/$/, "")
}
