import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Associations } from "../../src/core/intelligence/contract.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

const ROWS = 2500

interface Row {
  readonly id: string
  readonly created_at: string
  readonly sentiment: boolean | null
  readonly tags: ReadonlyArray<string>
  readonly features: { readonly product: string; readonly product_area: string }
}

/** Enough associations for three pages, many at the same instant. */
const seed = Effect.fnUntraced(function* (org: string) {
  const database = yield* Database
  const { sql } = database
  yield* database.transaction(
    org,
    Effect.gen(function* () {
      yield* sql`insert into stages values (${org}, 'won', 'Won', 'won', 1)`
      yield* sql`insert into clients (org_id, id, name, industry) values (${org}, 'c1', 'Client "One"', 'Energy')`
      yield* sql`insert into features values
        (${org}, 'f1', 'Single sign-on', 'SAML', 'Core', 'Access'),
        (${org}, 'f2', 'Audit log', null, 'Core', 'Compliance'),
        (${org}, 'f3', 'Forecast', 'Next quarter', 'Insights', null)`
      yield* sql`insert into deals (org_id, id, name, status_id, client_id, close_date, created_at, updated_at) values
        (${org}, 'd1', 'First', 'won', 'c1', '2026-03-31', '2026-01-01', '2026-01-02'),
        (${org}, 'd2', 'Second', null, null, null, '2026-01-01', '2026-01-02')`
      yield* sql`insert into associations
        select ${org}, 'a' || i, 'd' || 1 + i % 2, 'f' || 1 + i % 3, timestamptz '2026-01-01Z' + (i / 10) * interval '1 hour',
          case when i % 5 = 0 then 'asked for it' end,
          case i % 3 when 0 then true when 1 then false end,
          case when i % 4 = 0 then array['blocker', 'q1'] when i % 4 = 1 then array['blocker'] else '{}' end
        from generate_series(1, ${ROWS}) i`
    }),
  )
})

const decode = Schema.decodeUnknownSync(Associations)

for (const engine of engines) {
  describe(`GET /product-intelligence on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      it.effect("returns every association once, newest first, then by id", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { org, key } = yield* web.tenant()
          const other = yield* web.tenant()
          yield* seed(org)
          yield* seed(other.org)
          const get = (query: string) => web.request(`/api/v1/product-intelligence${query}`, key)

          const all = yield* get("")
          assert.strictEqual(all.status, 200)
          const { data, meta } = decode(all.json)
          assert.strictEqual(meta.count, ROWS)
          assert.strictEqual(new Set(data.map(({ id }) => id)).size, ROWS)
          const sorted = [...data].sort((a, b) =>
            a.created_at === b.created_at ? (a.id < b.id ? -1 : 1) : a.created_at < b.created_at ? 1 : -1,
          )
          assert.deepStrictEqual(
            data.map(({ id }) => id),
            sorted.map(({ id }) => id),
          )

          const rows: ReadonlyArray<Row> = all.json.data
          const cases: ReadonlyArray<readonly [string, (row: Row) => boolean]> = [
            ["sentiment=positive", (row) => row.sentiment === true],
            ["sentiment=negative", (row) => row.sentiment === false],
            ["sentiment=neutral", (row) => row.sentiment === null],
            ["tags=blocker", (row) => row.tags.includes("blocker")],
            ["tags=blocker,%20q1", (row) => row.tags.includes("q1") && row.tags.includes("blocker")],
            ["tags=blocker&tags=q1", (row) => row.tags.includes("q1") && row.tags.includes("blocker")],
            ["product=Core", (row) => row.features.product === "Core"],
            ["product=core", () => false],
            ["product_area=Access", (row) => row.features.product_area === "Access"],
            ["date_to=2026-01-02", (row) => row.created_at < "2026-01-03"],
            [
              "date_from=2026-01-02T05:00:00Z&date_to=2026-01-02T05:00:00Z",
              (row) => row.created_at === "2026-01-02T05:00:00.000Z",
            ],
            ["date_from=2026-01-02&date_to=2026-01-02", (row) => row.created_at.startsWith("2026-01-02")],
            [
              "sentiment=neutral&tags=blocker&product=Insights",
              (row) => row.sentiment === null && row.tags.includes("blocker") && row.features.product === "Insights",
            ],
          ]
          for (const [query, matches] of cases) {
            const reply = yield* get(`?${query}`)
            const expected = rows.filter(matches)
            assert.deepStrictEqual(reply.json.data, expected, query)
            assert.strictEqual(reply.json.meta.count, expected.length, query)
          }
          assert.deepStrictEqual((yield* get("?tags=q1,blocker&sentiment=positive&date_to=2026-01-02")).json.meta, {
            count: rows.filter(
              (row) => row.tags.includes("q1") && row.sentiment === true && row.created_at < "2026-01-03",
            ).length,
            sentiment: "positive",
            date_from: null,
            date_to: "2026-01-02",
            product: null,
            product_area: null,
            tags: ["q1", "blocker"],
          })
        }),
      )

      it.effect("returns the feature, the deal and its account, and the same shape for an empty result", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { org, key } = yield* web.tenant()
          const empty = yield* web.request("/api/v1/product-intelligence", key)
          assert.deepStrictEqual(empty.json.data, [])
          assert.deepStrictEqual(empty.json.meta.tags, [])
          yield* seed(org)
          const { json } = yield* web.request("/api/v1/product-intelligence?date_to=2026-01-01T00:00:00Z", key)
          const first = json.data.find(({ id }: Row) => id === "a6")
          assert.deepStrictEqual(first, {
            id: "a6",
            created_at: "2026-01-01T00:00:00.000Z",
            deal_id: "d1",
            feature_id: "f1",
            influence_summary: null,
            sentiment: true,
            tags: [],
            features: {
              id: "f1",
              name: "Single sign-on",
              description: "SAML",
              product: "Core",
              product_area: "Access",
            },
            deals: {
              id: "d1",
              name: "First",
              crm_one_id: null,
              crm_two_id: null,
              status: "Won",
              amount: null,
              close_date: "2026-03-31T00:00:00.000Z",
              created_at: "2026-01-01T00:00:00.000Z",
              updated_at: "2026-01-02T00:00:00.000Z",
              clients: {
                id: "c1",
                name: 'Client "One"',
                crm_one_id: null,
                crm_two_id: null,
                industry: "Energy",
                website_url: null,
              },
            },
          })
        }),
      )

      it.effect("names the invalid parameter", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { key } = yield* web.tenant()
          for (const [query, field] of [
            ["date_from=2026-02-01&date_to=2026-01-01", "date_from"],
            ["date_from=yesterday", "date_from"],
            ["date_to=2026-02-30", "date_to"],
            ["sentiment=good", "sentiment"],
          ]) {
            const reply = yield* web.request(`/api/v1/product-intelligence?${query}`, key)
            assert.strictEqual(reply.status, 400, query)
            assert.strictEqual(reply.json.error.details.invalid_fields[0].field, field)
          }
          const unknown = yield* web.request("/api/v1/product-intelligence?sentimnet=positive", key)
          assert.deepStrictEqual(unknown.json.error.details.unknown_fields, ["sentimnet"])
        }),
      )
    })
  })
}
