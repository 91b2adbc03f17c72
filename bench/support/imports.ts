import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { PGlite } from "@electric-sql/pglite"
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin"
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Sightline from "../../src/core/Sightline.ts"
import { Import } from "../../src/core/workspace/Import.ts"
import { Organizations } from "../../src/core/workspace/Organizations.ts"

export const ORGANIZATION = "org_import"

/** Records of a chunk: about what a client sends at a time. */
const CHUNK = 500

/** A deal with two competitors and a driver. */
const record = (n: number) => ({
  type: "deal",
  id: `deal_${n}`,
  name: `Deal ${n} of Company ${n % 977}`,
  amount: n * 10.5,
  status: ["Open", "Won", "Lost"][n % 3],
  owner: `Owner ${n % 50}`,
  client: `Client ${n % 500}`,
  region: ["EMEA", "APAC", "AMER"][n % 3],
  deal_type: "New business",
  created_at: `2026-0${1 + (n % 9)}-11T10:00:00Z`,
  competitors: [{ competitor: `Rival ${n % 20}`, is_primary: true }, `Rival ${20 + (n % 20)}`],
  drivers: [{ reason: `Reason ${n % 15}`, positive: n % 2 === 0, summary: "It was cheaper than the other." }],
})

export const bytesOf = (deals: number) =>
  Stream.fromIterable(Array.from({ length: Math.ceil(deals / CHUNK) }, (_, chunk) => chunk * CHUNK)).pipe(
    Stream.map((first) =>
      new TextEncoder().encode(
        Array.from({ length: Math.min(CHUNK, deals - first) }, (_, n) => `${JSON.stringify(record(first + n))}\n`).join(
          "",
        ),
      ),
    ),
  )

export interface Imported {
  readonly seconds: number
  /** CPU seconds of this process; of an embedded database too. */
  readonly cpu: number
}

/** Imports the deals, then the same file again. */
export const importTwice = (
  database: Parameters<typeof Sightline.layer>[0]["database"],
  deals: number,
): Promise<readonly [first: Imported, again: Imported]> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const imports = yield* Import
      yield* (yield* Organizations).create({ id: ORGANIZATION, name: "Bench", plan: "enterprise" })
      const once = (result: "created" | "unchanged") =>
        Effect.gen(function* () {
          const [began, cpu] = [performance.now(), process.cpuUsage()]
          const report = yield* imports.run(ORGANIZATION, { format: "ndjson", bytes: bytesOf(deals) })
          if (report[result] !== deals) return yield* Effect.die(`${JSON.stringify(report)}`)
          const { user, system } = process.cpuUsage(cpu)
          return { seconds: (performance.now() - began) / 1000, cpu: (user + system) / 1_000_000 }
        })
      return [yield* once("created"), yield* once("unchanged")] as const
    }).pipe(Effect.provide(Sightline.layer({ database }) as Layer.Layer<Import | Organizations>)),
  )

const TABLES = ["deals", "deal_competitors", "deal_drivers"]

/** Generated columns cannot be copied. */
const COLUMNS = `select table_name as name, string_agg(column_name, ', ' order by ordinal_position) as columns
  from information_schema.columns where table_schema = 'sightline' and is_generated = 'NEVER'
    and table_name in ('deals', 'deal_competitors', 'deal_drivers') group by table_name order by table_name`

/** Seconds that COPY takes for the rows of the same deals, into the same tables with their indexes and foreign keys. */
export const copyByPsql = (url: string, directory: string): number => {
  const psql = (...commands: ReadonlyArray<string>) =>
    execFileSync("psql", [url, "-qAt", "-v", "ON_ERROR_STOP=1", ...commands.flatMap((text) => ["-c", text])], {
      encoding: "utf8",
      env: { ...process.env, PGOPTIONS: "-c search_path=sightline,public" },
    })
  const columns = new Map(
    psql(COLUMNS)
      .trim()
      .split("\n")
      .map((line) => line.split("|") as [string, string]),
  )
  const copy = (table: string, direction: "from" | "to") =>
    `\\copy ${table} (${columns.get(table)}) ${direction} '${join(directory, table)}'`
  psql(...TABLES.map((table) => copy(table, "to")), "delete from deals", "vacuum analyze")
  const began = performance.now()
  psql("begin", ...TABLES.map((table) => copy(table, "from")), "commit")
  return (performance.now() - began) / 1000
}

/** The same in an embedded database, which is opened without us. */
export const copyByPglite = async (dataDir: string, directory: string): Promise<number> => {
  const database = await PGlite.create({ dataDir, extensions: { pg_trgm, btree_gin } })
  await database.exec("set search_path = sightline, public")
  const { rows } = await database.query<{ name: string; columns: string }>(COLUMNS)
  const columns = new Map(rows.map((row) => [row.name, row.columns]))
  for (const table of TABLES) {
    const { blob } = await database.query(`copy ${table} (${columns.get(table)}) to '/dev/blob'`)
    writeFileSync(join(directory, table), new Uint8Array(await blob!.arrayBuffer()))
  }
  await database.exec("delete from deals")
  await database.exec("vacuum analyze")
  const files = new Map(TABLES.map((table) => [table, new Blob([readFileSync(join(directory, table))])]))
  const began = performance.now()
  await database.transaction(async (transaction) => {
    for (const table of TABLES) {
      await transaction.query(`copy ${table} (${columns.get(table)}) from '/dev/blob'`, [], { blob: files.get(table)! })
    }
  })
  const seconds = (performance.now() - began) / 1000
  await database.close()
  return seconds
}
