import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Deals, type ListQuery } from "../../src/core/deals/Deals.ts"
import { DealFilters } from "../../src/core/deals/filters/filters.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { engines } from "../support/engines.ts"
import { makeRandom } from "../support/random.ts"
import { insertWorkspace, makeWorkspace } from "./workspace.ts"
import { layerOrganizations } from "../support/organizations.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const decode = Schema.decodeUnknownSync(DealFilters, { onExcessProperty: "error" })

describe("filters as values", () => {
  const refused: ReadonlyArray<unknown> = [
    { status: ["a\0b"] },
    { searchQuery: "\0" },
    { crm_filters: [{ property: "forecast", operator: "is", value: "\0" }] },
    { created_at: { from: "0000-01-01" } },
    { close_date: { to: "0000-12-31" } },
    { created_at: { to: "2026-03-31T00:00:00+16:00" } },
    { created_at: { to: "2026-03-31T00:00:00" } },
    { created_at: { to: "2026-02-30" } },
    { created_at: { to: "2026-03-31T25:00:00Z" } },
    { created_at: {} },
    { created_at: { from: "2026-03-31", to: "2026-03-30T09:59:59Z" } },
    { close_date: { from: "2026-03-31", to: "2026-03-30" } },
    { close_date: { from: "2026-03-31T00:00:00Z" } },
    { amount: { min: 2, max: 1 } },
    { amount: { min: Number.NaN } },
    { statuss: ["Won"] },
    { status: "Won" },
    { status_filter_type: "IS NOT" },
  ]
  for (const filters of refused) {
    it(`${JSON.stringify(filters)} are refused`, () => {
      assert.throws(() => decode(filters))
    })
  }
})

