import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import { engines } from "../support/engines.ts"
import { UNLIMITED } from "../support/unlimited.ts"
import { CONSOLE, cookieOf, FILES, type Given, openServer, ORIGIN } from "./openIdServer.ts"
import { type Provider, startProvider } from "./provider.ts"

const verified = (email: string, more: object = {}) => ({ userInfo: { email, email_verified: true, ...more } })

let provider: Provider
beforeAll(async () => void (provider = await startProvider()))
afterAll(() => provider.stop())

for (const engine of engines) {
  describe(`signing in through an OpenID provider on ${engine.name}`, () => {
    const withServer =
      (rules: Given, use: (server: Awaited<ReturnType<typeof openServer>>) => Promise<void>) => async () => {
        const server = await openServer(engine.database, provider, rules)
        try {
          await use(server)
        } finally {
          await server.web.dispose()
        }
      }

    it(
      "a member who was added signs in, acts as that person, and is removed with everything",
      withServer({}, async ({ tenant, api, add, signIn, visit, enter, choices }) => {
        const { org, key } = await tenant("Acme")
        const member = await add(key, "Ada@Example.com", "member")
        assert.deepInclude(member, {
          email: "Ada@Example.com",
          name: null,
          role: "member",
          origin: "added",
          last_sign_in_at: null,
        })
        provider.person("ada-1", verified("ada@example.com", { name: "Ada Byron" }))
        const { cookie } = await visit()
        assert.deepStrictEqual(await choices(cookie), [{ id: org, name: "Acme" }])
        const entered = await enter(cookie, org)
        assert.strictEqual(entered.status, 204)
        assert.match(
          entered.headers.getSetCookie().join("\n"),
          /^sightline_session=sl_session_\w{49}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/m,
        )
        assert.match(entered.headers.getSetCookie().join("\n"), /^sightline_openid=; .*Path=\/console\/openid/m)
        const session = cookieOf(entered, "sightline_session")!

        const { json: sessions } = await api("/sessions", session)
        assert.deepInclude(sessions.data[0], { name: "Ada Byron", identity: member.id, role: "member", current: true })
        assert.deepStrictEqual((await api("/members", session)).json.data.length, 1)
        assert.strictEqual(
          (await api("/members", session, "POST", { email: "eve@example.com", role: "viewer" })).status,
          403,
        )
        const { json: usage } = await api("/usage", session)
        assert.deepStrictEqual(usage.keys, [])
        // The same person, whose address has changed.
        provider.person("ada-1", verified("ada@new.example", { name: "Ada Lovelace" }))
        assert.strictEqual((await signIn(org)).page, "/sign-in?openid")
        const { json: listed } = await api("/members", key)
        assert.deepInclude(listed.data[0], { email: "Ada@Example.com", name: "Ada Lovelace" })
        assert.isNotNull(listed.data[0].last_sign_in_at)
        const { json: audit } = await api("/audit", key)
        assert.deepStrictEqual(
          audit.data.slice(0, 4).map(({ action, actor }: any) => [action, actor.person]),
          [
            ["session.started", member.id],
            ["session.started", member.id],
            ["member.joined", member.id],
            ["member.added", undefined],
          ],
        )
        // A role counts at once, in open sessions too.
        await add(key, "ada@example.com", "viewer")
        assert.strictEqual((await api("/sessions", session)).json.data[0].role, "viewer")
        assert.strictEqual((await api(`/members/${member.id}`, key, "DELETE")).status, 204)
        assert.strictEqual((await api("/workspace", session)).status, 401)
        assert.strictEqual((await signIn(org)).page, "/sign-in?refused=not_a_member")
      }),
    )

    it(
      "nobody else becomes that member: not by an unverified address, nor with another subject, nor from a stale page",
      withServer({}, async ({ tenant, add, signIn, visit, enter, api }) => {
        const { org, key } = await tenant("Acme")
        const member = await add(key, "ada@example.com", "admin")
        const REFUSED = "/sign-in?refused=not_a_member"
        for (const said of [
          { userInfo: { email: "ada@example.com", email_verified: false } },
          { userInfo: { email: "ada@example.com" } },
          { userInfo: {} },
          verified("eve@example.com"),
          verified("ada@example.com\0"),
          verified(`${"a".repeat(300)}@example.com`),
          // The ID token counts more than the userinfo.
          { ...verified("ada@example.com"), idToken: { email_verified: false, email: "ada@example.com" } },
        ]) {
          provider.person("eve", said)
          assert.strictEqual((await signIn(org)).page, REFUSED, JSON.stringify(said))
        }
        provider.person("ada", verified("ada@example.com"))
        const { cookie } = await visit()
        assert.strictEqual((await signIn(org)).page, "/sign-in?openid")
        // A name is what the provider says, without what no line has.
        provider.person("ada", verified("ada@example.com", { name: `Ada\0\n${"x".repeat(5_000)}` }))
        assert.strictEqual((await signIn(org)).page, "/sign-in?openid")
        const [{ name }] = (await api("/members", key)).json.data
        assert.match(name, /^Ada x{196}$/)
        provider.person("eve", verified("ada@example.com"))
        assert.strictEqual((await signIn(org)).page, REFUSED)
        // The page that was open before the removal.
        await api(`/members/${member.id}`, key, "DELETE")
        assert.strictEqual((await enter(cookie, org)).status, 401)
      }),
    )

    it(
      "an address counts as verified without a word of the provider only if the operator says so",
      withServer({ trustEmail: true }, async ({ tenant, add, signIn }) => {
        const { org, key } = await tenant("Acme")
        await add(key, "ada@example.com", "admin")
        provider.person("eve", { idToken: { email: "ada@example.com", email_verified: false } })
        assert.strictEqual((await signIn(org)).page, "/sign-in?refused=not_a_member")
        provider.person("ada", { idToken: { email: "ada@example.com" } })
        assert.strictEqual((await signIn(org)).page, "/sign-in?openid")
      }),
    )

    it(
      "rules give roles by a claim, anew at each sign-in, and end the membership of a person without one",
      withServer(
        {
          organization: "org_rules",
          roleClaim: "realm.roles",
          roles: [
            { value: "sales", role: "member" },
            { value: "sales-admins", role: "admin" },
          ],
        },
        async ({ web, api, add, signIn }) => {
          await web.run(
            Effect.flatMap(Organizations, (all) => all.create({ id: "org_rules", name: "Acme", plan: UNLIMITED })),
          )
          const { key } = await web.run(
            Effect.flatMap(ApiKeys, (keys) => keys.create("org_rules", { name: "owner", role: "owner" })),
          )
          const says = (person: string, ...roles: ReadonlyArray<string>) =>
            provider.person(person, verified(`${person}@example.com`, { realm: { roles } }))
          const role = async (session: string) => (await api("/sessions", session)).json.data?.[0].role

          says("ada", "sales", "something else")
          const { session } = await signIn("org_rules")
          assert.strictEqual(await role(session), "member")
          const listed = (await api("/members", key)).json.data
          assert.deepInclude(listed[0], { email: "ada@example.com", role: "member", origin: "provider" })
          assert.strictEqual(
            (await api("/members", key, "POST", { email: "ada@example.com", role: "owner" })).status,
            409,
          )

          says("ada", "sales", "sales-admins")
          await signIn("org_rules")
          assert.strictEqual(await role(session), "admin")
          says("ada", "support")
          assert.strictEqual((await signIn("org_rules")).page, "/sign-in?refused=not_a_member")
          assert.strictEqual((await api("/workspace", session)).status, 401)
          assert.deepStrictEqual((await api("/members", key)).json.data, [])

          // An administrator's word counts more than a rule.
          await add(key, "bob@example.com", "viewer")
          says("bob", "sales-admins")
          const bob = await signIn("org_rules")
          assert.strictEqual(await role(bob.session), "viewer")
          says("bob")
          assert.strictEqual((await signIn("org_rules")).page, "/sign-in?openid")
        },
      ),
    )

    it(
      "only the addresses of certain domains are admitted",
      withServer({ domains: ["example.com"] }, async ({ tenant, add, signIn }) => {
        const { org, key } = await tenant("Acme")
        for (const email of ["ada@example.com", "bob@other.example"]) await add(key, email, "viewer")
        const pages: Array<string | null> = []
        for (const said of [
          verified("ada@EXAMPLE.com"),
          verified("bob@other.example"),
          verified("bob@example.com.evil.test"),
          { userInfo: { email: "ada@example.com", email_verified: "false" } },
        ]) {
          provider.person(JSON.stringify(said), said)
          pages.push((await signIn(org)).page)
        }
        assert.deepStrictEqual(pages, [
          "/sign-in?openid",
          "/sign-in?refused=domain",
          "/sign-in?refused=domain",
          "/sign-in?refused=no_email",
        ])
      }),
    )

    it(
      "replies that are not genuine sign nobody in",
      withServer({}, async ({ tenant, add, goThere, comeBack, visit, send, enter, choices }) => {
        const { org, key } = await tenant("Acme")
        await add(key, "ada@example.com", "admin")
        const ada = verified("ada@example.com")
        const hourAgo = Math.floor(Date.now() / 1000) - 3600
        for (const [what, said] of [
          ["another nonce", { idToken: { nonce: "x" } }],
          ["no nonce", { idToken: { nonce: undefined } }],
          ["another audience", { idToken: { aud: "another" } }],
          ["another issuer", { idToken: { iss: "https://evil.example" } }],
          ["an old token", { idToken: { iat: hourAgo, exp: hourAgo + 60 } }],
          ["a foreign signature", { isForged: true }],
          ["another person in the userinfo", { userInfo: { ...ada.userInfo, sub: "bob" } }],
          ["an error", { error: "server_error" }],
        ] as const) {
          provider.person("ada", { ...ada, ...said })
          assert.strictEqual((await visit()).page, "/sign-in?refused=failed", what)
        }
        provider.person("a\0", ada)
        assert.strictEqual((await visit()).page, "/sign-in?refused=failed")
        provider.person("ada", { ...ada, error: "access_denied" })
        assert.strictEqual((await visit()).page, "/sign-in?refused=cancelled")

        provider.person("ada", ada)
        const [mine, theirs] = [await goThere(), await goThere()]
        // Somebody else's reply in my browser, with my cookie and without one.
        assert.strictEqual((await comeBack(theirs.back, mine.cookie)).page, "/sign-in?refused=failed")
        assert.strictEqual((await comeBack(theirs.back, undefined)).page, "/sign-in?refused=expired")
        for (const [name, value] of [
          ["state", "x"],
          ["iss", "https://evil.example"],
        ] as const) {
          const changed = new URL(mine.back)
          changed.searchParams.set(name, value)
          assert.strictEqual((await comeBack(changed.href, mine.cookie)).page, "/sign-in?refused=failed", name)
        }
        const used = provider.codesUsed()
        const returned = await comeBack(mine.back, mine.cookie)
        assert.strictEqual(returned.page, "/sign-in?openid")
        assert.strictEqual(provider.codesUsed(), used + 1)
        // The provider takes a code once.
        assert.strictEqual((await comeBack(mine.back, mine.cookie)).page, "/sign-in?refused=failed")
        // The cookie of one stage opens no other.
        assert.deepStrictEqual(await choices(mine.cookie), [])
        assert.strictEqual((await comeBack(theirs.back, returned.cookie)).page, "/sign-in?refused=expired")

        // Another site can neither list nor enter, nor choose an organization that is not mine.
        const { org: other } = await tenant("Other")
        assert.strictEqual((await enter(returned.cookie, org, {})).status, 403)
        assert.strictEqual(
          (await enter(returned.cookie, org, { ...CONSOLE, "sec-fetch-site": "cross-site" })).status,
          403,
        )
        assert.strictEqual((await send("/console/openid/choice", { cookie: returned.cookie })).status, 403)
        assert.strictEqual((await enter(returned.cookie, other)).status, 401)
        assert.strictEqual((await enter("sightline_openid=x", org)).status, 401)
        assert.strictEqual((await enter(returned.cookie, org)).status, 204)
      }),
    )

    it(
      "a person of several organizations chooses one, and the session before ends",
      withServer({}, async ({ tenant, add, visit, choices, enter, api, send }) => {
        const [one, two] = [await tenant("One"), await tenant("Two")]
        for (const { key } of [one, two]) await add(key, "ada@example.com", "viewer")
        provider.person("ada", verified("ada@example.com"))
        const first = await visit()
        assert.deepStrictEqual(
          (await choices(first.cookie)).map(({ name }) => name),
          ["One", "Two"],
        )
        const inTwo = cookieOf(await enter(first.cookie, two.org), "sightline_session")!
        assert.deepInclude((await api("/workspace", inTwo)).json.settings, { name: "Two" })
        const second = await visit()
        // The one entered last comes first.
        assert.deepStrictEqual(
          (await choices(second.cookie)).map(({ name }) => name),
          ["Two", "One"],
        )
        const inOne = cookieOf(await enter(`${second.cookie}; ${inTwo}`, one.org), "sightline_session")!
        assert.deepInclude((await api("/workspace", inOne)).json.settings, { name: "One" })
        assert.strictEqual((await api("/workspace", inTwo)).status, 401)
        const out = await send("/console/session", { cookie: inOne, ...CONSOLE }, { method: "DELETE" })
        assert.strictEqual(out.status, 204)
        assert.strictEqual((await api("/workspace", inOne)).status, 401)
      }),
    )

    it(
      "to connect an assistant leads through the console's page",
      withServer({}, async ({ send }) => {
        const reply = await send("/oauth/authorize?client_id=x&response_type=code")
        assert.strictEqual(reply.status, 302)
        assert.match(reply.headers.get("location")!, /^\/sign-in\?to=oauth%2Fauthorize%3Frequest%3D[\w-]+$/)
      }),
    )

    it("without a provider there is nothing of it", async () => {
      const web = await Sightline.open({ database: engine.database, background: false, console: async () => FILES })
      for (const path of ["/console/openid", "/console/openid/callback", "/console/openid/choice"])
        assert.strictEqual((await web.handler(new Request(ORIGIN + path))).status, 404, path)
      const page = await web.handler(new Request(ORIGIN, { headers: { accept: "text/html" } }))
      assert.include(await page.text(), '<meta content="">')
      await web.dispose()
    })
  })
}
