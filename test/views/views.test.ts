import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import type { Role } from "../../src/core/access/permissions.ts"
import { MAX_REPORTS_PER_BOARD } from "../../src/core/views/sql.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const FILTERS = { outcome: ["lost"], close_date: { period: "this_quarter" } }
const REPORT = { subject: "deals", measures: ["won", "win_rate"], group_by: ["close_date.quarter"], chart: "line" }

const send = (path: string, key: string, method = "GET", body?: object) =>
  Effect.flatMap(Web, ({ request }) =>
    request(`/api/v1${path}`, key, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    }),
  )

/** Two people of one organization and an administrator. */
const people = Effect.gen(function* () {
  const { org, key: admin } = yield* (yield* Web).tenant({ plan: UNLIMITED, role: "admin" })
  const keys = yield* ApiKeys
  const create = (name: string, role: Role) => Effect.map(keys.create(org, { name, role }), ({ key }) => key)
  return { org, admin, ada: yield* create("ada", "viewer"), ben: yield* create("ben", "member") }
})

const names = (reply: { readonly json: any }) => reply.json.data.map(({ name }: { name: string }) => name)

for (const engine of engines) {
  describe(`saved views on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      it.effect("keep filters and columns, private to the key until it shares them", () =>
        Effect.gen(function* () {
          const { ada, ben, admin } = yield* people
          const body = {
            name: "lost",
            filters: FILTERS,
            columns: ["name", "amount"],
            sort: "amount",
            sort_order: "asc",
          }
          const made = yield* send("/views", ada, "POST", body)
          assert.strictEqual(made.status, 201, made.text)
          const { id, created_by } = made.json
          assert.deepInclude(made.json, { ...body, shared: false, own: true, board_id: null, report: null })
          assert.deepStrictEqual(names(yield* send("/views", ada)), ["lost"])
          for (const other of [ben, admin]) {
            assert.deepStrictEqual(names(yield* send("/views", other)), [])
            assert.strictEqual((yield* send(`/views/${id}`, other, "PATCH", { name: "mine" })).status, 404)
            assert.strictEqual((yield* send(`/views/${id}`, other, "DELETE")).status, 404)
          }
          const shared = yield* send(`/views/${id}`, ada, "PATCH", { shared: true, columns: null })
          assert.deepStrictEqual([shared.json.shared, shared.json.columns, shared.json.filters], [true, null, FILTERS])
          const [seen] = (yield* send("/views", ben)).json.data
          assert.deepStrictEqual([seen.name, seen.own, seen.created_by], ["lost", false, created_by])
        }),
      )

      it.effect("that are shared are changed by their maker and by administrators alone", () =>
        Effect.gen(function* () {
          const { ada, ben, admin } = yield* people
          const { id } = (yield* send("/views", ada, "POST", { name: "all", shared: true })).json
          assert.strictEqual((yield* send(`/views/${id}`, ben, "PATCH", { name: "ben's" })).status, 404)
          assert.strictEqual((yield* send(`/views/${id}`, ben, "DELETE")).status, 404)
          assert.strictEqual(
            (yield* send(`/views/${id}`, admin, "PATCH", { name: "everyone's" })).json.name,
            "everyone's",
          )
          assert.strictEqual((yield* send(`/views/${id}`, admin, "DELETE")).status, 204)
          assert.deepStrictEqual(names(yield* send("/views", ada)), [])
        }),
      )

      it.effect("are refused with the wrong field and the nearest name", () =>
        Effect.gen(function* () {
          const { ada } = yield* people
          const reasonOf = function* (body: object) {
            const { status, json } = yield* send("/views", ada, "POST", { name: "x", ...body })
            assert.strictEqual(status, 400)
            return json.error.details.invalid_fields[0]
          }
          const measure = yield* reasonOf({ report: { ...REPORT, measures: ["win_rat"] } })
          assert.deepInclude(measure, { field: "report.measures[0]", did_you_mean: "win_rate" })
          const foreign = yield* reasonOf({ report: { ...REPORT, measures: ["mentions"] } })
          assert.include(foreign.reason, "belongs to the report of associations")
          assert.strictEqual(
            (yield* reasonOf({ report: { ...REPORT, group_by: ["sentiment"] } })).field,
            "report.group_by[0]",
          )
          const dimension = yield* reasonOf({ report: { ...REPORT, group_by: ["close_date"] } })
          assert.strictEqual(dimension.field, "report.group_by[0]")
          assert.strictEqual((yield* reasonOf({ columns: ["amuont"] })).did_you_mean, "amount")
          assert.strictEqual((yield* reasonOf({ columns: ["name"], report: REPORT })).field, "columns")
          assert.strictEqual((yield* reasonOf({ board_id: "b" })).field, "board_id")
          assert.strictEqual((yield* reasonOf({ filters: { outcome: ["wno"] } })).field, "filters.outcome[0]")
        }),
      )

      it.effect("are reports on a board, shared as it is, and deleted with it", () =>
        Effect.gen(function* () {
          const { ada, ben, admin } = yield* people
          const board = (yield* send("/boards", ada, "POST", { name: "weekly", shared: true })).json
          assert.deepInclude(board, { name: "weekly", shared: true, own: true, reports: 0 })
          const body = { name: "wins", board_id: board.id, report: REPORT, filters: FILTERS }
          const made = yield* send("/views", ada, "POST", body)
          assert.deepInclude(made.json, { shared: true, board_id: board.id, report: REPORT })
          assert.strictEqual((yield* send("/views", ben, "POST", body)).status, 404)
          assert.strictEqual((yield* send("/views", admin, "POST", body)).status, 201)
          assert.deepStrictEqual(names(yield* send(`/views?board_id=${board.id}`, ben)), ["wins", "wins"])
          assert.deepStrictEqual(names(yield* send("/views", ben)), [])
          assert.deepInclude((yield* send("/boards", ben)).json.data[0], { reports: 2, own: false })
          assert.strictEqual((yield* send(`/views/${made.json.id}`, ada, "PATCH", { shared: false })).status, 400)
          assert.strictEqual((yield* send(`/boards/${board.id}`, ben, "DELETE")).status, 404)
          assert.strictEqual((yield* send(`/boards/${board.id}`, ada, "DELETE")).status, 204)
          assert.deepStrictEqual(names(yield* send(`/views?board_id=${board.id}`, ada)), [])
          assert.strictEqual((yield* send(`/views/${made.json.id}`, ada, "DELETE")).status, 404)
        }),
      )

      it.effect("fill a private board up to its limit, unseen by others", () =>
        Effect.gen(function* () {
          const { ada, ben } = yield* people
          const board = (yield* send("/boards", ada, "POST", { name: "mine" })).json
          const add = send("/views", ada, "POST", { name: "wins", board_id: board.id, report: REPORT })
          for (let n = 0; n < MAX_REPORTS_PER_BOARD; n++) assert.strictEqual((yield* add).status, 201)
          assert.strictEqual((yield* add).status, 409)
          assert.deepStrictEqual(names(yield* send("/boards", ben)), [])
          assert.deepStrictEqual(names(yield* send(`/views?board_id=${board.id}`, ben)), [])
        }),
      )
    })
  })
}
