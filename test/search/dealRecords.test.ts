import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DealRecords } from "../../src/core/search/DealRecords.ts"
import { layerLexical } from "../../src/core/search/layerLexical.ts"
import { SearchIndex } from "../../src/core/search/SearchIndex.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { engines } from "../support/engines.ts"
import { ndjson, newOrganization, services } from "../catalogue/support.ts"

const ACME = {
  type: "deal",
  id: "deal_1",
  name: "Acme – Vector renewal",
  amount: 48_000,
  status: "Closed Lost",
  client: "Acme Steel",
  competitors: [{ competitor: "Cobalt", is_primary: true }],
  drivers: [{ reason: "Price", positive: false, summary: "They found the quote too high." }],
  summary: {
    executive_summary: `Acme left for a cheaper offer.${" It was a long story.".repeat(30)}`,
    nextSteps: ["Call the sponsor.", "Offer a pilot."],
    risk: 3,
  },
  scorecard: { product_fit: { score: 4, explanation: "The roaming sync convinced the plant." } },
  custom_answers: { "Compelling event": "A contract ends in May." },
}

const refreshed = (org: string) => Effect.flatMap(DealRecords, (records) => records.refresh(org))
const textOf = (org: string, id: string) =>
  Effect.flatMap(DealRecords, (records) => Effect.map(records.text(org, id), (record) => record?.text))
const found = (org: string, text: string) =>
  Effect.flatMap(SearchIndex, (index) =>
    Effect.map(index.search(org, { text, limit: 10, scope: { within: "deals" } }), ({ passages }) => passages),
  )

