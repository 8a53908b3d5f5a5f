/** From what a caller sends to everything a new plugin needs. Slow: it may download. */
import { invalid } from "../../lib/errors.ts"
import { createSecretBox } from "../../lib/secret-box.ts"
import { readArchive } from "../../plugins/archive.ts"
import { fetchPlugin, findLatestTag } from "../../plugins/fetch.ts"
import type { PluginFiles } from "../../plugins/files.ts"
import {
  comparableUrl,
  type PluginLocation,
  parseLocation,
  publicUrl,
} from "../../plugins/location.ts"
import { getManifest } from "../../plugins/manifest.ts"
import type { Db } from "../../relational/db.ts"
import type { Services } from "../http/services.ts"
import { fieldsOfPackage, type ReadSource, readSource } from "./read-source.ts"
import type { Plugin, PluginDraft } from "./schema.ts"
import type { SourceFile } from "./source-store.ts"
import { findPrivateToken, isUrlTaken, type NewPlugin, type PluginView } from "./store.ts"

export interface Tools {
  readonly db: Db
  readonly services: Pick<Services, "plugins" | "secretKey">
}

export interface Installation {
  readonly plugin: Omit<NewPlugin, "now">
  readonly files: readonly SourceFile[]
}

/** Where the files of a new plugin come from, with the files. */
interface Origin {
  readonly plugin_type: Plugin["plugin_type"]
  readonly url: string | null
  readonly comparable_url: string | null
  readonly token: string | undefined
  readonly tag: string | undefined
  readonly files: PluginFiles
}

const NO_FILES: PluginFiles = new Map()

export async function prepareInstallation(
  tools: Tools,
  { group, organization_id }: PluginView,
  draft: PluginDraft,
): Promise<Installation> {
  const origin = await findOrigin(tools, organization_id, draft)
  const read = await readSource(origin.files)
  const { url, comparable_url, token, plugin_type } = origin
  const fields = fieldsOfPackage(group, read)
  const given = Object.keys(draft.capabilities ?? {}).length > 0 ? draft.capabilities : undefined
  return {
    plugin: {
      organization_id,
      pipeline_group: group,
      plugin_type,
      url: url === null ? null : publicUrl(url),
      comparable_url,
      private_token: token === undefined ? null : tokenBox(tools).seal(token),
      name: fields.name ?? draft.name ?? null,
      description: fields.description ?? draft.description ?? null,
      icon: fields.icon ?? draft.icon ?? null,
      config_schema: fields.config_schema ?? draft.config_schema ?? {},
      tag: origin.tag ?? draft.tag ?? null,
      is_global: draft.is_global ?? false,
      capabilities: given ?? fields.capabilities ?? {},
      metrics: fields.metrics ?? draft.metrics ?? {},
      public_jobs: fields.public_jobs ?? draft.public_jobs ?? {},
    },
    files: read.files,
  }
}

async function findOrigin(
  tools: Tools,
  organizationId: string,
  draft: PluginDraft,
): Promise<Origin> {
  const { archive, url } = draft
  const isSource = draft.plugin_type === "source"
  const nowhere = { url: null, comparable_url: null, token: undefined, tag: undefined }
  if (archive !== undefined) {
    if (url) throw invalid("Give a url or an archive, not both.", "url")
    const files = await readArchive(archive.bytes)
    getManifest(files)
    return { ...nowhere, plugin_type: isSource ? "source" : "custom", files }
  }
  if (isSource) return { ...nowhere, plugin_type: "source", files: NO_FILES }
  if (!url) throw invalid("This field is required.", "url", "required")
  const type = draft.plugin_type === "repository" ? "repository" : "custom"
  return fetchOrigin(tools, organizationId, { url, type })
}

async function fetchOrigin(
  { db, services: { plugins } }: Tools,
  organizationId: string,
  { url, type }: { readonly url: string; readonly type: "repository" | "custom" },
): Promise<Origin> {
  const { hosts, localRoot } = plugins.fetchSettings
  const location = parseLocation(url, hosts)
  const comparable_url = comparableUrl(location, localRoot)
  const isTaken = await isUrlTaken(db, { comparable_url, organization_id: organizationId })
  if (isTaken) throw alreadyInstalled(url)
  const { files, tag } = await fetchPlugin(location, plugins.fetchSettings)
  getManifest(files)
  const token = "token" in location ? location.token : undefined
  const plugin_type = location.kind === "file" ? "local" : type
  return { plugin_type, url, comparable_url, token, tag, files }
}

export function alreadyInstalled(url: string | null) {
  return invalid(`The plugin "${publicUrl(url ?? "")}" is already installed.`)
}

export interface Upgrade {
  readonly read: ReadSource
  readonly tag: string | undefined
}

/** Undefined where there is nothing to fetch: the source is here, or is edited here. */
export async function prepareUpgrade(tools: Tools, plugin: Plugin): Promise<Upgrade | undefined> {
  const location = await findRemote(tools, plugin)
  if (location === undefined) return undefined
  const { files, tag } = await fetchPlugin(location, tools.services.plugins.fetchSettings)
  getManifest(files)
  return { read: await readSource(files), tag }
}

/** Undefined where there are no versions. */
export async function findNewestTag(tools: Tools, plugin: Plugin): Promise<string | undefined> {
  const location = await findRemote(tools, plugin)
  return location && findLatestTag(location, tools.services.plugins.fetchSettings)
}

async function findRemote(tools: Tools, plugin: Plugin): Promise<PluginLocation | undefined> {
  const { plugin_type, url } = plugin
  if (url === null || plugin_type === "source" || plugin_type === "local") return undefined
  const location = parseLocation(url, tools.services.plugins.fetchSettings.hosts)
  const sealed = await findPrivateToken(tools.db, plugin.id)
  if (!sealed || !("token" in location)) return location
  const token = tokenBox(tools).open(sealed)
  if (token !== undefined) return { ...location, token }
  throw invalid("The private token was stored with another secret key; install the plugin again.")
}

function tokenBox({ services }: Tools) {
  return createSecretBox(services.secretKey, "plugin url token")
}
