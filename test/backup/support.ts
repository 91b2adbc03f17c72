import { mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { layerPgliteOwner } from "../../src/adapters/database/pglite.ts"
import { run, type startServer } from "../adapters/processes.ts"
import { readCatalogue } from "../support/catalogue.ts"
import { freshPostgresUrl } from "../support/engines.ts"
import { oneConnection } from "../support/oneConnection.ts"

export type Settings = Record<string, string>

/** Everything that the tests of a file write; the last one removes it. */
export const directory = mkdtempSync(join(tmpdir(), "sightline-backup-"))
export const inDirectory = (name: string) => join(directory, name)

/**
 * The rows of every table as text, in order, with the columns by name: an older database has them in another order. Times of migrations
 * differ, and so may what only upkeep reads. `without` names a column to leave out.
 */
export const rowsOf = (settings: Settings, without = "") => {
  const url = settings["SIGHTLINE_DATABASE_URL"]
  const all = Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`set search_path = sightline, public`
    const tables = yield* sql<{ name: string; columns: string }>`
      select c.relname::text as name, string_agg(format('%I', a.attname), ', ' order by a.attname) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'sightline'::regnamespace and c.relkind = 'r'
        and c.relname not in ('migrations', 'blobs', 'blob_parts', 'chores')
        -- Migration 43 gives the rows of an older database its own time.
        and not (a.attname = 'created_at' and c.relname in
          ('stages', 'owners', 'competitors', 'reasons', 'clients', 'features', 'metrics', 'answers', 'segments'))
        and a.attname <> ${without}
      group by c.relname order by 1`
    const found: Record<string, ReadonlyArray<string>> = {}
    for (const { name, columns } of tables) {
      const rows = yield* sql.unsafe<{ row: string }>(`select row(${columns})::text as row from "${name}" order by 1`)
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

/** Everything that migrations make, with the indexes and foreign keys that a restore makes again. */
export const schemaOf = (settings: Settings) =>
  Effect.runPromise(Effect.provide(readCatalogue, oneConnection(settings["SIGHTLINE_DATABASE_URL"]!)))

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
