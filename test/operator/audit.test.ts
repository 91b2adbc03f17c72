import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { afterAll, beforeAll } from "vitest"
import { createOperator } from "../../src/adapters/client/operator.ts"
import { RefusedSignIns } from "../../src/core/access/RefusedSignIns.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { deleteExpired } from "../../src/core/server/retention.ts"
import { open, type Sightline } from "../../src/core/Sightline.ts"
import { engines } from "../support/engines.ts"
import { UNLIMITED } from "../support/unlimited.ts"
import { layerLibrary } from "../support/web.ts"

const KEY = `op_${"k".repeat(40)}`

for (const engine of engines) {
  describe(`the operator's audit on ${engine.name}`, () => {
    let web: Sightline
    const logged: Array<string> = []
    beforeAll(async () => {
      web = await open({
        database: engine.database,
        library: layerLibrary(),
        operatorKey: KEY,
        trustedProxies: 1,
        // Only the test writes what was counted.
        background: false,
        telemetry: Logger.layer([Logger.make(({ message }) => void logged.push(String(message)))]),
      })
      await web.ready({ seconds: 600 })
    })
    afterAll(() => web.dispose())

    const from = (address: string, path: string, key: string, init: RequestInit = {}) =>
      web.handler(
        new Request(`http://localhost${path}`, {
          ...init,
          headers: { authorization: `Bearer ${key}`, "x-forwarded-for": address, ...(init.headers as object) },
        }),
      )
    const operator = createOperator({
      baseUrl: "http://localhost",
      key: KEY,
      fetch: (url, init) => {
        const headers = new Headers(init.headers)
        headers.set("x-forwarded-for", "192.0.2.9")
        return web.handler(new Request(url, { ...init, headers }))
      },
    })
    const flush = () => web.run(Effect.flatMap(RefusedSignIns, (refused) => refused.flush))
    const listed = async (action: "organization.erased" | "operator.refused" | "console.refused") =>
      (await operator.audit({ action })).data

    it("has wrong operator keys by address, a bounded number of rows and one line of the log for any number", async () => {
      for (let n = 0; n < 30; n++) {
        assert.strictEqual((await from(`198.51.100.${n}`, "/operator/organizations", "wrong")).status, 401)
        assert.strictEqual((await from("203.0.113.7", "/operator/none", `${KEY}x`)).status, 401)
      }
      await from("203.0.113.8", "/operator/organizations", "", { headers: { authorization: "" } })
      await flush()
      const entries = await listed("operator.refused")
      const attempts = new Map(entries.map(({ address, details }) => [address, details?.attempts]))
      assert.strictEqual(attempts.size, 21)
      assert.lengthOf(entries, 21)
      assert.strictEqual(attempts.get("203.0.113.7"), 30)
      assert.strictEqual(attempts.get("198.51.100.0"), 1)
      assert.strictEqual(attempts.get(null), 11)
      assert.isFalse(attempts.has("203.0.113.8"))
      assert.notInclude(JSON.stringify(entries), "kkkk")
      const lines = logged.filter((line) => line.includes("refused sign-ins"))
      assert.deepStrictEqual(lines, [
        "refused sign-ins: 60 with a wrong operator key, 0 to the console; GET /operator/audit has their addresses",
      ])
    })

    it("has refused sign-ins to the console, with the last reason", async () => {
      const signIn = (address: string, body: object) =>
        from(address, "/console/session", "", {
          method: "POST",
          body: JSON.stringify(body),
          headers: { authorization: "", "x-sightline-console": "1" },
        })
      assert.strictEqual((await signIn("203.0.113.1", { link: `sl_link_${"0".repeat(49)}` })).status, 401)
      assert.strictEqual((await signIn("203.0.113.2", { key: "sl_live_none" })).status, 401)
      assert.strictEqual((await signIn("203.0.113.3", { key: `sl_session_${"0".repeat(49)}` })).status, 401)
      const { id } = await operator.organizations.create({ name: "Signs in", plan: UNLIMITED })
      const { key } = await operator.of(id).access.createKey({ name: "k", role: "owner" })
      assert.strictEqual((await signIn("203.0.113.4", { key })).status, 204)
      await flush()
      const entries = await listed("console.refused")
      assert.sameDeepMembers(
        entries.map(({ address, details }) => [address, details?.reason]),
        [
          ["203.0.113.1", "link"],
          ["203.0.113.2", "malformed"],
          ["203.0.113.3", "not_a_key"],
        ],
      )
    })

    it("has who erased an organization, after it is gone, and is found by its id", async () => {
      const { id } = await operator.organizations.create({ name: "Erased", plan: UNLIMITED })
      const { id: other } = await operator.organizations.create({ name: "Other", plan: UNLIMITED })
      await operator.organizations.erase(id)
      await operator.organizations.erase(other)
      const [entry, ...more] = (await operator.audit({ organization: id })).data
      assert.isEmpty(more)
      assert.deepInclude(entry, { action: "organization.erased", actor: { operator: true }, address: "192.0.2.9" })
      assert.match(entry!.request_id!, /./)
      assert.lengthOf(await listed("organization.erased"), 2)
      assert.isEmpty((await operator.audit({ organization: "org_none" })).data)
    })

    it("reads on after a page", async () => {
      await web.run(
        Effect.flatMap(Database, ({ sql, unscoped }) =>
          unscoped(sql`insert into refused_sign_ins (id, at, place, reason, attempts)
            select 'r' || n, now() + interval '1 day' + (n / 2) * interval '1 second', 'console', 'link', n from generate_series(1, 250) n`),
        ),
      )
      const all = await Array.fromAsync(operator.audit.each({ action: "console.refused" }))
      const made = all.filter(({ id }) => id.startsWith("r"))
      assert.strictEqual(new Set(made.map(({ id }) => id)).size, 250)
      assert.deepStrictEqual(
        made.map(({ at }) => at),
        made.map(({ at }) => at).toSorted((one, other) => (one < other ? 1 : one > other ? -1 : 0)),
      )
    })

    it("keeps refused sign-ins for 400 days, and erasures forever", async () => {
      const ages = await web.run(
        Effect.gen(function* () {
          const { sql, unscoped } = yield* Database
          yield* unscoped(sql`insert into refused_sign_ins (id, at, place, reason, attempts) values
            ('old', now() - interval '401 days', 'console', 'link', 1), ('young', now() - interval '399 days', 'console', 'link', 1)`)
          yield* unscoped(
            sql`insert into erasures (id, organization_hash, at) values ('erased', '', now() - interval '900 days')`,
          )
          yield* deleteExpired
          return yield* unscoped<{ id: string }>(sql`select id from refused_sign_ins where id in ('old', 'young')
            union all select id from erasures where id = 'erased'`)
        }),
      )
      assert.sameMembers(
        ages.map(({ id }) => id),
        ["young", "erased"],
      )
    })
  })
}
