import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { vector } from "@electric-sql/pglite-pgvector"
import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerPglite } from "../../src/adapters/database/pglite.ts"
import { Embedder } from "../../src/core/ports/Embedder.ts"
import { Embeddings } from "../../src/core/search/Embeddings.ts"
import { layerHybrid } from "../../src/core/search/layerHybrid.ts"
import { SearchIndex, type SearchScope } from "../../src/core/search/SearchIndex.ts"
import { search } from "../../src/core/search/sql.ts"
import { tendIndex } from "../../src/core/search/layerIndexes.ts"
import { encodeVector } from "../../src/core/search/vectorSql.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { DefinedPlans } from "../../src/core/storage/plans.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { explain } from "../deals/plans.ts"
import { addDocuments } from "../support/addDocuments.ts"
import { engines } from "../support/engines.ts"
import { makeRandom } from "../support/random.ts"
import { layerOrganizations } from "../support/organizations.ts"
import { UNLIMITED, UNLIMITED_PLANS } from "../support/unlimited.ts"

const DIMENSIONS = 128
const DOCUMENTS = 16
const CHUNKS = 50
/** An index is due at so many passages. */
const LEAST = 500

const ofText = (text: string) => {
  const random = makeRandom([...text].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) | 0, 7))
  return Array.from({ length: DIMENSIONS }, () => random.next() - 0.5)
}

/** No word of it stands anywhere: vectors alone tell what it is about. */
const QUESTION = "seventh"

/** A passage is about its topic, and a little about itself. */
const embedded = (text: string) => {
  const own = ofText(text)
  const about = ofText(text === QUESTION ? "topic 7" : (/topic \d+/.exec(text)?.[0] ?? ""))
  return about.map((number, index) => number + 0.3 * own[index]!)
}

const using = (model: string) => {
  const embed = (_: string, texts: ReadonlyArray<string>) => Effect.sync(() => texts.map(embedded))
  return Layer.merge(layerHybrid, Embeddings.layer).pipe(Layer.provide(Layer.succeed(Embedder, { model, embed })))
}

const filled = Effect.fnUntraced(function* (prefix: string, documents = DOCUMENTS) {
  const { id } = yield* (yield* Organizations).create({ name: "Own", plan: UNLIMITED })
  yield* addDocuments(
    id,
    Array.from({ length: documents }, (_, n) => ({
      name: `${prefix}${n}.txt`,
      type: n % 4 === 0 ? ("asset" as const) : ("intel" as const),
      createdAt: `2026-01-${String(n + 1).padStart(2, "0")}T00:00:00Z`,
      chunks: Array.from({ length: CHUNKS }, (_, chunk) => `it is of topic ${(n + chunk) % 25}, piece ${chunk}`),
    })),
  )
  yield* (yield* Embeddings).refresh(id)
  return id
})

const found = Effect.fnUntraced(function* (org: string, scope: SearchScope) {
  const { passages } = yield* (yield* SearchIndex).search(org, { text: QUESTION, limit: 10, scope })
  return passages.map(({ id, n }) => `${id}#${n}`)
})

const SCOPES: Readonly<Record<string, SearchScope>> = {
  all: {},
  "a fourth": { documentTypes: ["asset"] },
  "a twentieth": { to: "2026-01-01" },
  deals: { within: "deals" },
  "one deal": { dealIds: ["d1"] },
}

const tend = tendIndex("vector", LEAST)

const indexes = Effect.flatMap(Database, ({ sql, unscoped }) =>
  Effect.map(
    unscoped<{ name: string }>(
      sql`select indexname as name from pg_indexes where indexname like 'passage_vectors_near_%' order by 1`,
    ),
    (rows) => rows.map(({ name }) => name),
  ),
)

const services = (database: Layer.Layer<Layer.Success<(typeof engines)[0]["database"]>, unknown>) =>
  using("first").pipe(
    Layer.provideMerge(layerOrganizations),
    Layer.provideMerge(Database.layer),
    Layer.provide(Layer.provide(database, Layer.succeed(DefinedPlans, UNLIMITED_PLANS))),
  )

