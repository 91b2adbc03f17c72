import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { Import } from "../../src/core/import/Import.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"
import { deals, records } from "./dealQuestions.ts"

interface Citation {
  readonly document_id: string
  readonly document_name: string
  readonly deal_id: string | null
  readonly url: string
  readonly excerpt: string
}

for (const engine of engines) {
  describe(`the numbers of an answer, on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      const setUp = Effect.gen(function* () {
        const web = yield* Web
        const { org } = yield* web.tenant()
        const key = yield* (yield* ApiKeys).create(org, { name: "reader", role: "viewer" })
        const report = yield* (yield* Import).records(org, Stream.fromIterable(records()))
        assert.strictEqual(report.failed, 0, JSON.stringify(report.errors[0]))
        const ask = Effect.fnUntraced(function* (...said: ReadonlyArray<string>) {
          const messages = said.map((content, n) => ({ role: n % 2 === 0 ? "user" : "assistant", content }))
          const reply = yield* web.request("/api/v1/responses", key.key, {
            method: "POST",
            body: JSON.stringify({ messages }),
            headers: { "content-type": "application/json" },
          })
          assert.strictEqual(reply.status, 200, reply.text)
          return reply.json.message as { readonly content: string; readonly citations: ReadonlyArray<Citation> }
        })
        return { org, key, ask, web }
      })
      const lostTo = (name: string) =>
        deals.filter(({ outcome, competitors }) => outcome === "lost" && competitors.includes(name)).length

      it.effect("each row of a table cites a page that computes it again and lists its deals", () =>
        Effect.gen(function* () {
          const { ask, web } = yield* setUp
          const { content, citations } = yield* ask("Which competitor do we lose to most?")
          const names = ["Brixen Suite", "Tallowmark", "Orvanta", "Calyptus One"].toSorted(
            (a, b) => lostTo(b) - lostTo(a),
          )
          assert.match(content, new RegExp(`^\\*\\*${names[0]}\\*\\*.* the most lost deals: ${lostTo(names[0]!)}\\.`))
          assert.lengthOf(citations, names.length + 1)
          for (const { document_id, document_name, deal_id, url, excerpt } of citations) {
            assert.match(document_id, /^rpt_[\w-]+$/)
            assert.strictEqual(document_name, "Report: lost deals by competitor")
            assert.isNull(deal_id)
            assert.include(content, `](${url})`)
            const page = yield* web.request(url, "")
            assert.strictEqual(page.status, 200)
            assert.include(page.text, `<mark>${excerpt}</mark>`)
          }
          const row = citations.find(({ excerpt }) => excerpt.startsWith("Orvanta: "))!
          assert.include(row.excerpt, `lost deals ${lostTo("Orvanta")}, `)
          assert.include((yield* web.request(row.url, "")).text, `<p>${lostTo("Orvanta")} deals, `)
        }),
      )

      it.effect("a link opens only with its signature, and ends with the key that asked", () =>
        Effect.gen(function* () {
          const { ask, web, org, key } = yield* setUp
          const { citations } = yield* ask("What is our win rate?")
          const { url } = citations[0]!
          assert.strictEqual((yield* web.request(url, "")).status, 200)
          const at = url.length - 30
          const forged = url.slice(0, at) + (url[at] === "A" ? "B" : "A") + url.slice(at + 1)
          assert.strictEqual((yield* web.request(forged, "")).status, 404)
          yield* (yield* ApiKeys).revoke(org, key.id)
          assert.strictEqual((yield* web.request(url, "")).status, 410)
        }),
      )

      it.effect("follow-ups, other languages, greetings and refusals work over HTTP", () =>
        Effect.gen(function* () {
          const { ask } = yield* setUp
          const first = "How many deals did we lose to Orvanta?"
          const count = lostTo("Orvanta")
          assert.match((yield* ask(first)).content, new RegExp(`^\\*\\*${count} lost deals\\*\\*`))
          const inEmea = deals.filter(
            ({ outcome, competitors, region }) =>
              outcome === "lost" && competitors.includes("Orvanta") && region === "EMEA",
          ).length
          assert.match(
            (yield* ask(first, "…", "and in EMEA?")).content,
            new RegExp(`^\\*\\*${inEmea} lost deals\\*\\*`),
          )
          assert.match(
            (yield* ask("Wie viele Deals haben wir gegen Orvanta verloren?")).content,
            new RegExp(`^\\*\\*${count} lost deals\\*\\*`),
          )
          const { content, citations } = yield* ask("hi")
          assert.match(content, /^Hello\. This workspace holds 240 deals.*\n\nYou can ask:\n(?:- .+\n){3}$/s)
          assert.deepStrictEqual(citations, [])
          for (const [, question = ""] of content.matchAll(/^- (.+)$/gm))
            assert.match((yield* ask(question)).content, /^\*\*|\*\*\d/, question)
          const refused = yield* ask("What is our win rate in Atlantis?")
          assert.match(
            refused.content,
            /no region or industry “Atlantis”; there are the regions EMEA, North America, UK and Ireland;/,
          )
          assert.deepStrictEqual(refused.citations, [])
        }),
      )
    })
  })
}
