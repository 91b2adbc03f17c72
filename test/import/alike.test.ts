import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { engines } from "../support/engines.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { resolveDeal } from "../../src/core/library/targets.ts"
import { counted, counts, csv, ndjson, newOrganization, rows, services } from "../catalogue/support.ts"

interface Deal {
  readonly id: string
  readonly name: string
  readonly amount: number
  readonly crm_one_id: string | null
  readonly owner_id: string | null
  readonly client_id: string | null
  readonly status_id: string | null
}
const deals = (org: string, order = "amount, name") => rows<Deal>(org, "deals", order)

const SALESFORCE = (length: 15 | 18, stage: string) =>
  ["Opportunity ID,Opportunity Name,Stage,Amount"]
    .concat(
      ["0065g00000AbCdEAAV,Opp 0", "0065g00000aBcDeAAK,Opp 1", "0065g00000XyZ12AAF,Opp 2"].map((line, n) => {
        const [id, name] = line.split(",")
        return `${id!.slice(0, length)},${name},${stage},${n + 1}000`
      }),
    )
    .join("\n")
const MAP = { "Opportunity ID": "crm_one_id", "Opportunity Name": "name", Stage: "status", Amount: "amount" }

const OWNERS = [
  { type: "owner", name: "Anna Berg", email: "anna.berg@acme.example" },
  { type: "owner", name: "Tom Hale", email: "tom.hale@acme.example" },
]

const SPELLINGS = [
  ["Müller GmbH", "José Ángel"],
  ["Mu\u0308ller GmbH", "Jose\u0301 A\u0301ngel"],
  ["Müller\u00a0GmbH", "José\u00a0Ángel"],
  ["Müller  GmbH", "José  Ángel"],
  ["Müller\u200b GmbH", "José Ángel\u200b"],
  ["MÜLLER GMBH", "JOSÉ ÁNGEL"],
  ["Mül\u00adler GmbH", "José Ángel"],
  ["Ｍüller GmbH", "José Ángel"],
]

