import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/postgres.ts", "test/support/embedded.ts", "test/support/citusCluster.ts"],
    reporters: ["default", "./test/support/SummaryReporter.ts"],
    // Bounds for a hang, not for slowness: a busy machine must not fail a right program.
    testTimeout: 900_000,
    hookTimeout: 600_000,
    pool: "forks",
    maxWorkers: 2,
  },
})
