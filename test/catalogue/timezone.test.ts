import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { dayAt } from "../../src/core/common/zone.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"
import { layerWeb, Web } from "../support/web.ts"
import { ZONES } from "../support/zones.ts"
import { get, imported, send } from "./catalogue.ts"

/** A tenant in a zone, with deals by the time of creation, whose ids are `d0`, `d1`, …. */
const inZone = Effect.fnUntraced(function* (timezone: string, createdAt: ReadonlyArray<string> = []) {
  const { org, key } = yield* (yield* Web).tenant()
  const changed = yield* send("PUT", "/workspace", key, { timezone })
  assert.strictEqual(changed.status, 200, changed.text)
  const deals = createdAt.map((created_at, n) => ({ type: "deal", id: `d${n}`, name: `Deal ${n}`, created_at }))
  const associations = createdAt.map((created_at, n) => ({
    type: "association",
    id: `a${n}`,
    deal: `d${n}`,
    feature: "SSO",
    created_at,
  }))
  yield* imported(key, [{ type: "feature", name: "SSO" }, ...deals, ...associations])
  return { org, key }
})

const idsOf = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => id).sort()
const query = (filters: object) =>
  new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, JSON.stringify(value)])).toString()
const dealsIn = (key: string, filters: object) =>
  Effect.map(get(`/deals?sort=created_at&${query(filters)}`, key), (rows) => idsOf(rows.data ?? rows))
const invalidOf = (reply: { readonly status: number; readonly json: any; readonly text: string }) => {
  assert.strictEqual(reply.status, 400, reply.text)
  return reply.json.error.details.invalid_fields
}