for (const engine of engines) {
  describe(`what a row means, on ${engine.name}`, () => {
    layer(services(engine), { excludeTestServices: true })((it) => {
      it.effect("ids of Salesforce with 15 and 18 characters are the same deal, whose case counts", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const options = { type: "deal", map: MAP } as const
          assert.deepInclude(yield* csv(org, SALESFORCE(15, "Negotiation"), options), { created: 3, failed: 0 })
          assert.deepInclude(yield* csv(org, SALESFORCE(18, "Closed Won"), options), { updated: 3, failed: 0 })
          assert.deepInclude(yield* csv(org, SALESFORCE(18, "Closed Won"), options), { unchanged: 3, failed: 0 })
          const stored = yield* deals(org)
          assert.deepStrictEqual(
            stored.map(({ name, crm_one_id }) => [name, crm_one_id]),
            [
              ["Opp 0", "0065g00000AbCdE"],
              ["Opp 1", "0065g00000aBcDe"],
              ["Opp 2", "0065g00000XyZ12"],
            ],
          )
          for (const id of ["0065g00000AbCdE", "0065g00000AbCdEAAV"]) {
            assert.strictEqual((yield* resolveDeal(org, { crm_one_id: id })).dealId, stored[0]!.id)
          }
          const wrong = yield* Effect.exit(resolveDeal(org, { crm_one_id: "0065g00000AbCdEAAK" }))
          assert.strictEqual(wrong._tag, "Failure")
          assert.deepInclude(
            yield* ndjson(org, [{ type: "association", deal: "0065g00000XyZ12AAF", feature: "SSO" }]),
            { created: 1, failed: 0 },
          )
        }),
      )

      it.effect("an owner matches by e-mail, `Last, First` and `Name (e-mail)`", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          yield* ndjson(org, OWNERS)
          const lines = [
            "Deal Name,Deal owner,Amount",
            "Ashford renewal,anna.berg@acme.example,10000",
            "Brantley pilot,Anna Berg,20000",
            'Corvin expansion,"Berg, Anna",30000',
            "Dunmere add-on,Anna Berg (anna.berg@acme.example),5000",
            "Else,ANNA.BERG@acme.example,6000",
          ].join("\n")
          const report = yield* csv(org, lines, { type: "deal", map: { "Deal Name": "name", "Deal owner": "owner" } })
          assert.deepInclude(report, { created: 5, failed: 0, created_names: {}, warnings: [] })
          assert.strictEqual((yield* rows(org, "owners")).length, 2)
          assert.strictEqual(new Set((yield* deals(org)).map(({ owner_id }) => owner_id)).size, 1)
        }),
      )

      it.effect(
        "a new owner keeps the e-mail of the reference, and is found by it and by either order of the name",
        () =>
          Effect.gen(function* () {
            const org = yield* newOrganization
            const report = yield* ndjson(
              org,
              ["Berg, Anna (anna@acme.example)", "anna@acme.example", "Anna Berg", "tom@acme.example"].map(
                (owner, n) => ({
                  type: "deal",
                  id: `d${n}`,
                  name: `Deal ${n}`,
                  owner,
                }),
              ),
            )
            assert.deepInclude(report, { created: 4, created_names: { owner: 2 } })
            // The owner's record gives the name that the reference lacked; the mailbox of two names neither.
            yield* ndjson(org, [
              { type: "owner", name: "Tom Hale", email: "tom@acme.example" },
              { type: "owner", name: "Tam Hill", email: "tom@acme.example" },
            ])
            assert.deepStrictEqual(
              (yield* rows<{ name: string; email: string }>(org, "owners", "name")).map(({ name, email }) => [
                name,
                email,
              ]),
              [
                ["Berg, Anna", "anna@acme.example"],
                ["Tam Hill", "tom@acme.example"],
                ["Tom Hale", "tom@acme.example"],
              ],
            )
          }),
      )

      it.effect("eight spellings of a name are one owner and one client, as first written", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const records = SPELLINGS.map(([client, owner], n) => ({
            type: "deal",
            crm_one_id: `u${n}`,
            name: `Deal ${n}`,
            client,
            owner,
          }))
          const report = yield* ndjson(org, records)
          assert.deepInclude(report, { created: 8, failed: 0, created_names: { client: 1, owner: 1 }, warnings: [] })
          assert.deepStrictEqual(counts(yield* ndjson(org, records)), counted(8, { unchanged: 8 }))
          for (const [table, name] of [
            ["clients", "Müller GmbH"],
            ["owners", "José Ángel"],
          ] as const) {
            assert.deepStrictEqual(
              (yield* rows<{ name: string }>(org, table)).map((row) => row.name),
              [name],
            )
          }
          // Records of their own keep the spelling too.
          yield* ndjson(org, [{ type: "client", name: "Mül\u00adler  GmbH", industry: "Steel" }])
          assert.deepInclude((yield* rows<object>(org, "clients"))[0], { name: "Müller GmbH", industry: "Steel" })
        }),
      )

      it.effect("the oldest of the rows that fold alike wins, with one warning", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          yield* ndjson(org, [
            { type: "client", id: "old", name: "Müller GmbH" },
            { type: "client", id: "young", name: "Müller\u00a0GmbH" },
          ])
          const report = yield* ndjson(
            org,
            ["Müller GmbH", "Mül\u00adler GmbH", "Müller\u00a0GmbH"].map((client, n) => ({
              type: "deal",
              id: `d${n}`,
              name: `Deal ${n}`,
              client,
            })),
          )
          assert.deepStrictEqual(
            (yield* deals(org)).map(({ client_id }) => client_id),
            ["old", "old", "old"],
          )
          assert.strictEqual(report.warnings.length, 1)
          assert.deepInclude(report.warnings[0], { code: "name_merged", field: "client", count: 3, lines: [1, 2, 3] })
        }),
      )

      it.effect(
        "new names are counted by kind, and those like existing ones are named; `create: none` refuses them",
        () =>
          Effect.gen(function* () {
            const org = yield* newOrganization
            yield* ndjson(org, [...OWNERS, { type: "competitor", name: "Orvanta" }])
            const records = [
              { type: "deal", id: "d1", name: "One", owner: "Ana Berg", competitors: ["Orvanta", "Zephyr"] },
              { type: "deal", id: "d2", name: "Two", owner: "Ana Berg", client: "Acme" },
            ]
            const refused = yield* csv(org, "id,name,owner\nd1,One,Ana Berg", { type: "deal", create: "none" })
            assert.deepStrictEqual(counts(refused), counted(1, { failed: 1 }))
            assert.deepInclude(refused.errors[0], { field: "owner" })
            assert.match(refused.errors[0]!.reason, /there is no 'Ana Berg'/)
            assert.strictEqual((yield* rows(org, "owners")).length, 2)
            const report = yield* ndjson(org, records)
            assert.deepStrictEqual(report.created_names, { owner: 1, competitor: 1, client: 1 })
            assert.deepStrictEqual(report.warnings, [
              {
                code: "new_name_like_existing",
                field: "owner",
                message: "new owner “Ana Berg”; you have “Anna Berg”",
                count: 1,
                lines: [1],
                examples: ["Ana Berg"],
              },
            ])
            const again = yield* csv(org, "id,name,owner\nd1,One,Ana Berg", { type: "deal", create: "none" })
            assert.deepStrictEqual(counts(again), counted(1, { unchanged: 1 }))
          }),
      )

      it.effect(
        "an unknown id with a name creates the thing with that id; another name of a known id is a warning",
        () =>
          Effect.gen(function* () {
            const org = yield* newOrganization
            const report = yield* ndjson(org, [
              { type: "deal", id: "d1", name: "One", owner: { id: "005A", name: "Anna Berg" } },
              { type: "deal", id: "d2", name: "Two", owner: { id: "005A", name: "ANNA  BERG" } },
              { type: "deal", id: "d3", name: "Three", owner: { id: "005A", name: "Tom Hale" } },
              { type: "deal", id: "d4", name: "Four", owner: { id: "unknown" } },
              { type: "deal", crm_one_id: "X", name: "Five" },
              { type: "deal", crm_one_id: "X", name: "Six" },
            ])
            assert.deepInclude(report, { created: 4, updated: 1, failed: 1, created_names: { owner: 1 } })
            assert.deepStrictEqual(
              report.warnings.map(({ code, field, lines, examples }) => [code, field, lines, examples]),
              [
                ["same_id_other_name", "owner", [3], ["005A"]],
                ["same_id_other_name", "crm_one_id", [6], ["X"]],
              ],
            )
            assert.deepStrictEqual(
              (yield* rows<{ id: string; name: string }>(org, "owners")).map(({ id, name }) => [id, name]),
              [["005A", "Anna Berg"]],
            )
          }),
      )

      it.effect("rows that an earlier version wrote without folded columns are filled by the next import", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          yield* ndjson(org, [{ type: "deal", id: "d1", crm_one_id: "0065g00000AbCdE", name: "One", owner: "José" }])
          const { sql, transaction } = yield* Database
          yield* transaction(
            org,
            Effect.all([
              sql`update owners set folded = null where org_id = ${org}`,
              sql`update deals set folded = null, crm_one_key = null where org_id = ${org}`,
            ]),
          )
          const report = yield* ndjson(org, [
            { type: "deal", crm_one_id: "0065g00000AbCdEAAV", name: "One", owner: "JOSE\u0301" },
          ])
          assert.deepStrictEqual(counts(report), counted(1, { unchanged: 1 }))
        }),
      )
    })
  })
}
