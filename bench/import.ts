import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Redacted from "effect/Redacted"
import { layerPglite } from "../src/adapters/database/pglite.ts"
import { layerPostgres } from "../src/adapters/database/postgres.ts"
import { connect, startServer } from "./support/database.ts"
import { cpuOfCluster } from "./support/cpu.ts"
import { type Floor, measureFloorByPglite, measureFloorByPsql } from "./support/floor.ts"
import { type Imported, importThrice, measureMemory } from "./support/imports.ts"
import { importTables } from "./support/importTables.ts"
import { heading, judge, judgeLeast, summary, table } from "./support/report.ts"

interface Line {
  readonly deals: number
  readonly first: Imported
  readonly again: Imported
  readonly updated: Imported
  readonly floor: Floor
}

/**
 * Deals per second: twice those of the first release, which took 26 s for 50,000 deals, 9.5 s for the same file again, and 14 s for
 * 20,000 deals on PGlite. On PostgreSQL the floor alone makes 2,670 to 4,387 deals/s by the day, so first imports are judged by their floor.
 */
const TARGETS = { PostgreSQL: 3850, again: 10_500, PGlite: 2850 }

/** CPU time of an import, ours and the database's, over that of its floor. It moves less than seconds do when others use the cores. */
const MAX_OVER_FLOOR = 2

/** CPU time of a workbook over that of a CSV with the same rows, and of a plan over that of its import. */
const MAX_OVER_CSV = 2
const MAX_PLANNING = 0.05

/** Memory of an import over that of one of a tenth of its deals. */
const MAX_GROWTH = 1.25

const totalCpu = ({ cpu, databaseCpu }: Imported) => cpu + databaseCpu

const overFloor = ({ first, floor }: Line) => totalCpu(first) / floor.all.cpu

/** How the CPU time of an import grows with deals, between two sizes: 1 is in proportion. */
const slopeOf = (few: Line, many: Line) =>
  Math.log(totalCpu(many.first) / totalCpu(few.first)) / Math.log(many.deals / few.deals)

const report = (name: "PostgreSQL" | "PGlite", lines: ReadonlyArray<Line>) => {
  heading(`Import on ${name}: deals with two competitors and a driver each`)
  table(
    [
      "deals",
      "s",
      "deals/s",
      "target",
      "again s",
      "our CPU s",
      "server CPU s",
      "again CPU s",
      "updated s",
      "updated CPU s",
      "CPU / floor's",
    ],
    lines.map((line) => [
      line.deals.toLocaleString("en"),
      line.first.seconds.toFixed(1),
      (line.deals / line.first.seconds).toFixed(0),
      String(TARGETS[name]),
      line.again.seconds.toFixed(1),
      line.first.cpu.toFixed(1),
      line.first.databaseCpu.toFixed(1),
      totalCpu(line.again).toFixed(1),
      line.updated.seconds.toFixed(1),
      totalCpu(line.updated).toFixed(1),
      overFloor(line).toFixed(2),
    ]),
  )
  console.log("\nThe floor: COPY of every row that the import wrote, in one transaction.\n")
  table(
    ["deals", "s", "deals/s", "CPU s", "without secondary indexes: s", "deals/s", "CPU s"],
    lines.map(({ deals, floor: { all, withoutIndexes } }) => [
      deals.toLocaleString("en"),
      ...[all, withoutIndexes].flatMap(({ seconds, cpu }) => [
        seconds.toFixed(1),
        (deals / seconds).toFixed(0),
        cpu.toFixed(1),
      ]),
    ]),
  )
  console.log()
  const [few, many] = [lines[0], lines.at(-1)]
  if (few !== undefined && many !== undefined && few !== many) judge(`${name}: slope`, slopeOf(few, many), 1)
  for (const line of lines) {
    const target = `${name}: ${line.deals.toLocaleString("en")} deals`
    judge(`${target}, CPU / floor's`, overFloor(line), MAX_OVER_FLOOR)
    judgeLeast(`${target} again, deals/s`, Math.round(line.deals / line.again.seconds), TARGETS.again)
  }
}

