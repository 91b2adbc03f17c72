import { globSync } from "node:fs"
import { defineConfig } from "vitest/config"
import { ALL } from "./test/support/extent.ts"
import { ALONE, SHARED, TIER_2 } from "./test/support/files.ts"
import Sequencer from "./test/support/Sequencer.ts"

// Bounds for a hang, not for slowness: a busy machine must not fail a right program.
const bounds = { testTimeout: 900_000, hookTimeout: 600_000 }
// V8 aborts once in many runs when it frees WebAssembly code of one of many PGlites (nodejs/node issue 64500): a test's process is short, and keeps it.
const execArgv = ["--no-wasm-code-gc"]
const options = { ...bounds, pool: "forks", maxWorkers: 3, execArgv } as const

// The parts of `sightline/react` run with Preact here: React is no dependency of the root.
const resolve = { alias: { react: "preact/compat" } }

// Folders of tests may have packages of their own.
const ignored = ["**/node_modules/**"]
const alone = new Set(globSync(ALONE, { exclude: ignored }))
const shared = globSync(SHARED, { exclude: ignored }).filter((file) => !alone.has(file))
const exclude = [...ignored, ...shared, ...(ALL ? [] : [TIER_2])]

export default defineConfig({
  test: {
    ...options,
    globalSetup: ["test/support/resources.ts"],
    reporters: ["default", "./test/support/SummaryReporter.ts"],
    // TEST_SHUFFLE=1 shows tests that pass only after others.
    sequence: process.env["TEST_SHUFFLE"] === "1" ? { shuffle: { files: true } } : { sequencer: Sequencer },
    projects: [
      { resolve, test: { ...options, name: "alone", include: ["test/**/*.test.ts"], exclude } },
      { resolve, test: { ...options, name: "shared", include: shared, isolate: false } },
    ],
  },
})
