/** The files of plugins, each with what the compiler made of it. */
import type { PluginFiles } from "../../plugins/files.ts"
import type { Db } from "../../relational/db.ts"

export interface SourceFile {
  readonly filename: string
  readonly source: string
  readonly transpiled: string | null
  readonly status: "transpiled" | "error" | null
  readonly error: string | null
}

export function listSourceFiles(db: Db, pluginId: number): Promise<readonly SourceFile[]> {
  return db<SourceFile[]>`
    select filename, source, transpiled, status, error from plugin_source_file
    where plugin_id = ${pluginId} order by filename`
}

/** Afterwards the plugin has exactly these files; those that did not change are not written. */
export async function replaceSourceFiles(
  db: Db,
  pluginId: number,
  { files, now }: { files: readonly SourceFile[]; now: Date },
): Promise<void> {
  const names = files.map(({ filename }) => filename)
  await db`
    delete from plugin_source_file where plugin_id = ${pluginId} and filename <> all(${names})`
  if (files.length === 0) return
  const rows = files.map((file) => ({ plugin_id: pluginId, ...file, updated_at: now }))
  await db`
    insert into plugin_source_file ${db(rows)}
    on conflict (plugin_id, filename) do update
      set source = excluded.source, transpiled = excluded.transpiled, status = excluded.status,
          error = excluded.error, updated_at = excluded.updated_at
      where plugin_source_file.source <> excluded.source
        or plugin_source_file.transpiled is distinct from excluded.transpiled
        or plugin_source_file.error is distinct from excluded.error`
}

export function filesOf(rows: readonly SourceFile[]): PluginFiles {
  return new Map(rows.map(({ filename, source }) => [filename, source]))
}

export interface ShownSource {
  readonly source: Record<string, string>
  readonly source_errors: Record<string, string>
}

export function shownSource(rows: readonly SourceFile[]): ShownSource {
  const failed = rows.flatMap(({ filename, error }) => (error === null ? [] : [[filename, error]]))
  return {
    source: Object.fromEntries(rows.map(({ filename, source }) => [filename, source])),
    source_errors: Object.fromEntries(failed),
  }
}
