import { pg_textsearch } from "@electric-sql/pglite-pg_textsearch"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerPglite } from "../../src/adapters/database/pglite.ts"
import { deleteDocumentRows } from "../../src/core/library/writing.ts"
import { tendIndex } from "../../src/core/search/layerIndexes.ts"
import { layerLexical } from "../../src/core/search/layerLexical.ts"
import { SearchIndex, type SearchScope } from "../../src/core/search/SearchIndex.ts"
import { search } from "../../src/core/search/sql.ts"
import { CurrentClass } from "../../src/core/storage/CurrentClass.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { NOBODY } from "../../src/core/storage/Permits.ts"
import { DefinedPlans } from "../../src/core/storage/plans.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { explain } from "../deals/plans.ts"
import { addDocuments } from "../support/addDocuments.ts"
import { engines } from "../support/engines.ts"
import { makeRandom } from "../support/random.ts"
import { layerOrganizations } from "../support/organizations.ts"
import { UNLIMITED, UNLIMITED_PLANS } from "../support/unlimited.ts"

const DOCUMENTS = 8
const CHUNKS = 50
/** An index is due at so many passages. */
const LEAST = 250

const NOUNS = "price renewal discount security audit integration pilot budget roadmap churn onboarding latency".split(
  " ",
)

const documentsOf = (prefix: string, documents = DOCUMENTS) => {
  const random = makeRandom(prefix.length)
  return Array.from({ length: documents }, (_, n) => ({
    name: `${prefix}${n}.txt`,
    type: n % 4 === 0 ? ("asset" as const) : ("intel" as const),
    createdAt: `2026-01-${String(n + 1).padStart(2, "0")}T00:00:00Z`,
    chunks: Array.from(
      { length: CHUNKS },
      (_, chunk) =>
        `${Array.from({ length: 5 + random.below(20) }, () => random.pick(NOUNS)).join(" ")} at acme-corp.com/case${chunk}`,
    ),
  }))
}

const filled = Effect.fnUntraced(function* (prefix: string, documents = DOCUMENTS) {
  const { id } = yield* (yield* Organizations).create({ name: "Own", plan: UNLIMITED })
  yield* addDocuments(id, documentsOf(prefix, documents))
  return id
})

const found = Effect.fnUntraced(function* (org: string, text: string, scope: SearchScope = {}) {
  const { passages } = yield* (yield* SearchIndex).search(org, { text, limit: 10, scope })
  return passages.map(({ id, n, score }) => `${id}#${n} ${score.toFixed(9)}`)
})

const QUESTIONS = [
  "What do they say about renewals and pricing?",
  "latency of the pilot",
  "acme-corp.com/case7",
  "zebra",
]
const SCOPES: ReadonlyArray<SearchScope> = [{}, { documentTypes: ["asset"] }, { to: "2026-01-01" }, { within: "deals" }]

const all = (org: string) =>
  Effect.forEach(QUESTIONS, (text) => Effect.forEach(SCOPES, (scope) => found(org, text, scope)))

const tend = tendIndex("pg_textsearch", LEAST)

/** The passages that the organization's index of words ranks first for `scope`. Without a scope it searches "nothing", which no passage has. */
const first = Effect.fnUntraced(function* (org: string, words: string, scope = org) {
  const { scoped, sql } = yield* Database
  const rows = yield* scoped<{ passage: string }>(
    scope,
    sql`select document_id || '#' || n as passage
      from passages_by_words(${org}, ${words}, 'nothing', array['renew', 'price']::tsquery[], array[1.0, 1.0], 10, 150)`,
  )
  return rows.map(({ passage }) => passage)
})

/** The functions that find the passages. */
const asked = Effect.fnUntraced(function* (org: string, scope: SearchScope) {
  const { sql } = yield* Database
  const { nodes } = yield* explain(org, search(sql, { text: "renewal", limit: 10, scope }))
  return nodes.flatMap((node) =>
    node["Actual Loops"] > 0 && node["Function Name"]?.startsWith("passages_") ? [node["Function Name"]] : [],
  )
})

const services = (database: Layer.Layer<Layer.Success<(typeof engines)[0]["database"]>, unknown>) =>
  Layer.merge(layerLexical, layerOrganizations).pipe(
    Layer.provideMerge(Database.layer),
    Layer.provide(Layer.provide(database, Layer.succeed(DefinedPlans, UNLIMITED_PLANS))),
  )

