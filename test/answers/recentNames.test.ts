import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { loadNames } from "../../src/core/answers/questions/names/loadNames.ts"
import { makeIndex } from "../../src/core/answers/questions/names/nameIndex.ts"
import { RecentNames } from "../../src/core/answers/questions/names/RecentNames.ts"
import { deleteEntities } from "../../src/core/records/entityRows.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { engines } from "../support/engines.ts"
import { NAMED_RECORDS, ndjson, organizationWith, rolledBack, services } from "../catalogue/support.ts"

const WORKSPACE = [
  ...NAMED_RECORDS,
  { type: "client", id: "c1", name: "Harbor Freight", industry: "Retail" },
  { type: "feature", id: "f1", name: "SSO", product_area: "Core" },
  { type: "deal", id: "d1", name: "Deal", status: "Won", owner: "Ann", client: { id: "c1" }, region: "EMEA" },
]

/** Each changes the names that a question can mean. */
const WRITES: ReadonlyArray<object> = [
  { type: "competitor", id: "cmp", name: "Nimbrel" },
  { type: "competitor", name: "Unused" },
  { type: "stage", id: "won", name: "Signed" },
  { type: "client", id: "c1", industry: "Energy" },
  { type: "feature", id: "f1", product_area: "Edge" },
  { type: "metric", id: "m1", name: "Fitness" },
  { type: "segment", id: "s1", name: "Huge" },
  { type: "deal", id: "d1", region: "APAC" },
  { type: "deal", id: "d1", deal_type: "Renewal" },
  { type: "deal", id: "d1", product_labels: ["Suite"] },
  { type: "deal", id: "d1", owner: "Bob" },
  { type: "deal", id: "d1", drivers: [{ reason: "Price", positive: true }] },
  { type: "deal", id: "d1", deleted: true },
]

const load = (org: string) => loadNames(org, "what does Harbor Freight want")

/** A transaction reads the names itself. */
const read = (org: string) => Effect.flatMap(Database, ({ transaction }) => transaction(org, load(org)))

for (const engine of engines) {
  describe(`the names in memory on ${engine.name}`, () => {
    layer(services(engine), { excludeTestServices: true })((it) => {
      it.effect("are those of their organization, after each write of any kind, with one index a state", () =>
        Effect.gen(function* () {
          const org = yield* organizationWith(WORKSPACE)
          const other = yield* organizationWith([...WORKSPACE, { type: "competitor", id: "cmp", name: "Velbrix" }])
          const theirs = yield* load(other)
          assert.include(JSON.stringify(theirs), "Velbrix")
          let before = yield* load(org)
          assert.include(JSON.stringify(before), "Orvanta")
          assert.notInclude(JSON.stringify(before), "Velbrix")
          assert.strictEqual((yield* load(org)).stages, before.stages, "loaded again without a write")
          for (const record of WRITES) {
            const { failed } = yield* ndjson(org, [record])
            assert.strictEqual(failed, 0, JSON.stringify(record))
            const after = yield* load(org)
            assert.deepStrictEqual(after, yield* read(org), JSON.stringify(record))
            assert.notDeepEqual(after, before, JSON.stringify(record))
            before = after
          }
          yield* (yield* Organizations).change(org, { fiscal_start: 4, currency: "EUR" })
          const { fiscalStart, currency } = yield* load(org)
          assert.deepStrictEqual({ fiscalStart, currency }, { fiscalStart: 4, currency: "EUR" })
          const { sql, transaction } = yield* Database
          yield* transaction(org, deleteEntities(sql, org, "competitor", ["cmp"]))
          assert.notInclude(JSON.stringify(yield* load(org)), "Nimbrel")
          assert.deepStrictEqual(yield* load(other), theirs)
        }),
      )

      it.effect("have nothing of a transaction that is rolled back", () =>
        Effect.gen(function* () {
          const org = yield* organizationWith(WORKSPACE)
          const { sql } = yield* Database
          yield* rolledBack(
            org,
            Effect.gen(function* () {
              yield* sql`update competitors set name = 'Ghost' where org_id = ${org}`
              assert.include(JSON.stringify(yield* load(org)), "Ghost")
            }),
          )
          assert.notInclude(JSON.stringify(yield* load(org)), "Ghost")
        }),
      )
    })
  })
}

describe("the names in memory", () => {
  const namesOf = (count: number) => ({
    names: Array.from({ length: count }, (_, n) => ({ kind: "owner" as const, value: `${n}`, name: `Ann ${n}` })),
    stages: [],
    metrics: [],
  })

  it("are those used last, and of bounded size", () => {
    const recent = new RecentNames(1_000_000)
    recent.put("kept", "1", namesOf(1_000))
    for (let n = 0; n < 100; n++) {
      recent.put(`${n}`, "1", namesOf(1_000))
      assert.isDefined(recent.get("kept", "1"))
      assert.isAtMost(recent.bytes, 1_000_000)
    }
    assert.isUndefined(recent.get("0", "1"))
    assert.isDefined(recent.get("99", "1"))
    recent.put("huge", "1", namesOf(20_000))
    assert.isUndefined(recent.get("huge", "1"))
    assert.strictEqual(recent.bytes, 0)
  })

  it("are of one state", () => {
    const recent = new RecentNames()
    recent.put("org", "1", namesOf(1))
    assert.isUndefined(recent.get("org", "2"))
    assert.isUndefined(recent.get("other", "1"))
    recent.put("org", "2", namesOf(2))
    assert.isUndefined(recent.get("org", "1"))
    assert.lengthOf(recent.get("org", "2")?.names ?? [], 2)
  })
})

describe("the index of names", () => {
  it("finds a name by its first word, and a person or company by each part, in any script", () => {
    const names = (
      [
        ["owner", "Ann  Léger-Brown"],
        ["owner", "  Ümit Öz"],
        ["competitor", "(Data) Cloud Nimbrel Nimbrel"],
        ["region", "EMEA North"],
        ["client", "İstanbul Çelik"],
        ["product", "𝔸bc"],
        ["reason", ""],
      ] as const
    ).map(([kind, name], n) => ({ kind, value: `${n}`, name }))
    const index = makeIndex(names)
    const inText = (text: string) => index.namesIn(text).map(({ value }) => value)
    assert.deepStrictEqual(inText("emea, ann's and the data"), ["0", "2", "3"])
    assert.deepStrictEqual(inText("ümits"), ["1"])
    const withPart = (word: string) => index.withPart(word).map(({ value }) => value)
    assert.deepStrictEqual(withPart("léger-brown"), ["0"])
    assert.deepStrictEqual(withPart("nimbrel"), ["2"])
    assert.deepStrictEqual(withPart("çelik"), ["4"])
    assert.deepStrictEqual(withPart("north"), [])
    assert.deepStrictEqual(withPart("cloud"), [])
    assert.deepStrictEqual(withPart("öz"), [])
    assert.deepStrictEqual(
      index.near(4, 0, 32).map(({ low }) => low),
      ["ümit", "emea", "𝔸bc"],
    )
  })
})
