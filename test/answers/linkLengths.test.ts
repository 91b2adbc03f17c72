import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import type { ReportRows } from "../../src/core/answers/figures/figure.ts"
import { FigureLinks } from "../../src/core/answers/figures/FigureLinks.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Import } from "../../src/core/import/Import.ts"
import { EXPORT, runExport } from "../exports/support.ts"
import { engines } from "../support/engines.ts"
import { onPage, readDocument } from "../support/readDocument.ts"
import { layerWeb, Web } from "../support/web.ts"
import { OWNERS, records } from "./dealQuestions.ts"

const HOST = "http://localhost"
const JSON_HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" }

/** Every address of ours in a reply. */
const linksOf = (text: string) => new Set(text.match(/http:\/\/localhost\/[^\s)"\\<]+/g) ?? [])

const COUNT: ReportRows = {
  figure: { subject: "deals", query: { measures: ["deals"], groupBy: [], filters: {}, limit: 1 } },
  report: { data: [], totals: { values: { deals: 240 } } },
  currency: undefined,
}

for (const engine of engines) {
  describe(`links on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      const setUp = Effect.gen(function* () {
        const web = yield* Web
        const { org, key } = yield* web.tenant()
        const { failed } = yield* (yield* Import).records(org, Stream.fromIterable(records()))
        assert.strictEqual(failed, 0)
        const post = (path: string, body: object) =>
          Effect.map(
            web.request(path, key, { method: "POST", body: JSON.stringify(body), headers: JSON_HEADERS }),
            (reply) => {
              assert.isBelow(reply.status, 300, reply.text)
              return reply.text
            },
          )
        return { web, org, key, post }
      })

      it.effect("have at most 60 characters after the host in every reply, whatever they open", () =>
        Effect.gen(function* () {
          const { web, org, key, post } = yield* setUp
          const pdf = yield* readDocument(org, [onPage(1, "Orvanta charges 90 EUR for each seat.")])
          const spoken = {
            kind: "speech",
            text: "We chose them for the price.",
            place: { kind: "time", start: 5, end: 9 },
          }
          const call = { file_name: "call.mp3", content_type: "audio/mpeg" }
          const recording = yield* readDocument(org, [spoken as never], call)
          const { status } = yield* runExport(key, { columns: ["name"] })
          const get = (path: string) => Effect.map(web.request(`/api/v1${path}`, key), ({ text }) => text)
          const ask = (content: string) => post("/api/v1/responses", { messages: [{ role: "user", content }] })
          const tool = (name: string, args: object) =>
            post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } })
          const kinds = {
            document: [yield* get(`/documents/${pdf.id}`), yield* get("/documents")],
            recording: [yield* get(`/documents/${recording.id}`)],
            download: [yield* get(`${EXPORT.slice("/api/v1".length)}/${status.export_id}`)],
            deals: [yield* ask("List the deals that we lost to Orvanta")],
            report: [
              yield* ask("What is the win rate by competitor?"),
              yield* ask(`How many deals did ${OWNERS.join(" and ")} win in EMEA in 2026 against Orvanta by quarter?`),
              yield* ask("Was it more in 2025 or 2026?"),
            ],
            brief: [yield* ask("Brief me on Orvanta")],
            quote: [yield* ask("What does Orvanta charge for each seat?")],
            tool: [
              yield* tool("report_deals", { measures: ["win_rate"], group_by: ["competitor", "owner"] }),
              yield* tool("search_documents", { query: "price" }),
              yield* tool("ask", { question: "What is our win rate by region?" }),
            ],
          }
          const opened = new Set<string>()
          for (const [kind, replies] of Object.entries(kinds)) {
            const links = replies.flatMap((text) => [...linksOf(text)])
            assert.isNotEmpty(links, `${kind}: ${replies.join("\n")}`)
            for (const link of links) {
              assert.match(link, /^http:\/\/localhost\/(?:v|r|exports)\/[\w-]+$/, kind)
              assert.isAtMost(link.length - HOST.length, 60, `${kind}: ${link}`)
              if (!opened.has(link)) assert.strictEqual((yield* web.request(link, "")).status, 200, `${kind}: ${link}`)
              opened.add(link)
            }
          }
          assert.deepStrictEqual(
            [...new Set([...opened].map((link) => new URL(link).pathname.split("/")[1]!))].toSorted(),
            ["exports", "r", "v"],
          )
        }),
      )

      it.effect(
        "of an answer store each of its reports once, for every row and repetition, and another key's again",
        () =>
          Effect.gen(function* () {
            const { web, org, post } = yield* setUp
            const database = yield* Database
            const stored = Effect.map(
              database.scoped<{ readonly query: string; readonly key_id: string; readonly answered: string }>(
                org,
                database.sql`select query, key_id, answered from figures where org_id = scope.org`,
              ),
              (rows) => rows.map(({ query, key_id, answered }) => ({ key_id, query: JSON.parse(query), answered })),
            )
            const body = { messages: [{ role: "user", content: "Win rate by competitor" }] }
            const ask = post("/api/v1/responses", body)
            const [first, second] = [yield* ask, yield* ask]
            assert.strictEqual(first, second)
            assert.isAbove(linksOf(first).size, 3)
            const [figure, ...others] = yield* stored
            assert.deepStrictEqual(figure?.query.query.groupBy, ["competitor"])
            assert.lengthOf(JSON.parse(figure!.answered).rows, 5)
            assert.lengthOf(others, 0)
            const { key } = yield* (yield* ApiKeys).create(org, { name: "other", role: "viewer" })
            const init = { method: "POST", body: JSON.stringify(body), headers: JSON_HEADERS }
            const { text } = yield* web.request("/api/v1/responses", key, init)
            assert.deepStrictEqual(
              [...linksOf(text)].filter((link) => linksOf(first).has(link)),
              [],
            )
            assert.strictEqual(new Set((yield* stored).map(({ key_id }) => key_id)).size, 2)
          }),
      )

      it.effect("of an answer are stored by one statement, however many reports it has", () =>
        Effect.gen(function* () {
          const { org, post } = yield* setUp
          const { sql, scoped } = yield* Database
          yield* post("/api/v1/responses", { messages: [{ role: "user", content: "Brief me on Orvanta" }] })
          const rows = yield* scoped<{ readonly writer: string }>(
            org,
            sql`select xmin::text as writer from figures where org_id = scope.org`,
          )
          assert.isAbove(rows.length, 2)
          assert.strictEqual(new Set(rows.map(({ writer }) => writer)).size, 1)
        }),
      )

      it.effect("to figures open nothing once the figure is deleted", () =>
        Effect.gen(function* () {
          const { org, web } = yield* setUp
          const { sql, transaction } = yield* Database
          const made = yield* (yield* FigureLinks).url(org, COUNT, undefined)
          assert.strictEqual((yield* web.request(made!.url, "")).status, 200)
          yield* transaction(org, sql`delete from figures where org_id = ${org}`)
          assert.strictEqual((yield* web.request(made!.url, "")).status, 404)
        }),
      )
    })
  })
}
