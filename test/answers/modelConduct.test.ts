import { assert, describe, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { answererOf } from "../../src/adapters/models/openai.ts"
import { serve } from "../../src/adapters/node.ts"
import { engines } from "../support/engines.ts"
import { layerLibrary } from "../support/web.ts"
import { eventsOf } from "./double.ts"
import { type Act, type ChatRequest, modelServer, results, type Script } from "./modelServer.ts"
import { makeWorkspace } from "./workspace.ts"

/** A server whose model is another server of this machine, which follows the script of the test that runs. */
class Served extends Context.Service<
  Served,
  {
    readonly url: string
    readonly key: string
    readonly requests: ReadonlyArray<ChatRequest>
    readonly follow: (script: Script) => void
  }
>()("test/ServedModel") {}

const layerServed = (database: (typeof engines)[number]["database"]) =>
  Layer.effect(
    Served,
    Effect.gen(function* () {
      let script: Script = () => []
      let before = 0
      const model = yield* modelServer((request, nth) => script(request, nth - before))
      let key = ""
      const { url } = yield* serve({
        database: Layer.orDie(database),
        library: layerLibrary(),
        answerer: answererOf({ url: model.url, model: "tiny", tries: 1 }),
        port: 0,
        prepare: Effect.gen(function* () {
          key = yield* (yield* makeWorkspace()).key("viewer")
        }),
      })
      const follow = (next: Script) => {
        before = model.requests.length
        script = next
      }
      return Served.of({ url, key, requests: model.requests, follow })
    }),
  )

const COUNTING = "What is our win rate by competitor?"
const WRITING = "Write me a note on how the regions compare."
const NOTE = "(A sentence is withheld: a number in it has no source.)"
/** Requests to the model that one answer makes at most: eight calls, and the answer. */
const MAX_REQUESTS = 9

/** The ref of the row of a report whose text begins so. */
const rowOf = (request: ChatRequest, name: string): string =>
  results(request)
    .flatMap(({ rows = [] }) => rows)
    .find(({ text }: { readonly text: string }) => text.startsWith(name))?.ref ?? "none"

for (const engine of engines) {
  describe(`a model on ${engine.name}`, () => {
    layer(layerServed(engine.database), { excludeTestServices: true })((it) => {
      const ask = Effect.fnUntraced(function* (question: string, script: Script) {
        const { url, key, follow, requests } = yield* Served
        const post = (more: object) => {
          follow(script)
          const begun = requests.length
          const body = JSON.stringify({ messages: [{ role: "user", content: question }], ...more })
          const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
          return Effect.promise(async () => {
            const reply = await fetch(`${url}/api/v1/responses`, { method: "POST", headers, body })
            const text = await reply.text()
            assert.strictEqual(reply.status, 200, text)
            return { text, requests: requests.slice(begun) }
          })
        }
        const whole = yield* post({})
        const streamed = yield* post({ stream: true })
        const { message, tool_calls } = JSON.parse(whole.text)
        const deltas = eventsOf(streamed.text).flatMap(({ data }) =>
          data.type === "content_delta" ? [data.content] : [],
        )
        // No half of a marker reaches a caller who reads along.
        for (const delta of deltas) assert.notMatch(delta, /\[\[|\]\]|\[[a-z0-9]{4}\./)
        const plain = (text: string) =>
          text
            .replaceAll(/\]\([^)]*\)/g, "]")
            .replaceAll(" \n", "\n")
            .trim()
        assert.strictEqual(plain(deltas.join("")), plain(message.content))
        assert.isAtMost(whole.requests.length, MAX_REQUESTS)
        const links: ReadonlyArray<string> = [...message.content.matchAll(/\]\(([^)]*)\)/g)].map(([, link]) => link)
        const urls = message.citations.map((citation: { readonly url: string }) => citation.url)
        assert.sameMembers([...new Set(links)], urls)
        assert.deepStrictEqual(eventsOf(streamed.text).at(-1)?.data.message.withheld, message.withheld)
        const { citations, withheld } = message
        return { content: plain(message.content), citations, withheld, tool_calls, requests: whole.requests }
      })

      it.effect("that reads its results starts from the report, and each value links the row that it comes from", () =>
        Effect.gen(function* () {
          const reply = yield* ask(COUNTING, (request) => [
            {
              text: `Orbit: [[${rowOf(request, "Orbit")}.win_rate]] of [[${rowOf(request, "Orbit")}.decided]] deals. Zenith Cloud: [[${rowOf(request, "Zenith")}.win_rate]] %. They differ by [[${rowOf(request, "Orbit")}.win_rate - ${rowOf(request, "Zenith")}.win_rate]].`,
            },
          ])
          assert.strictEqual(
            reply.content,
            "Orbit: [100.0 %] of [8] deals. Zenith Cloud: [0.0 %]. They differ by [100.0 percentage points] [Report: win rate by competitor].",
          )
          assert.deepStrictEqual(
            reply.citations.map(({ document_id, excerpt }: any) => [document_id.slice(0, 4), excerpt.split(":")[0]]),
            [
              ["rpt_", "Orbit"],
              ["rpt_", "Zenith Cloud"],
            ],
          )
          const page = yield* Effect.promise(() => fetch(reply.citations[1].url))
          assert.match(yield* Effect.promise(() => page.text()), /<mark>Zenith Cloud: win rate 0\.0 %/)
          assert.deepStrictEqual(reply.tool_calls, ["report_deals"])
          const [first] = reply.requests
          assert.lengthOf(results(first!), 1)
          assert.match(results(first!)[0].answer, /\[\[[a-z0-9]{4}\]\]/)
          assert.notMatch(JSON.stringify(first), /https?:/)
        }),
      )

      it.effect("that starts from a list inserts its count and the amounts of its deals", () =>
        Effect.gen(function* () {
          const reply = yield* ask("List the deals that we lost", (request) => {
            const [all, first] = results(request)[0].rows
            return [
              {
                text: `We lost [[${all.ref}.count]] deals, 4 in all. One was worth [[${first.ref}.amount]]. We lost [[${all.ref}.count]] deals.`,
              },
            ]
          })
          assert.match(
            reply.content,
            /^\(A sentence is withheld: .*\) One was worth \[10,00\d\]\. We lost \[4\] deals\.$/,
          )
          assert.strictEqual(reply.citations[0].document_id, reply.citations[0].deal_id)
        }),
      )

      it.effect("that describes the workspace or its rivals inserts their counts", () =>
        Effect.gen(function* () {
          const reply = yield* ask(WRITING, (request, nth) => {
            if (nth === 0)
              return [
                { call: "describe_workspace", args: {} },
                { call: "search_competitors", args: {} },
              ]
            const [{ ref }, { competitors }] = results(request).slice(-2)
            return [
              {
                text: `[[${ref}.deals]] deals, [[${ref}.competitors]] rivals. We won [[${competitors[0].ref}.won]] of [[${competitors[0].ref}.deals]].`,
              },
            ]
          })
          assert.strictEqual(reply.content, "12 deals, 2 rivals. We won [8] of [8].")
          assert.match(reply.citations[0].excerpt, /^Orbit: deals 8, won 8, lost 0$/)
        }),
      )

      it.effect("that calls a tool for a report cites the rows of its result", () =>
        Effect.gen(function* () {
          const reply = yield* ask(WRITING, (request, nth) =>
            nth === 0
              ? [{ call: "report_deals", args: { measures: ["won", "lost"], group_by: ["region"] } }]
              : [
                  {
                    text: `In EMEA we won [[${rowOf(request, "EMEA")}.won]] deals, not 4. AMER has [[${rowOf(request, "AMER")}.lost]] lost deals [[${rowOf(request, "AMER")}]].`,
                  },
                ],
          )
          assert.match(reply.content, /^\(A sentence is withheld: .*\) AMER has \[2\] lost deals/)
          assert.strictEqual(reply.withheld, 1)
          assert.include(reply.tool_calls, "report_deals")
          assert.match(reply.citations[0].excerpt, /^AMER: won 4, lost 2$/)
        }),
      )

      it.effect("that names tools and arguments wrongly is told how to correct them, and answers in the end", () =>
        Effect.gen(function* () {
          const reply = yield* ask(WRITING, (request, nth) => {
            const wrong: ReadonlyArray<Act> = [
              { call: "get_win_rate", args: {} },
              { call: "report_deals", args: { measures: ["winrate"] } },
              { call: "report_deals", args: { measures: ["won"], group_by: ["teritory"] } },
              { call: "report_deals", args: "{not json" },
              { call: "report_deals", args: { measures: ["won"], filters: { territory: ["EMEA"] } } },
            ]
            if (nth < wrong.length) return [wrong[nth]!]
            return nth === wrong.length
              ? [{ call: "report_deals", args: { measures: ["won"], group_by: ["region"] } }]
              : [{ text: `We won [[${rowOf(request, "AMER")}.won]] deals in AMER.` }]
          })
          assert.strictEqual(reply.content, "We won [4] deals in AMER.")
          const errors = results(reply.requests.at(-1)!).flatMap(({ error }) => (error === undefined ? [] : [error]))
          assert.lengthOf(errors, 5)
          for (const [n, words] of [/no such tool/, /win_rate/, /region|teritory/, /object/, /territory/].entries())
            assert.match(errors[n], words)
        }),
      )

      it.effect("that makes numbers up is silenced, and the report answers in its place", () =>
        Effect.gen(function* () {
          const reply = yield* ask(COUNTING, () => [
            { text: "You won 97 % of 1,234 deals. Orbit leads with $5.3 million." },
          ])
          assert.notMatch(reply.content, /97|1,234|5\.3/)
          assert.match(reply.content, /Orbit.*100\.0 %/s)
          assert.isNotEmpty(reply.citations)
          assert.strictEqual(reply.withheld, 2)
          const greeting = yield* ask(COUNTING, () => [{ text: "Hello! You won 97 % of 1,234 deals." }])
          assert.match(greeting.content, /^Hello! \(A sentence is withheld: .*\)\n\n.*Orbit.*100\.0 %/s)
        }),
      )

      it.effect("that mixes true and false numbers keeps the true sentences", () =>
        Effect.gen(function* () {
          const reply = yield* ask(COUNTING, (request) => [
            {
              text: `Zenith Cloud won none of its 4 deals against us. In total that is 413 deals. Orbit: [[${rowOf(request, "Orbit")}.win_rate]]. Orbit: [[${rowOf(request, "Orbit")}.happiness]]. Zenith: [[zzzz.won]].\n| Orbit | 8 |\n| Zenith | [[${rowOf(request, "Zenith")}.win_rate]] |\nDone.`,
            },
          ])
          assert.strictEqual(reply.content, `${NOTE} Orbit: [100.0 %]. ${NOTE}\n| Zenith | [0.0 %] |\n${NOTE}\nDone.`)
        }),
      )

      it.effect("that never calls a tool and never answers leaves the report, or says that it found nothing", () =>
        Effect.gen(function* () {
          const counted = yield* ask(COUNTING, () => [])
          assert.match(counted.content, /Orbit.*100\.0 %/s)
          assert.lengthOf(counted.requests, 1)
          const written = yield* ask(WRITING, () => [])
          assert.match(written.content, /^I found no answer/)
          const guessed = yield* ask(WRITING, () => [{ text: "EMEA has 4,711 deals." }])
          assert.match(guessed.content, /^I found no answer/)
          assert.strictEqual(guessed.withheld, 1)
        }),
      )

      it.effect("that calls tools in a loop is stopped, and the report answers", () =>
        Effect.gen(function* () {
          for (const args of [() => ({}), (n: number) => ({ limit: 1 + n })]) {
            const reply = yield* ask(COUNTING, (request, nth) =>
              request.tool_choice === "none" ? [] : [{ call: "search_competitors", args: args(nth) }],
            )
            assert.match(reply.content, /Orbit.*100\.0 %/s)
          }
        }),
      )
    })
  })
}
