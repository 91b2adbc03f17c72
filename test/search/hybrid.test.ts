import { assert, describe, it, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { embedderOf } from "../../src/adapters/embeddings/openai.ts"
import { deleteDocumentRows } from "../../src/core/library/writing.ts"
import { DealRecords } from "../../src/core/search/DealRecords.ts"
import { Embeddings } from "../../src/core/search/Embeddings.ts"
import { layerHybrid } from "../../src/core/search/layerHybrid.ts"
import { SearchIndex } from "../../src/core/search/SearchIndex.ts"
import { layer as layerSightline } from "../../src/core/Sightline.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { addDocuments } from "../support/addDocuments.ts"
import { engines } from "../support/engines.ts"
import { atTime } from "../support/fixedClock.ts"
import { untilEffect } from "../support/until.ts"
import { ndjson, newOrganization, services } from "../catalogue/support.ts"
import { embeddingServer } from "./embeddingServer.ts"
import { UNLIMITED } from "../support/unlimited.ts"

class Double extends Context.Service<Double, Effect.Success<typeof embeddingServer>>()("test/Double") {}

/** The services as a process has them that is configured with this model. */
const using = (url: string, model = "weak") =>
  Layer.merge(layerHybrid, Embeddings.layer).pipe(
    Layer.provide(embedderOf({ url, model, key: Redacted.make("sk-test"), pause: 0.01 })),
  )

const DOCUMENTS = [
  {
    name: "a.txt",
    chunks: ["the tariff of zinc", "crews underground lose the signal"],
    createdAt: "2026-01-02T15:00:00Z",
  },
  { name: "b.txt", chunks: ["a violin plays", "an export takes five days"] },
]

const found = (org: string, text: string, scope: object = {}) =>
  Effect.flatMap(SearchIndex, (index) =>
    Effect.map(index.search(org, { text, limit: 10, scope }), ({ passages }) =>
      passages.map(({ id, n }) => `${id}#${n}`),
    ),
  )
const embedded = (org: string) => Effect.flatMap(Embeddings, (embeddings) => embeddings.refresh(org))

const sets = Effect.fnUntraced(function* (org: string) {
  const { sql, scoped } = yield* Database
  return yield* scoped<{ model: string; vectors: number; complete: boolean; kept: number }>(
    org,
    sql`select s.model, s.vectors, s.complete, (select count(*)::int from passage_vectors v
        where v.org_id = scope.org and v.model = s.model) as kept
      from vector_sets s where s.org_id = scope.org order by s.model`,
  )
})

for (const engine of engines) {
  const all = DealRecords.layer.pipe(
    Layer.provideMerge(services(engine)),
    Layer.provideMerge(Layer.effect(Double, embeddingServer)),
  )
  describe(`hybrid search on ${engine.name}`, () => {
    layer(all, { excludeTestServices: true })((it) => {
      it.effect("finds synonyms once all passages have vectors, within the scope", () =>
        Effect.gen(function* () {
          const double = yield* Double
          yield* Effect.gen(function* () {
            const org = yield* newOrganization
            yield* addDocuments(org, DOCUMENTS)
            assert.deepStrictEqual(yield* found(org, "fees"), [])
            assert.strictEqual(yield* embedded(org), 4)
            assert.strictEqual((yield* found(org, "fees"))[0], "a.txt#0")
            assert.strictEqual((yield* found(org, "fees", { dealIds: [] })).length, 0)
            assert.strictEqual(
              (yield* found(org, "fees", { within: "library", documentTypes: ["intel"] }))[0],
              "a.txt#0",
            )
            assert.strictEqual((yield* found(org, "fees", { to: "2020-01-01T00:00:00Z" })).length, 0)
            const day = { from: "2026-01-02", to: "2026-01-02" }
            assert.strictEqual((yield* found(org, "fees", day))[0], "a.txt#0")
            assert.strictEqual((yield* found(org, "tariff", day))[0], "a.txt#0")
            assert.strictEqual((yield* found(org, "violin"))[0], "b.txt#0")
            assert.strictEqual((yield* found(org, `violin ${"x".repeat(5000)}`))[0], "b.txt#0")
            assert.lengthOf(double.requests.at(-1)?.input[0] ?? "", 2000)
            assert.strictEqual(yield* embedded(org), 0)
            assert.strictEqual(double.requests.at(-1)?.key, "Bearer sk-test")
          }).pipe(Effect.provide(using(double.url)))
        }),
      )

      it.effect("makes vectors of deal records, and removes those of changed or deleted ones", () =>
        Effect.gen(function* () {
          const { url } = yield* Double
          yield* Effect.gen(function* () {
            const org = yield* newOrganization
            const records = yield* DealRecords
            yield* addDocuments(org, DOCUMENTS)
            yield* ndjson(org, [{ type: "deal", id: "d1", name: "Acme", summary: "A tariff was refused." }])
            yield* records.refresh(org)
            assert.strictEqual(yield* embedded(org), 5)
            assert.include((yield* found(org, "fees", { within: "deals" }))[0], "d1#0")
            yield* ndjson(org, [{ type: "deal", id: "d1", name: "Acme", summary: "A violin was bought." }])
            yield* records.refresh(org)
            yield* addDocuments(org, [{ name: "a.txt", chunks: ["one"] }])
            const { transaction, sql } = yield* Database
            yield* transaction(org, deleteDocumentRows(sql, org, ["b.txt"]))
            assert.deepStrictEqual(yield* sets(org), [{ model: "weak", vectors: 0, complete: true, kept: 0 }])
            assert.strictEqual(yield* embedded(org), 2)
            assert.deepStrictEqual(yield* sets(org), [{ model: "weak", vectors: 2, complete: true, kept: 2 }])
          }).pipe(Effect.provide(using(url)))
        }),
      )

      it.effect("never finds vectors of another organization", () =>
        Effect.gen(function* () {
          const { url } = yield* Double
          yield* Effect.gen(function* () {
            const [mine, theirs] = [yield* newOrganization, yield* newOrganization]
            yield* addDocuments(mine, [{ name: "mine.txt", chunks: ["the tariff"] }])
            yield* addDocuments(theirs, [{ name: "theirs.txt", chunks: ["the tariff", "another tariff"] }])
            yield* Effect.forEach([mine, theirs], embedded)
            assert.deepStrictEqual(yield* found(mine, "fees"), ["mine.txt#0"])
            assert.deepStrictEqual((yield* found(theirs, "fees")).toSorted(), ["theirs.txt#0", "theirs.txt#1"])
            const { scoped, sql } = yield* Database
            const [seen] = yield* scoped<{ vectors: number }>(
              mine,
              sql`select count(*)::int as vectors from passage_vectors where org_id in (${theirs}, scope.org)`,
            )
            assert.strictEqual(seen?.vectors, 1)
          }).pipe(Effect.provide(using(url)))
        }),
      )

      it.effect("serves the old vectors until those of a new model are complete", () =>
        Effect.gen(function* () {
          const double = yield* Double
          const org = yield* newOrganization
          yield* addDocuments(org, DOCUMENTS)
          yield* Effect.provide(embedded(org), using(double.url))
          const next = using(double.url, "next")
          yield* Effect.gen(function* () {
            assert.strictEqual((yield* Effect.flip(embedded(org)))._tag, "EmbeddingFailed")
            assert.strictEqual((yield* found(org, "fees"))[0], "a.txt#0")
            assert.strictEqual(double.requests.at(-1)?.model, "weak")
            double.models.set("next", 96)
            assert.strictEqual(yield* embedded(org), 4)
            assert.deepStrictEqual(yield* sets(org), [{ model: "next", vectors: 4, complete: true, kept: 4 }])
            assert.strictEqual((yield* found(org, "fees"))[0], "a.txt#0")
            assert.strictEqual(double.requests.at(-1)?.model, "next")
            double.models.set("next", 64)
            assert.deepStrictEqual(yield* found(org, "fees"), [])
            yield* addDocuments(org, [{ name: "c.txt", chunks: ["a cello"] }])
            yield* embedded(org)
            assert.deepStrictEqual(yield* sets(org), [{ model: "next", vectors: 1, complete: false, kept: 1 }])
            yield* embedded(org)
            assert.strictEqual((yield* found(org, "fees"))[0], "a.txt#0")
          }).pipe(Effect.provide(next))
        }),
      )

      it.effect("searches by words while the endpoint is down or busy, and makes the vectors later", () =>
        Effect.gen(function* () {
          const double = yield* Double
          const org = yield* newOrganization
          yield* addDocuments(org, DOCUMENTS)
          yield* Effect.gen(function* () {
            double.failures.push({ status: 429, headers: { "retry-after": "0.1" } }, { status: 503 })
            double.refused = "violin"
            const started = performance.now()
            assert.strictEqual(yield* embedded(org), 4)
            assert.isAbove(performance.now() - started, 90)
            double.refused = undefined
            assert.deepStrictEqual(yield* sets(org), [{ model: "weak", vectors: 4, complete: true, kept: 4 }])
            double.refused = "refused"
            yield* found(org, "a refused question")
            assert.strictEqual((yield* found(org, "fees"))[0], "a.txt#0")
            double.refused = undefined
            double.isDown = true
            // It asks again after ten seconds.
            const now = new Date().toISOString()
            assert.deepStrictEqual(yield* found(org, "violin").pipe(atTime(now)), ["b.txt#0"])
            const asked = double.requests.length
            assert.deepStrictEqual(yield* found(org, "violin").pipe(atTime(now)), ["b.txt#0"])
            assert.strictEqual(double.requests.length, asked)
            yield* addDocuments(org, [{ name: "c.txt", chunks: ["a cello"] }])
            assert.strictEqual((yield* Effect.flip(embedded(org)))._tag, "EmbeddingUnavailable")
            double.isDown = false
            assert.strictEqual(yield* embedded(org), 1)
          }).pipe(Effect.provide(using(double.url)))
        }),
      )

      it.effect("leases different organizations to two processes", () =>
        Effect.gen(function* () {
          yield* addDocuments(yield* newOrganization, DOCUMENTS)
          yield* addDocuments(yield* newOrganization, DOCUMENTS)
          const { sql, unscoped } = yield* Database
          const lease = Effect.map(
            unscoped<{ org_id: string }>(sql`select org_id from lease_vectors('other', 60)`),
            ([row]) => row?.org_id,
          )
          const [mine, theirs] = [yield* lease, yield* lease]
          assert.isString(mine)
          assert.isString(theirs)
          assert.notStrictEqual(mine, theirs)
        }),
      )
    })

    it.live("the service makes vectors by itself if it has an endpoint", () =>
      Effect.gen(function* () {
        const { url } = yield* embeddingServer
        yield* Effect.gen(function* () {
          const { id } = yield* (yield* Organizations).create({ name: "Own", plan: UNLIMITED })
          yield* addDocuments(id, DOCUMENTS)
          // The vectors of the first document can be complete before the second one is read.
          yield* untilEffect(
            "four vectors are kept",
            Effect.map(sets(id), (all) => all.some(({ complete, kept }) => complete && kept === 4)),
          )
          assert.deepStrictEqual(yield* sets(id), [{ model: "weak", vectors: 4, complete: true, kept: 4 }])
        }).pipe(
          Effect.provide(layerSightline({ database: engine.database, embedder: embedderOf({ url, model: "weak" }) })),
        )
      }).pipe(Effect.scoped),
    )
  })
}
