import { readFileSync } from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { packageRoot } from "./package-root.ts"

test("the package's root holds its package.json", () => {
  const { name } = JSON.parse(readFileSync(path.join(packageRoot, "package.json"), "utf8"))
  expect(name).toBe("hedgerow")
})
