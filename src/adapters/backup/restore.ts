import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type BlobStore, isKey, organizationOf } from "../../core/ports/BlobStore.ts"
import { createTables, LATEST, migrate } from "../../core/storage/migrate.ts"
import { Installation, PROPAGATED, setOrganization } from "../../core/storage/session.ts"
import { type Entry, Unreadable } from "./archive.ts"
import { type Counts, FORMAT, type Manifest } from "./backup.ts"
import { dropIndexes } from "./indexes.ts"
import { deleteRows, insertRows, readTables, type Table } from "./tables.ts"

/** The database or the version does not allow this restore. */
export class CannotRestore extends Schema.TaggedError<CannotRestore>()("CannotRestore", { message: Schema.String }) {}

/** An entry of rows or the manifest has at most this many bytes, which are held in memory. */
const MAX_ENTRY_BYTES = 512 * 1024 * 1024

export interface RestoreOptions {
  readonly blobs: BlobStore["Service"] | undefined
  /** Looks at the manifest before anything is written. True: the backup is authentic, and everything is restored. */
  readonly check?: (manifest: Manifest) => Effect.Effect<boolean, CannotRestore>
  readonly onProgress?: (counts: Readonly<Counts>) => Effect.Effect<void>
}

/**
 * Writes the entries of a backup into an empty database, in one transaction: all or nothing. `feed` calls its argument with
 * each entry, in order.
 */
export const restoreEntries = <E, R>(
  { blobs, check = () => Effect.succeed(true), onProgress = () => Effect.void }: RestoreOptions,
  feed: (take: (entry: Entry<unknown>) => Effect.Effect<void, unknown>) => Effect.Effect<void, E, R>,
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const installation = yield* Installation
    const counts: Counts = { organizations: 0, rows: 0, files: 0 }
    const provided = <A, E>(effect: Effect.Effect<A, E, SqlClient>) =>
      effect.pipe(Effect.provideService(SqlClient, sql), Effect.provideService(Installation, installation))
    let tables: ReadonlyMap<string, Table> | undefined
    let makeIndexes: Effect.Effect<void, SqlError> = Effect.void
    const emptied = new Set<string>()
    let organization: string | undefined
    let isAuthentic = true
    let plans: ReadonlySet<string> = new Set()

    const enter = Effect.fnUntraced(function* (id: string) {
      if (organization === id) return
      organization = id
      yield* sql.unsafe(setOrganization(id))
    })

    const begin = Effect.fnUntraced(function* (text: string) {
      const manifest = yield* parseManifest(text)
      isAuthentic = yield* check(manifest)
      yield* provided(requireEmpty(manifest))
      yield* provided(createTables(manifest.schema))
      yield* sql`select set_config(key, value, true) from json_each_text(${JSON.stringify(PROPAGATED)}::json)`
      tables = new Map((yield* provided(readTables)).map((table) => [table.name, table]))
      makeIndexes = yield* provided(dropIndexes)
      plans = new Set((yield* sql<{ name: string }>`select name from plans`).map(({ name }) => name))
    })

    const insert = Effect.fnUntraced(function* (name: string, id: string | undefined, text: string) {
      const table = tables?.get(name)
      if (table === undefined || (table.owner === undefined) !== (id === undefined)) return yield* strange(name)
      if (!isAuthentic && DISTRUSTED.has(name)) return
      // Migrations fill some of these.
      if (table.owner === undefined && !emptied.has(name)) yield* sql.unsafe(deleteRows(table))
      emptied.add(name)
      if (id !== undefined) yield* enter(id)
      const rows = (isAuthentic || name !== "organizations" ? text : withKnownPlans(text, plans))
        .split("\n")
        .slice(0, -1)
      yield* sql.unsafe(insertRows(table), [`[${rows.join(",")}]`])
      counts.rows += rows.length
      if (name === "organizations") counts.organizations += rows.length
    })

    const take = Effect.fnUntraced(function* ({ path, size, bytes }: Entry<unknown>) {
      const file = /^files\/(.+)$/.exec(path)?.[1]
      if (file !== undefined) {
        if (!isKey(file) || tables === undefined) return yield* strange(path)
        yield* enter(organizationOf(file))
        if (blobs === undefined) return yield* Stream.runDrain(bytes)
        yield* blobs.put(file, bytes)
        counts.files++
        return yield* onProgress(counts)
      }
      if (size > MAX_ENTRY_BYTES) return yield* strange(path)
      const text = yield* Stream.mkString(Stream.decodeText(bytes))
      if (path === "manifest.json") return yield* begin(text)
      const [, id, name] = /^(?:shared|organizations\/([^/]+))\/([a-z_]+)\.\d+\.ndjson$/.exec(path) ?? []
      if (name === undefined) return yield* strange(path)
      yield* insert(name, id === undefined ? undefined : decodeURIComponent(id), text)
      return yield* onProgress(counts)
    })

    return yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* feed(take)
        if (tables === undefined) return yield* strange("no manifest")
        if (!isAuthentic) yield* sql.unsafe(DISABLE_WEBHOOKS)
        yield* makeIndexes
        yield* provided(migrate)
        for (const name of tables.keys()) yield* sql.unsafe(`analyze "${name}"`)
        return counts
      }),
    )
  })

