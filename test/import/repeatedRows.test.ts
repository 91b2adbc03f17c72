import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { counted, counts, csv, deal, newOrganization, rows, services } from "../catalogue/support.ts"
import { engines } from "../support/engines.ts"

const DEALS = { type: "deal" } as const

/** The warnings of repeated rows: field, lines and first example. */
const repeatsOf = ({ warnings }: { readonly warnings: ReadonlyArray<any> }) =>
  warnings
    .filter(({ code }) => code === "id_repeated")
    .map(({ field, lines, examples }) => [field, lines, examples[0]] as const)

const HISTORY = [
  "D-1,Alpha,Prospecting,20000,Ann,2026-01-15T10:00:00Z",
  "D-1,Alpha,Negotiation,14000,Ben,2026-02-11T10:00:00Z",
  "D-1,Alpha,Closed Won,12500,Ben,2026-03-31T10:00:00Z",
]
const HISTORY_HEADER = "Deal ID,Deal Name,Stage,Amount,Owner,Last Modified Date"

const permutations = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  all.length < 2
    ? [all]
    : all.flatMap((each, n) => permutations(all.toSpliced(n, 1)).map((others) => [each, ...others]))

/** 700 other deals: more than a batch. */
const OTHERS = Array.from({ length: 700 }, (_, n) => `D-${n + 100},Deal ${n},Negotiation,${n}`)

