import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { engines } from "../support/engines.ts"
import { counted, counts, csv, deal, ndjson, newOrganization, rows, services, staleJson } from "../catalogue/support.ts"

const names = (org: string) =>
  Effect.map(rows<{ name: string }>(org, "deals", "name, id"), (all) => all.map(({ name }) => name))

for (const engine of engines) {
  describe(`records that delete, on ${engine.name}`, () => {
    layer(services(engine), { excludeTestServices: true })((it) => {
      it.effect("delete a deal by id, CRM id or name, and count only existing deals", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          yield* ndjson(org, [
            { type: "deal", id: "d1", name: "By id", competitors: ["Rival"], drivers: ["Price"] },
            { type: "deal", id: "d2", name: "By CRM id", crm_one_id: "X" },
            { type: "deal", id: "d3", name: "By name" },
            { type: "deal", id: "d4", name: "Stays", crm_two_id: "Y" },
          ])
          const records = [
            { type: "deal", id: "d1", deleted: true },
            { type: "deal", crm_one_id: "X", name: "Renamed meanwhile", owner: "Never created", deleted: true },
            { type: "deal", name: "By name", deleted: true },
            { type: "deal", id: "d4", deleted: false },
            { type: "deal", name: "Nobody's", deleted: true },
          ]
          assert.deepStrictEqual(counts(yield* ndjson(org, records)), counted(5, { deleted: 3, unchanged: 2 }))
          assert.deepStrictEqual(yield* names(org), ["Stays"])
          assert.deepStrictEqual(yield* rows(org, "owners"), [])
          assert.deepStrictEqual(yield* rows(org, "deal_competitors"), [])
          // The same file again deletes nothing.
          assert.deepStrictEqual(counts(yield* ndjson(org, records)), counted(5, { unchanged: 5 }))
          assert.deepStrictEqual(yield* staleJson(org), [])
        }),
      )

      it.effect("delete nothing if a name is ambiguous or a CRM id belongs to another deal", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          yield* ndjson(org, [
            { type: "deal", id: "d1", name: "Twin" },
            { type: "deal", id: "d2", name: "Twin", crm_one_id: "X" },
          ])
          const report = yield* ndjson(org, [
            { type: "deal", name: "Twin", deleted: true },
            { type: "deal", id: "d1", crm_one_id: "X", deleted: true },
          ])
          assert.deepStrictEqual(
            report.errors.map(({ line, field }) => `${line} ${field}`),
            ["1 name", "2 crm_one_id"],
          )
          assert.deepStrictEqual(yield* names(org), ["Twin", "Twin"])
        }),
      )

      it.effect("free ids, CRM ids and names for later records", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          yield* ndjson(org, [{ type: "deal", id: "d1", name: "Old", crm_one_id: "X", amount: 5, status: "Won" }])
          const report = yield* ndjson(org, [
            { type: "deal", id: "d1", deleted: true },
            { type: "deal", id: "d2", name: "Old", crm_one_id: "X" },
            { type: "deal", id: "d1", name: "Anew" },
            { type: "deal", id: "d3", name: "Short-lived", status: "Won" },
            { type: "deal", id: "d3", deleted: true },
          ])
          assert.deepStrictEqual(counts(report), counted(5, { created: 3, deleted: 2 }))
          const { amount, deal_status } = yield* deal(org, "d1")
          assert.deepStrictEqual([amount, deal_status], [null, null])
          assert.deepStrictEqual(yield* names(org), ["Anew", "Old"])
          assert.deepStrictEqual(yield* rows(org, "deal_stage_changes"), [])
        }),
      )

      it.effect("delete an association by id, or by deal and feature", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const of = (deal: string, feature: string, rest: object = {}) => ({
            type: "association",
            deal,
            feature,
            ...rest,
          })
          yield* ndjson(org, [
            { type: "deal", id: "d1", name: "One" },
            of("d1", "SSO", { id: "a1" }),
            of("d1", "Export", { id: "a2" }),
            of("d1", "Audit", { id: "a3", created_at: "2026-01-01" }),
            of("d1", "Audit", { id: "a4", created_at: "2026-02-01" }),
            of("d1", "API", { id: "a5" }),
          ])
          const records = [
            { type: "association", id: "a1", deleted: true },
            of("d1", "export", { deleted: true }),
            of("d1", "Audit", { created_at: "2026-02-01", deleted: true }),
            of("d9", "API", { deleted: true }),
            of("d1", "Never heard of", { deleted: true }),
          ]
          assert.deepStrictEqual(counts(yield* ndjson(org, records)), counted(5, { deleted: 3, unchanged: 2 }))
          assert.deepStrictEqual(
            (yield* rows<{ id: string }>(org, "associations")).map(({ id }) => id),
            ["a3", "a5"],
          )
          assert.strictEqual((yield* rows(org, "features")).length, 4)
          assert.deepStrictEqual(counts(yield* ndjson(org, records)), counted(5, { unchanged: 5 }))
          const report = yield* ndjson(org, [
            { type: "association", deal: "d1", deleted: true },
            of("d1", "API", { id: "a6" }),
            of("d1", "API", { deleted: true }),
          ])
          assert.deepStrictEqual(
            report.errors.map(({ line, field, reason }) => `${line} ${field} ${reason}`),
            ["1 id is required, or deal and feature", "3 id is required: 2 associations have this deal and feature"],
          )
        }),
      )

      it.effect("are refused for other types, with the reason", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const report = yield* ndjson(org, [
            { type: "owner", id: "o1", deleted: true },
            { type: "stage", name: "Won", deleted: true },
          ])
          assert.deepStrictEqual(report.errors, [
            {
              line: 1,
              field: "deleted",
              reason: "must be omitted: an import can delete deals and associations only, not an owner",
            },
            {
              line: 2,
              field: "deleted",
              reason: "must be omitted: an import can delete deals and associations only, not a stage",
            },
          ])
        }),
      )

      it.effect("can be rows of a CSV", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          yield* csv(org, "id,name\nd1,One\nd2,Two\n", { type: "deal" })
          const report = yield* csv(org, "id,name,deleted\nd1,One,true\nd2,Two,no\nd3,Three,\n", { type: "deal" })
          assert.deepStrictEqual(counts(report), counted(3, { deleted: 1, unchanged: 1, created: 1 }))
          assert.deepInclude(report.warnings[0], { code: "deletes_records", count: 1, lines: [2], examples: ["One"] })
          assert.deepStrictEqual(yield* names(org), ["Three", "Two"])
        }),
      )

      it.effect("delete only deals of their organization", () =>
        Effect.gen(function* () {
          const [mine, other] = [yield* newOrganization, yield* newOrganization]
          yield* ndjson(other, [{ type: "deal", id: "d1", crm_one_id: "X", name: "Theirs" }])
          const report = yield* ndjson(mine, [
            { type: "deal", id: "d1", deleted: true },
            { type: "deal", crm_one_id: "X", deleted: true },
          ])
          assert.deepStrictEqual(counts(report), counted(2, { unchanged: 2 }))
          assert.deepStrictEqual(yield* names(other), ["Theirs"])
        }),
      )
    })
  })
}
