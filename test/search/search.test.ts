import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { addDocuments } from "../support/addDocuments.ts"
import { deleteDocumentRows } from "../../src/core/library/writing.ts"
import { layerLexical } from "../../src/core/search/layerLexical.ts"
import { SearchIndex } from "../../src/core/search/SearchIndex.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { engines } from "../support/engines.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"
import { bm25 } from "./bm25.ts"
import { layerOrganizations } from "../support/organizations.ts"
import { UNLIMITED } from "../support/unlimited.ts"

/** Words that stem to themselves, the first far more frequent than the last. */
const WORDS = "deal price cloud vendor robot acid lemon quartz zebra violin".split(" ")

const newOrganization = Effect.gen(function* () {
  return (yield* (yield* Organizations).create({ name: "Mine", plan: UNLIMITED })).id
})

const search = (org: string, text: string, more: object = {}) =>
  Effect.flatMap(SearchIndex, (index) => index.search(org, { text, limit: 10, ...more }))

/** The stored count of an organization's passages, and a fresh count. */
const counts = Effect.fnUntraced(function* (org: string) {
  const database = yield* Database
  const { sql } = database
  return yield* database.transaction(
    org,
    Effect.gen(function* () {
      const kept =
        yield* sql`select lexeme, passages from passage_terms where org_id = ${org} and passages <> 0 order by lexeme`
      const found = yield* sql`select lexeme, count(*)::int as passages
        from passages, unnest(tsvector_to_array(lexemes)) lexeme where org_id = ${org} group by lexeme order by lexeme`
      const [totals] = yield* sql`select passages, length from passage_totals where org_id = ${org}`
      const [sums] =
        yield* sql`select count(*)::int as passages, coalesce(sum(length), 0)::float8 as length from passages where org_id = ${org}`
      return { kept: { terms: kept, totals }, found: { terms: found, totals: sums } }
    }),
  )
})

