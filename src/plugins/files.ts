/** The files of one plugin: names and texts within bounds, whatever place they come from. */
import { invalid } from "../lib/errors.ts"

/** File name (relative, with `/`) to text. A map, since names such as `__proto__` are legal file names. */
export type PluginFiles = ReadonlyMap<string, string>

/** What an edit says of each file it names: its new text, or null to remove it. */
export type SourceChanges = ReadonlyMap<string, string | null>

export const MAX_PLUGIN_FILES = 300
export const MAX_FILE_BYTES = 1024 * 1024
export const MAX_PLUGIN_BYTES = 8 * 1024 * 1024
export const MAX_FILE_NAME_CHARS = 200

const KEPT_EXTENSIONS =
  /\.(?:json|[cm]?js|[cm]?ts|jsx|tsx|md|markdown|txt|css|html|svg|graphql|ya?ml|toml)$/i
const KEPT_NAMES = /^(?:readme|license|licence|copying|notice|changelog|authors)$/i
const LEFT_OUT_NAMES = /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml)$/i
const LEFT_OUT_FOLDERS = /^(?:\..*|node_modules|bower_components|__MACOSX)$/i

/** Whether a file found in an archive or folder is worth keeping: source and documents, not pictures or caches. */
export function isKeptFile(name: string): boolean {
  const folders = name.split("/")
  const file = folders.pop() ?? ""
  if (file.startsWith(".") || LEFT_OUT_NAMES.test(file)) return false
  if (folders.some((folder) => LEFT_OUT_FOLDERS.test(folder))) return false
  return KEPT_EXTENSIONS.test(file) || KEPT_NAMES.test(file)
}

/** Refuses names that could mean a place outside the plugin, here or on another system. */
function checkFileName(name: string): void {
  const problem = findNameProblem(name)
  if (problem) throw invalid(`the file name "${show(name)}" ${problem}`, show(name))
}

export function findNameProblem(name: string): string | undefined {
  if (name === "") return "is empty"
  if (name.length > MAX_FILE_NAME_CHARS) return `is longer than ${MAX_FILE_NAME_CHARS} characters`
  if (/[\p{Cc}\p{Cs}]/u.test(name)) return "holds a control character"
  if (name.includes("\\")) return "holds a backslash; separate folders with /"
  if (name.startsWith("/") || /^[a-z]:/i.test(name)) return "is absolute; use one inside the plugin"
  const parts = name.split("/")
  if (parts.includes("..")) return "leads out of the plugin"
  if (parts.includes("") || parts.includes(".")) return "has an empty folder name"
  return undefined
}

/** Refuses more files or bytes than a plugin may have, and text that cannot be stored. */
export function checkFiles(files: PluginFiles): PluginFiles {
  if (files.size > MAX_PLUGIN_FILES) {
    throw invalid(`the plugin has ${files.size} files; at most ${MAX_PLUGIN_FILES} are kept`)
  }
  let totalBytes = 0
  for (const [name, text] of files) {
    checkFileName(name)
    if (!isStorable(text))
      throw invalid(`${show(name)} holds a NUL or half a character`, show(name))
    const sizeBytes = Buffer.byteLength(text)
    checkFileSize(name, sizeBytes, show(name))
    totalBytes += sizeBytes
  }
  if (totalBytes > MAX_PLUGIN_BYTES) {
    throw invalid(
      `the plugin has ${totalBytes} bytes of text; at most ${MAX_PLUGIN_BYTES} are kept`,
    )
  }
  return files
}

/** `attr` is the file where files are what the request consists of. */
export function checkFileSize(name: string, sizeBytes: number, attr: string | null = null): void {
  if (sizeBytes <= MAX_FILE_BYTES) return
  throw invalid(`${show(name)} has ${sizeBytes} bytes; at most ${MAX_FILE_BYTES} are kept`, attr)
}

/** PostgreSQL stores neither NUL nor half of a surrogate pair, both of which JSON and JavaScript can spell. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Cs}]/u.test(text)
}

/** The text of a file, or undefined when the bytes are no text; a byte order mark is dropped. */
export function findText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Reads the body of a source edit: an object of file name to text, or null for a file to remove. */
export function parseSourceChanges(body: unknown): SourceChanges {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw invalid("the source must be an object of file name to text, or null to remove a file")
  }
  const changes = new Map<string, string | null>()
  for (const [name, text] of Object.entries(body)) {
    checkFileName(name)
    if (text !== null && typeof text !== "string") {
      throw invalid(`${show(name)} must be text, or null to remove it`, show(name))
    }
    changes.set(name, text)
  }
  return changes
}

/** The files after an edit; those the edit does not name stay as they are. */
export function applySourceChanges(files: PluginFiles, changes: SourceChanges): PluginFiles {
  const result = new Map(files)
  for (const [name, text] of changes) {
    if (text === null) result.delete(name)
    else result.set(name, text)
  }
  return checkFiles(result)
}

function show(name: string): string {
  return name.length > 80 ? `${name.slice(0, 80)}…` : name
}
