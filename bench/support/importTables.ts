import { writeXlsxStream } from "hucre/xlsx"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { layerLibrary } from "../../src/adapters/library.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { Import } from "../../src/core/import/Import.ts"
import { readTable } from "../../src/core/import/readTable.ts"
import { openTable } from "../../src/core/import/table/openTable.ts"
import type { Table } from "../../src/core/import/table/Table.ts"
import { Notices } from "../../src/core/records/Notices.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import { ownCpu } from "./cpu.ts"
import { type Imported, measureImport } from "./imports.ts"

/** Headers as Salesforce writes them, so that the plan has names to know and values to judge. */
const HEADER = [
  "Opportunity ID",
  "Opportunity Name",
  "Amount",
  "Stage",
  "Opportunity Owner",
  "Account Name",
  "Region",
  "Type",
  "Created Date",
  "Close Date",
  "Competitors",
]

const day = (n: number, year: number) =>
  `${year}-${String(1 + (n % 12)).padStart(2, "0")}-${String(1 + (n % 28)).padStart(2, "0")}`

const rowOf = (n: number): ReadonlyArray<string | number> => [
  `0068d00000${String(n).padStart(5, "0")}`,
  `Deal ${n} of Company ${n % 977}`,
  n * 10.5,
  ["Prospecting", "Closed Won", "Closed Lost"][n % 3]!,
  `Owner ${n % 50}`,
  `Client ${n % 500}`,
  ["EMEA", "APAC", "AMER"][n % 3]!,
  "New business",
  day(n, 2025),
  day(n, 2026),
  `Rival ${n % 20}; Rival ${20 + (n % 20)}`,
]

const csvOf = (deals: number): Uint8Array => {
  const lines = [HEADER.join(",")]
  for (let n = 0; n < deals; n++) lines.push(rowOf(n).join(","))
  return new TextEncoder().encode(`${lines.join("\r\n")}\r\n`)
}

const xlsxOf = async (deals: number): Promise<Uint8Array> => {
  async function* rows() {
    for (let n = 0; n < deals; n++)
      yield rowOf(n).map((cell, at) => (at === 8 || at === 9 ? new Date(`${cell}T00:00:00Z`) : cell))
  }
  const columns = HEADER.map((header, at) => ({ header, ...((at === 8 || at === 9) && { numFmt: "yyyy-mm-dd" }) }))
  return new Uint8Array(await new Response(writeXlsxStream(rows(), { name: "Deals", columns })).arrayBuffer())
}

const CONTEXT = { currency: undefined, timezone: "UTC", properties: new Map() }
/** As many rows as an import plans from. */
const SAMPLE_ROWS = 10_000

/** CPU seconds of one plan, from rows that are read already, without its look-ups. */
const planningCpu = (csv: Uint8Array) =>
  Effect.gen(function* () {
    const spool = () => Effect.die("a text is not spooled")
    const { facts, rows } = (yield* openTable({ bytes: Stream.succeed(csv), spool })) as Table<never>
    const sample = (yield* Stream.runCollect(rows)).flat().slice(0, SAMPLE_ROWS)
    const began = ownCpu()
    let cpu = 0
    const lookups = {
      context: () => Effect.succeed(CONTEXT),
      namesOf: () => Effect.succeed([]),
      onPlan: () => Effect.sync(() => void (cpu = ownCpu() - began)),
    }
    yield* Stream.runDrain(readTable({ facts, rows: Stream.succeed(sample) }, { type: "deal" }, lookups, new Notices()))
    return cpu
  }).pipe(Effect.scoped)

export interface TablesImported {
  readonly container: "csv" | "xlsx"
  readonly dryRun: Imported
  readonly written: Imported
}

/** Imports the same deals as a CSV and as a workbook, in turns, each into an organization of its own; and plans the CSV as often. */
export const importTables = (
  database: Parameters<typeof Sightline.layer>[0]["database"],
  deals: number,
  rounds: number,
  databaseCpu: () => number = () => 0,
): Promise<{ readonly imports: ReadonlyArray<TablesImported>; readonly planning: ReadonlyArray<number> }> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const service = yield* Import
      const organizations = yield* Organizations
      const files = { csv: csvOf(deals), xlsx: yield* Effect.promise(() => xlsxOf(deals)) }
      const once = (org: string, container: "csv" | "xlsx", isDryRun: boolean) =>
        Effect.gen(function* () {
          const bytes = Stream.succeed(files[container])
          const { report, measured } = yield* measureImport(
            service.run(org, { format: "csv", type: "deal", bytes, dryRun: isDryRun }),
            databaseCpu,
          )
          if (report.created !== deals) return yield* Effect.die(JSON.stringify(report))
          return measured
        })
      const imports: Array<TablesImported> = []
      const planning: Array<number> = []
      for (let round = 0; round < rounds; round++) {
        for (const container of ["csv", "xlsx"] as const) {
          const org = `org_${container}_${round}`
          yield* organizations.create({ id: org, name: org, plan: "enterprise" })
          const dryRun = yield* once(org, container, true)
          imports.push({ container, dryRun, written: yield* once(org, container, false) })
        }
        planning.push(yield* planningCpu(files.csv))
      }
      return { imports, planning }
    }).pipe(
      Effect.provide(
        Sightline.layer({ database, library: layerLibrary(), background: false }) as Layer.Layer<
          Import | Organizations
        >,
      ),
    ),
  )
