import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { packageRoot } from "./package-root.ts"

const run = promisify(execFile)

/** What a process of its own writes when it logs: the logger owns the standard output. */
async function written(form: "pretty" | "json", level: string, statements: string) {
  const program = `
    const { openLogger } = await import("./src/lib/logger.ts")
    const logger = openLogger({ form: "${form}", level: "${level}" })
    ${statements}`
  const words = ["--import", "tsx", "--input-type=module", "--eval", program]
  const { stdout } = await run(process.execPath, words, { cwd: packageRoot })
  return stdout
}

test("JSON logs are one object a line, without secrets", async () => {
  const secrets = `authorization: "hush", cookie: "hush", password: "hush", personal_api_key: "hush"`
  const text = await written(
    "json",
    "info",
    `logger.info({ ${secrets}, request: { ${secrets} }, plant: "fern" }, "watered")
     logger.debug("not worth a line")
     const error = Object.assign(new Error("rain"), { code: "23502", detail: "row: hush" })
     logger.error({ err: error }, "stopped")`,
  )
  const lines = text.trimEnd().split("\n")
  expect(lines).toHaveLength(2)
  expect(text).not.toContain("hush")
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ msg: "watered", plant: "fern" })
  expect(JSON.parse(lines[1] ?? "")).toMatchObject({
    msg: "stopped",
    err: { message: "rain", code: "23502" },
  })
})

test("pretty logs are for reading, and without secrets too", async () => {
  const text = await written("pretty", "info", `logger.info({ password: "hush" }, "watered")`)
  expect(text).toContain("INFO")
  expect(text).toContain("watered")
  expect(text).not.toContain("hush")
})

test("a silent logger writes nothing", async () => {
  expect(await written("json", "silent", `logger.error("help")`)).toBe("")
})
