import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // They need a server: `npm run test:clickhouse`.
    exclude: ["src/columnar/clickhouse/**/*.server.test.ts", "**/node_modules/**"],
    globalSetup: ["test/support/global-setup.ts"],
    pool: "forks",
    // Tests wait as much as they work: on PostgreSQL, on timers, on other processes.
    maxWorkers: Math.max(3, availableParallelism()),
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