describe("an index of pgvector", () => {
  layer(services(layerPglite({ extensions: { vector } })), { excludeTestServices: true })((it) => {
    it.effect(
      "finds the same as an exact comparison, in its organization and every scope, and is dropped with the vectors",
      () =>
        Effect.gen(function* () {
          const [mine, theirs] = [yield* filled("mine-"), yield* filled("theirs-")]
          const { sql, transaction } = yield* Database
          const compared = yield* Effect.all(
            [mine, theirs].map((org) => Effect.forEach(Object.values(SCOPES), (scope) => found(org, scope))),
          )
          assert.deepStrictEqual(yield* indexes, [])
          const byHand = sql`create index by_hand on passage_vectors using hnsw ((signature::bit(8)) bit_hamming_ops) where org_id = ''`
          yield* transaction(mine, Effect.andThen(sql`set local role none`, byHand))
          const made = [yield* tend, yield* tend]
          assert.deepStrictEqual(yield* indexes, made.toSorted())
          assert.isUndefined(yield* tend)
          yield* sql`select refresh_statistics()`

          const near = { ...encodeVector(embedded(QUESTION)), model: "first", indexed: mine }
          const { indexes: used } = yield* explain(mine, search(sql, { text: QUESTION, limit: 20 }, near))
          assert.includeMembers(
            made,
            used.filter((name) => name.startsWith("passage_vectors_near_")),
          )
          assert.isTrue(used.some((name) => name.startsWith("passage_vectors_near_")))

          for (const [index, org] of [mine, theirs].entries()) {
            for (const [n, [name, scope]] of Object.entries(SCOPES).entries()) {
              const passages = yield* found(org, scope)
              const before = compared[index]![n]!
              assert.strictEqual(passages.length, before.length, name)
              assert.isTrue(
                passages.every((passage) => passage.startsWith(index === 0 ? "mine-" : "theirs-")),
                name,
              )
              const alike = passages.filter((passage) => before.includes(passage)).length
              assert.isAtLeast(alike, before.length - 1, name)
            }
          }
          yield* Effect.provide(
            Effect.flatMap(Embeddings, (embeddings) => embeddings.refresh(mine)),
            Layer.fresh(using("second")),
          )
          yield* transaction(theirs, sql`delete from vector_sets where org_id = ${theirs}`)
          while ((yield* tend) !== undefined);
          const kept = yield* indexes
          assert.strictEqual(kept.length, 1)
          assert.notInclude(made, kept[0])
          assert.deepStrictEqual(yield* sql`select to_regclass('by_hand') is not null as there`, [{ there: true }])
        }),
    )
  })

  it.live("prevents opening its directory without the extension", () =>
    Effect.gen(function* () {
      const parent = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "sightline-vector-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
      )
      const directory = join(parent, "data")
      yield* Effect.scoped(Layer.build(layerPglite({ directory, extensions: { vector } })))
      const refusal = yield* Effect.flip(Effect.scoped(Layer.build(layerPglite({ directory }))))
      assert.strictEqual(refusal._tag, "ExtensionMissing")
      assert.include(refusal.message, "vector")
      yield* Effect.scoped(Layer.build(layerPglite({ directory, extensions: { vector } })))
    }).pipe(Effect.scoped),
  )

  for (const engine of engines) {
    layer(services(engine.database), { excludeTestServices: true })((it) => {
      it.effect(`is not made where the extension is not installed: ${engine.name}`, () =>
        Effect.gen(function* () {
          const org = yield* filled("mine-", 2)
          assert.isUndefined(yield* tendIndex("vector", 1))
          assert.deepStrictEqual(yield* indexes, [])
          assert.strictEqual((yield* found(org, {})).length, 10)
        }),
      )
    })
  }
})
