/** The instance's own secret: from the setting, else made once and kept in the data folder. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { StartError } from "./lib/errors.ts"
import { randomUrlSafe } from "./lib/ids.ts"
import { systemCode } from "./lib/system-error.ts"

const LENGTH_MIN = 32

export async function readSecretKey(setting: string | undefined, dataDir: string): Promise<string> {
  if (setting !== undefined) return setting
  const file = path.join(dataDir, "secret-key")
  try {
    // Exclusive: of two that start together, one writes and both read.
    await writeFile(file, `${randomUrlSafe()}\n`, { flag: "wx", mode: 0o600 })
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error
  }
  const key = (await readFile(file, "utf8")).trim()
  if (key.length < LENGTH_MIN) throw new StartError(`the secret key in ${file} is damaged`)
  return key
}
