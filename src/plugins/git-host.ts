/** Plugins in repositories on GitHub and GitLab, through their documented REST interfaces. */
import { z } from "zod"
import { invalid } from "../lib/errors.ts"
import { MAX_ARCHIVE_BYTES, readArchive } from "./archive.ts"
import { download } from "./download.ts"
import type { PluginFiles } from "./files.ts"
import type { GitHosts, PluginLocation } from "./location.ts"

export type GitLocation = Extract<PluginLocation, { kind: "github" | "gitlab" }>

const MAX_COMMIT_BYTES = 8 * 1024 * 1024
const USER_AGENT = "hedgerow"

/** GitHub calls the hash of a commit `sha`, GitLab `id`. */
const Commit = z.union([
  z.object({ sha: z.string() }).transform(({ sha }) => sha),
  z.object({ id: z.string() }).transform(({ id }) => id),
])
const Commits = z.union([z.tuple([Commit], z.unknown()).transform(([newest]) => newest), Commit])
const FULL_SHA = /^[0-9a-f]{40}$/

/** The addresses of one repository on one kind of host. */
interface GitHost {
  readonly headers: Readonly<Record<string, string>>
  readonly commits: string
  readonly archive: (sha: string) => string
}

/** The files as of a commit that `findCommit` gave. */
export async function readRepository(
  location: GitLocation,
  { hosts, sha }: { readonly hosts: GitHosts; readonly sha: string },
): Promise<PluginFiles> {
  const { headers, archive } = gitHost(location, hosts)
  const what = `the repository ${location.repository} at ${sha.slice(0, 12)}`
  return readArchive(
    await download({ url: archive(sha), what, headers, maxBytes: MAX_ARCHIVE_BYTES }),
  )
}

/** The commit that the location's ref stands for now, or the newest one. */
export async function findCommit(location: GitLocation, hosts: GitHosts): Promise<string> {
  const { repository, ref } = location
  if (ref !== undefined && FULL_SHA.test(ref)) return ref
  const { headers, commits } = gitHost(location, hosts)
  const what = `the repository ${repository}${ref === undefined ? "" : ` at ${ref}`}`
  const body = await download({ url: commits, what, headers, maxBytes: MAX_COMMIT_BYTES })
  const sha = Commits.safeParse(jsonOf(body)).data
  if (!sha || !/^[0-9a-f]{7,64}$/.test(sha)) throw invalid(`${what} has no commit`)
  return sha
}

function gitHost(location: GitLocation, hosts: GitHosts): GitHost {
  return location.kind === "github" ? githubHost(location, hosts) : gitlabHost(location, hosts)
}

/** With a token the archive comes through the API, as the website takes sessions only. */
function githubHost({ repository, ref, token }: GitLocation, hosts: GitHosts): GitHost {
  const site = `${withoutSlash(hosts.githubUrl)}/${repository}`
  const api = `${withoutSlash(hosts.githubApiUrl)}/repos/${repository}`
  const commit = ref?.split("/").map(encodeURIComponent).join("/")
  return {
    headers: {
      "user-agent": USER_AGENT,
      accept: "application/vnd.github+json",
      ...(token && { authorization: `Bearer ${token}` }),
    },
    commits: commit ? `${api}/commits/${commit}` : `${api}/commits?per_page=1`,
    archive: (sha) => (token ? `${api}/zipball/${sha}` : `${site}/archive/${sha}.zip`),
  }
}

function gitlabHost({ repository, ref, token }: GitLocation, hosts: GitHosts): GitHost {
  const project = encodeURIComponent(repository)
  const api = `${withoutSlash(hosts.gitlabUrl)}/api/v4/projects/${project}/repository`
  const query = new URLSearchParams({ per_page: "1", ...(ref && { ref_name: ref }) })
  return {
    headers: { "user-agent": USER_AGENT, ...(token && { "private-token": token }) },
    commits: `${api}/commits?${query}`,
    archive: (sha) => `${api}/archive.zip?sha=${sha}`,
  }
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "")
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"))
  } catch {
    return undefined
  }
}
