import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Admission } from "../../src/core/access/Admission.ts"
import { makeSecret } from "../../src/core/access/secret.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { findPrincipal, layerLibrary, layerWeb, type Reply, Web } from "../support/web.ts"

const DEALS = "/api/v1/deals"

/** The headers that all replies to the same refusal share. */
const shared = ({ status, text, headers }: Reply) => {
  const { "x-request-id": id, "retry-after": wait, ...others } = Object.fromEntries(headers)
  assert.isDefined(id)
  return { status, text, others, waits: wait !== undefined }
}

const database = engines[0].database
layer(layerWeb(database, layerLibrary(), undefined, false), { excludeTestServices: true })("a refusal", (it) => {
  it.effect("is the same when it is repeated, without a question to the database", () =>
    Effect.gen(function* () {
      const web = yield* Web
      const { transaction, sql } = yield* Database
      const { findRefusal } = yield* Admission
      const { org, key } = yield* web.tenant({ plan: "essentials" })
      yield* transaction(
        org,
        sql`update organization_usage set month = month_of(clock_ms()), month_used = 10000 where org_id = ${org}`,
      )
      const unknown = yield* makeSecret("live")
      const cases = [
        { token: key, status: 429, known: "limited" },
        { token: unknown, status: 401, known: "unknown" },
        { token: unknown.slice(0, -1), status: 401, known: "malformed" },
      ] as const
      for (const { token, status, known } of cases) {
        if (known !== "malformed") assert.isUndefined(findRefusal(token))
        const first = shared(yield* web.request(DEALS, token))
        assert.strictEqual(first.status, status)
        assert.strictEqual(findRefusal(token)?.outcome, known)
        assert.deepStrictEqual(shared(yield* web.request(DEALS, token)), first)
        assert.deepStrictEqual(shared(yield* web.request(`${DEALS}/an-id?columns=name`, token)), first)
        if (status === 429) assert.containsAllKeys(first.others, ["x-ratelimit-limit", "x-ratelimit-reset"])
        else assert.strictEqual(first.others["www-authenticate"], "Bearer")
      }
    }),
  )

  it.effect("leaves paths and methods that do not exist to the router", () =>
    Effect.gen(function* () {
      const web = yield* Web
      assert.strictEqual((yield* web.request("/api/v1/nothing", "sl_live_x")).status, 404)
      assert.strictEqual((yield* web.request(DEALS, "sl_live_x", { method: "PUT" })).status, 405)
    }),
  )

  it.effect("reads the bearer token as the API's own security does", () =>
    Effect.gen(function* () {
      const web = yield* Web
      const { key } = yield* web.tenant()
      for (const authorization of [`bearer ${key}`, `BEARER    ${key}`])
        assert.strictEqual((yield* web.request(`${DEALS}?count=true`, "", { headers: { authorization } })).status, 200)
      for (const authorization of ["Bearer", "Bearer   ", `Basic ${key}`, `Bearer${key}`, `Bearer Bearer ${key}`]) {
        const { status, json } = yield* web.request(DEALS, "", { headers: { authorization } })
        assert.strictEqual(status, 401)
        assert.match(json.error.message, /not of the form 'Bearer <key>'/, authorization)
      }
    }),
  )
})

layer(layerWeb(database, layerLibrary(), undefined, false, findPrincipal), { excludeTestServices: true })((it) => {
  it.effect("a bearer token that is not ours is the host's to judge", () =>
    Effect.gen(function* () {
      const web = yield* Web
      const { org } = yield* web.tenant()
      const principal = JSON.stringify({ organization: org, role: "viewer", identity: { id: "ann", name: "Ann" } })
      const asked = (authorization: string) =>
        Effect.map(
          web.request(`${DEALS}?count=true`, principal, { headers: { authorization } }),
          ({ status }) => status,
        )
      assert.strictEqual(yield* asked("Bearer short"), 200)
      assert.strictEqual(yield* asked("Bearer sl_live_short"), 401)
    }),
  )
})
