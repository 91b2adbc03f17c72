import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Background } from "../jobs/Background.ts"
import { BlobStore, type ListedBlob, nameOf } from "../ports/BlobStore.ts"
import { Database, WhenDiskFull } from "../storage/Database.ts"
import { finishErasures } from "../catalogue/erase.ts"

/** A blob is stored before its row. One without a row that is older than any upload lasts was left by a crash. */
export const MIN_AGE_MS = 86_400_000

/** Blobs per statement. */
const BATCH_SIZE = 500

/** Organizations per page. */
const PAGE_SIZE = 100

/**
 * Deletes blobs that no row refers to and returns their number. Looks only at organizations of this database, because
 * several databases may share a store.
 */
export const reconcile = Effect.fn("reconcile")(function* (minAgeMs = MIN_AGE_MS) {
  const database = yield* Database
  const blobs = yield* BlobStore
  const { sql } = database
  const before = (yield* Clock.currentTimeMillis) - minAgeMs

  const orphansAmong = Effect.fnUntraced(function* (org: string, listed: ReadonlyArray<ListedBlob>) {
    const old = listed.filter(({ storedAt }) => storedAt < before)
    const documents = old.filter(({ key }) => nameOf(key).startsWith("documents/"))
    const exports = old.filter(({ key }) => nameOf(key).startsWith("exports/"))
    const idOf = (key: string) => nameOf(key).slice("documents/".length)
    const needed = new Set(
      yield* Effect.map(
        database.scoped<{ needed: string }>(
          org,
          sql`select id as needed from documents
              where org_id = scope.org and id = any(${documents.map(({ key }) => idOf(key))}::text[])
              union all select file from exports
              where org_id = scope.org and file = any(${exports.map(({ key }) => key)}::text[])`,
        ),
        (rows) => rows.map(({ needed }) => needed),
      ),
    )
    // A file waits here only while its import reads it.
    const imports = old.filter(({ key }) => nameOf(key).startsWith("imports/"))
    return [
      ...documents.filter(({ key }) => !needed.has(idOf(key))),
      ...exports.filter(({ key }) => !needed.has(key)),
      ...imports,
    ]
  })

  const ofOrganization = (org: string) =>
    blobs.list(org).pipe(
      Stream.grouped(BATCH_SIZE),
      Stream.mapEffect((page) => orphansAmong(org, page)),
      Stream.flattenIterable,
      Stream.mapEffect(({ key }) => Effect.as(blobs.remove(key), 1)),
      Stream.runFold(
        () => 0,
        (sum, one) => sum + one,
      ),
    )

  let removed = 0
  let after: string | undefined = ""
  while (after !== undefined) {
    const page: ReadonlyArray<{ id: string }> = yield* database.unscoped<{ id: string }>(
      sql`select id from list_organizations(${after}, ${PAGE_SIZE}::int)`,
    )
    for (const { id } of page) removed += yield* ofOrganization(id)
    after = page.length === PAGE_SIZE ? page.at(-1)!.id : undefined
  }
  return removed
})

/** Finishes erasures every five minutes and deletes orphaned blobs once a day, in one of the processes. */
export const layerReconciliation = Layer.effectDiscard(
  Effect.gen(function* () {
    const background = yield* Background
    const reconciling = Effect.tap(reconcile(), (removed) =>
      removed === 0 ? Effect.void : Effect.logInfo(`${removed} blobs without a row were removed`),
    )
    const proceed = Effect.provideService(WhenDiskFull, "proceed")
    yield* background.chore({ name: "erasing", everySeconds: 300, run: proceed(finishErasures) })
    yield* background.chore({ name: "orphaned blobs", everySeconds: 86_400, run: proceed(reconciling) })
  }),
)
