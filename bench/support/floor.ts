/**
 * The floor of an import: `COPY` of every row that it wrote into the same tables, with their constraints, in one transaction on one
 * connection. It reads, checks, looks up and renders nothing, and as the tables' superuser it bypasses row-level security.
 */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { PGlite } from "@electric-sql/pglite"
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin"
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm"
import { ownCpu } from "./cpu.ts"

export interface Copied {
  readonly seconds: number
  /** CPU seconds of the database. */
  readonly cpu: number
}

export interface Floor {
  readonly all: Copied
  /** With primary keys and foreign keys, but no other index. */
  readonly withoutIndexes: Copied
}

/** What an import of deals writes, apart from two rows of the audit log. A table comes after those that it refers to. */
const TABLES = [
  "stages",
  "owners",
  "competitors",
  "reasons",
  "clients",
  "deals",
  "deal_competitors",
  "deal_drivers",
  "deal_json",
  "deal_stage_changes",
  "deal_close_date_changes",
  "change_feeds",
  "changes",
  "stale_deal_records",
]

/** Generated columns cannot be copied. Columns that `ROWS` replaces get their defaults. */
const COLUMNS = `select table_name as name, string_agg(column_name, ', ' order by ordinal_position) as columns
  from information_schema.columns where table_schema = 'sightline' and is_generated = 'NEVER'
    and table_name in (${TABLES.map((table) => `'${table}'`).join(", ")})
    and not (table_name = 'stale_deal_records' and column_name = 'marked_at')
  group by table_name`

/** Rendering for search deletes the marks some time after the import, which marks every deal. */
const ROWS: Readonly<Record<string, string>> = { stale_deal_records: "select org_id, id from deals" }

const DROP_INDEXES = `do $$ declare secondary record; begin
  for secondary in
    select indexrelid::regclass as name from pg_index
    where indrelid::regclass::text in (${TABLES.map((table) => `'${table}'`).join(", ")})
      and not exists (select from pg_constraint where conindid = indexrelid)
  loop
    execute format('drop index %s', secondary.name);
  end loop;
end $$`

interface CopyTarget {
  /** The table with its columns. */
  readonly target: string
  readonly file: string
}

interface Engine {
  readonly run: (sql: string) => Promise<void>
  readonly readColumns: () => Promise<ReadonlyMap<string, string>>
  readonly copyOut: (query: string, file: string) => Promise<void>
  /** Copies all in one transaction. */
  readonly copyIn: (targets: ReadonlyArray<CopyTarget>) => Promise<void>
  /** CPU seconds that the database has used so far. */
  readonly cpu: () => number
}

/** Leaves the tables filled, and without secondary indexes. */
const measureFloor = async (engine: Engine, directory: string): Promise<Floor> => {
  const columns = await engine.readColumns()
  const targets = TABLES.map((table) => ({
    table,
    target: `${table} (${columns.get(table)})`,
    file: join(directory, table),
  }))
  for (const { table, file } of targets) {
    await engine.copyOut(ROWS[table] ?? `select ${columns.get(table)} from ${table}`, file)
  }
  const refill = async () => {
    await engine.run(`truncate ${TABLES.join(", ")} cascade`)
    await engine.run("vacuum analyze")
    const [beganMs, cpu] = [performance.now(), engine.cpu()]
    await engine.copyIn(targets)
    return { seconds: (performance.now() - beganMs) / 1000, cpu: engine.cpu() - cpu }
  }
  const all = await refill()
  await engine.run(DROP_INDEXES)
  return { all, withoutIndexes: await refill() }
}

/** `cpu` reads the CPU seconds that the server has used so far. */
export const measureFloorByPsql = (url: string, directory: string, cpu: () => number): Promise<Floor> => {
  const psql = (...commands: ReadonlyArray<string>) =>
    execFileSync("psql", [url, "-qAt", "-v", "ON_ERROR_STOP=1", ...commands.flatMap((text) => ["-c", text])], {
      encoding: "utf8",
      env: { ...process.env, PGOPTIONS: "-c search_path=sightline,public -c client_min_messages=warning" },
    })
  return measureFloor(
    {
      run: async (sql) => void psql(sql),
      readColumns: async () =>
        new Map(
          psql(COLUMNS)
            .trim()
            .split("\n")
            .map((line) => line.split("|") as [string, string]),
        ),
      copyOut: async (query, file) => void psql(`\\copy (${query}) to '${file}'`),
      copyIn: async (targets) =>
        void psql("begin", ...targets.map(({ target, file }) => `\\copy ${target} from '${file}'`), "commit"),
      cpu,
    },
    directory,
  )
}

/** Opens the embedded database without Sightline. */
export const measureFloorByPglite = async (dataDir: string, directory: string): Promise<Floor> => {
  const database = await PGlite.create({ dataDir, extensions: { pg_trgm, btree_gin } })
  await database.exec("set search_path = sightline, public")
  try {
    return await measureFloor(
      {
        run: async (sql) => void (await database.exec(sql)),
        readColumns: async () => {
          const { rows } = await database.query<{ name: string; columns: string }>(COLUMNS)
          return new Map(rows.map((row) => [row.name, row.columns]))
        },
        copyOut: async (query, file) => {
          // Without rows there is no blob.
          const { blob = new Blob() } = await database.query(`copy (${query}) to '/dev/blob'`)
          writeFileSync(file, new Uint8Array(await blob.arrayBuffer()))
        },
        copyIn: async (targets) => {
          await database.transaction(async (transaction) => {
            for (const { target, file } of targets) {
              await transaction.query(`copy ${target} from '/dev/blob'`, [], { blob: new Blob([readFileSync(file)]) })
            }
          })
        },
        cpu: ownCpu,
      },
      directory,
    )
  } finally {
    await database.close()
  }
}
