import { expect, test } from "vitest"
import { runChild } from "./child.ts"

const node = (code: string, more: { input?: string; timeoutMs?: number } = {}) =>
  runChild({
    command: process.execPath,
    args: ["-e", code],
    timeoutMs: 10_000,
    maxOutputBytes: 1_000,
    ...more,
  })

test("a program's output, complaints and end are reported", async () => {
  const echo = "process.stdin.pipe(process.stdout)"
  expect(await node(echo, { input: "héllo" })).toEqual({
    stdout: "héllo",
    stderr: "",
    ended: "done",
  })
  const failed = await node("console.error('no'); process.exit(3)")
  expect(failed).toEqual({ stdout: "", stderr: "no\n", ended: "failed" })
})

test("a program that takes too long or says too much is ended", async () => {
  expect(await node("setInterval(() => {}, 1000)", { timeoutMs: 300 })).toMatchObject({
    ended: "timeout",
  })
  const loud = await node("setInterval(() => console.log('x'.repeat(500)), 1)")
  expect(loud).toMatchObject({ ended: "too_much_output" })
  expect(loud.stdout).toHaveLength(1_000)
})

test("a program that does not read its input does no harm", async () => {
  const result = await node("process.exit(0)", { input: "x".repeat(5_000_000) })
  expect(result.ended).toBe("done")
})

test("a program that is not there is an error", async () => {
  const request = { command: "no-such-program-here", args: [], timeoutMs: 1_000, maxOutputBytes: 1 }
  await expect(runChild(request)).rejects.toThrow("ENOENT")
})
