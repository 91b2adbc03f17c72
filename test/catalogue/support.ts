import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { layerTables } from "../../src/adapters/reading/layerTables.ts"
import { Deals } from "../../src/core/deals/Deals.ts"
import { renderStored } from "../../src/core/deals/rows/stored.ts"
import { JobQueue } from "../../src/core/jobs/JobQueue.ts"
import { layerUnconfigured } from "../../src/core/library/unconfigured.ts"
import { BlobStore } from "../../src/core/ports/BlobStore.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Import, type ImportCounts, type ImportFile } from "../../src/core/import/Import.ts"
import { layerImport } from "../../src/core/import/layerImport.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import type { allEngines } from "../support/engines.ts"
import { layerOrganizations } from "../support/organizations.ts"
import { UNLIMITED } from "../support/unlimited.ts"

export const services = (engine: (typeof allEngines)[number]) =>
  Layer.mergeAll(layerImport, layerOrganizations, Deals.layer).pipe(
    Layer.provide(Layer.mergeAll(JobQueue.layer, layerUnconfigured, layerTables(), BlobStore.layerMemory)),
    Layer.provideMerge(Database.layer),
    Layer.provide(engine.database),
  )

export const newOrganization = Effect.gen(function* () {
  return (yield* (yield* Organizations).create({ name: "Acme", plan: UNLIMITED })).id
})

const encoder = new TextEncoder()
export const bytesOf = (text: string) => Stream.succeed(encoder.encode(text))

/** Cuts bytes into pieces of at most `size`. */
export const pieces = (bytes: Uint8Array, size: number) =>
  Stream.fromIterable(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.slice(index * size, (index + 1) * size)),
  )

export const ndjson = (org: string, records: ReadonlyArray<object>) =>
  Effect.flatMap(Import, (imports) =>
    imports.run(org, { format: "ndjson", bytes: bytesOf(records.map((each) => JSON.stringify(each)).join("\n")) }),
  )

export const csv = (org: string, text: string, options: Omit<ImportFile<never>, "format" | "bytes">) =>
  Effect.flatMap(Import, (imports) => imports.run(org, { format: "csv", bytes: bytesOf(text), ...options }))

/** A new organization with these records. */
export const organizationWith = (records: ReadonlyArray<object>) =>
  Effect.gen(function* () {
    const org = yield* newOrganization
    const { failed, errors } = yield* ndjson(org, records)
    if (failed > 0) return yield* Effect.die(new Error(JSON.stringify(errors[0])))
    return org
  })

/** Runs an effect in a transaction of the organization, and rolls it back. */
export const rolledBack = <E, R>(org: string, effect: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    const { transaction } = yield* Database
    const undone = yield* Effect.flip(transaction(org, Effect.andThen(effect, Effect.fail("rolled back" as const))))
    if (undone !== "rolled back") return yield* Effect.die(undone)
  })

/** Records that have one of each kind that the names of a workspace come from. */
export const NAMED_RECORDS: ReadonlyArray<object> = [
  { type: "stage", id: "won", name: "Won", category: "won" },
  { type: "competitor", id: "cmp", name: "Orvanta" },
  { type: "metric", id: "m1", name: "Health" },
  { type: "segment", id: "s1", name: "Big", filters: { amount: { min: 1500 } } },
]

/** One deal with every standard column, or those named. */
export const deal = (org: string, id: string, columns?: ReadonlyArray<string>) =>
  Effect.flatMap(Deals, (deals) =>
    Effect.map(deals.get(org, id, columns), (body) => JSON.parse(body) as Record<string, any>),
  )

export const rows = <Row extends object>(org: string, table: string, order = "1") =>
  Effect.flatMap(Database, (database) =>
    database.scoped<Row>(
      org,
      database.sql`select * from ${database.sql.literal(table)} where org_id = scope.org order by ${database.sql.literal(order)}`,
    ),
  )

/** Deals whose stored JSON is not what a fresh rendering gives. A row that is absent is rendered on reading. */
export const staleJson = Effect.fnUntraced(function* (org: string) {
  const database = yield* Database
  const { sql } = database
  const ids = (yield* rows<{ id: string }>(org, "deals")).map(({ id }) => id)
  const read = sql<{ deal_id: string; body: string }>`select deal_id, body from deal_json where org_id = ${org}`
  return yield* database.transaction(
    org,
    Effect.gen(function* () {
      const before = yield* read
      yield* renderStored(sql, org, ids)
      const fresh = new Map((yield* read).map(({ deal_id, body }) => [deal_id, body]))
      return before.filter(({ deal_id, body }) => fresh.get(deal_id) !== body).map(({ deal_id }) => deal_id)
    }),
  )
})

/** The counts of a report. */
export const counts = ({ received, created, updated, unchanged, deleted, failed }: ImportCounts) => ({
  received,
  created,
  updated,
  unchanged,
  deleted,
  failed,
})
/** The counts of a report: none of what is not named. */
export const counted = (received: number, rest: object = {}) => ({
  received,
  created: 0,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  failed: 0,
  ...rest,
})
