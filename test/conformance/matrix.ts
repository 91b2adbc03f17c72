import type { Requirement } from "../support/needs.ts"
import { ALL } from "../support/extent.ts"
import { hasCitus } from "../support/citusCluster.ts"
import { hasPgBouncer } from "../support/pgbouncer.ts"

export const ENGINES = ["PGlite", "PostgreSQL", "PgBouncer", "Citus"] as const
export type Engine = (typeof ENGINES)[number]

/** The program that an engine needs beyond npm's packages, and whether the machine has it. */
export const REQUIREMENTS: Readonly<Partial<Record<Engine, readonly [Requirement, boolean]>>> = {
  PgBouncer: ["pgbouncer", hasPgBouncer],
  Citus: ["a Citus cluster", hasCitus],
}

/** `all` the checks, the `first` of each section, or `none`: `npm run conformance` and `npm run test:all` alone run them. */
export type Extent = "all" | "first" | "none"

const noFiles = { cannot: "keeps its data in files" }

/** The checks that `npm test` runs on each engine: a runtime differs in sockets, streams and files, which the first check of each section uses. A text says why there are none. Packages of its own bring workerd, so it is tier 2; `workers.test.ts` runs its bundle on Node. */
export const ROWS = {
  Node: { PGlite: "all", PostgreSQL: "all", PgBouncer: "first", Citus: "first" },
  Bun: { PGlite: "first", PostgreSQL: "first", PgBouncer: "none", Citus: "none" },
  Deno: { PGlite: "first", PostgreSQL: "first", PgBouncer: "none", Citus: "none" },
  "Deno, two permissions": { PGlite: noFiles, PostgreSQL: "first", PgBouncer: "none", Citus: "none" },
  "bundled Node host": { PGlite: "first", PostgreSQL: "none", PgBouncer: "none", Citus: "none" },
  workerd: { PGlite: noFiles, PostgreSQL: "none", PgBouncer: "none", Citus: "none" },
  binary: { PGlite: "first", PostgreSQL: "none", PgBouncer: "none", Citus: "none" },
} satisfies Readonly<Record<string, Readonly<Record<Engine, Extent | { readonly cannot: string }>>>>
export type Runtime = keyof typeof ROWS
export const RUNTIMES = Object.keys(ROWS) as ReadonlyArray<Runtime>

/** They refuse documents, and answer everything else. */
export const WITHOUT_DOCUMENTS: ReadonlySet<Runtime> = new Set(["workerd"])

/** The engines that a runtime is checked with now, and the extent of the checks. */
export const cellsOf = (runtime: Runtime): ReadonlyArray<{ readonly engine: Engine; readonly extent: Extent }> =>
  ENGINES.flatMap((engine) => {
    const extent = ROWS[runtime][engine]
    if (typeof extent === "object" || (extent === "none" && !ALL)) return []
    return [{ engine, extent: ALL ? "all" : extent }]
  })

/** Draws the matrix as a table. A combination that cannot exist says why. */
export const renderMatrix = (outcome: (runtime: Runtime, engine: Engine) => string | undefined): string => {
  const cell = (runtime: Runtime, engine: Engine) => {
    const extent = ROWS[runtime][engine]
    return typeof extent === "object" ? `- (${extent.cannot})` : (outcome(runtime, engine) ?? "not run")
  }
  const rows = [
    ["", ...ENGINES],
    ...RUNTIMES.map((runtime) => [runtime, ...ENGINES.map((engine) => cell(runtime, engine))]),
  ]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const pad = (row: ReadonlyArray<string>) => row.map((text, column) => text.padEnd(widths[column]!)).join("  ")
  return rows.map((row) => pad(row).trimEnd()).join("\n")
}