for (const engine of engines) {
  const all = Layer.mergeAll(layerLexical, DealRecords.layer).pipe(Layer.provideMerge(services(engine)))
  describe(`deal records on ${engine.name}`, () => {
    layer(all, { excludeTestServices: true })((it) => {
      it.effect("renders a deal as a text with headings, and each passage is a part of it", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          yield* ndjson(org, [
            ACME,
            { type: "feature", id: "f1", name: "Offline mode", product: "Vector" },
            {
              type: "association",
              deal: "deal_1",
              feature: "f1",
              sentiment: true,
              influence_summary: "Crews work without a signal.",
            },
          ])
          const before = yield* textOf(org, "deal_1")
          assert.strictEqual(yield* refreshed(org), 1)
          assert.strictEqual(yield* textOf(org, "deal_1"), before)
          for (const part of [
            "Client: Acme Steel\n",
            "Stage: Closed Lost\n",
            "Amount: 48000\n",
            "Competitors: Cobalt (primary)",
            "Executive summary\n\nAcme left for a cheaper offer.",
            "Next steps\n\nCall the sponsor.\nOffer a pilot.",
            "Risk: 3",
            "Price (negative): They found the quote too high.",
            "Product fit, 4 of 5: The roaming sync convinced the plant.",
            "Offline mode of Vector (positive): Crews work without a signal.",
            "Compelling event: A contract ends in May.",
          ]) {
            assert.include(before, part)
          }
          const record = yield* (yield* DealRecords).text(org, "deal_1")
          assert.deepStrictEqual(
            record?.headings.map(({ start, end, level }) => [level, record.text.slice(start, end)]),
            [
              [1, "Acme – Vector renewal"],
              [2, "Summary"],
              [3, "Executive summary"],
              [3, "Next steps"],
              [2, "Drivers"],
              [2, "Scorecard"],
              [2, "Features"],
              [2, "Answers"],
            ],
          )
          const passages = yield* found(org, "Acme")
          assert.strictEqual(passages.length, 2)
          for (const passage of passages) {
            assert.strictEqual(passage.text, record?.text.slice(passage.start, passage.end))
            assert.deepStrictEqual(
              [passage.source, passage.id, passage.dealId, passage.name, passage.dealName, passage.headings[0]],
              ["deal", "deal_1", "deal_1", ACME.name, ACME.name, ACME.name],
            )
          }
          const [best] = yield* found(org, "why was the quote rejected on price")
          assert.include(best?.text, "Price (negative): They found the quote too high.")
        }),
      )

      it.effect("marks a record stale after each change of what it shows, and after no other", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          yield* ndjson(org, [
            ACME,
            { type: "feature", id: "f1", name: "Offline mode" },
            { type: "association", id: "a1", deal: "deal_1", feature: "f1" },
            { type: "deal", id: "deal_2", name: "Quite another" },
          ])
          assert.strictEqual(yield* refreshed(org), 2)
          const changed = Effect.fnUntraced(function* (...records: ReadonlyArray<object>) {
            yield* ndjson(org, records)
            const stale = yield* refreshed(org)
            return [stale, yield* textOf(org, "deal_1")] as const
          })
          const [same] = yield* changed(ACME)
          assert.strictEqual(same, 0)
          const database = yield* Database
          const idOf = (table: string, name: string) =>
            Effect.map(
              database.scoped<{ id: string }>(
                org,
                database.sql`select id from ${database.sql.literal(table)} where org_id = scope.org and name = ${name}`,
              ),
              ([row]) => row!.id,
            )
          for (const [type, table, name] of [
            ["competitor", "competitors", "Cobalt"],
            ["reason", "reasons", "Price"],
            ["client", "clients", "Acme Steel"],
            ["stage", "stages", "Closed Lost"],
            ["feature", "features", "Offline mode"],
            ["answer", "answers", "Compelling event"],
          ] as const) {
            const [stale, text] = yield* changed({ type, id: yield* idOf(table, name), name: `${name} renamed` })
            assert.strictEqual(stale, 1, type)
            assert.include(text, `${name} renamed`)
          }
          yield* (yield* Organizations).change(org, { currency: "EUR", fiscal_start: 2 })
          assert.strictEqual(yield* refreshed(org), 1, "of two deals one has an amount")
          assert.include(yield* textOf(org, "deal_1"), "Amount: 48000 EUR\n")
          yield* (yield* Organizations).change(org, { currency: "EUR", name: "Acme" })
          assert.strictEqual(yield* refreshed(org), 0)
          const [, spoken] = yield* changed({
            type: "association",
            id: "a1",
            influence_summary: "It worked in the shaft.",
          })
          assert.include(spoken, "It worked in the shaft.")
          const [, moved] = yield* changed({ type: "association", id: "a1", deal: "deal_2" })
          assert.notInclude(moved, "shaft")
          assert.include(yield* textOf(org, "deal_2"), "shaft")
          assert.deepStrictEqual(
            (yield* found(org, "shaft")).map(({ id }) => id),
            ["deal_2"],
          )
        }),
      )

      it.effect("renders a deal of any length, and limits the batches of a turn", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const word = (n: number) => `${"y".repeat(40)}${n}-${"z".repeat(40)}${n}`
          const words = Array.from({ length: 10_000 }, (_, n) => word(n)).join(" ")
          yield* ndjson(org, [
            { type: "deal", id: "endless", name: "Endless", summary: `Beginning ${words}` },
            ...Array.from({ length: 40 }, (_, n) => ({ type: "deal", id: `d${n}`, name: `Deal ${n}` })),
          ])
          assert.strictEqual(yield* (yield* DealRecords).refresh(org, 1), 25)
          assert.strictEqual(yield* refreshed(org), 16)
          const [first] = yield* found(org, "beginning")
          assert.strictEqual(first?.id, "endless")
          assert.isBelow(first?.text.length ?? Infinity, 1300)
          assert.strictEqual((yield* found(org, word(9_999)))[0]?.id, "endless")
          const whole = yield* textOf(org, "endless")
          assert.strictEqual(whole?.slice(first?.start, first?.end), first?.text)
        }),
      )

      it.effect("returns no record of another organization or of an unknown deal", () =>
        Effect.gen(function* () {
          const [mine, theirs] = [yield* newOrganization, yield* newOrganization]
          yield* ndjson(mine, [ACME])
          yield* ndjson(theirs, [{ ...ACME, id: "deal_2" }])
          yield* refreshed(mine)
          assert.isUndefined(yield* textOf(theirs, "deal_1"))
          assert.isUndefined(yield* textOf(mine, "deal_2"))
          yield* refreshed(theirs)
          assert.isUndefined(yield* textOf(theirs, "deal_1"))
          assert.deepStrictEqual([...new Set((yield* found(mine, "Acme")).map(({ id }) => id))], ["deal_1"])
          assert.deepStrictEqual([...new Set((yield* found(theirs, "Acme")).map(({ id }) => id))], ["deal_2"])
        }),
      )
    })
  })
}
