import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Redacted from "effect/Redacted"
import { layerPglite } from "../src/adapters/database/pglite.ts"
import { layerPostgres } from "../src/adapters/database/postgres.ts"
import { connect, startServer } from "./support/database.ts"
import { cpuOfCluster } from "./support/cpu.ts"
import { copyByPglite, copyByPsql, importTwice } from "./support/imports.ts"
import { heading, judge, judgeLeast, summary, table } from "./support/report.ts"

interface Line {
  readonly deals: number
  readonly first: number
  readonly again: number
  readonly copy: number
  readonly cpu: number
  /** Undefined where the database is in this process. */
  readonly database?: number
}

/**
 * Deals per second: twice those of the first release, on two idle cores. It took 26 s for 50,000 deals, 9.5 s for the same
 * file again, and 14 s for 20,000 deals on PGlite.
 */
const TARGETS = { first: 3850, again: 10_500, pglite: 2850 }

/** How time grows with deals, between two sizes: 1 is in proportion. */
const slopeOf = (few: Line, many: Line) => Math.log(many.first / few.first) / Math.log(many.deals / few.deals)

const report = (name: string, lines: ReadonlyArray<Line>) => {
  heading(`Import on ${name}: deals with two competitors and a driver each`)
  table(
    ["deals", "import s", "deals/s", "COPY s", "import / COPY", "again s", "our CPU s", "PostgreSQL CPU s"],
    lines.map(({ deals, first, again, copy, cpu, database }) => [
      deals.toLocaleString("en"),
      first.toFixed(1),
      (deals / first).toFixed(0),
      copy.toFixed(1),
      (first / copy).toFixed(1),
      again.toFixed(1),
      cpu.toFixed(1),
      database?.toFixed(1) ?? "",
    ]),
  )
  const [few, many] = [lines[0], lines.at(-1)]
  if (few !== undefined && many !== undefined && few !== many) judge(`${name}: slope`, slopeOf(few, many), 1)
  for (const { deals, first, again } of lines) {
    const target = `${name}: ${deals.toLocaleString("en")} deals`
    judgeLeast(`${target}, deals/s`, Math.round(deals / first), name === "PGlite" ? TARGETS.pglite : TARGETS.first)
    judgeLeast(`${target} again, deals/s`, Math.round(deals / again), TARGETS.again)
  }
}

/** `--rows 10000,50000,100000` (so by default), `--engine PostgreSQL`, `--quick`: 10,000 deals. */
export const main = async (args: ReadonlyArray<string>) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      rows: { type: "string" },
      engine: { type: "string", default: "PostgreSQL,PGlite" },
    },
  })
  const sizes = (values.rows ?? (values.quick ? "10000" : "10000,50000,100000")).split(",").map(Number)
  console.log(`${cpus().length} x ${cpus()[0]?.model}, ${process.platform}; PostgreSQL and the importer share them`)
  const directory = mkdtempSync(join(tmpdir(), "sightline-import-"))
  try {
    if (values.engine.includes("PostgreSQL")) {
      const server = await startServer()
      const lines: Array<Line> = []
      for (const deals of sizes) {
        const admin = await connect(server.url)
        await admin.query(`create database import_${deals}`)
        await admin.end()
        const url = new URL(server.url)
        url.pathname = `/import_${deals}`
        const before = cpuOfCluster(server.postmaster)
        const [first, again] = await importTwice(layerPostgres({ url: Redacted.make(url.href) }), deals)
        const database = (cpuOfCluster(server.postmaster) - before) / 1_000_000
        const copy = copyByPsql(url.href, directory)
        lines.push({ deals, first: first.seconds, again: again.seconds, copy, cpu: first.cpu, database })
      }
      await server.stop()
      report("PostgreSQL", lines)
    }
    if (values.engine.includes("PGlite")) {
      const lines: Array<Line> = []
      for (const deals of sizes) {
        const data = join(directory, `pglite-${deals}`)
        const [first, again] = await importTwice(layerPglite({ directory: data }), deals)
        const copy = await copyByPglite(data, directory)
        lines.push({ deals, first: first.seconds, again: again.seconds, copy, cpu: first.cpu })
        rmSync(data, { recursive: true, force: true })
      }
      report("PGlite", lines)
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
  summary()
}
