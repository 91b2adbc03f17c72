import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { ENDPOINTS } from "../isolation/endpoints.ts"
import { ID_FIELDS } from "../isolation/idFields.ts"
import type { Kind } from "../isolation/kinds.ts"
import { boardsOf, documentsOf, idOf, recordsOf, webhooksOf } from "../isolation/tenants.ts"
import type { engines } from "../support/engines.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"
import { layerWeb, Web } from "../support/web.ts"
import { extremesOf } from "./extremes.ts"

/** Requests between two resets of the limits. */
const BATCH = 250

/** Real ids for the path parameters of an endpoint. */
const idsOf = (keyId: string) => (method: string, path: string) => {
  const endpoint = ENDPOINTS.find(
    (each) => each.method === method && each.path.replaceAll(/:([^/]+)/g, "{$1}") === path,
  )
  if (endpoint === undefined) return {}
  const { path: kinds = {}, fixed = {} } = ID_FIELDS[endpoint.name]
  const ids = Object.entries<Kind>(kinds).map(([name, kind]) => [name, kind === "key" ? keyId : idOf(kind, "alfa")])
  return { ...Object.fromEntries(ids), ...fixed } as Record<string, string>
}

/**
 * Sends the extremes of every parameter, path and body to a workspace whose two largest amounts have no sum: all of them, or a sample of
 * `count` that depends on the seed. No reply may be a failure of ours.
 */
export const sendExtremes = ({ name, database }: (typeof engines)[number], count?: number) =>
  describe(`extreme values on ${name}`, () => {
    // Without jobs: thousands of exports and imports leave some each, and only replies are tested.
    layer(layerWeb(database, undefined, undefined, false), { excludeTestServices: true })((it) => {
      it.effect("no request with an extreme value is answered with 5xx", () =>
        Effect.gen(function* () {
          const { request, tenant } = yield* Web
          const { org, key } = yield* tenant()
          const keys = yield* ApiKeys
          const mine = yield* keys.create(org, { name: "mine", role: "owner", requestsPerMinute: 100_000 })
          const other = yield* keys.create(org, { name: "other", role: "owner" })
          const { sql, transaction } = yield* Database
          const imported = yield* request("/api/v1/import", key, {
            method: "POST",
            body: recordsOf("alfa")
              .map((record) => `${JSON.stringify(record)}\n`)
              .join(""),
            headers: { "content-type": "application/x-ndjson" },
          })
          assert.strictEqual(imported.json.failed, 0, imported.text)
          yield* transaction(
            org,
            Effect.gen(function* () {
              yield* sql`update deals set amount = 1.7e308 where org_id = ${org}`
              for (const at of ["0001-01-01", "9999-12-31"]) {
                yield* sql`insert into deals (org_id, id, name, amount, close_date, created_at, updated_at, custom_metrics)
                  values (${org}, ${at}, ${at}, 1.7e308, ${at}::date, ${at}::timestamptz, ${at}::timestamptz, '{"m_alfa": {"score": 1.7e308}}')`
              }
              for (const { document } of documentsOf("alfa")) {
                yield* sql`insert into documents ${sql.insert({ org_id: org, ...document })}`
              }
              for (const { board, view } of boardsOf("alfa")) {
                yield* sql`insert into boards ${sql.insert({ org_id: org, ...board })}`
                yield* sql`insert into views ${sql.insert({ org_id: org, ...view })}`
              }
              for (const { webhook } of webhooksOf("alfa")) {
                yield* sql`insert into webhooks ${sql.insert({ org_id: org, ...webhook })}`
              }
            }),
          )
          const refill = transaction(
            org,
            Effect.andThen(
              sql`update organization_usage set minute_used = 0, month_used = 0, exports_used = 0 where org_id = ${org}`,
              sql`update api_key_usage set minute_used = 0 where org_id = ${org}`,
            ),
          )
          const all = extremesOf((yield* request("/openapi.json", mine.key)).json, idsOf(other.id))
          const random = makeRandom(seedOfRun("extremes"))
          const chosen = new Set(
            count === undefined ? all : random.some([...all.keys()], count, count).map((n) => all[n]!),
          )
          const failed: Array<string> = []
          const seen = new Map<number, number>()
          const requests = all.filter((each) => chosen.has(each))
          for (let start = 0; start < requests.length; start += BATCH) {
            yield* refill
            yield* Effect.forEach(
              requests.slice(start, start + BATCH),
              Effect.fnUntraced(function* ({ where, method, path, type, body }) {
                const reply = yield* request(path, mine.key, {
                  method,
                  ...(body !== undefined && { body, headers: { "content-type": type ?? "application/json" } }),
                })
                seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1)
                if (reply.status >= 500) failed.push(`${reply.status} ${where}`)
              }),
              { concurrency: 4 },
            )
          }
          const sent = requests.length
          console.log(`${sent} of ${all.length} extremes`, Object.fromEntries(seen))
          assert.deepStrictEqual(failed, [])
          assert.isAbove(seen.get(200) ?? 0, sent / 20)
          assert.strictEqual(seen.get(429) ?? 0, 0)
        }),
      )
    })
  })