const makeDatabase = async (server: string, name: string) => {
  const admin = await connect(server)
  await admin.query(`create database ${name}`)
  await admin.end()
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN

const reportTables = (name: string, deals: number, { imports, planning }: Awaited<ReturnType<typeof importTables>>) => {
  heading(`Files on ${name}: the same ${deals.toLocaleString("en")} deals, medians of ${planning.length} rounds`)
  const of = (container: string, kind: "dryRun" | "written") =>
    median(imports.filter((each) => each.container === container).map((each) => totalCpu(each[kind])))
  table(
    ["file", "dry run, CPU s", "import, CPU s", "planning, CPU s"],
    ["csv", "xlsx"].map((container) => [
      container,
      of(container, "dryRun").toFixed(2),
      of(container, "written").toFixed(2),
      container === "csv" ? median(planning).toFixed(3) : "",
    ]),
  )
  console.log()
  judge(`${name}: XLSX / CSV, import`, of("xlsx", "written") / of("csv", "written"), MAX_OVER_CSV)
  judge(`${name}: XLSX / CSV, dry run`, of("xlsx", "dryRun") / of("csv", "dryRun"), MAX_OVER_CSV)
  judge(`${name}: planning / import of a CSV`, median(planning) / of("csv", "written"), MAX_PLANNING)
}

const reportMemory = async (deals: number, makeEmpty: (deals: number) => Promise<ReturnType<typeof layerPostgres>>) => {
  const few = await measureMemory(await makeEmpty(deals / 10), deals / 10)
  const many = await measureMemory(await makeEmpty(deals), deals)
  console.log(
    `\nMemory of our process, collected each second, MB: ${few.toFixed(0)} with a tenth, ${many.toFixed(0)} with all`,
  )
  judge("PostgreSQL: memory, all deals / a tenth", many / few, MAX_GROWTH)
}

/**
 * `--rows 10000,50000,100000` (so by default), `--engine PostgreSQL`, `--quick`: 10,000 deals. `--tables 50000`, `--rounds 3`: files of
 * this many rows as CSV and as a workbook; 0 leaves them out.
 */
export const main = async (args: ReadonlyArray<string>) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      rows: { type: "string" },
      engine: { type: "string", default: "PostgreSQL,PGlite" },
      tables: { type: "string" },
      rounds: { type: "string", default: "3" },
    },
  })
  const sizes = (values.rows ?? (values.quick ? "10000" : "10000,50000,100000"))
    .split(",")
    .map(Number)
    .filter((deals) => deals > 0)
  const rows = Number(values.tables ?? (values.quick ? 10_000 : 50_000))
  console.log(`${cpus().length} x ${cpus()[0]?.model}, ${process.platform}; PostgreSQL and the importer share them`)
  const directory = mkdtempSync(join(tmpdir(), "sightline-import-"))
  try {
    if (values.engine.includes("PostgreSQL")) {
      const server = await startServer()
      const databaseCpu = () => cpuOfCluster(server.postmaster) / 1_000_000
      const lines: Array<Line> = []
      for (const deals of sizes) {
        const url = await makeDatabase(server.url, `import_${deals}`)
        const database = layerPostgres({ url: Redacted.make(url) })
        const [first, again, updated] = await importThrice(database, deals, databaseCpu)
        lines.push({ deals, first, again, updated, floor: await measureFloorByPsql(url, directory, databaseCpu) })
      }
      if (lines.length > 0) report("PostgreSQL", lines)
      if (rows > 0) {
        const url = await makeDatabase(server.url, "import_tables")
        const database = layerPostgres({ url: Redacted.make(url) })
        reportTables("PostgreSQL", rows, await importTables(database, rows, Number(values.rounds), databaseCpu))
        await reportMemory(rows, async (deals) =>
          layerPostgres({ url: Redacted.make(await makeDatabase(server.url, `import_memory_${deals}`)) }),
        )
      }
      await server.stop()
    }
    if (values.engine.includes("PGlite")) {
      const lines: Array<Line> = []
      for (const deals of sizes) {
        const data = join(directory, `pglite-${deals}`)
        const [first, again, updated] = await importThrice(layerPglite({ directory: data }), deals)
        lines.push({ deals, first, again, updated, floor: await measureFloorByPglite(data, directory) })
        rmSync(data, { recursive: true, force: true })
      }
      if (lines.length > 0) report("PGlite", lines)
      if (rows > 0) {
        const database = layerPglite({ directory: join(directory, "tables") })
        reportTables("PGlite", rows, await importTables(database, rows, Number(values.rounds)))
      }
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
  summary()
}
