/** Tests that need a browser: `npm run test:browser`, after `npm ci --prefix test/browser`. */
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/browser/*.browser.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    pool: "forks",
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
