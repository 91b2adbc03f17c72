import { defineConfig } from "vitest/config"

// `.ci/gate` runs this folder alone, without the set-up of the suite.
export default defineConfig({ test: { root: import.meta.dirname, include: ["*.test.ts"], pool: "forks" } })
