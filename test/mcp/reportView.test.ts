import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { ReportRows } from "../../src/core/answers/figures/figure.ts"
import { drawForView, REPORT_VIEW } from "../../src/core/mcp/reportView.ts"
import { engines } from "../support/engines.ts"
import { connected, layerServed, Served } from "./served.ts"

const rowOf = (region: string, deals: number) => ({
  group: { region },
  values: { deals },
  filters: {},
  partial: false,
})
const reportOf = (...rows: ReadonlyArray<ReturnType<typeof rowOf>>) =>
  ({
    figure: { subject: "deals", query: { measures: ["deals"], groupBy: ["region"], filters: {}, limit: 10 } },
    report: { data: rows, totals: { values: { deals: 3 } } },
    currency: "EUR",
  }) as unknown as ReportRows

describe("the view of a report", () => {
  it("has the rows of the result, and names as text", () => {
    const report = reportOf(rowOf("<img src=x onerror=alert(1)>", 2), rowOf("EMEA", 1), rowOf("cut off", 0))
    const drawn = drawForView(report, { rows: [{}, {}], totals: { url: "https://sightline.example/r/a?b=1&c=2" } })
    const html = drawn!["sightline/report"]
    assert.include(html, "<td>&lt;img src=x onerror=alert(1)&gt;</td>")
    assert.include(html, '<td>EMEA</td><td class="number">1</td>')
    assert.notInclude(html, "cut off")
    assert.include(html, 'href="https://sightline.example/r/a?b=1&amp;c=2"')
  })

  it("does not exist without groups", () => {
    assert.isUndefined(drawForView(reportOf(), { rows: [] }))
  })

  layer(layerServed(engines[0].database), { excludeTestServices: true })((it) => {
    it.effect(
      "is named by the tools for reports, is one page without an address, and gets its report beside the result",
      () =>
        Effect.gen(function* () {
          const { url, mine } = yield* Served
          const key = yield* mine.key("viewer")
          const client = yield* connected(url, key)
          const { tools } = yield* Effect.promise(() => client.listTools())
          assert.deepStrictEqual(
            tools.filter(({ _meta }) => _meta !== undefined).map(({ name, _meta }) => [name, _meta]),
            ["report_deals", "report_features"].map((name) => [name, { ui: { resourceUri: REPORT_VIEW } }]),
          )
          const { contents } = yield* Effect.promise(() => client.readResource({ uri: REPORT_VIEW }))
          const [page] = contents as unknown as ReadonlyArray<{ readonly mimeType: string; readonly text: string }>
          assert.strictEqual(page?.mimeType, "text/html;profile=mcp-app")
          assert.match(page!.text, /content="default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'/)
          assert.notMatch(page!.text, /https?:|\bsrc=|\bhref="|url\(/)
          const args = { measures: ["deals", "win_rate"], group_by: ["region"] }
          const result: any = yield* Effect.promise(() => client.callTool({ name: "report_deals", arguments: args }))
          assert.match(result._meta["sightline/report"], /<h1>Report: deals by region<\/h1>.*<td>EMEA<\/td>/s)
          assert.notInclude(JSON.stringify(result.content), "<td>", "the model reads no markup")
          const stateless = yield* Effect.promise(async () => {
            const params = {
              name: "report_deals",
              arguments: args,
              _meta: {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
              },
            }
            const reply = await fetch(`${url}/mcp`, {
              method: "POST",
              body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
              headers: {
                authorization: `Bearer ${key}`,
                "content-type": "application/json",
                "mcp-protocol-version": "2026-07-28",
                "mcp-method": "tools/call",
                "mcp-name": "report_deals",
              },
            })
            return ((await reply.json()) as any).result._meta
          })
          assert.sameMembers(Object.keys(stateless), ["sightline/report", "io.modelcontextprotocol/serverInfo"])
        }),
    )
  })
})
