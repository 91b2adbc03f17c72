export const ENGINES = ["PGlite", "PostgreSQL", "PgBouncer"] as const
export type Engine = (typeof ENGINES)[number]

/** `all` the checks, the `first` of each section, or `none`: the command alone runs them. */
export type Extent = "all" | "first" | "none"

interface Row {
  /** The checks that `npm test` runs on each engine; the command runs all of them on all engines. A text says why there are none. */
  readonly engines: Readonly<Record<Engine, Extent | { readonly cannot: string }>>
}

const noFiles = { cannot: "keeps its data in files" }

export const ROWS = {
  Node: { engines: { PGlite: "all", PostgreSQL: "first", PgBouncer: "all" } },
  Bun: { engines: { PGlite: "first", PostgreSQL: "all", PgBouncer: "none" } },
  Deno: { engines: { PGlite: "all", PostgreSQL: "first", PgBouncer: "none" } },
  "Deno, two permissions": { engines: { PGlite: noFiles, PostgreSQL: "all", PgBouncer: "none" } },
  "bundled Node host": { engines: { PGlite: "first", PostgreSQL: "first", PgBouncer: "none" } },
  workerd: { engines: { PGlite: noFiles, PostgreSQL: "all", PgBouncer: "first" } },
  binary: { engines: { PGlite: "first", PostgreSQL: "first", PgBouncer: "none" } },
} satisfies Readonly<Record<string, Row>>
export type Runtime = keyof typeof ROWS

/** They refuse documents, and answer everything else. */
export const WITHOUT_DOCUMENTS: ReadonlySet<Runtime> = new Set(["workerd"])

export interface Cell {
  readonly runtime: Runtime
  readonly engine: Engine
  readonly extent: Extent
}

/** With `CONFORMANCE=all`, every cell runs all checks. */
const isWhole = process.env["CONFORMANCE"] === "all"

export const CELLS: ReadonlyArray<Cell> = (Object.keys(ROWS) as Array<Runtime>).flatMap((runtime) =>
  ENGINES.flatMap((engine) => {
    const extent = ROWS[runtime].engines[engine]
    if (typeof extent === "object") return []
    if (isWhole) return [{ runtime, engine, extent: "all" as const }]
    return extent === "none" ? [] : [{ runtime, engine, extent }]
  }),
)

/** What became of a cell. */
export interface Result extends Cell {
  passed: number
  failed: number
  seconds: number
}

/** The matrix as a table: a cell that has not run says why it cannot exist. */
export const renderMatrix = (results: ReadonlyArray<Result>): string => {
  const cellOf = (runtime: Runtime, engine: Engine) => {
    const extent = ROWS[runtime].engines[engine]
    if (typeof extent === "object") return `- (${extent.cannot})`
    const result = results.find((cell) => cell.runtime === runtime && cell.engine === engine)
    if (result === undefined) return "not run"
    const { passed, failed, seconds } = result
    if (passed + failed === 0) return "FAILED to start"
    return failed > 0 ? `${failed} of ${passed + failed} FAILED` : `${passed} passed, ${seconds} s`
  }
  const rows = [
    ["", ...ENGINES],
    ...(Object.keys(ROWS) as Array<Runtime>).map((runtime) => [
      runtime,
      ...ENGINES.map((engine) => cellOf(runtime, engine)),
    ]),
  ]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n")
}
