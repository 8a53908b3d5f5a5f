/** The folder that holds package.json: shipped files (SQL, catalogue) are found from it, built or not. */
import { existsSync } from "node:fs"
import path from "node:path"

export const packageRoot = findPackageRoot(import.meta.dirname)

function findPackageRoot(start: string): string {
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, "package.json"))) return folder
    if (folder === path.dirname(folder)) throw new Error(`no package.json above ${start}`)
  }
}
