import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CurrentRequest } from "../../src/core/http/CurrentRequest.ts"
import { ViewerLinks } from "../../src/core/library/viewer/ViewerLinks.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"
import { analyzed, CALL, send, upload, workspace } from "./workspace.ts"

for (const engine of engines) {
  const harness = Layer.unwrap(Effect.sync(() => layerWeb(engine.database)))
  describe(`the findings on a deal's page on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      /** The link to the deal that a request with this key makes. */
      const dealUrl = Effect.fnUntraced(function* (org: string, keyId: string) {
        const request = yield* CurrentRequest
        const links = yield* ViewerLinks
        return yield* Effect.provideService(links.dealUrl(org, "d1"), CurrentRequest, { ...request, keyId })
      })

      it.effect("link to their quotes, until the key of the page's link ends", () =>
        Effect.gen(function* () {
          const { org, key } = yield* workspace
          const web = yield* Web
          yield* upload("d1", "Second call.vtt", CALL, key)
          yield* analyzed("d1", key)
          const made = (yield* send("POST", "/keys", key, { name: "reader", role: "viewer" })).json
          const page = yield* web.request(yield* dealUrl(org, made.id), "")
          assert.include(page.text, "What its documents say")
          const found = [...page.text.matchAll(/<a href="([\w-]{40,64})">“(.*?)”<\/a>/g)]
          assert.isAtLeast(found.length, 7)
          const [, token, quote] = found.find(
            ([, , quote]) => quote === "The price is too high for what we would use.",
          )!
          const opened = yield* web.request(`/v/${token}`, "")
          assert.include(opened.text, `<mark id="cited">${quote}</mark>`)
          yield* send("DELETE", `/keys/${made.id}`, key)
          assert.strictEqual((yield* web.request(`/v/${token}`, "")).status, 410)
        }),
      )

      it.effect("have no links if the key of the page's link may not read documents, and escape markup", () =>
        Effect.gen(function* () {
          const { org, key } = yield* workspace
          const web = yield* Web
          yield* upload(
            "d1",
            "<i>call</i>.vtt",
            CALL.replaceAll("Dana Reyes (Hartwell)", "Dana &lt;b&gt; (Hartwell)"),
            key,
          )
          yield* analyzed("d1", key)
          const made = (yield* send("POST", "/keys", key, { name: "x", role: "viewer", permissions: ["deals.read"] }))
            .json
          const page = yield* web.request(yield* dealUrl(org, made.id), "")
          assert.include(page.text, "“The price is too high for what we would use.”")
          assert.notMatch(page.text, /<a href="[\w-]{40,64}"/)
          assert.include(page.text, "&lt;i&gt;call&lt;/i&gt;.vtt")
          assert.notInclude(page.text, "<i>")
          assert.notInclude(page.text, "<b>")
        }),
      )
    })
  })
}