for (const engine of engines) {
  const services = Layer.mergeAll(layerLexical, layerOrganizations).pipe(
    Layer.provideMerge(Database.layer),
    Layer.provide(engine.database),
  )
  describe(`search on ${engine.name}`, () => {
    layer(services, { excludeTestServices: true })((it) => {
      it.effect(
        "finds words with raised and lowered digits as people type them, and the words before marks of notes",
        () =>
          Effect.gen(function* () {
            const org = yield* newOrganization
            yield* addDocuments(org, [
              { name: "gas", chunks: ["less CO₂ per year"] },
              { name: "area", chunks: ["an area of 25 m²"] },
              { name: "seats", chunks: ["Zebra¹ has 1200² seats"] },
            ])
            const found = (text: string) =>
              Effect.map(search(org, text), ({ passages }) => passages.map(({ id }) => id))
            for (const [text, name] of [
              ["CO2", "gas"],
              ["co₂", "gas"],
              ["m2", "area"],
              ["zebra", "seats"],
              ["1200", "seats"],
            ] as const)
              assert.deepStrictEqual(yield* found(text), [name], text)
            assert.deepStrictEqual(yield* found("12002"), [])
          }),
      )

      it.effect("ranks as BM25 does, independently of other organizations", () =>
        Effect.gen(function* () {
          const random = makeRandom(seedOfRun("search"))
          const text = () =>
            Array.from({ length: 1 + random.below(40) }, () => WORDS[Math.floor(WORDS.length * random.next() ** 2)]!)
          const corpus = Array.from({ length: 12 }, (_, document) => ({
            name: `d${document}`,
            chunks: Array.from({ length: 1 + random.below(8) }, text),
          }))
          const documents = corpus.map(({ name, chunks }) => ({ name, chunks: chunks.map((words) => words.join(" ")) }))
          const org = yield* newOrganization
          yield* addDocuments(org, documents)
          const other = yield* newOrganization
          yield* addDocuments(other, documents.slice(0, 5))
          const passages = corpus.flatMap(({ name, chunks }) =>
            chunks.map((words, n) => ({ key: `${name}#${n}`, words: [name, ...words] })),
          )
          for (let round = 0; round < 20; round++) {
            const query = Array.from({ length: 1 + random.below(6) }, () => random.pick(WORDS))
            const expected = bm25(passages, query)
            const { passages: found } = yield* search(org, query.join(" "))
            assert.strictEqual(found.length, Math.min(10, expected.size), query.join(" "))
            const best = [...expected.values()].sort((a, b) => b - a)
            for (const [rank, { id, n, score }] of found.entries()) {
              assert.closeTo(score, expected.get(`${id}#${n}`) ?? -1, 1e-9)
              assert.closeTo(score, best[rank] ?? -1, 1e-9)
            }
          }
        }),
      )

      it.effect("isolates two organizations with the same words", () =>
        Effect.gen(function* () {
          const [mine, theirs] = [yield* newOrganization, yield* newOrganization]
          yield* addDocuments(mine, [{ name: "mine.txt", chunks: ["the zebra sings"] }])
          yield* addDocuments(theirs, [{ name: "theirs.txt", chunks: ["the zebra sings", "another zebra"] }])
          assert.deepStrictEqual(
            (yield* search(mine, "zebra")).passages.map(({ id }) => id),
            ["mine.txt"],
          )
          assert.deepStrictEqual(
            new Set((yield* search(theirs, "zebra")).passages.map(({ id }) => id)),
            new Set(["theirs.txt"]),
          )
          const database = yield* Database
          const rows = yield* database.scoped(
            mine,
            database.sql`select * from passages_matching(${theirs}, 'zebra', array['zebra']::tsquery[], array[1.0], 1, 10, null, null, null, null, null, null)`,
          )
          assert.deepStrictEqual(rows, [])
          const [term] = yield* database.scoped<{ idf: number }>(
            mine,
            database.sql`select idf from query_terms(${theirs}, 'zebra')`,
          )
          assert.strictEqual(term?.idf, undefined)
        }),
      )

      it.effect("keeps counts exact after documents are read again or removed, and finds nothing removed", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const database = yield* Database
          yield* addDocuments(org, [
            { name: "a.txt", chunks: ["a lemon", "a violin and a lemon"] },
            { name: "b.txt", chunks: ["a lemon and acid"] },
          ])
          yield* addDocuments(org, [{ name: "a.txt", chunks: ["quartz", "a lemon of quartz"] }])
          const read = yield* counts(org)
          assert.deepStrictEqual(read.kept, read.found)
          assert.deepStrictEqual((yield* search(org, "violin")).passages, [])
          yield* database.transaction(org, deleteDocumentRows(database.sql, org, ["a.txt"]))
          const removed = yield* counts(org)
          assert.deepStrictEqual(removed.kept, removed.found)
          assert.deepStrictEqual(
            (yield* search(org, "quartz lemon")).passages.map(({ id }) => id),
            ["b.txt"],
          )
        }),
      )

      it.effect("returns the terms of the question, their rarity and their forms in the passages", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          yield* addDocuments(org, [
            { name: "Pricing guide.pdf", chunks: ["Prices rose. It's O'Brien's \\ quote: 3.5 %", "cloud"] },
          ])
          const { passages, terms } = yield* search(org, "How is the PRICE of clouds and unicorns priced at 3.5?")
          assert.deepStrictEqual(new Set(passages.map(({ n }) => n)), new Set([0, 1]))
          const forms = new Map(terms.map((term) => [term.word, term.forms]))
          assert.deepStrictEqual(forms.get("price"), ["prices", "pricing"])
          assert.deepStrictEqual(forms.get("clouds"), ["cloud"])
          assert.deepStrictEqual(forms.get("unicorns"), [])
          assert.deepStrictEqual(forms.get("3.5"), ["3.5"])
          assert.strictEqual(terms[0]?.word, "unicorns")
          for (const text of [
            "",
            "the of and",
            "'",
            "\\",
            "!&|:*()",
            "'''' \\\\ <->",
            "x".repeat(3000),
            "wörter 漢字 🎻",
          ]) {
            yield* search(org, text)
          }
        }),
      )

      it.effect("narrows by scope: library or deals, type, deal, competitor, date", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const database = yield* Database
          const { sql } = database
          yield* database.transaction(
            org,
            Effect.gen(function* () {
              yield* sql`insert into competitors (org_id, id, name) values (${org}, 'c1', 'Cobalt'), (${org}, 'c2', 'Zinc')`
              yield* sql`insert into deals (org_id, id, name, created_at, updated_at) values (${org}, 'x', 'Acme', now(), now()), (${org}, 'y', 'Beta', now(), now())`
              yield* sql`insert into deal_competitors (org_id, deal_id, competitor_id, is_primary, is_incumbent) values (${org}, 'x', 'c2', true, false)`
            }),
          )
          yield* addDocuments(org, [
            { name: "lib1", chunks: ["zebra"], type: "intel", competitorId: "c1", createdAt: "2026-01-01T00:00:00Z" },
            { name: "lib2", chunks: ["zebra"], type: "intel", competitorId: "c2", createdAt: "2026-02-01T00:00:00Z" },
            { name: "x1", chunks: ["zebra"], type: "asset", dealId: "x", createdAt: "2026-03-01T00:00:00Z" },
            { name: "y1", chunks: ["zebra"], type: "asset", dealId: "y", createdAt: "2026-04-01T00:00:00Z" },
          ])
          const within = (scope: object) =>
            Effect.map(search(org, "zebra", { scope }), ({ passages }) => passages.map(({ id }) => id).sort())
          assert.deepStrictEqual(yield* within({}), ["lib1", "lib2", "x1", "y1"])
          assert.deepStrictEqual(yield* within({ within: "library" }), ["lib1", "lib2"])
          assert.deepStrictEqual(yield* within({ within: "deals" }), ["x1", "y1"])
          assert.deepStrictEqual(yield* within({ documentTypes: ["asset"] }), ["x1", "y1"])
          assert.deepStrictEqual(yield* within({ dealIds: ["y"] }), ["y1"])
          assert.deepStrictEqual(yield* within({ dealIds: [] }), [])
          assert.deepStrictEqual(yield* within({ competitorIds: ["c2"] }), ["lib2", "x1"])
          assert.deepStrictEqual(yield* within({ from: "2026-02-01T00:00:00Z", to: "2026-03-01T00:00:00Z" }), [
            "lib2",
            "x1",
          ])
          const dayBefore = { from: "2026-01-31", to: "2026-01-31" }
          assert.deepStrictEqual(yield* within(dayBefore), [])
          yield* database.transaction(org, sql`update organizations set timezone = 'America/Phoenix' where id = ${org}`)
          assert.deepStrictEqual(yield* within(dayBefore), ["lib2"])
        }),
      )
    })
  })
}
