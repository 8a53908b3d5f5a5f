/** Where a plugin comes from, read from the text that a user gives as its url. Pure: nothing is looked up. */
import path from "node:path"
import { invalid } from "../lib/errors.ts"

export const MAX_URL_CHARS = 800

/** Base addresses of the git hosts; others than the public ones are an operator's own installations. */
export interface GitHosts {
  readonly githubUrl: string
  readonly githubApiUrl: string
  readonly gitlabUrl: string
}

export const publicGitHosts: GitHosts = {
  githubUrl: "https://github.com",
  githubApiUrl: "https://api.github.com",
  gitlabUrl: "https://gitlab.com",
}

/** A `ref` is a commit, tag or branch; without one the newest commit is meant. Tokens are secrets. */
export type PluginLocation =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "shipped"; readonly name: string }
  | { readonly kind: "npm"; readonly name: string; readonly version: string | undefined }
  | {
      readonly kind: "github" | "gitlab"
      /** `owner/name`; on GitLab groups may be nested. */
      readonly repository: string
      readonly ref: string | undefined
      readonly token: string | undefined
    }

const TOKEN_PARAMETER = "private_token"
const NPM_NAME = "(?:@[a-z0-9][a-z0-9._~-]*/)?[a-z0-9][a-z0-9._~-]*"
const NPM_VERSION = "[0-9a-z][0-9a-z.+-]*"
const NPM_SPEC = new RegExp(`^(${NPM_NAME})(?:@(${NPM_VERSION}))?$`, "i")
const NPM_PAGE = new RegExp(`^/package/(${NPM_NAME})(?:/v/(${NPM_VERSION}))?/?$`, "i")
const NPM_SITE = /^(?:www\.)?npm\w*\.(?:com|org)$/
const SHIPPED_NAME = /^[a-z0-9][a-z0-9-]*$/
const GIT_NAME = /^(?!\.+$)[\w.-]+$/
const GIT_REF = /^(?!.*\.\.)[\w.@+-]+(?:\/[\w.@+-]+)*$/
const GITLAB_PAGES = ["commit", "tree", "tags", "releases", "archive"]

export function parseLocation(url: string, hosts: GitHosts = publicGitHosts): PluginLocation {
  const text = url.trim()
  if (text === "" || text.length > MAX_URL_CHARS || /\p{Cc}/u.test(text)) {
    throw invalid(`the url must be text of 1 to ${MAX_URL_CHARS} characters`, "url")
  }
  if (text.startsWith("file:")) return { kind: "file", path: filePath(text) }
  if (text.startsWith("shipped:")) return shipped(text.slice("shipped:".length))
  if (/^https?:/i.test(text)) return webLocation(text, hosts)
  const [, name, version] = NPM_SPEC.exec(text) ?? []
  if (!name) throw unsupported(text)
  return { kind: "npm", name, version }
}

/** The url as it may be shown: without its token. */
export function publicUrl(url: string): string {
  const [address, query] = splitQuery(url)
  const kept = query.filter((pair) => parameterName(pair) !== TOKEN_PARAMETER)
  return kept.length > 0 ? `${address}?${kept.join("&")}` : address
}

/** By which two plugins are the same: the place they come from, however its url is written. */
export function comparableUrl(location: PluginLocation, localRoot: string | undefined): string {
  switch (location.kind) {
    case "file":
      return `file:${path.resolve(localRoot ?? "/", location.path)}`
    case "shipped":
      return `shipped:${location.name}`
    case "npm":
      return `npm:${location.name}@${location.version ?? ""}`
    case "github":
    case "gitlab":
      return `${location.kind}:${location.repository}@${location.ref ?? ""}`
  }
}

function filePath(text: string): string {
  const written = splitQuery(text)[0].slice("file:".length)
  const local = written.replace(/^\/\/(?:localhost)?(?=\/)/, "")
  if (local.startsWith("//")) throw invalid("a file: url names a path on this host, no other")
  const place = decoded(local)
  if (place === "" || place.includes("\0")) throw invalid("the file: url names no path")
  return place
}

function shipped(name: string): PluginLocation {
  if (!SHIPPED_NAME.test(name)) throw unsupported(`shipped:${name}`)
  return { kind: "shipped", name }
}