for (const engine of engines) {
  const services = Layer.mergeAll(Deals.layer, layerOrganizations).pipe(
    Layer.provideMerge(Database.layer),
    Layer.provide(engine.database),
  )
  describe(`callers' input on ${engine.name}`, () => {
    layer(services, { excludeTestServices: true })((it) => {
      const setUp = Effect.gen(function* () {
        const { id } = yield* (yield* Organizations).create({ name: "Mine", plan: UNLIMITED })
        const segment = (name: string, filters: unknown) => ({ id: name, name, filters })
        const world = makeWorkspace(makeRandom(1), 60, [
          segment("searching", { searchQuery: "zeta" }),
          segment("misspelt", { statuss: ["Won"] }),
          segment("contradicting", { deal_type: ["new"], type: ["renewal"] }),
          segment("everything", {}),
        ])
        yield* insertWorkspace(id, world)
        return { org: id, world, deals: yield* Deals }
      })
      const refusalOf = (effect: Effect.Effect<unknown, unknown>) =>
        Effect.map(Effect.flip(effect), (error) => JSON.stringify(error))

      it.effect("succeeds for extreme but valid values", () =>
        Effect.gen(function* () {
          const { org, world, deals } = yield* setUp
          const everything = world.deals.length
          const counts: ReadonlyArray<readonly [unknown, number]> = [
            [{ created_at: { from: "0001-01-01", to: "9999-12-31" } }, everything],
            [{ created_at: { from: "0001-01-01T00:00:00+15:59" } }, everything],
            [{ updated_at: { to: "9999-12-31T23:59:59.999999999-15:59" } }, everything],
            [{ created_at: { from: "2026-01-10T08:00:00+02:00", to: "2026-01-10" } }, -1],
            [{ amount: { min: -1.7976931348623157e308, max: 1.7976931348623157e308 } }, -1],
            [{ amount: { min: 5e-324 } }, -1],
            [{ region: ["\u{10ffff}", "'; drop table deals; --"] }, 0],
            [{ deal_ids: Array.from({ length: 1000 }, (_, n) => `${n}`) }, 0],
            [{ industry: ["İ", "ß", "x".repeat(400)] }, 0],
          ]
          for (const [filters, expected] of counts) {
            const found = yield* deals.count(org, decode(filters))
            if (expected >= 0) assert.strictEqual(found, expected, JSON.stringify(filters))
          }
        }),
      )

      it.effect("gives 400, never 500, for a forged cursor", () =>
        Effect.gen(function* () {
          const { org, deals } = yield* setUp
          const forged = (sort: string, value: unknown, id: unknown = "x") =>
            Base64Url.encode(JSON.stringify([sort, "desc", value, id]))
          const cursors: ReadonlyArray<readonly [ListQuery["sort"], string]> = [
            ["created_at", "rubbish"],
            ["created_at", forged("created_at", "2026-02-30 00:00:00+00")],
            ["created_at", forged("created_at", "0000-01-01 00:00:00+00")],
            ["created_at", forged("created_at", "2026-03-31 25:00:00+00")],
            ["created_at", forged("created_at", "2026-03-31 00:00:00+00 (x)")],
            ["created_at", forged("created_at", null)],
            ["created_at", forged("updated_at", "2026-03-31 00:00:00+00")],
            ["created_at", forged("created_at", "2026-03-31 00:00:00+00", "a\0")],
            ["close_date", forged("close_date", "2026-02-30")],
            ["close_date", forged("close_date", "2026-03-31 or so")],
            ["amount", forged("amount", "0x10")],
            ["amount", forged("amount", "1e-400")],
            ["amount", forged("amount", "NaN")],
            ["amount", forged("amount", "")],
            ["name", forged("name", "a\0")],
            ["name", forged("name", 1)],
          ]
          for (const [sort, cursor] of cursors) {
            const refusal = yield* refusalOf(deals.list(org, { filters: {}, sort, cursor, pageSize: 10 }))
            assert.include(refusal, '"field":"cursor"', `${sort} ${cursor}`)
          }
          for (const value of ["1e+300", "1e-60", "-1", "4.5"]) {
            const query = { filters: { searchQuery: "zeta" }, cursor: forged("similarity", value), pageSize: 10 }
            assert.include(yield* refusalOf(deals.list(org, query)), '"field":"cursor"', value)
          }
        }),
      )

      it.effect("is refused if older and newer names disagree, also if the older one asks for both", () =>
        Effect.gen(function* () {
          const { org, deals } = yield* setUp
          const disagreeing: ReadonlyArray<readonly [unknown, string]> = [
            [{ analyzed: true, deal_analyzed: ["false"] }, "deal_analyzed"],
            [{ analyzed: true, deal_analyzed: ["true", "false"] }, "deal_analyzed"],
            [{ deal_analyzed: [] }, "deal_analyzed"],
            [{ deal_type: ["new"], type: ["old"] }, "type"],
            [{ close_date: { from: "2026-01-01" }, proposal_due: { from: "2026-01-02" } }, "proposal_due"],
            [{ status: [] }, "status"],
            [{ deal_ids: [] }, "deal_ids"],
            [{ region_filter_type: "is not" }, "region_filter_type"],
            [{ region: ["EMEA"], region_filter_type: "is empty" }, "region"],
            [{ crm_filters: [{ property: "nosuch", operator: "is", value: 1 }] }, "crm_filters[0].property"],
            [
              { crm_filters: [{ property: { map_to: "name" }, operator: "is", value: "x" }] },
              "crm_filters[0].property",
            ],
            [{ crm_filters: [{ property: "probability", operator: "is", value: " " }] }, "crm_filters[0].value"],
            [{ crm_filters: [{ property: "probability", operator: "contains", value: 1 }] }, "crm_filters[0].operator"],
            [
              { crm_filters: [{ property: "forecast", crm: "crm_two", operator: "is", value: "x" }] },
              "crm_filters[0].property",
            ],
            [
              { crm_account_filters: [{ property: "forecast", operator: "is", value: "x" }] },
              "crm_account_filters[0].property",
            ],
          ]
          for (const [filters, field] of disagreeing) {
            assert.include(
              yield* refusalOf(deals.count(org, decode(filters))),
              `"field":"${field}"`,
              JSON.stringify(filters),
            )
          }
        }),
      )

      it.effect("may name a segment, which applies its search and, with unreadable filters, matches nothing", () =>
        Effect.gen(function* () {
          const { org, world, deals } = yield* setUp
          const size = (id: string) => deals.count(org, { segment_ids: [id] })
          const zetas = yield* deals.count(org, { searchQuery: "zeta" })
          assert.isAbove(zetas, 0)
          assert.strictEqual(yield* size("searching"), zetas)
          assert.strictEqual(yield* size("misspelt"), 0)
          assert.strictEqual(yield* size("contradicting"), 0)
          assert.strictEqual(yield* size("everything"), world.deals.length)
        }),
      )
    })
  })
}
