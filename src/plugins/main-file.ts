/** Which file of a plugin runs on the server. */
import type { PluginFiles } from "./files.ts"

const EXTENSIONS = ["ts", "js", "tsx", "jsx", "mts", "mjs", "cts", "cjs"]
const INDEX_FILES = EXTENSIONS.map((extension) => `index.${extension}`)

/** `main` is what plugin.json names; where it is not among the files the index is taken. */
export function findMainFile(files: PluginFiles, main: string | undefined): string | undefined {
  return findNamedFile(files, main) ?? INDEX_FILES.find((name) => files.has(name))
}

/** What is wrong with the `main` of plugin.json, as a sentence about it. */
export function findMainProblem(files: PluginFiles, main: string | undefined): string | undefined {
  if (!main || findNamedFile(files, main) !== undefined) return undefined
  return `main names "${main}", which is not among the files of the plugin`
}

/** The end of a name and the index of a folder may be left out, as in an import. */
function findNamedFile(files: PluginFiles, main: string | undefined): string | undefined {
  const named = main?.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "") ?? ""
  const ends = ["", ...EXTENSIONS.map((extension) => `.${extension}`)]
  const inFolder = INDEX_FILES.map((index) => `/${index}`)
  return [...ends, ...inFolder].map((end) => `${named}${end}`).find((name) => files.has(name))
}
