/**
 * Deleted bytes stay readable in a DuckDB file until it is written anew. So everything is copied to a new file,
 * which then becomes the store. Writers wait; queries go on, on the old file until they end.
 */
import { mkdir } from "node:fs/promises"
import path from "node:path"
import { randomToken } from "../../lib/ids.ts"
import { copyStore } from "./copy-store.ts"
import { BACKUP_FOLDER, type Store } from "./store.ts"
import { markStoreFile, moveStoreFile, nextStoreFile, removeStoreFile } from "./store-files.ts"

export function compactStore(store: Store): Promise<void> {
  return store.alone(async (connection) => {
    const file = await nextStoreFile(store.folder)
    try {
      await copyStore(connection, { file, name: "compacted" })
    } catch (error) {
      await removeStoreFile(file)
      throw error
    }
    await store.swap(file)
  })
}

/** A folder that can itself be opened as a store. */
export async function backupStore(
  store: Store,
  folder: string,
  onBegun?: () => void,
): Promise<void> {
  const drafts = path.join(store.folder, BACKUP_FOLDER)
  await mkdir(drafts, { recursive: true, mode: 0o700 })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const name = `backup_${randomToken(8)}`
  const draft = path.join(drafts, `${name}.duckdb`)
  const file = path.join(folder, "store-1.duckdb")
  try {
    await store.query((connection) => copyStore(connection, { file: draft, name, onBegun }))
    await removeStoreFile(file)
    await moveStoreFile(draft, file)
  } finally {
    await removeStoreFile(draft)
  }
  await markStoreFile(folder, file)
}
