import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { ImportReport } from "../../src/core/import/Import.ts"
import { engines } from "../support/engines.ts"
import { csv, newOrganization, rows, services } from "../catalogue/support.ts"

const DEALS = { type: "deal" } as const
const noticesOf = (report: ImportReport, code: string): ReadonlyArray<ReadonlyArray<unknown>> =>
  report.warnings.flatMap((each) => (each.code === code ? [[each.field, each.count, each.lines, each.examples]] : []))

for (const engine of engines) {
  describe(`names that may mean the same, on ${engine.name}`, () => {
    layer(services(engine), { excludeTestServices: true })((it) => {
      it.effect("rows without an id that have one name and client are deals of their own, with a warning", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const text =
            "Deal Name,Company,Amount,Stage,Competitor\nBig,Acme,100,Lost,Rival\nBig,Acme,100,Lost,Contoso\nBig,Bolt,1,Won,\nRenewal,,1,Won,\nrenewal,,1,Won,"
          const expected = [["name", 2, [3, 6], ["Big", "renewal"]]]
          const dry = yield* csv(org, text, { ...DEALS, dryRun: true })
          assert.deepStrictEqual(noticesOf(dry, "name_repeated"), expected)
          const report = yield* csv(org, text, DEALS)
          assert.strictEqual(report.created, 5)
          assert.deepStrictEqual(noticesOf(report, "name_repeated"), expected)
          const withIds = yield* csv(org, "Deal ID,Deal Name,Company\n1,Big,Acme\n2,Big,Acme", DEALS)
          assert.deepStrictEqual(noticesOf(withIds, "name_repeated"), [])
        }),
      )

      it.effect("a row with an id that no deal has is about the deal of its name and client that has no id", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const first =
            "Deal Name,Company,Amount\nR1,Acme,1\nR2,Acme,2\nR3,,30\nTwice,Acme,4\nTwice,Acme,5\nOne of two,Acme,6"
          yield* csv(org, first, DEALS)
          const head = "Opportunity ID,Deal Name,Company,Amount,Competitor"
          const text = `${head}\n01,R1,Acme,10,Rival\n01,R1,Acme,10,Contoso\n02,r2,acme,2,\n03,R3,,3,\n04,Twice,Acme,4,\n05,R1,Bolt,7,\n06,One of two,Acme,6,\n07,One of two,Acme,8,`
          const expected = { created: 5, updated: 2 + 1, unchanged: 0, failed: 0 }
          const dry = yield* csv(org, text, { ...DEALS, dryRun: true })
          const report = yield* csv(org, text, DEALS)
          const deals = yield* rows<{ name: string; crm_one_id: string | null; amount: unknown }>(org, "deals")
          assert.deepStrictEqual(
            deals.map(({ name, crm_one_id, amount }) => `${name} ${crm_one_id} ${Number(amount)}`).toSorted(),
            [
              "One of two 06 6",
              "One of two 07 8",
              "One of two null 6",
              "R1 01 10",
              "R1 05 7",
              "R3 03 3",
              "R3 null 30",
              "Twice 04 4",
              "Twice null 4",
              "Twice null 5",
              "r2 02 2",
            ],
          )
          assert.deepInclude(report, expected)
          assert.deepInclude(dry, expected)
          assert.deepInclude(yield* csv(org, text, DEALS), { created: 0, updated: 0 })
        }),
      )

      it.effect("rows of one name and client of which only some have an id are a warning", () =>
        Effect.gen(function* () {
          for (const text of ["01,R1,Acme\n,R1,Acme", ",R1,Acme\n01,R1,Acme"]) {
            const org = yield* newOrganization
            const report = yield* csv(org, `Opportunity ID,Deal Name,Company\n${text}\n,R2,Acme\n02,R1,Bolt`, DEALS)
            assert.deepStrictEqual(
              [report.created, noticesOf(report, "name_repeated")],
              [4, [["name", 1, [3], ["R1"]]]],
            )
            assert.match(report.warnings[0]!.message, /only one of both has an id/)
          }
        }),
      )

      it.effect("a row without a client that is called like a deal with one is a new deal, with a warning", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          yield* csv(org, "Deal Name,Company,Amount,Stage\nBig,Acme,100,Won\nLone,,1,Won", DEALS)
          const text = "Deal Name,Amount,Stage\nBig,175,Won\nLone,2,Won\nOther,3,Won"
          const expected = [["name", 1, [2], ["Big"]]]
          assert.deepStrictEqual(
            noticesOf(yield* csv(org, text, { ...DEALS, dryRun: true }), "name_without_client"),
            expected,
          )
          const report = yield* csv(org, text, DEALS)
          assert.deepInclude(report, { created: 2, updated: 1 })
          assert.deepStrictEqual(noticesOf(report, "name_without_client"), expected)
          assert.deepStrictEqual(noticesOf(yield* csv(org, text, DEALS), "name_without_client"), [])
        }),
      )

      it.effect(
        "a row with an id and no client that is called like a deal without an id is a new deal, with a warning",
        () =>
          Effect.gen(function* () {
            const org = yield* newOrganization
            yield* csv(org, "Deal Name,Company,Stage\nBig,Acme,Won\nLone,,Won", DEALS)
            const text = "Opportunity ID,Deal Name,Stage\n006A,big,Won\n006B,Lone,Won\n006C,Other,Won"
            const expected = [["name", 2, [2, 3], ["big", "Lone"]]]
            const dry = yield* csv(org, text, { ...DEALS, dryRun: true })
            assert.deepStrictEqual(noticesOf(dry, "name_without_client"), expected)
            const report = yield* csv(org, text, DEALS)
            assert.deepInclude(report, { created: 3, updated: 0 })
            assert.deepStrictEqual(noticesOf(report, "name_without_client"), expected)
            assert.match(report.warnings[0]!.message, /have an id and no client/)
            const again = yield* csv(org, text, DEALS)
            assert.deepStrictEqual([again.unchanged, noticesOf(again, "name_without_client")], [3, []])
          }),
      )

      it.effect("a row with a client that is called like a deal without one is a new deal, with a warning", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          yield* csv(org, "Deal Name,Company,Stage\nA,,Won\nB,Bco,Won\nC,,Won", DEALS)
          const text = "Deal Name,Company,Stage\na,Acme,Won\nB,Bco,Lost\nC,Bco,Won\nD,Acme,Won"
          const expected = [["name", 2, [2, 4], ["a", "C"]]]
          const dry = yield* csv(org, text, { ...DEALS, dryRun: true })
          assert.deepStrictEqual(noticesOf(dry, "name_without_client"), expected)
          const report = yield* csv(org, text, DEALS)
          assert.deepInclude(report, { created: 3, updated: 1 })
          assert.deepStrictEqual(noticesOf(report, "name_without_client"), expected)
          assert.deepStrictEqual(noticesOf(yield* csv(org, text, DEALS), "name_without_client"), [])
        }),
      )

      it.effect(
        "an id of an earlier import with another name and client is a warning, and a new name alone is none",
        () =>
          Effect.gen(function* () {
            for (const header of ["ID", "Deal - ID", "Opportunity ID"]) {
              const org = yield* newOrganization
              const head = `${header},Deal Name,Company,Amount`
              yield* csv(org, `${head}\n1,Acme 500,Acme,1\n2,Orion,Orion,2\n3,Nimbus,,3\n4,Dune,,4`, DEALS)
              const text = `${head}\n1,Zeta renewal,Zeta,1\n2,Orion expansion,Orion,2\n3,Yota,,3\n4,Dune pilot,,4`
              const expected = [[2, [2, 4], ["1", "3"]]]
              const of = (report: ImportReport) => noticesOf(report, "same_id_other_name").map(([, ...each]) => each)
              assert.deepStrictEqual(of(yield* csv(org, text, { ...DEALS, dryRun: true })), expected, header)
              assert.deepStrictEqual(of(yield* csv(org, text, DEALS)), expected, header)
              assert.deepStrictEqual(of(yield* csv(org, text, DEALS)), [], header)
            }
          }),
      )

      it.effect(
        "a cell with several owners that the file or the workspace has is a warning, and one name is none",
        () =>
          Effect.gen(function* () {
            const org = yield* newOrganization
            yield* csv(org, "Deal Name,Owner\nA,Carl Dee", DEALS)
            const text = `Deal Name,Owner,Company
B,Anna Berg,Acme
C,Ben Ode,"Acme, Inc"
D,"Ben Ode, Anna Berg",Bolt
E,Anna Berg / Carl Dee,Bolt and Core
F,Ben Ode & Anna Berg,
G,"a@x.example, b@x.example",
H,"Berg, Anna",`
            const report = yield* csv(org, text, DEALS)
            const cells = [
              "Ben Ode, Anna Berg",
              "Anna Berg / Carl Dee",
              "Ben Ode & Anna Berg",
              "a@x.example, b@x.example",
            ]
            assert.deepStrictEqual(noticesOf(report, "list_unsplit"), [["owner", 4, [4, 5, 6, 7], cells]])
          }),
      )

      it.effect("names of a list split at a word if all are known, and a reason counts once", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const text = `Deal Name,Competitors,Loss Reason
A,Rival;Brixen,Price;price
B,Rival and Brixen,Price
C,Johnson & Johnson,"PRICE ;Price"`
          const report = yield* csv(org, text, DEALS)
          assert.deepInclude(report.created_names, { competitor: 3, reason: 1 })
          assert.deepStrictEqual(noticesOf(report, "list_unsplit"), [])
          assert.strictEqual((yield* rows(org, "deal_drivers")).length, 3)
        }),
      )

      it.effect("new names of one file are compared with each other", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const text = `Deal Name,Stage,Account Name,Owner,Competitor
A,Closed Won,Acme  Inc,Anna Berg,Rival
B,Closed-won,acme inc.,Ana Berg,Rivals
C,Closedwon,"Acme, Inc",Ben Ode,Hooli
D,Stage 1,Store 10,,
E,Stage 2,Store 11,,`
          const report = yield* csv(org, text, DEALS)
          assert.deepStrictEqual(noticesOf(report, "new_name_like_existing").toSorted(), [
            ["client", 2, [3, 4], ["acme inc.", "Acme, Inc"]],
            ["competitors", 1, [3], ["Rivals"]],
            ["owner", 1, [3], ["Ana Berg"]],
            ["status", 2, [3, 4], ["Closed-won", "Closedwon"]],
          ])
        }),
      )

      it.effect("an owner known by an e-mail address gets the name that comes later", () =>
        Effect.gen(function* () {
          const lines = ["anna.berg@acme.example", "Anna Berg <anna.berg@acme.example>", "Anna Berg"]
          const file = (owners: ReadonlyArray<string>) =>
            ["Deal ID,Deal Name,Owner", ...owners.map((owner, n) => `${n}${owners.length},Deal,${owner}`)].join("\n")
          const owners = (org: string) =>
            Effect.map(rows<{ name: string; email: string }>(org, "owners"), (all) =>
              all.map(({ name, email }) => [name, email]),
            )
          const together = yield* newOrganization
          assert.deepInclude(yield* csv(together, file(lines), DEALS), { created: 3, created_names: { owner: 1 } })
          assert.deepStrictEqual(yield* owners(together), [["Anna Berg", "anna.berg@acme.example"]])
          assert.deepInclude(yield* csv(together, file(lines), DEALS), { unchanged: 3 })
          const apart = yield* newOrganization
          yield* csv(apart, file(lines.slice(0, 1)), DEALS)
          const second = yield* csv(apart, file(lines.slice(1)), DEALS)
          assert.deepInclude(second, { created: 2, created_names: {} })
          assert.deepStrictEqual(yield* owners(apart), [["Anna Berg", "anna.berg@acme.example"]])
        }),
      )

      it.effect("an owner known by an e-mail address gets no name that another one has", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const text =
            "Deal ID,Deal Name,Owner\n1,A,anna@acme.example\n2,B,Anna Berg\n3,C,Anna Berg <anna@acme.example>\n4,D,Anna Berg"
          assert.deepInclude(yield* csv(org, text, DEALS), { created: 4, failed: 0, created_names: { owner: 2 } })
        }),
      )

      it.effect("an id that no deal has is an error that names it", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const report = yield* csv(org, "Opportunity ID,Stage\n0065g00000AbCdE,Won", DEALS)
          assert.deepStrictEqual(report.errors, [
            {
              line: 2,
              field: "name",
              reason: "must be given for a new deal: no deal has the id '0065g00000AbCdE'",
            },
          ])
        }),
      )
    })
  })
}
