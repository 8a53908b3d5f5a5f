/** What the first start prints, once: everything needed to sign in and to call the API. */
import type { FirstStart } from "../first-start.ts"

export function firstStartBox(first: FirstStart, address: string): string {
  const lines = [
    "Hedgerow is running for the first time. This is shown once: keep it.",
    "",
    `Address        ${address}`,
    `E-mail         ${first.email}`,
    `Password       ${first.password}`,
    `API key        ${first.apiKey}`,
    `Project token  ${first.projectToken}`,
    "",
    `API reference  ${address}/api/docs`,
  ]
  const width = Math.max(...lines.map((line) => line.length))
  const edge = "─".repeat(width + 2)
  const rows = lines.map((line) => `│ ${line.padEnd(width)} │`)
  // The line to try stands outside the box, so that it can be copied whole.
  const tryLine = `curl -H 'Authorization: Bearer ${first.apiKey}' ${address}/api/organizations/@current`
  return ["", `┌${edge}┐`, ...rows, `└${edge}┘`, "", "Try it:", `  ${tryLine}`, ""].join("\n")
}
