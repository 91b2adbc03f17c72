import { assert, describe, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { PERSON_REQUESTS_PER_MINUTE } from "../../src/core/access/plans.ts"
import { Sessions } from "../../src/core/sessions/Sessions.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { deleteExpired } from "../../src/core/server/retention.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { allEngines, whereIs } from "../support/engines.ts"
import { untilEffect } from "../support/until.ts"

const FILES = { "index.html": '<script src="%BASE%/console/main-1.js">', "console/main-1.js": "// script" }
const ORIGIN = "http://localhost:8787"
const CONSOLE = { "x-sightline-console": "1" }

type Send = (path: string, init?: RequestInit & { readonly origin?: string }) => Effect.Effect<Response>
class Server extends Context.Service<Server, { readonly send: Send }>()("test/Server") {}

const layerServer = <E>(database: Layer.Layer<SqlClient, E>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const shared = Layer.succeedContext(yield* Layer.build(database)) as Layer.Layer<SqlClient>
      const web = yield* Effect.acquireRelease(
        Effect.promise(() => Sightline.open({ database: shared, background: false, console: async () => FILES })),
        ({ dispose }) => Effect.promise(() => dispose()),
      )
      const send: Send = (path, { origin = ORIGIN, ...init } = {}) => {
        const request = new Request(new URL(path, origin), init)
        request.headers.set("host", new URL(origin).host)
        return Effect.promise(() => web.handler(request))
      }
      return Layer.succeed(Server, { send }).pipe(Layer.provideMerge(Layer.effectContext(web.services)))
    }),
  )

const signIn = (body: object, init: { readonly headers?: Record<string, string>; readonly origin?: string } = {}) =>
  Effect.flatMap(Server, ({ send }) =>
    send("/console/session", {
      method: "POST",
      body: JSON.stringify(body),
      ...init,
      headers: { ...CONSOLE, ...init.headers },
    }),
  )

const cookieOf = (reply: Response) => reply.headers.get("set-cookie")?.split(";")[0] ?? ""

const get = (path: string, headers: Record<string, string>) =>
  Effect.flatMap(Server, ({ send }) => send(path, { headers }))

const tenant = Effect.gen(function* () {
  const { id: org } = yield* (yield* Organizations).create({ name: "Acme", plan: "essentials" })
  return { org, ...(yield* (yield* ApiKeys).create(org, { name: "desk", role: "admin" })) }
})

