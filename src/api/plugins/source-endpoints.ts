/** The source of a plugin: read, edited, compared with where it came from, fetched anew. */
import { DomainError, invalid, notFound } from "../../lib/errors.ts"
import { checkMay } from "../../plugins/access-level.ts"
import {
  applySourceChanges,
  type PluginFiles,
  parseSourceChanges,
  type SourceChanges,
} from "../../plugins/files.ts"
import { defaultCapabilities, type PluginGroup } from "../../plugins/groups.ts"
import { MANIFEST_NAME, parseManifest } from "../../plugins/manifest.ts"
import type { Change } from "../activity-log/schema.ts"
import { changesBetween, recordActivity } from "../activity-log/store.ts"
import { inOrganization } from "../http/access.ts"
import { type Endpoint, endpoint } from "../http/endpoint.ts"
import { entryOf, loaders, tag } from "./context.ts"
import { findNewestTag, prepareUpgrade } from "./install.ts"
import {
  compileUnless,
  fieldsOfPackage,
  fieldsOfSource,
  hasCode,
  readSource,
} from "./read-source.ts"
import { Plugin, PluginWithSource, SourceEdit } from "./schema.ts"
import { filesOf, listSourceFiles, replaceSourceFiles, shownSource } from "./source-store.ts"
import { updatePlugin } from "./store.ts"

function source(group: PluginGroup): Endpoint {
  return endpoint({
    name: `${group}_source`,
    method: "GET",
    path: `/api/organizations/:organization_id/${group}/:id/source`,
    tag,
    summary: "Get the source of a plugin of yours.",
    access: inOrganization(),
    scope: "plugin:read",
    isKept: true,
    reply: PluginWithSource,
    load: loaders(group).ownToRead,

    handle: async ({ db, loaded: plugin }) => ({
      ...plugin,
      ...shownSource(await listSourceFiles(db, plugin.id)),
    }),
  })
}

function updateSource(group: PluginGroup): Endpoint {
  return endpoint({
    name: `${group}_update_source`,
    method: "PATCH",
    path: `/api/organizations/:organization_id/${group}/:id/update_source`,
    tag,
    summary: "Change, add or remove files of the source.",
    access: inOrganization(),
    scope: "plugin:write",
    body: SourceEdit,
    reply: PluginWithSource,
    load: loaders(group).toChange,

    /** Compiles what the edit would lead to, so that the transaction finds it done. */
    async outside({ db, loaded: plugin, body }) {
      const rows = await listSourceFiles(db, plugin.id)
      const files = edited(filesOf(rows), parseSourceChanges(body))
      return readSource(files, compileUnless(rows))
    },

    async handle({ db, caller, now, organization, loaded: before, body, brought }) {
      const edit = parseSourceChanges(body)
      const rows = await listSourceFiles(db, before.id)
      const earlier = filesOf(rows)
      const known = [...brought.files, ...rows]
      const read = await readSource(edited(earlier, edit), compileUnless(known))
      const isCodeGone = read.inference.status === "absent" && hasCode(earlier)
      const fields = {
        ...fieldsOfSource(read),
        ...(isCodeGone && { capabilities: { ...defaultCapabilities(group) } }),
      }
      const after = await updatePlugin(db, before.id, { changes: fields, now })
      if (after === undefined) throw notFound()
      await replaceSourceFiles(db, before.id, { files: read.files, now })
      const changes = [...fileChanges(earlier, edit), ...changesBetween("Plugin", before, after)]
      const entry = { ...entryOf(organization, after), activity: "source_updated", changes }
      await recordActivity(db, { caller, now }, entry)
      return { ...after, ...shownSource(await listSourceFiles(db, before.id)) }
    },
  })
}

function edited(files: PluginFiles, edit: SourceChanges): PluginFiles {
  const result = applySourceChanges(files, edit)
  checkManifest(result)
  return result
}

/** An edit may leave the manifest out, but not break it. */
function checkManifest(files: PluginFiles): void {
  const text = files.get(MANIFEST_NAME)
  try {
    if (text !== undefined) parseManifest(text)
  } catch (error) {
    throw error instanceof DomainError ? invalid(error.message, MANIFEST_NAME) : error
  }
}

/** Which files changed; their texts are too large for the log. */
function fileChanges(files: PluginFiles, edit: SourceChanges): Change[] {
  return [...edit].flatMap(([field, text]) => {
    const earlier = files.get(field) ?? null
    if (earlier === text) return []
    const action = earlier === null ? "created" : text === null ? "deleted" : "changed"
    return [{ type: "PluginSourceFile", action, field, before: null, after: null }]
  })
}

function checkForUpdates(group: PluginGroup): Endpoint {
  return endpoint({
    name: `${group}_check_for_updates`,
    method: "GET",
    path: `/api/organizations/:organization_id/${group}/:id/check_for_updates`,
    tag,
    summary: "Look up the newest version of a plugin of yours.",
    access: inOrganization(),
    scope: "plugin:read",
    reply: Plugin,

    async load(context) {
      checkMay("install", context.organization)
      return loaders(group).ownToRead(context)
    },

    async handle({ db, now, services, loaded: plugin }) {
      const newest = await findNewestTag({ db, services }, plugin)
      if (newest === undefined || newest === plugin.latest_tag) return plugin
      const after = await services.database.transaction((tx) =>
        updatePlugin(tx, plugin.id, { changes: { latest_tag: newest }, now }),
      )
      if (after === undefined) throw notFound()
      return after
    },
  })
}

function upgrade(group: PluginGroup): Endpoint {
  return endpoint({
    name: `${group}_upgrade`,
    method: "POST",
    path: `/api/organizations/:organization_id/${group}/:id/upgrade`,
    tag,
    summary: "Fetch the newest version of a plugin; what has no versions stays as it is.",
    access: inOrganization(),
    scope: "plugin:write",
    // A download takes seconds; afterwards the caller must still be a member.
    lock: "organization",
    reply: Plugin,
    load: loaders(group).toChange,

    outside: ({ db, services, loaded: plugin }) => prepareUpgrade({ db, services }, plugin),

    async handle({ db, caller, now, organization, loaded: before, brought }) {
      if (brought === undefined) return before
      const tags = { tag: brought.tag ?? null, latest_tag: brought.tag ?? null }
      const changes = { ...fieldsOfPackage(group, brought.read), ...tags }
      const after = await updatePlugin(db, before.id, { changes, now })
      if (after === undefined) throw notFound()
      await replaceSourceFiles(db, before.id, { files: brought.read.files, now })
      const entry = {
        ...entryOf(organization, after),
        activity: "upgraded",
        changes: changesBetween("Plugin", before, after),
      }
      await recordActivity(db, { caller, now }, entry)
      return after
    },
  })
}

export function sourceEndpoints(group: PluginGroup): readonly Endpoint[] {
  return [source(group), updateSource(group), checkForUpdates(group), upgrade(group)]
}