/** Tables that let somebody in or change limits: a backup that anybody may have changed does not fill them. */
const DISTRUSTED: ReadonlySet<string> = new Set([
  "api_keys",
  "api_key_usage",
  "sessions",
  "grants",
  "grant_secrets",
  "oauth_clients",
  "plans",
  "signing_secret",
  "erasures",
  "pending_erasures",
  "refused_sign_ins",
])

const DISABLE_WEBHOOKS = `update webhooks set secret = '', previous_secret = null, status = 'paused',
  notice = 'Restored from a backup that was not authenticated: check the address, rotate the secret, then enable it.'`

/** The rows of organizations with a plan that this database has. Quotes inside of texts have a backslash, so this finds the column. */
const withKnownPlans = (rows: string, plans: ReadonlySet<string>): string =>
  rows.replaceAll(/"plan":"([^"\\]*)"/g, (all, plan: string) => (plans.has(plan) ? all : '"plan":"essentials"'))

const strange = (what: string) =>
  new Unreadable({ message: `the backup is damaged: ${what} has no place in it; nothing was restored` })

const parseManifest = Effect.fnUntraced(function* (text: string) {
  const manifest = yield* Effect.try({
    try: () => JSON.parse(text) as Manifest,
    catch: () => strange("a manifest that is not JSON"),
  })
  if (manifest.format > FORMAT || manifest.schema > LATEST) {
    return yield* new CannotRestore({
      message: `the backup was made by Sightline ${manifest.sightline} (format ${manifest.format}, schema ${manifest.schema}), and this one knows format ${FORMAT} and schema ${LATEST}; install that version or a later one`,
    })
  }
  if (manifest.format !== FORMAT || !Number.isInteger(manifest.schema)) return yield* strange("its manifest")
  return manifest
})

/** A schema without organizations and of the backup's version is empty. */
const requireEmpty = Effect.fnUntraced(function* (manifest: Manifest) {
  const sql = yield* SqlClient
  const { schema } = yield* Installation
  const [found] = yield* sql<{
    isThere: boolean
  }>`select to_regclass(${`${schema}.migrations`}) is not null as "isThere"`
  if (found?.isThere !== true) return
  const [held] = yield* sql<{ organizations: number; version: number }>`
    select (select count(*)::int from ${sql(schema)}.organizations) as organizations, max(migration_id)::int as version
    from ${sql(schema)}.migrations`
  if (held!.organizations > 0) {
    return yield* new CannotRestore({
      message: `the database already has ${held!.organizations === 1 ? "an organization" : `${held!.organizations} organizations`}; restore into an empty one`,
    })
  }
  if (held!.version !== manifest.schema) {
    return yield* new CannotRestore({
      message: `the database has an empty schema of version ${held!.version}, and the backup has version ${manifest.schema}; restore into a new database, which the restore brings up to date`,
    })
  }
})