for (const engine of engines) {
  describe(`the time zone of a workspace on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      it.effect("is UTC, then the one that is set in any case, and UTC again after null", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          assert.strictEqual((yield* get("/workspace", key)).settings.timezone, "UTC")
          assert.strictEqual(
            (yield* send("PUT", "/workspace", key, { timezone: " europe/berlin " })).json.timezone,
            "Europe/Berlin",
          )
          assert.strictEqual((yield* get("/workspace", key)).settings.timezone, "Europe/Berlin")
          assert.strictEqual((yield* send("PUT", "/workspace", key, { timezone: null })).json.timezone, "UTC")
        }),
      )

      it.effect("must be an IANA name, and an error suggests the nearest", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const refused = Effect.fnUntraced(function* (timezone: unknown) {
            const [{ field, reason, did_you_mean }] = invalidOf(yield* send("PUT", "/workspace", key, { timezone }))
            assert.strictEqual(field, "timezone")
            return [reason.includes(`'${timezone}'`), did_you_mean]
          })
          assert.deepStrictEqual(yield* refused("Europe/Berln"), [true, "Europe/Berlin"])
          assert.deepStrictEqual(yield* refused("Asia/Calcuta"), [true, "Asia/Calcutta"])
          assert.deepStrictEqual(yield* refused("+02:00"), [true, undefined])
          // PostgreSQL would read this as a zone of its own making.
          assert.strictEqual((yield* refused("Foo3"))[0], true)
          assert.strictEqual((yield* get("/workspace", key)).settings.timezone, "UTC")
        }),
      )

      it.effect("has the same days in the database and in the runtime", () =>
        Effect.gen(function* () {
          const { sql, unscoped } = yield* Database
          const random = makeRandom(seedOfRun("zones"))
          const instants = Array.from({ length: 200 }, () => Date.UTC(2000) + random.below(30 * 365) * 86_400_000)
          for (const zone of ZONES) {
            const rows = yield* unscoped<{ day: string }>(
              sql`select (to_timestamp(at / 1000) at time zone ${zone})::date::text as day
                from unnest(${instants}::float8[]) with ordinality i(at, n) order by n`,
            )
            assert.deepStrictEqual(
              rows.map(({ day }) => day),
              instants.map((at) => dayAt(at, zone)),
              zone,
            )
          }
        }),
      )

      it.effect("decides what a day in a filter is, and leaves instants alone", () =>
        Effect.gen(function* () {
          const created = [
            "2026-03-31T06:59:59.999Z",
            "2026-03-31T07:00:00Z",
            "2026-04-01T06:59:59.999Z",
            "2026-04-01T07:00:00Z",
          ]
          const { key } = yield* inZone("America/Phoenix", created)
          const day = { from: "2026-03-31", to: "2026-03-31" }
          const instant = { from: "2026-03-31T00:00:00Z", to: "2026-03-31T23:59:59.999Z" }
          assert.deepStrictEqual(yield* dealsIn(key, { created_at: day }), ["d1", "d2"])
          assert.deepStrictEqual(yield* dealsIn(key, { asked_at: day }), ["d1", "d2"])
          assert.deepStrictEqual(yield* dealsIn(key, { created_at: instant }), ["d0", "d1"])
          const asked = yield* get("/product-intelligence?date_from=2026-03-31&date_to=2026-03-31", key)
          assert.deepStrictEqual(idsOf(asked.data), ["a1", "a2"])
        }),
      )

      it.effect("decides whether a range from a day to an instant is the wrong way round", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const mixed = { created_at: { from: "2026-03-31", to: "2026-03-30T23:00:00Z" } }
          const ask = (key: string) => web.request(`/api/v1/deals?${query(mixed)}`, key)
          assert.strictEqual((yield* ask((yield* inZone("Europe/Berlin")).key)).status, 200)
          const { key } = yield* inZone("UTC")
          const [{ field, reason }] = invalidOf(yield* ask(key))
          assert.deepStrictEqual([field, reason], ["created_at", "must have from no greater than to"])
          const dates = "date_from=2026-03-31&date_to=2026-03-30T23:00:00Z"
          for (const path of ["product-intelligence?", "product-intelligence/report?measures=mentions&"]) {
            const reply = yield* web.request(`/api/v1/${path}${dates}`, key)
            assert.strictEqual(invalidOf(reply)[0].field, "date_from", path)
          }
        }),
      )

      it.effect(
        "leaves the law of reports true where midnight is missing or comes twice, and a day is in two parts",
        () =>
          Effect.gen(function* () {
            const around = (midnight: string) =>
              [-61, -60, -59, -31, -1, 0, 1, 29, 31, 59, 60, 61].map((minutes) =>
                new Date(Date.parse(midnight) + minutes * 60_000).toISOString(),
              )
            const cases = [
              ["America/St_Johns", "2010-11-07T03:30:00Z"],
              ["America/Havana", "2025-11-02T05:00:00Z"],
              ["America/Santiago", "2024-09-08T04:00:00Z"],
              ["America/Santiago", "2024-04-07T03:00:00Z"],
            ] as const
            for (const [zone, midnight] of cases) {
              const { key } = yield* inZone(zone, around(midnight))
              for (const grain of ["day", "week", "month"]) {
                const { data } = yield* get(`/deals/report?measures=deals&group_by=created_at.${grain}`, key)
                for (const { group, values, filters } of data) {
                  const what = `${zone} ${JSON.stringify(group)}`
                  assert.match(filters.created_at.from, /^\d{4}-\d\d-\d\d$/, what)
                  assert.strictEqual((yield* dealsIn(key, filters)).length, values.deals, what)
                }
              }
            }
          }),
      )

      it.effect("leaves it true where a filter has an instant and a group a day", () =>
        Effect.gen(function* () {
          const created = [
            "2026-03-31T04:00:00Z",
            "2026-03-31T08:00:00Z",
            "2026-04-01T02:00:00Z",
            "2026-04-01T08:00:00Z",
          ]
          const { key } = yield* inZone("America/Phoenix", created)
          const filter = query({ created_at: { from: "2026-03-31T03:00:00Z", to: "2026-04-01T07:30:00Z" } })
          const { data } = yield* get(`/deals/report?measures=deals&group_by=created_at.day&${filter}`, key)
          assert.deepStrictEqual(yield* Effect.forEach(data, ({ filters }: any) => dealsIn(key, filters)), [
            ["d0"],
            ["d1", "d2"],
          ])
        }),
      )

      it.effect("places local times and days of an import, but does not move close dates", () =>
        Effect.gen(function* () {
          const { key } = yield* inZone("Europe/Berlin", [
            "2026-03-31T09:30:00",
            "2026-03-31",
            "2026-03-31T09:30:00-07:00",
          ])
          yield* imported(key, [
            { type: "crm_property", crm: "crm_one", object: "deal", id: "due", data_type: "date" },
            ...[
              "2026-03-31T18:09:44-07:00",
              "2026-04-01T00:00:00+02:00",
              "2026-03-31",
              "2026-03-31T23:30:00Z",
              "2026-03-31T23:30",
            ].map((at, n) => ({
              type: "deal",
              id: `c${n}`,
              name: `Closed ${n}`,
              close_date: at,
              crm_properties: { due: at },
            })),
          ])
          const deal = (id: string) => get(`/deals/${id}`, key)
          const created = yield* Effect.forEach(["d0", "d1", "d2"], deal)
          assert.deepStrictEqual(
            created.map(({ created_at }) => created_at),
            ["2026-03-31T07:30:00.000Z", "2026-03-30T22:00:00.000Z", "2026-03-31T16:30:00.000Z"],
          )
          const closed = yield* Effect.forEach(["c0", "c1", "c2", "c3", "c4"], (id) =>
            get(`/deals/${id}?columns=close_date,crm_due`, key),
          )
          const days = ["2026-03-31", "2026-04-01", "2026-03-31", "2026-03-31", "2026-03-31"]
          assert.deepStrictEqual(
            closed.map(({ close_date }) => close_date.slice(0, 10)),
            days,
          )
          assert.deepStrictEqual(
            closed.map(({ crm_due }) => crm_due),
            [
              "2026-03-31T18:09:44.000-07:00",
              "2026-04-01T00:00:00.000+02:00",
              "2026-03-31",
              "2026-03-31T23:30:00.000Z",
              "2026-03-31T23:30:00.000+02:00",
            ],
          )
          const due = { crm_filters: [{ property: "due", operator: "is", value: "2026-03-31" }] }
          assert.deepStrictEqual(yield* dealsIn(key, due), ["c0", "c2", "c3", "c4"])
        }),
      )

      it.effect("decides what today is in filters, questions and the audit log", () =>
        Effect.gen(function* () {
          // A day and two hours lie between these zones, so at any time their days differ.
          for (const zone of ["Pacific/Kiritimati", "Etc/GMT+12"]) {
            const now = Date.now()
            const { key } = yield* inZone(zone, [new Date(now).toISOString()])
            const today = dayAt(now, zone)
            const other = dayAt(now, zone === "Etc/GMT+12" ? "Pacific/Kiritimati" : "Etc/GMT+12")
            const { data } = yield* get(
              `/deals/report?measures=deals&group_by=created_at.day&${query({ created_at: { period: "today" } })}`,
              key,
            )
            assert.deepStrictEqual(
              data.map(({ group }: any) => group["created_at.day"]),
              [today],
            )
            assert.deepStrictEqual(yield* dealsIn(key, { created_at: { from: other, to: other } }), [], zone)
            const answer = yield* send("POST", "/responses", key, {
              messages: [{ role: "user", content: "How many deals were created today?" }],
            })
            assert.include(answer.text, today, zone)
            assert.notInclude(answer.text, other, zone)
            const later = today > other ? today : other
            const since = yield* get(`/audit?since=${later}`, key)
            assert.strictEqual(since.data.length > 0, later === today, zone)
          }
        }),
      )
    })
  })
}
