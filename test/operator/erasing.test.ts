import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { AwsClient } from "aws4fetch"
import { layerDatabase } from "../../src/adapters/blobs/database.ts"
import { layerFiles } from "../../src/adapters/blobs/files.ts"
import { layerS3 } from "../../src/adapters/blobs/s3.ts"
import { layerGuarded } from "../../src/adapters/fetch/guarded.ts"
import { layerReader } from "../../src/adapters/reading/layerReader.ts"
import { erase, finishErasures } from "../../src/core/catalogue/erase.ts"
import { MIN_AGE_MS, reconcile } from "../../src/core/operator/reconcile.ts"
import { blobKey, BlobStore, BlobStoreError } from "../../src/core/ports/BlobStore.ts"
import { Transcriber } from "../../src/core/ports/Transcriber.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { BUCKET, CREDENTIALS, s3Server } from "../support/s3.ts"
import { untilEffect } from "../support/until.ts"
import { UNLIMITED } from "../support/unlimited.ts"
import { fill, utf8 } from "./fill.ts"

/** A word in every record, document and file of one organization. */
const marker = "Zorgblatt"

interface Place {
  readonly layer: Layer.Layer<BlobStore, never, Database>
  /** Names and contents of all files outside the database. */
  readonly outside: () => Promise<ReadonlyArray<string>>
}

class Outside extends Context.Service<Outside, Place["outside"]>()("test/Outside") {}

const files = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "sightline-erasing-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true })),
).pipe(
  Effect.map((directory): Place => ({
    layer: Layer.orDie(layerFiles({ directory })),
    outside: async () =>
      readdirSync(directory, { recursive: true, withFileTypes: true }).map((entry) => {
        const path = join(entry.parentPath, entry.name)
        return `${path} ${entry.isFile() ? readFileSync(path, "utf8") : ""}`
      }),
  })),
)

const s3 = Effect.map(s3Server, (endpoint): Place => {
  const { accessKeyId, secretAccessKey } = CREDENTIALS
  const client = new AwsClient({
    service: "s3",
    region: "us-east-1",
    accessKeyId,
    secretAccessKey: Redacted.value(secretAccessKey),
  })
  return {
    layer: layerS3({ endpoint, bucket: BUCKET, prefix: "files", region: "us-east-1", ...CREDENTIALS }),
    outside: async () => {
      const listed = await (await client.fetch(`${endpoint}/${BUCKET}?list-type=2`)).text()
      return [...listed.matchAll(/<Key>([^<]+)/g)].map(([, key]) => key!)
    },
  }
})

const inDatabase = Effect.succeed<Place>({ layer: layerDatabase, outside: async () => [] })

const cases = [
  { engine: engines[0], store: "files", place: files },
  { engine: engines[0], store: "the database", place: inDatabase },
  { engine: engines[1], store: "files", place: files },
  { engine: engines[1], store: "an S3 bucket", place: s3 },
  { engine: engines[1], store: "the database", place: inDatabase },
]

/** The tables with one of `texts` in a row, in a column of any type. */
const tablesHolding = Effect.fnUntraced(function* (texts: ReadonlyArray<string>) {
  const { sql } = yield* Database
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      // As the login role, which row-level security does not bind.
      yield* sql`set local role none`
      const columns = yield* sql<{ table: string; column: string; type: string }>`
        select format('%I.%I', n.nspname, c.relname) as table, a.attname as column, a.atttypid::regtype::text as type
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
          join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`
      const found = new Set<string>()
      for (const { table, column, type } of columns) {
        const name = `"${column}"`
        for (const text of texts) {
          const literal = `'${text.replaceAll("'", "''")}'`
          const holds =
            type === "bytea"
              ? `position(convert_to(${literal}, 'UTF8') in ${name}) > 0`
              : `position(lower(${literal}) in lower(${name}::text)) > 0`
          const [row] = yield* sql.unsafe<{ found: boolean }>(
            `select exists (select from ${table} where ${holds}) as found`,
          )
          if (row?.found === true) found.add(`${table}.${column}`)
        }
      }
      return [...found]
    }),
  )
})

/** Reads a document and the file of an export. */
const readBack = Effect.fnUntraced(function* (filled: Effect.Success<ReturnType<typeof fill>>) {
  const { document } = yield* (yield* Sightline.Documents).original(filled.org, filled.document)
  assert.strictEqual(document.status, "ready")
  const { file } = yield* (yield* Sightline.Exports).file(filled.org, filled.export)
  yield* Stream.runDrain(yield* (yield* BlobStore).get(file))
})

