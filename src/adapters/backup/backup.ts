import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { SqlClient } from "effect/sql/SqlClient"
import { type BlobStore, ownerOf } from "../../core/ports/BlobStore.ts"
import { Installation, PROPAGATED, sessionSettings, setOrganization } from "../../core/storage/session.ts"
import { type Entry, textEntry } from "./archive.ts"
import { readTables, selectRows, type Table } from "./tables.ts"

/** The version of the format. A reader refuses a higher one. */
export const FORMAT = 1

/** The first entry, `manifest.json`. */
export interface Manifest {
  readonly format: number
  readonly sightline: string
  /** The number of the last migration. */
  readonly schema: number
  readonly createdAt: string
  readonly organizations: number
  /** The fingerprint of the signing secret, which a backup does not contain. */
  readonly signingSecret: string | null
  /** Whether the files of documents and exports are in the backup. */
  readonly files: boolean
}

/** The contents of a backup, counted while it is written or read. */
export interface Counts {
  organizations: number
  rows: number
  files: number
}

export interface BackupOptions {
  readonly version: string
  /** Absent: rows only. */
  readonly blobs: BlobStore["Service"] | undefined
  readonly onProgress: (counts: Readonly<Counts>, organizations: number) => Effect.Effect<void>
}

/** Bytes of rows in one entry, roughly, and the most rows of one fetch. */
const [ENTRY_BYTES, MAX_ROWS] = [1024 * 1024, 256]

/**
 * Runs `use` with every row of the database as of one moment, as entries of an archive. The session takes the restricted role, so
 * row-level security also divides the rows of a backup by organization.
 */
export const withSnapshot = <A, E, R>(
  options: BackupOptions,
  use: (
    entries: Stream.Stream<Entry<unknown>, unknown>,
    manifest: Manifest,
    counts: Readonly<Counts>,
  ) => Effect.Effect<A, E, R>,
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const installation = yield* Installation
    const settings = { ...sessionSettings(installation), ...PROPAGATED, role: installation.role }
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`set transaction isolation level repeatable read, read only`
        yield* sql`select set_config(key, value, true) from json_each_text(${JSON.stringify(settings)}::json)`
        const organizations = yield* readOrganizations(sql)
        const manifest = yield* readManifest(sql, organizations.length, options)
        const counts: Counts = { organizations: 0, rows: 0, files: 0 }
        const context = yield* Effect.context()
        // The consumer of an entry's bytes reads them in this transaction.
        const entries = readEntries(sql, options, manifest, organizations, counts).pipe(
          Stream.map((entry) => ({ ...entry, bytes: Stream.provideContext(entry.bytes, context) })),
          Stream.provideContext(context),
        )
        return yield* use(entries, manifest, counts)
      }),
    )
  })

const readOrganizations = Effect.fnUntraced(function* (sql: SqlClient) {
  const ids: Array<string> = []
  for (;;) {
    const page = yield* sql<{ id: string }>`select id from list_organizations(${ids.at(-1) ?? ""}, 1000)`
    ids.push(...page.map(({ id }) => id))
    if (page.length < 1000) return ids
  }
})

const readManifest = Effect.fnUntraced(function* (sql: SqlClient, organizations: number, options: BackupOptions) {
  const [row] = yield* sql<{ schema: number; now: string; fingerprint: string | null }>`
    select max(migration_id)::int as schema, to_json(now()) #>> '{}' as now,
      (select fingerprint from signing_secret) as fingerprint from migrations`
  const manifest: Manifest = {
    format: FORMAT,
    sightline: options.version,
    schema: row!.schema,
    createdAt: row!.now,
    organizations,
    signingSecret: row!.fingerprint,
    files: options.blobs !== undefined,
  }
  return manifest
})

const readEntries = (
  sql: SqlClient,
  { blobs, onProgress }: BackupOptions,
  manifest: Manifest,
  organizations: ReadonlyArray<string>,
  counts: Counts,
): Stream.Stream<Entry<unknown>, unknown> =>
  Stream.unwrap(
    Effect.map(Effect.provideService(readTables, SqlClient, sql), (tables) => {
      const report = Effect.suspend(() => onProgress(counts, organizations.length))
      const rows = (of: ReadonlyArray<Table>, folder: string) => readRows(sql, of, folder, counts)
      const owned = tables.filter(({ owner }) => owner !== undefined)
      const organization = (id: string) => {
        const begun = Effect.tap(sql.unsafe(setOrganization(id)), () => report)
        const files = blobs === undefined ? Stream.empty : readFiles(blobs, id, counts)
        return Stream.concat(
          Stream.unwrap(Effect.as(begun, rows(owned, `organizations/${ownerOf(id)}`))),
          Stream.tap(files, () => report),
        ).pipe(Stream.onEnd(Effect.sync(() => void counts.organizations++)))
      }
      return Stream.succeed<Entry<unknown>>(textEntry("manifest.json", JSON.stringify(manifest, undefined, 2))).pipe(
        Stream.concat(
          rows(
            tables.filter(({ owner }) => owner === undefined),
            "shared",
          ),
        ),
        Stream.concat(Stream.flatMap(Stream.fromIterable(organizations), organization)),
        Stream.tap(() => report),
      )
    }),
  )

/** Reads the rows of several tables in one query, in pages of about a mebibyte. */
const readRows = (
  sql: SqlClient,
  tables: ReadonlyArray<Table>,
  folder: string,
  counts: Counts,
): Stream.Stream<Entry, unknown> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const queries = tables.map((table, index) => `select ${index} as n, t.row from (${selectRows(table)}) t`)
      yield* sql.unsafe(`declare backed_up no scroll cursor for ${queries.join(" union all ")}`)
      let page = 0
      const read = Effect.fnUntraced(function* (size: number) {
        const found = yield* sql.unsafe<{ n: number; row: string }>(`fetch ${size} from backed_up`)
        if (found.length === 0) {
          yield* sql`close backed_up`
          return [[], Option.none()] as const
        }
        counts.rows += found.length
        page++
        const byTable = Map.groupBy(found, ({ n }) => n)
        const entries = [...byTable].map(([n, rows]) =>
          textEntry(`${folder}/${tables[n]!.name}.${page}.ndjson`, rows.map(({ row }) => `${row}\n`).join("")),
        )
        const bytes = entries.reduce((sum, entry) => sum + entry.size, 0)
        const next = Math.round((ENTRY_BYTES * found.length) / bytes)
        return [entries, Option.some(Math.min(Math.max(next, 1), MAX_ROWS))] as const
      })
      return Stream.paginate(MAX_ROWS / 4, read)
    }),
  )

/** A file that was deleted after the moment of the snapshot is left out. */
const readFiles = (blobs: BlobStore["Service"], id: string, counts: Counts): Stream.Stream<Entry<unknown>, unknown> =>
  blobs.list(id).pipe(
    Stream.mapEffect(({ key }) =>
      Effect.gen(function* () {
        const size = yield* blobs.size(key)
        const bytes = yield* blobs.get(key)
        counts.files++
        return [{ path: `files/${key}`, size, bytes }]
      }).pipe(Effect.catchTag("BlobNotFound", () => Effect.succeed([]))),
    ),
    Stream.flatMap(Stream.fromIterable),
  )