for (const engine of engines) {
  describe(`rows of a table about one deal, on ${engine.name}`, () => {
    layer(services(engine), { excludeTestServices: true })((it) => {
      const imported = Effect.fnUntraced(function* (org: string, text: string) {
        const dry = yield* csv(org, text, { ...DEALS, dryRun: true })
        const real = yield* csv(org, text, DEALS)
        assert.deepStrictEqual([counts(dry), dry.warnings], [counts(real), real.warnings])
        return real
      })

      it.effect("a row for each product gives the deal all products, also beside each other in another batch", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const lines = Array.from({ length: 620 }, (_, n) => {
            const at = Math.floor(n / 2)
            return `D-${at},Deal ${at},Negotiation,${at},${n % 2 === 0 ? "Basic" : "Pro"}`
          })
          const text = ["Deal ID,Deal Name,Stage,Amount,Product", ...lines].join("\n")
          const real = yield* imported(org, text)
          assert.deepStrictEqual(counts(real), counted(620, { created: 310, updated: 310 }))
          assert.deepStrictEqual(repeatsOf(real), [
            ["product_labels", Array.from({ length: 10 }, (_, n) => 2 * n + 3), "D-0"],
          ])
          for (const { id } of yield* rows<{ id: string }>(org, "deals")) {
            assert.sameMembers((yield* deal(org, id))["product_labels"], ["Basic", "Pro"])
          }
          assert.deepStrictEqual(counts(yield* csv(org, text, DEALS)), counted(620, { unchanged: 620 }))
        }),
      )

      it.effect("rows that say the same are one deal, without a warning", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const ids = ["0065g00000AbCdE", "0065g00000AbCdEAAV", "0065g00000AbCdE"]
          const text = `Opportunity ID,Deal Name,Amount\n${ids.map((id) => `${id},Alpha,1`).join("\n")}`
          const real = yield* imported(org, text)
          assert.deepStrictEqual([counts(real), real.warnings], [counted(3, { created: 1, unchanged: 2 }), []])
        }),
      )

      it.effect("the newest row of a history counts in any order, and its stages have their times", () =>
        Effect.gen(function* () {
          for (const lines of permutations(HISTORY)) {
            const org = yield* newOrganization
            const text = [HISTORY_HEADER, ...lines].join("\n")
            const real = yield* imported(org, text)
            assert.deepStrictEqual(
              repeatsOf(real).map(([field]) => field),
              ["updated_at"],
            )
            const [{ id }] = (yield* rows<{ id: string }>(org, "deals")) as [{ id: string }]
            const stored = yield* deal(org, id)
            assert.deepInclude(stored, { deal_status: "Closed Won", amount: 12500, owner_name: "Ben" })
            const changes = yield* rows<{ changed_at: Date }>(org, "deal_stage_changes", "n")
            assert.deepStrictEqual(
              changes.map(({ changed_at }) => new Date(changed_at).toISOString()),
              ["2026-01-15T10:00:00.000Z", "2026-02-11T10:00:00.000Z", "2026-03-31T10:00:00.000Z"],
            )
            assert.deepStrictEqual(counts(yield* csv(org, text, DEALS)), counted(3, { unchanged: 3 }))
            assert.strictEqual((yield* rows(org, "deal_stage_changes")).length, 3)
          }
        }),
      )

      it.effect(
        "an older row of a later batch changes nothing, and one without a time counts with both values said",
        () =>
          Effect.gen(function* () {
            const others = OTHERS.map((line) => `${line},Ann,2026-01-01T00:00:00Z`)
            const dated = yield* newOrganization
            const real = yield* imported(dated, [HISTORY_HEADER, HISTORY[2], ...others, HISTORY[0]].join("\n"))
            assert.deepStrictEqual(counts(real), counted(702, { created: 701, unchanged: 1 }))
            assert.deepStrictEqual(repeatsOf(real), [
              ["updated_at", [703], "D-1: 2026-03-31T10:00:00.000Z, not 2026-01-15T10:00:00.000Z"],
            ])
            const [won] = yield* rows<{ amount: number }>(dated, "deals", "amount desc")
            assert.strictEqual(won!.amount, 12500)

            const undated = yield* newOrganization
            const text = ["Deal ID,Deal Name,Stage,Amount", "D-1,Alpha,Closed Won,5", ...OTHERS, "D-1,Alpha,Lost,7"]
            const last = yield* imported(undated, text.join("\n"))
            assert.deepStrictEqual(repeatsOf(last), [
              ["amount", [703], "D-1: 7, not 5"],
              ["status", [703], "D-1: Lost, not Closed Won"],
            ])
          }),
      )

      it.effect(
        "without times the last row counts, with both values said, and a file changes nothing the second time",
        () =>
          Effect.gen(function* () {
            const org = yield* newOrganization
            const text =
              "Deal ID,Deal Name,Stage,Amount,Product\nD-1,Alpha,Won,5,Pro\nD-1,Alpha,,7,\nD-1,Alpha,Lost,,Basic"
            const real = yield* imported(org, text)
            assert.deepStrictEqual(counts(real), counted(3, { created: 1, updated: 2 }))
            assert.deepStrictEqual(repeatsOf(real), [
              ["amount", [3], "D-1: 7, not 5"],
              ["status", [4], "D-1: Lost, not Won"],
              ["product_labels", [4], "D-1"],
            ])
            assert.strictEqual((yield* rows(org, "deal_stage_changes")).length, 1)
            assert.deepStrictEqual(counts(yield* csv(org, text, DEALS)), counted(3, { unchanged: 3 }))
          }),
      )

      it.effect("a bad row of a deal fails alone", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          yield* csv(org, "Deal ID,Deal Name,Owner\nD-1,Alpha,Ann", DEALS)
          const text = "Deal ID,Deal Name,Owner,Amount\nD-1,Alpha,Ann,5\nD-1,Alpha,Zoe,7"
          const real = yield* csv(org, text, { ...DEALS, create: "none" })
          assert.deepStrictEqual(counts(real), counted(2, { updated: 1, failed: 1 }))
          assert.deepStrictEqual(
            real.errors.map(({ line, field }) => [line, field]),
            [[3, "owner"]],
          )
        }),
      )

      it.effect("accounts of one name are compared too", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const text = "Account Name,Industry\nAcme,Steel\nACME,Steel\nAcme,Paper"
          const real = yield* csv(org, text, { type: "client" })
          assert.deepStrictEqual(counts(real), counted(3, { created: 1, unchanged: 1, updated: 1 }))
          assert.deepStrictEqual(repeatsOf(real), [["industry", [4], "Acme: Paper, not Steel"]])
        }),
      )
    })
  })
}