function webLocation(text: string, hosts: GitHosts): PluginLocation {
  const url = findUrl(text)
  if (url?.username !== "" || url.password !== "") throw unsupported(text)
  const token = url.searchParams.get(TOKEN_PARAMETER) ?? undefined
  const github = pathBelow(url, hosts.githubUrl)
  if (github) return githubLocation(github, { token, text })
  const gitlab = pathBelow(url, hosts.gitlabUrl)
  if (gitlab) return gitlabLocation(gitlab, { token, text })
  const [, name, version] = (NPM_SITE.test(url.hostname) && NPM_PAGE.exec(url.pathname)) || []
  if (!name) throw unsupported(text)
  if (token) throw invalid("npm packages take credentials from npm's own configuration")
  return { kind: "npm", name, version }
}

interface GitContext {
  readonly token: string | undefined
  readonly text: string
}

/** `owner/name`, then nothing, commit/x, tree/x, releases/tag/x or archive/x.zip. */
function githubLocation(parts: readonly string[], { token, text }: GitContext): PluginLocation {
  const [owner = "", name = "", page, ...rest] = parts
  const repository = [owner, name.replace(/\.git$/, "")]
  if (!repository.every((part) => GIT_NAME.test(part))) throw unsupported(text)
  const ref = githubRef(page, rest)
  if (page !== undefined && !isRef(ref)) throw unsupported(text)
  return { kind: "github", repository: repository.join("/"), ref, token }
}

function githubRef(page: string | undefined, rest: readonly string[]): string | undefined {
  const name = rest.join("/")
  if (page === "commit" || page === "tree") return name
  if (page === "releases" && rest[0] === "tag") return rest.slice(1).join("/")
  if (page === "archive") return archiveRef(name)
  return undefined
}

/** `group/…/name`, then nothing or /-/ (older urls: nothing) and commit/x, tree/x, tags/x, releases/x, archive/x/y.zip. */
function gitlabLocation(parts: readonly string[], { token, text }: GitContext): PluginLocation {
  const dash = parts.indexOf("-")
  const isPage = (part: string, i: number) => i >= 2 && GITLAB_PAGES.includes(part)
  const end = dash === -1 ? parts.findIndex(isPage) : dash
  const repository = (end === -1 ? parts : parts.slice(0, end)).map((part, i, all) =>
    i === all.length - 1 ? part.replace(/\.git$/, "") : part,
  )
  if (repository.length < 2 || !repository.every((part) => GIT_NAME.test(part))) {
    throw unsupported(text)
  }
  const [page, ...rest] = end === -1 ? [] : parts.slice(dash === -1 ? end : end + 1)
  const ref = gitlabRef(page, rest)
  if (end !== -1 && !isRef(ref)) throw unsupported(text)
  return { kind: "gitlab", repository: repository.join("/"), ref, token }
}

function gitlabRef(page: string | undefined, rest: readonly string[]): string | undefined {
  if (page === undefined || !GITLAB_PAGES.includes(page)) return undefined
  return page === "archive" ? rest.slice(0, -1).join("/") : rest.join("/")
}

function archiveRef(name: string): string | undefined {
  const match = /^(?:refs\/)?(.+)\.(?:zip|tar\.gz)$/.exec(name)
  return match?.[1]
}

function isRef(ref: string | undefined): ref is string {
  return ref !== undefined && GIT_REF.test(ref)
}

/** The decoded parts of the path below a base address; undefined when the url is not below it. */
function pathBelow(url: URL, baseUrl: string): string[] | undefined {
  const base = findUrl(baseUrl)
  const prefix = base?.pathname.replace(/\/*$/, "/") ?? "/"
  if (!base || url.host.replace(/^www\./, "") !== base.host) return undefined
  if (!url.pathname.startsWith(prefix)) return undefined
  const parts = url.pathname.slice(prefix.length).split("/").map(decoded)
  return parts.filter((part) => part !== "")
}

function findUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function splitQuery(url: string): [address: string, query: string[]] {
  const [withoutFragment = ""] = url.split("#")
  const [address = "", ...query] = withoutFragment.split("?")
  return [
    address,
    query
      .join("?")
      .split("&")
      .filter((pair) => pair !== ""),
  ]
}

function parameterName(pair: string): string {
  const [name = ""] = pair.split("=")
  return decoded(name)
}

function unsupported(text: string): Error {
  const shown = publicUrl(text).slice(0, 200)
  return invalid(
    `"${shown}" is no place a plugin can come from; give a GitHub or GitLab repository, an npm package or a file: path`,
  )
}
