import { mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { layerPgliteOwner } from "../../src/adapters/database/pglite.ts"
import { run, type startServer } from "../adapters/processes.ts"
import { freshPostgresUrl } from "../support/engines.ts"
import { oneConnection } from "../support/oneConnection.ts"

export type Settings = Record<string, string>

/** Everything that the tests of a file write; the last one removes it. */
export const directory = mkdtempSync(join(tmpdir(), "sightline-backup-"))
export const inDirectory = (name: string) => join(directory, name)

/** The rows of every table as text, in order. Times of migrations differ, and so may what only upkeep reads. */
export const rowsOf = (settings: Settings) => {
  const url = settings["SIGHTLINE_DATABASE_URL"]
  const all = Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`set search_path = sightline, public`
    const tables = yield* sql<{ name: string }>`
      select relname::text as name from pg_class where relnamespace = 'sightline'::regnamespace and relkind = 'r'
      and relname not in ('migrations', 'blobs', 'blob_parts', 'chores') order by 1`
    const found: Record<string, ReadonlyArray<string>> = {}
    for (const { name } of tables) {
      const rows = yield* sql.unsafe<{ row: string }>(`select t::text as row from "${name}" t order by 1`)
      found[name] = rows.map(({ row }) => row)
    }
    return found
  })
  return Effect.runPromise(
    url === undefined
      ? Effect.provide(all, layerPgliteOwner(join(settings["SIGHTLINE_DATA_DIR"]!, "postgres")))
      : Effect.provide(all, oneConnection(url, { maxMessageSize: 2 ** 28 })),
  )
}

/** The definitions of indexes and constraints, and the tables with forced row-level security. */
export const schemaOf = (settings: Settings) => {
  const all = Effect.flatMap(
    SqlClient,
    (sql) => sql<{ part: string }>`
      select pg_get_indexdef(oid) as part from pg_class
      where relkind = 'i' and relnamespace = 'sightline'::regnamespace
      union all select concat_ws(' ', conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'sightline'::regnamespace
      union all select concat_ws(' ', oid::regclass, relrowsecurity, relforcerowsecurity, obj_description(oid, 'pg_class'))
      from pg_class where relkind = 'r' and relnamespace = 'sightline'::regnamespace
      order by 1`,
  )
  const url = Redacted.make(settings["SIGHTLINE_DATABASE_URL"]!)
  return Effect.runPromise(Effect.provide(all, oneConnection(url)))
}

/** Stops a server and waits for its end. */
export const stop = async ({ child, finished }: Awaited<ReturnType<typeof startServer>>) => {
  child.kill("SIGTERM")
  await finished
}

/** Runs a command, and parses its result. */
export const cli = async (args: ReadonlyArray<string>, settings: Settings) => {
  const finished = await run([...args, "--json"], settings)
  return { ...finished, result: finished.code === 0 ? JSON.parse(finished.stdout) : undefined }
}

/** The settings of an empty database and a data directory. */
export const postgres = async (name: string, secret: string): Promise<Settings> => ({
  SIGHTLINE_DATABASE_URL: await Effect.runPromise(freshPostgresUrl),
  SIGHTLINE_DATA_DIR: inDirectory(name),
  SIGHTLINE_SIGNING_SECRET: secret,
})

/** The stored files by path, in base64. */
export const filesOf = (settings: Settings) => {
  const folder = join(settings["SIGHTLINE_DATA_DIR"]!, "blobs")
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(folder.length), readFileSync(path).toString("base64")])
    .toSorted()
}
