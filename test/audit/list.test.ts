import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { recordAct } from "../../src/core/audit/recordAct.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

for (const engine of engines) {
  describe(`GET /audit on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      const get = (key: string, query = "", headers: Record<string, string> = {}) =>
        Effect.flatMap(Web, (web) => web.request(`/api/v1/audit${query}`, key, { headers }))

      it.effect("lists the key, the act, its target and its request, newest first", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { key, org } = yield* web.tenant()
          const { json: keys } = yield* web.request("/api/v1/keys", key)
          const began = Date.now()
          const made = yield* web.request("/api/v1/keys", key, {
            method: "POST",
            body: JSON.stringify({ name: "x", role: "viewer" }),
            headers: { "content-type": "application/json", "x-request-id": "mine-1" },
          })
          const { json } = yield* get(key)
          assert.isFalse(json.has_more)
          assert.isNull(json.next_cursor)
          const [newest, ...others] = json.data
          const { id: _, at, ...entry } = newest
          assert.isAtLeast(Date.parse(at), began)
          assert.isAtMost(Date.parse(at), Date.now() + 1)
          assert.deepStrictEqual(entry, {
            actor: { key_id: keys.data[0].id },
            action: "key.created",
            target: made.json.id,
            details: null,
            request_id: "mine-1",
            address: null,
          })
          assert.deepStrictEqual(
            others.map((each: { action: string; actor: unknown; target: string }) => [
              each.action,
              each.actor,
              each.target,
            ]),
            [
              ["key.created", { operator: true }, keys.data[0].id],
              ["organization.created", { operator: true }, org],
            ],
          )
          assert.notInclude(JSON.stringify(json), made.json.key)
        }),
      )

      it.effect("pages through all entries once, filtered by type and start", () =>
        Effect.gen(function* () {
          const { key, org } = yield* (yield* Web).tenant()
          const { sql, transaction } = yield* Database
          const deals = Array.from({ length: 120 }, (_, n) => `deal_${n}`)
          yield* transaction(
            org,
            Effect.forEach(deals, (id) => recordAct(sql, org, "deal.deleted", id)),
          )
          const seen: Array<string> = []
          const sizes: Array<number> = []
          for (let cursor: string | null = ""; cursor !== null;) {
            const { json }: { json: any } = yield* get(key, `?types=deal.deleted${cursor && `&cursor=${cursor}`}`)
            seen.push(...json.data.map((each: { target: string }) => each.target))
            sizes.push(json.data.length)
            cursor = json.next_cursor
          }
          assert.deepStrictEqual(sizes, [50, 50, 20])
          assert.sameMembers(seen, deals)
          const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
          assert.deepStrictEqual((yield* get(key, `?since=${tomorrow}`)).json.data, [])
          assert.strictEqual((yield* get(key, "?types=deal.eaten")).status, 400)
          assert.strictEqual((yield* get(key, "?cursor=x")).status, 400)
        }),
      )

      it.effect("returns all entries as CSV if accepted, with formulas escaped", () =>
        Effect.gen(function* () {
          const { key, org } = yield* (yield* Web).tenant()
          const { sql, transaction } = yield* Database
          yield* transaction(org, recordAct(sql, org, "deal.deleted", '=cmd("x")', { rows: 2 }))
          const { text, headers } = yield* get(key, "?types=deal.deleted", { accept: "text/csv" })
          assert.strictEqual(headers.get("content-type"), "text/csv; charset=utf-8")
          const [header, line] = text.split("\r\n")
          assert.strictEqual(header, "id,at,actor,actor_id,action,target,details,request_id,address")
          assert.match(line ?? "", /^audit_\w+,\S+Z,operator,,deal\.deleted,"'=cmd\(""x""\)","\{""rows"": ?2\}",,$/)
          assert.strictEqual((yield* get(key, "", { accept: "image/png" })).status, 406)
        }),
      )

      it.effect("is open to admins and owners only", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant({ role: "member" })
          const reply = yield* get(key)
          assert.strictEqual(reply.status, 403)
          assert.include(reply.json.error.message, "read the audit log")
        }),
      )
    })
  })
}