for (const engine of allEngines) {
  describe(`sessions of the console on ${engine.name}`, whereIs(engine), () => {
    layer(layerServer(engine.database), { excludeTestServices: true })((it) => {
      it.effect("start with a key, act as it, are listed, and end on sign-out", () =>
        Effect.gen(function* () {
          const { key, id } = yield* tenant
          const started = yield* signIn({ key }, { headers: { "user-agent": "Test/1" } })
          assert.strictEqual(started.status, 204)
          assert.match(
            started.headers.get("set-cookie")!,
            /^sightline_session=sl_session_\w{49}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
          )
          const cookie = cookieOf(started)
          const listed = yield* get("/api/v1/sessions", { cookie, ...CONSOLE })
          const { data } = yield* Effect.promise(() => listed.json())
          assert.deepInclude(data[0], { key_id: id, name: "desk", role: "admin", browser: "Test/1", current: true })
          const { send } = yield* Server
          const ended = yield* send("/console/session", { method: "DELETE", headers: { cookie, ...CONSOLE } })
          assert.match(ended.headers.get("set-cookie")!, /^sightline_session=; Path=\/; Max-Age=0/)
          assert.strictEqual((yield* get("/api/v1/sessions", { cookie, ...CONSOLE })).status, 401)
          const audit = yield* get("/api/v1/audit", { authorization: `Bearer ${key}` })
          const { data: acts } = yield* Effect.promise(() => audit.json())
          assert.deepStrictEqual(
            acts.map(({ action, actor }: any) => [action, actor]).slice(0, 2),
            ["session.ended", "session.started"].map((action) => [action, { key_id: id }]),
          )
        }),
      )

      it.effect("mark the cookie `Secure` over https", () =>
        Effect.gen(function* () {
          const { key } = yield* tenant
          const reply = yield* signIn({ key }, { origin: "https://sightline.example" })
          assert.match(reply.headers.get("set-cookie")!, /; Secure$/)
        }),
      )

      it.effect("need the console's header: a forged request with the cookie is refused", () =>
        Effect.gen(function* () {
          const { key } = yield* tenant
          const cookie = cookieOf(yield* signIn({ key }))
          assert.strictEqual((yield* get("/api/v1/workspace", { cookie })).status, 401)
          assert.strictEqual(
            (yield* get("/api/v1/workspace", { cookie, ...CONSOLE, "sec-fetch-site": "cross-site" })).status,
            401,
          )
          assert.strictEqual(
            (yield* get("/api/v1/workspace", { cookie, ...CONSOLE, "sec-fetch-site": "same-site" })).status,
            401,
          )
          assert.strictEqual(
            (yield* get("/api/v1/workspace", { cookie, ...CONSOLE, "sec-fetch-site": "same-origin" })).status,
            200,
          )
          const { send } = yield* Server
          const forged = yield* send("/console/session", { method: "POST", body: JSON.stringify({ key }) })
          assert.deepStrictEqual([forged.status, forged.headers.get("set-cookie")], [403, null])
          assert.strictEqual((yield* send("/console/session", { method: "DELETE", headers: { cookie } })).status, 403)
          assert.strictEqual((yield* get("/mcp", { cookie, ...CONSOLE })).status, 405)
        }),
      )

      it.effect("take no token from the browser, and end the session before a new sign-in", () =>
        Effect.gen(function* () {
          const { key } = yield* tenant
          const planted = `sightline_session=sl_session_${"A".repeat(49)}`
          const first = cookieOf(yield* signIn({ key }, { headers: { cookie: planted } }))
          assert.notStrictEqual(first, planted)
          assert.strictEqual((yield* get("/api/v1/workspace", { cookie: planted, ...CONSOLE })).status, 401)
          const second = cookieOf(yield* signIn({ key }, { headers: { cookie: first } }))
          assert.strictEqual((yield* get("/api/v1/workspace", { cookie: first, ...CONSOLE })).status, 401)
          assert.strictEqual((yield* get("/api/v1/workspace", { cookie: second, ...CONSOLE })).status, 200)
          const token = second.split("=")[1]!
          assert.strictEqual((yield* signIn({ key: token })).status, 401, "a session is no key")
        }),
      )

      it.effect("give a link to its own key alone, also where another repeats its idempotency key", () =>
        Effect.gen(function* () {
          const { org, key } = yield* tenant
          const { send } = yield* Server
          const other = yield* (yield* ApiKeys).create(org, { name: "second desk", role: "admin" })
          const open = (by: string) =>
            send("/api/v1/sessions", {
              method: "POST",
              headers: { authorization: `Bearer ${by}`, "idempotency-key": "open" },
            })
          const mine = yield* open(key)
          assert.strictEqual(mine.status, 201)
          const text = yield* Effect.promise(() => mine.text())
          assert.strictEqual(yield* Effect.flatMap(open(key), (again) => Effect.promise(() => again.text())), text)
          assert.strictEqual((yield* open(other.key)).status, 409)
        }),
      )

      it.effect("open by a link once; a replayed, foreign or local one is refused", () =>
        Effect.gen(function* () {
          const { org, key, id } = yield* tenant
          const { send } = yield* Server
          const made = yield* send("/api/v1/sessions", { method: "POST", headers: { authorization: `Bearer ${key}` } })
          const { url } = yield* Effect.promise(() => made.json())
          assert.match(url, /^http:\/\/localhost:8787\/sign-in#sl_link_\w{49}$/)
          const link = url.split("#")[1]
          assert.strictEqual((yield* get("/api/v1/workspace", { authorization: `Bearer ${link}` })).status, 401)
          const opened = yield* signIn({ link })
          assert.strictEqual((yield* get("/api/v1/workspace", { cookie: cookieOf(opened), ...CONSOLE })).status, 200)
          assert.strictEqual((yield* signIn({ link })).status, 401)
          const sessions = yield* Sessions
          const local = yield* sessions.createLink(org, { keyId: id, credential: key, isLocal: true })
          assert.strictEqual((yield* signIn({ link: local.token }, { origin: "http://rebound.example" })).status, 401)
          assert.strictEqual((yield* signIn({ link: local.token })).status, 204)
          const results = yield* Effect.gen(function* () {
            const raced = yield* sessions.createLink(org, { keyId: id, credential: key, isLocal: false })
            return yield* Effect.all(
              Array.from({ length: 5 }, () => signIn({ link: raced.token })),
              { concurrency: 5 },
            )
          })
          assert.deepStrictEqual(results.map(({ status }) => status).toSorted(), [204, 401, 401, 401, 401])
        }),
      )

      it.effect("end with the secret of their key: revoked, expired, or rotated without grace", () =>
        Effect.gen(function* () {
          const keys = yield* ApiKeys
          for (const end of ["revoke", "rotate"] as const) {
            const { org, key, id } = yield* tenant
            const cookie = cookieOf(yield* signIn({ key }))
            if (end === "revoke") yield* keys.revoke(org, id)
            else yield* keys.rotate(org, id, 0)
            assert.strictEqual((yield* get("/api/v1/workspace", { cookie, ...CONSOLE })).status, 401, end)
          }
          const { org, key, id } = yield* tenant
          const cookie = cookieOf(yield* signIn({ key }))
          yield* keys.rotate(org, id, 60)
          assert.strictEqual(
            (yield* get("/api/v1/workspace", { cookie, ...CONSOLE })).status,
            200,
            "in the grace period",
          )
          const { sql, transaction, scoped } = yield* Database
          yield* transaction(
            org,
            sql`update sessions set expires_at = now() - interval '1 second' where org_id = ${org}`,
          )
          assert.strictEqual((yield* get("/api/v1/workspace", { cookie, ...CONSOLE })).status, 401, "expired")
          yield* deleteExpired
          assert.lengthOf(yield* scoped(org, sql`select from sessions where org_id = scope.org`), 0)
        }),
      )

      it.effect("have their own window, which spends nothing of the key's or the plan's", () =>
        Effect.gen(function* () {
          const { org, key } = yield* tenant
          const cookie = cookieOf(yield* signIn({ key }))
          for (let n = 0; n < 20; n++)
            assert.strictEqual((yield* get("/api/v1/workspace", { cookie, ...CONSOLE })).status, 200, `request ${n}`)
          const usage = yield* get("/api/v1/usage", { authorization: `Bearer ${key}` })
          const { organization } = yield* Effect.promise(() => usage.json())
          assert.isAtMost(organization.requests_per_month.used, 2)
          const { sql, transaction } = yield* Database
          const spent = transaction(
            org,
            sql`update sessions set minute = clock_ms() / 60000, minute_used = ${PERSON_REQUESTS_PER_MINUTE} where org_id = ${org}`,
          )
          const asked = Effect.andThen(spent, get("/api/v1/workspace", { cookie, ...CONSOLE }))
          // A minute may end between the two.
          const refused = Effect.map(asked, (reply) => reply.status === 429 && reply)
          const limited = yield* untilEffect("the session's limit refuses", refused)
          assert.strictEqual((yield* Effect.promise(() => limited.json())).error.details.scope, "session")
        }),
      )

      it.effect("are seen and ended by holders of keys.manage, and by others only if they are their own", () =>
        Effect.gen(function* () {
          const { org, key } = yield* tenant
          const viewer = yield* (yield* ApiKeys).create(org, { name: "viewer", role: "viewer" })
          const admin = cookieOf(yield* signIn({ key }))
          const own = cookieOf(yield* signIn({ key: viewer.key }))
          const listOf = Effect.fnUntraced(function* (cookie: string) {
            const reply = yield* get("/api/v1/sessions", { cookie, ...CONSOLE })
            return (yield* Effect.promise(() => reply.json())).data as ReadonlyArray<{ id: string; name: string }>
          })
          assert.deepStrictEqual(
            (yield* listOf(own)).map(({ name }) => name),
            ["viewer"],
          )
          const all = yield* listOf(admin)
          assert.sameMembers(
            all.map(({ name }) => name),
            ["viewer", "desk"],
          )
          const idOf = (name: string) => all.find((each) => each.name === name)!.id
          const { send } = yield* Server
          const end = (id: string, cookie: string) =>
            send(`/api/v1/sessions/${id}`, { method: "DELETE", headers: { cookie, ...CONSOLE } })
          assert.strictEqual((yield* end(idOf("desk"), own)).status, 404)
          assert.strictEqual((yield* end(idOf("viewer"), admin)).status, 204)
          assert.strictEqual((yield* get("/api/v1/workspace", { cookie: own, ...CONSOLE })).status, 401)
        }),
      )

      it.effect("show the page to browsers only, which no other page may frame", () =>
        Effect.gen(function* () {
          const page = yield* get("/deals", { accept: "text/html,*/*;q=0.8" })
          assert.strictEqual(page.status, 200)
          assert.match(yield* Effect.promise(() => page.text()), /src="\/console\/main-1\.js"/)
          const policy = page.headers.get("content-security-policy")!
          assert.notMatch(policy, /unsafe/)
          assert.match(policy, /frame-ancestors 'none'/)
          assert.match(policy, /require-trusted-types-for 'script'/)
          assert.strictEqual(page.headers.get("x-frame-options"), "DENY")
          const json = yield* get("/", { accept: "*/*" })
          assert.strictEqual(json.status, 404)
          assert.match(yield* Effect.promise(() => json.text()), /openapi\.json lists the paths/)
          assert.strictEqual(
            (yield* get("/console/main-1.js", {})).headers.get("content-type"),
            "text/javascript; charset=utf-8",
          )
          assert.strictEqual((yield* get("/console/index.html", {})).status, 404)
        }),
      )
    })
  })
}
