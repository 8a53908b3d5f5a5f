/** The tests that must answer the same on ClickHouse, at the server that CLICKHOUSE_URL names. */
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: [
      "src/columnar/*.test.ts",
      "src/columnar/clickhouse/**/*.test.ts",
      "src/query/filters/*.test.ts",
      "src/api/events/*.test.ts",
      "src/api/persons/*.test.ts",
      "src/api/query/**/*.test.ts",
      "src/api/cohorts/**/*.test.ts",
      "test/insights/**/*.test.ts",
      "test/language/**/*.test.ts",
    ],
    globalSetup: ["test/support/global-setup.ts"],
    pool: "forks",
    // The server of the tests answers one query at a time.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
