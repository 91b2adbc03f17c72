import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { ViewerLinks } from "../../src/core/library/viewer/ViewerLinks.ts"
import { DealRecords } from "../../src/core/search/DealRecords.ts"
import { Import } from "../../src/core/import/Import.ts"

import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

const HOSTILE = `<script>alert(1)</script> & "`

const recordsOf = (tenant: string) => [
  { type: "competitor", id: "k1", name: `Rival of ${tenant}` },
  {
    type: "deal",
    id: "d_same",
    name: `Renewal ${HOSTILE} of ${tenant}`,
    amount: 64_000,
    status: "Lost",
    competitors: [{ competitor: "k1", is_primary: true, is_incumbent: false }],
    drivers: [{ reason: "Price", positive: false, summary: `the offer ${HOSTILE} was a third above` }],
    summary: { executive_summary: `They went with the rival of ${tenant}: 🎈 ${HOSTILE}.` },
    deal_analyzed: true,
  },
]

for (const engine of engines) {
  describe(`a deal's page on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      const open = (url: string) => Effect.flatMap(Web, (web) => web.request(url, ""))
      const tenant = Effect.fnUntraced(function* (name: string) {
        const { org } = yield* (yield* Web).tenant()
        const report = yield* (yield* Import).records(org, Stream.fromIterable(recordsOf(name)))
        assert.strictEqual(report.failed, 0, JSON.stringify(report.errors))
        return org
      })

      it.effect("shows the cited record, marks the passage, and escapes markup", () =>
        Effect.gen(function* () {
          const org = yield* tenant("alfa")
          const links = yield* ViewerLinks
          const record = (yield* (yield* DealRecords).text(org, "d_same"))!
          for (const passage of ["🎈 <script>", "a third above", "64000"]) {
            const start = record.text.indexOf(passage)
            assert.isAtLeast(start, 0, record.text)
            const url = yield* links.dealUrl(org, "d_same", { start, end: start + passage.length })
            const shown = yield* open(url)
            assert.strictEqual(shown.status, 200)
            const marked = /<mark id="cited">(.*?)<\/mark>/.exec(shown.text)?.[1]
            assert.strictEqual(marked, passage.replaceAll("<", "&lt;").replaceAll(">", "&gt;"))
            assert.strictEqual(shown.text.split("<script>").length, 2, "our own script alone")
            assert.strictEqual(shown.text.split("<h1>").length, 2)
            assert.match(shown.headers.get("content-security-policy") ?? "", /^default-src 'none'/)
            assert.strictEqual(shown.headers.get("cache-control"), "no-store")
          }
        }),
      )

      it.effect("answers a forged link like a link to a missing deal", () =>
        Effect.gen(function* () {
          const [mine, other] = [yield* tenant("bravo"), yield* tenant("charlie")]
          const links = yield* ViewerLinks
          const url = yield* links.dealUrl(mine, "d_same")
          assert.include((yield* open(url)).text, "rival of bravo")
          assert.notInclude((yield* open(url)).text, "charlie")
          // A missing deal is answered like a forged link.
          const refused = [
            yield* links.dealUrl(other, "d_gone"),
            yield* links.url(mine, "d_same"),
            `${url}/original`,
            "/v/d_same",
          ]
          const bodies = new Set<string>()
          for (const link of refused) {
            const reply = yield* open(link)
            assert.strictEqual(reply.status, 404, link)
            bodies.add(reply.text)
          }
          assert.strictEqual(bodies.size, 1)
        }),
      )
    })
  })
}
