import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Deal } from "../../src/core/deals/contract.ts"
import { Deals } from "../../src/core/deals/Deals.ts"
import { renderStored } from "../../src/core/deals/rows/stored.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { engines } from "../support/engines.ts"
import { makeRandom } from "../support/random.ts"
import { matches } from "./oracle.ts"
import { BY_DEFAULT, rendered } from "./rendering.ts"
import { ANSWER_NAMES, insertWorkspace, makeWorkspace, METRIC_NAMES, PROPERTIES, type Row } from "./workspace.ts"
import { layerOrganizations } from "../support/organizations.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const SEGMENTS = [
  { id: "seg_b", name: 'B it\'s "quoted"', filters: { analyzed: true } },
  { id: "seg_a", name: "A", filters: { region: ["EMEA", "日本"] } },
  { id: "seg_c", name: "C none", filters: { deal_ids: ["no such"] } },
]
const INTERNAL = [
  "fts",
  "joined_fts",
  "keywords",
  "sync_run_id",
  "client_id",
  "org_sharing_enabled",
  "processing_in_progress",
]
const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Deal)))

for (const engine of engines) {
  const services = Layer.mergeAll(Deals.layer, layerOrganizations).pipe(
    Layer.provideMerge(Database.layer),
    Layer.provide(engine.database),
  )
  describe(`columns on ${engine.name}`, () => {
    layer(services, { excludeTestServices: true })((it) => {
      const setUp = Effect.gen(function* () {
        const { id: org } = yield* (yield* Organizations).create({ name: "Mine", plan: UNLIMITED })
        const world = makeWorkspace(makeRandom(11), 80, SEGMENTS)
        yield* insertWorkspace(org, world)
        const deals = yield* Deals
        const list = (columns?: ReadonlyArray<string>) =>
          Effect.map(deals.list(org, { filters: {}, columns, pageSize: 100 }), ({ body }) =>
            new TextDecoder().decode(body),
          )
        const rows = (columns?: ReadonlyArray<string>) =>
          Effect.map(list(columns), (body) => decode(body) as ReadonlyArray<Row>)
        const dealOf = (row: Row) => world.deals.find(({ id }) => id === row["id"]) as Row
        return { org, world, deals, list, rows, dealOf }
      })
      const segmentsOf = (deal: Row, world: any) =>
        SEGMENTS.filter(({ filters }) => matches(deal, filters, world, { today: "2026-01-01", fiscalStart: 1 }))

      it.effect("have the values of the tables, for every standard column", () =>
        Effect.gen(function* () {
          const { org, world, deals, rows, dealOf } = yield* setUp
          const all = yield* rows(["*"])
          assert.strictEqual(all.length, world.deals.length)
          for (const row of all) {
            assert.deepStrictEqual(row, rendered(dealOf(row), world, segmentsOf(dealOf(row), world)))
          }
          for (const row of all.slice(0, 8)) {
            assert.deepStrictEqual(JSON.parse(yield* deals.get(org, row["id"], undefined)), row)
          }
          const names = Object.keys(all[0] as Row)
          for (const name of names) {
            const rowsOfOne = yield* rows([name])
            assert.deepStrictEqual(
              rowsOfOne,
              all.map((row) => ({ id: row["id"], [name]: row[name] })),
              name,
            )
          }
          assert.deepStrictEqual(
            yield* rows(),
            all.map((row) => Object.fromEntries(BY_DEFAULT.map((name) => [name, row[name]]))),
          )
        }),
      )

      it.effect("are the same bytes from stored JSON as rendered", () =>
        Effect.gen(function* () {
          const { org, world, list } = yield* setUp
          const { sql, transaction, scoped } = yield* Database
          const fresh = yield* list()
          const ids = world.deals.map(({ id }) => id as string)
          yield* transaction(org, renderStored(sql, org, ids))
          const stored = yield* scoped<{ body: string }>(
            org,
            sql`select body from deal_json j join deals d on d.org_id = j.org_id and d.id = j.deal_id
              where j.org_id = scope.org order by d.created_at desc, d.id collate "C" desc`,
          )
          assert.strictEqual(`[${stored.map(({ body }) => body).join(",")}]`, fresh)
          assert.strictEqual(yield* list(), fresh)
          assert.strictEqual(yield* list(BY_DEFAULT), fresh)
          yield* transaction(
            org,
            sql`update deal_json set body = '{"stale":true}', version = version - 1 where org_id = ${org}`,
          )
          assert.strictEqual(yield* list(), fresh)
          yield* transaction(
            org,
            sql`delete from deal_json where org_id = ${org} and deal_id = any(${ids.slice(0, 40)}::text[])`,
          )
          assert.strictEqual(yield* list(), fresh)
        }),
      )

      it.effect("of CRM properties, metrics and answers have the name that the caller wrote", () =>
        Effect.gen(function* () {
          const { world, list, dealOf } = yield* setUp
          const clientOf = (deal: Row): Row => world.clients.find(({ id }) => id === deal["client_id"]) ?? {}
          const selectors: Record<string, (deal: Row) => unknown> = Object.fromEntries(
            PROPERTIES.map(({ crm, object, id }) =>
              object === "deal"
                ? [`crm_${id}`, (deal: Row) => deal["crm_properties"][id]]
                : [`crm_${crm}_account_${id}`, (deal: Row) => clientOf(deal)["crm_properties"]?.[id]],
            ),
          )
          for (const { id, name } of METRIC_NAMES) {
            for (const spelt of [
              name,
              name.toUpperCase(),
              ` ${name.toLowerCase()} `.replaceAll(" ", ""),
              name.replaceAll(" ", "  "),
            ]) {
              selectors[`custom_metric_score_${spelt}`] = (deal) => deal["custom_metrics"][id]?.score
              selectors[`custom_metric_explanation_${spelt}`] = (deal) => deal["custom_metrics"][id]?.explanation
            }
          }
          for (const { id, name } of ANSWER_NAMES) {
            for (const spelt of [name, name.toUpperCase(), name.replaceAll(" ", "")]) {
              selectors[`custom_answer_${spelt}`] = (deal) => deal["custom_answers"][id]
            }
          }
          const names = Object.keys(selectors)
          assert.isTrue(names.some((name) => name.length > 100))
          const answered: ReadonlyArray<Row> = JSON.parse(yield* list(names))
          for (const row of answered) {
            const deal = dealOf(row)
            assert.deepStrictEqual(Object.keys(row), ["id", ...names])
            for (const name of names) assert.deepStrictEqual(row[name], selectors[name]?.(deal) ?? null, name)
          }
        }),
      )

      it.effect("are refused by name if unknown, dropped if internal, and keep the name of an alias", () =>
        Effect.gen(function* () {
          const { rows, list } = yield* setUp
          for (const unknown of [
            "nosuch",
            "ID",
            "crm_nosuch",
            "crm_tier",
            "crm_crm_two_account_tier",
            "crm_crm_one_account_forecast",
            "custom_metric_score_nosuch",
            "custom_answer_Champion Strength",
            "custom_metric_explanation_'; drop table deals; --",
          ]) {
            const refusal = JSON.stringify(yield* Effect.flip(list(["name", unknown])))
            assert.include(refusal, '"field":"columns"')
            assert.include(refusal, JSON.stringify(unknown).slice(1, -1))
          }
          const [plain, internal] = [yield* rows(["id", "name"]), yield* rows(["name", ...INTERNAL])]
          assert.deepStrictEqual(internal, plain)
          assert.deepStrictEqual(
            yield* rows(INTERNAL),
            plain.map(({ id }) => ({ id: id as unknown })) as ReadonlyArray<Row>,
          )
          const aliased: ReadonlyArray<Row> = JSON.parse(yield* list(["proposal_due", "close_date", "name", "name"]))
          for (const row of aliased) {
            assert.deepStrictEqual(Object.keys(row), ["id", "proposal_due", "close_date", "name"])
            assert.strictEqual(row["proposal_due"], row["close_date"])
          }
        }),
      )
    })
  })
}