for (const { engine, store, place } of cases) {
  describe(`erasing and reconciling on ${engine.name}, files in ${store}`, () => {
    const harness = Layer.unwrap(
      Effect.map(place, ({ layer: blobs, outside }) => {
        const library = Layer.mergeAll(blobs, layerReader, layerGuarded(), Transcriber.layerNone)
        return Layer.merge(Sightline.layer({ database: engine.database, library }), Layer.succeed(Outside, outside))
      }),
    )
    layer(harness, { excludeTestServices: true })((it) => {
      it.effect("deletes every row, file, index entry and job of an organization, and nothing of another", () =>
        Effect.gen(function* () {
          const outside = yield* Outside
          const { org } = yield* fill(marker)
          const other = yield* fill("Quellaria")
          const held = yield* tablesHolding([org, marker])
          for (const table of [
            "organizations.id",
            "deals.name",
            "document_texts.body",
            "jobs.org_id",
            "passages.org_id",
          ]) {
            assert.include(held, `sightline.${table}`)
          }
          const namesIt = (text: string) => text.includes(org) || text.includes(marker)
          const fileName = org.replaceAll(/[A-Z]/g, (capital) => `~${capital.toLowerCase()}`)
          const kept = async () => (await outside()).filter((text) => namesIt(text) || text.includes(fileName))
          if (store !== "the database") assert.isAbove((yield* Effect.promise(kept)).length, 2)

          assert.deepStrictEqual(yield* erase(org), { id: org, files: "removed" })
          assert.deepStrictEqual(yield* tablesHolding([org, marker]), [])
          assert.deepStrictEqual(yield* Effect.promise(kept), [])
          assert.strictEqual((yield* Effect.flip(erase(org)))._tag, "NotFound")

          yield* readBack(other)
          assert.include(yield* tablesHolding(["Quellaria"]), "sightline.deals.name")
        }),
      )

      it.effect("deletes blobs without a row once they are a day old, and no others", () =>
        Effect.gen(function* () {
          const blobs = yield* BlobStore
          const kept = yield* fill("Kept")
          const { org } = kept
          const keysOf = Effect.map(Stream.runCollect(blobs.list(org)), (all) => all.map(({ key }) => key).toSorted())
          const needed = yield* keysOf
          assert.lengthOf(needed, 3)
          const orphans = [
            blobKey(org, "documents", "doc_Orphan"),
            blobKey(org, "exports", "exp_Orphan-1.csv"),
            blobKey(org, "imports", "file_Orphan"),
          ]
          const others = [blobKey(org, "pictures", "p1")]
          for (const key of [...orphans, ...others]) yield* blobs.put(key, utf8("left"))

          yield* reconcile(MIN_AGE_MS)
          assert.deepStrictEqual(yield* keysOf, [...needed, ...orphans, ...others].toSorted())
          // As if a day had passed. Stores keep times in whole seconds.
          yield* reconcile(-5_000)
          assert.deepStrictEqual(yield* keysOf, [...needed, ...others].toSorted())
          yield* readBack(kept)
        }),
      )

      it.effect("deletes the files of an erased organization later if the store is unreachable", () =>
        Effect.gen(function* () {
          const organizations = yield* Sightline.Organizations
          const blobs = yield* BlobStore
          const { id: org } = yield* organizations.create({ name: "Later", plan: UNLIMITED })
          const isThere = Effect.map(Stream.runCollect(blobs.list(org)), (all) => all.length > 0)
          yield* blobs.put(blobKey(org, "documents", "doc_1"), utf8("x"))
          const broken = BlobStore.of({
            ...blobs,
            removeAll: () => Effect.fail(new BlobStoreError({ reason: "out_of_reach", message: "no" })),
          })
          assert.deepStrictEqual(yield* Effect.provideService(erase(org), BlobStore, broken), {
            id: org,
            files: "pending",
          })
          assert.strictEqual(yield* organizations.find(org), undefined)
          assert.deepStrictEqual(yield* tablesHolding([org]), ["sightline.pending_erasures.organization"])
          yield* Effect.provideService(finishErasures, BlobStore, broken)
          assert.deepStrictEqual(yield* tablesHolding([org]), ["sightline.pending_erasures.organization"])
          yield* finishErasures
          assert.isFalse(yield* isThere)
          assert.deepStrictEqual(yield* tablesHolding([org]), [])
        }),
      )

      // PGlite runs one transaction at a time.
      if (engine.name !== "PostgreSQL") return
      it.effect("deletes an organization although a job that writes for it deadlocks with the deletion", () =>
        Effect.gen(function* () {
          const organizations = yield* Sightline.Organizations
          const { transaction, unscoped, sql } = yield* Database

          /** Returns whether the server ended the deletion rather than the job, which it does unless the machine is busy. */
          const deadlock = Effect.gen(function* () {
            const { id: org } = yield* organizations.create({ name: "Busy", plan: UNLIMITED })
            const competitor = (id: string) => sql`insert into competitors ${sql.insert({ org_id: org, id, name: id })}`
            yield* transaction(org, competitor("c1"))
            const [holds, mayGoOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
            const job = Effect.gen(function* () {
              yield* sql`update competitors set name = 'c' where org_id = ${org} and id = 'c1'`
              yield* Deferred.succeed(holds, undefined)
              yield* Deferred.await(mayGoOn)
              // Waits for the organization's row, which the deletion has locked.
              yield* competitor("c2")
            })
            const writing = yield* Effect.forkScoped(transaction(org, job))
            yield* Deferred.await(holds)
            const erasing = yield* Effect.forkScoped(erase(org))
            const blocked = unscoped(sql`select 1 as one from pg_stat_activity
              where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`)
            yield* untilEffect(
              "the deletion waits for the job",
              Effect.map(blocked, (rows) => rows.length > 0),
            )
            yield* Deferred.succeed(mayGoOn, undefined)
            const written = yield* Fiber.await(writing)
            assert.deepStrictEqual(yield* Fiber.join(erasing), { id: org, files: "removed" })
            assert.deepStrictEqual(yield* tablesHolding([org]), [])
            return Exit.isSuccess(written)
          })
          for (let attempt = 1; !(yield* deadlock); attempt++) assert.isBelow(attempt, 10)
        }),
      )
    })
  })
}
