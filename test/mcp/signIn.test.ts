import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { engines } from "../support/engines.ts"
import { UNLIMITED } from "../support/unlimited.ts"
import { untilEffect } from "../support/until.ts"
import { ask, CALLBACK, connect, Door, inside, layerDoor, makeProof, openBrowser } from "./signIn.ts"

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** The audit log of a workspace, newest first. */
const acts = Effect.fnUntraced(function* (key: string) {
  const { url } = yield* Door
  const { json } = yield* Effect.promise(() => openBrowser(url).get("/api/v1/audit", bearer(key)))
  return json.data as ReadonlyArray<any>
})

const reasonOfEnd = Effect.fnUntraced(function* (key: string) {
  const found = (yield* acts(key)).find(({ action }) => action === "grant.revoked")
  return found?.details.reason as string | undefined
})

for (const engine of engines) {
  describe(`signing in to /mcp on ${engine.name}`, () => {
    layer(layerDoor(engine.database), { excludeTestServices: true })((it) => {
      it.effect("a client finds the way from the 401 to a token, and the token opens the tools", () =>
        Effect.gen(function* () {
          const { url, mine } = yield* Door
          const browser = openBrowser(url)
          const closed = yield* ask(undefined)
          assert.strictEqual(closed.status, 401)
          const challenge = closed.headers.get("www-authenticate")!
          assert.match(challenge, /^Bearer resource_metadata="[^"]+", scope="workspace:read"$/)
          const about = yield* Effect.promise(() => browser.get(/resource_metadata="([^"]+)"/.exec(challenge)![1]!))
          assert.strictEqual(about.json.resource, `${url}/mcp`)
          assert.deepStrictEqual(about.json.authorization_servers, [url])
          const server = yield* Effect.promise(() => browser.get("/.well-known/oauth-authorization-server"))
          assert.strictEqual(server.json.issuer, url)
          assert.deepStrictEqual(server.json.code_challenge_methods_supported, ["S256"])

          const { page, decided, exchange } = yield* connect(yield* mine.key("member"))
          assert.include(page.text, "An application that calls itself “Assistant” asks")
          assert.include(page.text, "<strong>assistant.example</strong>")
          const { searchParams, origin, pathname } = decided.location!
          assert.strictEqual(origin + pathname, CALLBACK)
          assert.deepStrictEqual([searchParams.get("state"), searchParams.get("iss")], ["s1", url])
          const { status, json, headers } = yield* exchange()
          assert.strictEqual(status, 200)
          assert.strictEqual(headers.get("cache-control"), "no-store")
          assert.match(json.access_token, /^sl_oat_\w{49}$/)
          assert.deepStrictEqual([json.token_type, json.expires_in, json.scope], ["Bearer", 3600, "workspace:read"])
          const { json: listed, headers: limits } = yield* ask(json.access_token)
          assert.isAbove(listed.result.tools.length, 10)
          assert.isNotNull(limits.get("x-ratelimit-limit"))
        }),
      )

      it.effect("a code works once: the second use ends what the first one got", () =>
        Effect.gen(function* () {
          const { mine } = yield* Door
          const key = yield* mine.key("admin")
          const { exchange } = yield* connect(key)
          const { json } = yield* exchange()
          const again = yield* exchange()
          assert.deepStrictEqual([again.status, again.json.error], [400, "invalid_grant"])
          assert.strictEqual((yield* ask(json.access_token)).status, 401)
          assert.strictEqual(yield* reasonOfEnd(key), "code_used_again")
        }),
      )

      it.effect.each([
        ["the code of another client", { client_id: "client_other" }, "invalid_grant"],
        ["a wrong verifier", { code_verifier: makeProof().verifier }, "invalid_grant"],
        ["another redirect address", { redirect_uri: "https://assistant.example/other" }, "invalid_grant"],
        ["another resource", { resource: "https://other.example/mcp" }, "invalid_target"],
      ] as const)("%s is refused and ends the grant", ([, changed, error]) =>
        Effect.gen(function* () {
          const { mine } = yield* Door
          const key = yield* mine.key("admin")
          const { exchange } = yield* connect(key)
          const { json } = yield* exchange(changed)
          assert.strictEqual(json.error, error)
          const names = error === "invalid_target" ? "resource" : "client_id, redirect_uri or code_verifier"
          assert.include(json.error_description, names)
          assert.strictEqual((yield* exchange()).json.error, "invalid_grant")
          assert.strictEqual(yield* reasonOfEnd(key), "wrong_proof")
        }),
      )

      it.effect("a refresh token works once: the second use ends the whole family", () =>
        Effect.gen(function* () {
          const { mine } = yield* Door
          const key = yield* mine.key("admin")
          const { exchange, refresh } = yield* connect(key)
          const first = (yield* exchange()).json
          assert.strictEqual((yield* refresh(first.refresh_token, { client_id: "client_other" })).status, 400)
          assert.strictEqual((yield* refresh(first.refresh_token, { resource: "https://x.example" })).status, 400)
          const second = (yield* refresh(first.refresh_token)).json
          assert.strictEqual((yield* ask(second.access_token)).status, 200)
          assert.strictEqual((yield* refresh(first.refresh_token)).json.error, "invalid_grant")
          assert.strictEqual((yield* refresh(second.refresh_token)).json.error, "invalid_grant")
          assert.strictEqual((yield* ask(second.access_token)).status, 401)
          assert.strictEqual(yield* reasonOfEnd(key), "token_used_again")
        }),
      )

      it.effect("of many that present one code at once, at most one gets a token, and it ends", () =>
        Effect.gen(function* () {
          const { mine } = yield* Door
          const { exchange } = yield* connect(yield* mine.key("viewer"))
          const replies = yield* Effect.all(
            Array.from({ length: 8 }, () => exchange()),
            { concurrency: "unbounded" },
          )
          const issued = replies.filter(({ status }) => status === 200)
          assert.isAtMost(issued.length, 1)
          for (const { json } of issued) assert.strictEqual((yield* ask(json.access_token)).status, 401)
        }),
      )

      it.effect(
        "the token opens /mcp and nothing else, and neither its code nor its refresh token opens anything",
        () =>
          Effect.gen(function* () {
            const { url, mine } = yield* Door
            const { exchange, code } = yield* connect(yield* mine.key("owner"))
            const { json } = yield* exchange()
            const browser = openBrowser(url)
            for (const path of ["/api/v1/deals", "/api/v1/grants", "/api/v1/keys"]) {
              const reply = yield* Effect.promise(() => browser.get(path, bearer(json.access_token)))
              assert.deepStrictEqual([reply.status, reply.json.error.details.reason], [401, "token_elsewhere"])
            }
            for (const token of [json.refresh_token, code]) assert.strictEqual((yield* ask(token)).status, 401)
            const signedIn = yield* Effect.promise(() =>
              browser.json("/console/session", { key: json.access_token }, { "x-sightline-console": "1" }),
            )
            assert.strictEqual(signedIn.status, 401)
          }),
      )

      it.effect("an application revokes its token, and another cannot", () =>
        Effect.gen(function* () {
          const { mine } = yield* Door
          const { exchange, browser, client } = yield* connect(yield* mine.key("viewer"))
          const { json } = yield* exchange()
          const revoke = (client_id: string) =>
            Effect.promise(() => browser.form("/oauth/revoke", { token: json.refresh_token, client_id }))
          assert.strictEqual((yield* revoke("client_other")).status, 200)
          assert.strictEqual((yield* ask(json.access_token)).status, 200)
          assert.strictEqual((yield* revoke(client)).status, 200)
          assert.strictEqual((yield* ask(json.access_token)).status, 401)
        }),
      )

      it.effect("a grant ends with the key, with its secret, and with its organization", () =>
        Effect.gen(function* () {
          const { mine } = yield* Door
          const create = (org: string, name: string) =>
            inside(ApiKeys.use((keys) => keys.create(org, { name, role: "viewer" })))
          const grantOf = Effect.fnUntraced(function* (key: string) {
            const { exchange, refresh } = yield* connect(key)
            const { json } = yield* exchange()
            assert.strictEqual((yield* ask(json.access_token)).status, 200)
            return {
              ends: Effect.gen(function* () {
                yield* untilEffect(
                  "the token stops",
                  Effect.map(ask(json.access_token), ({ status }) => status === 401 || undefined),
                )
                assert.strictEqual((yield* refresh(json.refresh_token)).json.error, "invalid_grant")
              }),
            }
          })
          const revoked = yield* create(mine.org, "revoked")
          const rotated = yield* create(mine.org, "rotated")
          const gone = yield* inside(
            Organizations.use((organizations) => organizations.create({ name: "Gone", plan: UNLIMITED })),
          )
          const erased = yield* create(gone.id, "erased")
          const [one, two, three] = [
            yield* grantOf(revoked.key),
            yield* grantOf(rotated.key),
            yield* grantOf(erased.key),
          ]
          yield* inside(ApiKeys.use((keys) => keys.revoke(mine.org, revoked.id)))
          yield* one.ends
          yield* inside(ApiKeys.use((keys) => keys.rotate(mine.org, rotated.id, 0)))
          yield* two.ends
          yield* inside(Organizations.use((organizations) => organizations.erase(gone.id)))
          yield* three.ends
        }),
      )

      it.effect("a narrow token gets a 403 that names the scope to ask for", () =>
        Effect.gen(function* () {
          const { mine } = yield* Door
          const { exchange } = yield* connect(yield* mine.key("member"), { more: { scope: "documents:read profile" } })
          const { json } = yield* exchange()
          assert.strictEqual(json.scope, "documents:read")
          const { json: listed } = yield* ask(json.access_token)
          const names = listed.result.tools.map(({ name }: any) => name)
          assert.include(names, "search_knowledge_base")
          assert.notInclude(names, "search_deals")
          const refused = yield* ask(json.access_token, "tools/call", { name: "search_deals", arguments: {} })
          assert.strictEqual(refused.status, 403)
          assert.match(
            refused.headers.get("www-authenticate")!,
            /^Bearer error="insufficient_scope", resource_metadata="[^"]+", scope="workspace:read"$/,
          )
        }),
      )
    })
  })
}
