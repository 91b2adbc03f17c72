import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { engines } from "../support/engines.ts"
import {
  agree,
  askForConsent,
  authorizePath,
  CALLBACK,
  Door,
  hidden,
  layerDoor,
  makeProof,
  openBrowser,
  registerClient,
} from "./signIn.ts"

for (const engine of engines) {
  describe(`the pages of signing in to /mcp on ${engine.name}`, () => {
    layer(layerDoor(engine.database), { excludeTestServices: true })((it) => {
      it.effect("an unknown client, or an address that it has not registered, gets a page and no redirect", () =>
        Effect.gen(function* () {
          const { url, mine } = yield* Door
          const key = yield* mine.key("viewer")
          const browser = openBrowser(url)
          const client = yield* registerClient(browser, [CALLBACK, "http://127.0.0.1/callback"])
          const { challenge } = makeProof()
          const at = (redirectUri: string, of = client) =>
            askForConsent(browser, authorizePath(url, { client: of, challenge, redirectUri }), key)
          for (const bad of [
            "https://assistant.example/callback/",
            "https://assistant.example.evil.example/callback",
            "http://127.0.0.1:9999/other",
            "javascript:alert(1)",
          ]) {
            const page = yield* at(bad)
            assert.deepStrictEqual([page.status, page.location], [400, undefined], bad)
          }
          assert.strictEqual((yield* at(CALLBACK, "client_unknown")).status, 400)
          // A program on this machine gets another port at each start.
          const page = yield* at("http://127.0.0.1:49152/callback")
          assert.strictEqual(page.status, 200)
          assert.include(page.text, "a program on this machine (127.0.0.1)")
        }),
      )

      it.effect("what is wrong with a request goes back to the client's own address", () =>
        Effect.gen(function* () {
          const { url, mine } = yield* Door
          const browser = openBrowser(url)
          const client = yield* registerClient(browser)
          const { challenge } = makeProof()
          const errorOf = Effect.fnUntraced(function* (more: Record<string, string>) {
            const reply = yield* askForConsent(browser, authorizePath(url, { client, challenge, more }), key)
            const { searchParams } = reply.location!
            assert.deepStrictEqual([searchParams.get("state"), searchParams.get("iss")], ["s1", url])
            assert.include(searchParams.get("error_description"), Object.keys(more)[0]!)
            return searchParams.get("error")
          })
          const key = yield* mine.key("viewer")
          assert.strictEqual(yield* errorOf({ response_type: "token" }), "unsupported_response_type")
          assert.strictEqual(yield* errorOf({ code_challenge_method: "plain" }), "invalid_request")
          assert.strictEqual(yield* errorOf({ code_challenge: "short" }), "invalid_request")
          assert.strictEqual(yield* errorOf({ resource: "https://other.example/mcp" }), "invalid_target")
          assert.strictEqual(yield* errorOf({ scope: "import.write" }), "invalid_scope")
        }),
      )

      it.effect("a client describes itself at its own address, which is fetched as often as its server says", () =>
        Effect.gen(function* () {
          const { url, mine, documents, fetches } = yield* Door
          const key = yield* mine.key("viewer")
          const { challenge } = makeProof()
          const page = (client: string) => {
            const browser = openBrowser(url)
            return askForConsent(browser, authorizePath(url, { client, challenge }), key)
          }
          const describeAt = (at: string, content: object, cacheControl = "max-age=600") =>
            documents.set(at, { text: JSON.stringify(content), cacheControl })
          const good = "https://assistant.example/client.json"
          describeAt(good, { client_id: good, client_name: "Reader", redirect_uris: [CALLBACK] })
          const shown = yield* page(good)
          assert.include(shown.text, "calls itself “Reader”")
          assert.include(shown.text, "<dd>assistant.example</dd>")
          yield* page(good)
          assert.strictEqual(fetches.get(good), 1)

          const stale = "https://assistant.example/stale.json"
          describeAt(stale, { client_id: stale, redirect_uris: [CALLBACK] }, "no-store")
          yield* page(stale)
          yield* page(stale)
          assert.strictEqual(fetches.get(stale), 2)

          const impostor = "https://evil.example/client.json"
          describeAt(impostor, { client_id: good, client_name: "Reader", redirect_uris: [CALLBACK] })
          const refused = yield* page(impostor)
          assert.deepStrictEqual([refused.status, /of another application/.test(refused.text)], [400, true])

          for (const hostile of [
            "https://127.0.0.1/client.json",
            "https://10.0.0.1/client.json",
            "https://169.254.169.254/latest/meta-data",
            "https://[::1]/client.json",
          ])
            assert.strictEqual((yield* page(hostile)).status, 400, hostile)
          for (const odd of ["http://assistant.example/client.json", "https://assistant.example", `${good}#x`])
            assert.match((yield* page(odd)).text, /has not registered/, odd)
        }),
      )

      it.effect("a client that takes our name is shown by its address", () =>
        Effect.gen(function* () {
          const { url, mine } = yield* Door
          const browser = openBrowser(url)
          const client = yield* registerClient(browser, [CALLBACK], "S\u0456ghtl1ne Support")
          const page = yield* askForConsent(
            browser,
            authorizePath(url, { client, challenge: makeProof().challenge }),
            yield* mine.key("viewer"),
          )
          assert.include(page.text, "calls itself “assistant.example”")
          assert.notInclude(page.text, "Support")
        }),
      )

      it.effect("the consent page runs no script, is in no frame, and shows a hostile name as text", () =>
        Effect.gen(function* () {
          const { url, mine } = yield* Door
          const browser = openBrowser(url)
          const client = yield* registerClient(browser, [CALLBACK], "<script>alert(1)</script>")
          const page = yield* askForConsent(
            browser,
            authorizePath(url, { client, challenge: makeProof().challenge }),
            yield* mine.key("viewer"),
          )
          const policy = page.headers.get("content-security-policy")!
          assert.match(policy, /^default-src 'none'; style-src 'sha256-/)
          assert.match(policy, /form-action 'self' https:\/\/assistant\.example; frame-ancestors 'none'$/)
          assert.strictEqual(page.headers.get("x-frame-options"), "DENY")
          assert.strictEqual(page.headers.get("cache-control"), "no-store")
          assert.notInclude(page.text, "<script")
        }),
      )

      it.effect("another site can neither send the decision nor make a page's form last", () =>
        Effect.gen(function* () {
          const { url, mine, other } = yield* Door
          const browser = openBrowser(url)
          const client = yield* registerClient(browser)
          const path = authorizePath(url, { client, challenge: makeProof().challenge })
          const page = yield* askForConsent(browser, path, yield* mine.key("viewer"))
          const fields = { consent: hidden(page.text, "consent"), as: hidden(page.text, "as"), decision: "allow" }
          const send = (changed: object, headers: Record<string, string> = {}) =>
            Effect.promise(() => browser.form("/oauth/authorize", { ...fields, ...changed }, headers))
          for (const site of ["cross-site", "same-site", "none"])
            assert.strictEqual((yield* send({}, { "sec-fetch-site": site })).status, 403, site)
          // The form of a page that another person saw.
          const stranger = openBrowser(url)
          const theirs = yield* askForConsent(stranger, path, yield* other.key("viewer"))
          const consent = hidden(theirs.text, "consent")
          assert.strictEqual((yield* send({ consent })).status, 403)
          assert.strictEqual((yield* send({ as: hidden(theirs.text, "as") })).status, 403)
          // A request is no consent.
          const request = hidden((yield* Effect.promise(() => openBrowser(url).get(path))).text, "request")
          assert.notStrictEqual(request, "")
          assert.strictEqual((yield* send({ consent: request })).status, 400)
          assert.strictEqual((yield* send({ consent: `${fields.consent.slice(0, -2)}AA` })).status, 400)
          assert.strictEqual((yield* send({})).status, 303)
          // Afterwards the sign-in is over.
          assert.strictEqual((yield* send({})).status, 403)
        }),
      )

      it.effect("a person declines, and the client learns only that", () =>
        Effect.gen(function* () {
          const { url, mine } = yield* Door
          const browser = openBrowser(url)
          const client = yield* registerClient(browser)
          const path = authorizePath(url, { client, challenge: makeProof().challenge })
          const page = yield* askForConsent(browser, path, yield* mine.key("viewer"))
          const { location } = yield* Effect.promise(() =>
            browser.form("/oauth/authorize", {
              consent: hidden(page.text, "consent"),
              as: hidden(page.text, "as"),
              decision: "deny",
            }),
          )
          assert.deepStrictEqual(Object.fromEntries(location!.searchParams), {
            error: "access_denied",
            state: "s1",
            iss: url,
          })
        }),
      )

      it.effect("a wrong key is refused on the page, and no cookie is set", () =>
        Effect.gen(function* () {
          const { url } = yield* Door
          const browser = openBrowser(url)
          const path = authorizePath(url, { client: yield* registerClient(browser), challenge: makeProof().challenge })
          for (const key of ["sl_live_wrong", "sl_session_x", "", "unknown-older-key"]) {
            const page = yield* askForConsent(browser, path, key)
            assert.deepStrictEqual([page.status, browser.cookies.size], [401, 0], key)
          }
        }),
      )

      it.effect("a visitor from another site gets the page once more from ours, so that strict cookies arrive", () =>
        Effect.gen(function* () {
          const { url, mine } = yield* Door
          const browser = openBrowser(url)
          const path = authorizePath(url, { client: yield* registerClient(browser), challenge: makeProof().challenge })
          const from = yield* Effect.promise(() => browser.get(path, { "sec-fetch-site": "cross-site" }))
          const next = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(from.text)?.[1]
          yield* Effect.promise(() => browser.json("/console/session", { key: "x" }, { "x-sightline-console": "1" }))
          const key = yield* mine.key("viewer")
          yield* Effect.promise(() => browser.json("/console/session", { key }, { "x-sightline-console": "1" }))
          const page = yield* Effect.promise(() => browser.get(next!, { "sec-fetch-site": "same-origin" }))
          // The session of the console says who is there.
          assert.include(page.text, "Organization")
          assert.strictEqual((yield* agree(browser, page)).status, 303)
        }),
      )

      it.effect("registration is bounded: strange addresses are refused, and so is a flood", () =>
        Effect.gen(function* () {
          const { url } = yield* Door
          const browser = openBrowser(url)
          const register = (body: unknown) => Effect.promise(() => browser.json("/oauth/register", body))
          for (const uri of [
            "http://assistant.example/cb",
            "javascript:alert(1)",
            "data:text/html,x",
            "https://a:b@assistant.example/",
            "https://assistant.example/#x",
          ])
            assert.strictEqual((yield* register({ redirect_uris: [uri] })).json.error, "invalid_redirect_uri", uri)
          assert.strictEqual((yield* register("x")).json.error, "invalid_client_metadata")
          assert.strictEqual((yield* register({ redirect_uris: [] })).json.error, "invalid_redirect_uri")
          const flood = yield* Effect.forEach(Array.from({ length: 120 }), () =>
            register({ redirect_uris: [CALLBACK] }),
          )
          assert.strictEqual(flood.at(-1)!.status, 429)
          assert.strictEqual(flood.at(-1)!.headers.get("retry-after"), "3600")
        }),
      )
    })
  })
}