describe("an index of pg_textsearch", () => {
  layer(services(layerPglite({ extensions: { pg_textsearch } })), { excludeTestServices: true })((it) => {
    it.effect(
      "finds the same as a search without it, by the organization's own words, and is dropped with the passages",
      () =>
        Effect.gen(function* () {
          const { sql, transaction } = yield* Database
          const mine = yield* filled("mine-")
          const before = yield* all(mine)
          assert.isTrue(before[0]![0]!.length === 10 && before[3]!.flat().length === 0)
          assert.deepStrictEqual(yield* first(mine, "renew"), [])
          const made = yield* tend
          assert.isString(made)
          assert.isUndefined(yield* tend)
          assert.deepStrictEqual(yield* all(mine), before)
          assert.deepStrictEqual(yield* asked(mine, {}), ["passages_by_words"])
          assert.deepStrictEqual(yield* asked(mine, { within: "library" }), ["passages_matching"])
          const alone = yield* first(mine, "renew price")
          assert.strictEqual(alone.length, 150)

          const theirs = yield* filled("their-")
          const apart = yield* all(theirs)
          assert.isString(yield* tend)
          assert.deepStrictEqual(yield* all(theirs), apart)
          assert.deepStrictEqual(yield* all(mine), before)
          assert.deepStrictEqual(yield* first(mine, "renew price"), alone)
          assert.deepStrictEqual(yield* first(theirs, "renew price", mine), [])
          assert.notInclude(JSON.stringify(yield* all(theirs)), "mine-")

          yield* addDocuments(mine, [{ name: "new.txt", chunks: ["A zebra costs a discount."] }])
          assert.strictEqual((yield* found(mine, "zebras")).length, 1)
          assert.strictEqual((yield* found(theirs, "zebras")).length, 0)
          yield* addDocuments(mine, [{ name: "new.txt", chunks: ["A camel costs a discount."] }])
          assert.deepStrictEqual(yield* found(mine, "zebras"), [])
          assert.strictEqual((yield* found(mine, "camel discount"))[0]?.split(" ")[0], "new.txt#0")
          yield* transaction(mine, deleteDocumentRows(sql, mine, ["new.txt"]))
          assert.deepStrictEqual(yield* all(mine), before)

          const intel = sql<{ id: string }>`select id from documents where org_id = ${mine} and type = 'intel'`
          yield* transaction(
            mine,
            Effect.flatMap(intel, (rows) =>
              deleteDocumentRows(
                sql,
                mine,
                rows.map(({ id }) => id),
              ),
            ),
          )
          assert.strictEqual(yield* tend, made)
          assert.isUndefined(yield* tend)
          assert.deepStrictEqual(yield* first(mine, "renew"), [])
          assert.strictEqual((yield* found(mine, "renewal")).length, 10)
          assert.strictEqual((yield* first(theirs, "renew")).length, 150)
        }),
    )

    it.effect("is ignored if it cannot be read", () =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        const org = yield* filled("other-", 2)
        const before = yield* all(org)
        yield* sql`reset role`
        yield* sql`create index ${sql(`passages_by_words_${yield* hashed(org)}`)} on passages (n)`
        yield* sql`set role sightline_app`
        assert.deepStrictEqual(yield* first(org, "renew"), [])
        assert.deepStrictEqual(yield* all(org), before)
      }),
    )
  })

  for (const engine of engines) {
    layer(services(engine.database), { excludeTestServices: true })((it) => {
      it.effect(`is not made where the extension is not installed: ${engine.name}`, () =>
        Effect.gen(function* () {
          const org = yield* filled("mine-", 2)
          assert.isUndefined(yield* tendIndex("pg_textsearch", 1))
          assert.deepStrictEqual(yield* first(org, "renew"), [])
          assert.strictEqual((yield* found(org, QUESTIONS[0]!)).length, 10)
        }),
      )
    })
  }

  layer(services(engines[0].database), { excludeTestServices: true })((it) => {
    it.effect("is tended as background work of no organization, admitted once", () =>
      Effect.gen(function* () {
        const database = yield* Database
        const admitted: Array<readonly [string, string]> = []
        const watched: Database["Service"] = {
          ...database,
          transaction: (org, effect) =>
            Effect.andThen(
              Effect.map(CurrentClass, (workClass) => void admitted.push([org, workClass])),
              database.transaction(org, effect),
            ),
        }
        yield* Effect.provideService(tend, Database, watched)
        assert.deepStrictEqual(admitted, [[NOBODY, "background"]])
      }),
    )
  })
})

const hashed = (org: string) =>
  Effect.flatMap(Database, ({ sql }) =>
    Effect.map(sql<{ hash: string }>`select md5(${org}) as hash`, ([row]) => row!.hash),
  )
