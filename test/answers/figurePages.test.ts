import { assert, describe, layer } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { hash } from "../../src/core/access/secret.ts"
import { Sessions } from "../../src/core/sessions/Sessions.ts"
import { Usage } from "../../src/core/keys/Usage.ts"
import { DealQuestions } from "../../src/core/answers/DealQuestions.ts"
import { layerDealQuestions } from "../../src/core/answers/questions/layerDealQuestions.ts"
import { FigureLinks } from "../../src/core/answers/figures/FigureLinks.ts"
import { FigurePages } from "../../src/core/answers/figures/FigurePages.ts"
import { FigureViews } from "../../src/core/answers/figures/FigureViews.ts"
import { layerFigureLinks } from "../../src/core/answers/figures/layerFigureLinks.ts"
import { Import } from "../../src/core/import/Import.ts"
import { DatabaseUnavailable } from "../../src/core/ports/DatabaseUnavailable.ts"
import { Links } from "../../src/core/signing/Links.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { findPrincipal, layerWeb, Web } from "../support/web.ts"
import { deals, OWNERS, records } from "./dealQuestions.ts"

const JSON_TYPE = { "content-type": "application/json" }
const lost = deals.filter(({ outcome, competitors }) => outcome === "lost" && competitors.includes("Orvanta"))
const isListed = (text: string) => text.includes('<th scope="col">deal</th>')
const tokenOf = (url: string) => url.slice(url.lastIndexOf("/") + 1)

/** Runs an effect on a monotonic clock that stands still at a time. */
const at = (ms: number) =>
  Effect.updateService(Clock.Clock, (clock: Clock.Clock): Clock.Clock => {
    const stopped = Object.create(clock) as Clock.Clock
    return Object.assign(stopped, { monotonicTimeNanosUnsafe: () => BigInt(ms) * 1_000_000n })
  })

for (const engine of engines) {
  const services = layerWeb(engine.database, undefined, undefined, true, findPrincipal)
  describe(`the page of a figure on ${engine.name}`, () => {
    layer(services, { excludeTestServices: true })((it) => {
      const setUp = Effect.gen(function* () {
        const web = yield* Web
        const { org, key } = yield* web.tenant()
        const { failed } = yield* (yield* Import).records(org, Stream.fromIterable(records()))
        assert.strictEqual(failed, 0)
        const person = (id: string, role = "viewer") =>
          JSON.stringify({ organization: org, role, identity: { id, name: id } })
        /** The link of the first row of an answer. */
        const cite = Effect.fnUntraced(function* (by: string, content: string) {
          const body = JSON.stringify({ messages: [{ role: "user", content }] })
          const reply = yield* web.request("/api/v1/responses", by, { method: "POST", body, headers: JSON_TYPE })
          assert.strictEqual(reply.status, 200, reply.text)
          return reply.json.message.citations[0] as { readonly url: string; readonly excerpt: string }
        })
        const { url, excerpt } = yield* cite(key, "How many deals did we lose to Orvanta?")
        const change = (settings: object) =>
          web.request("/api/v1/workspace", key, { method: "PUT", body: JSON.stringify(settings), headers: JSON_TYPE })
        return { web, org, key, url, excerpt, person, cite, change }
      })

      it.effect(
        "has count, sum and filter for everyone, and the deals for callers of the workspace who may read them",
        () =>
          Effect.gen(function* () {
            const { web, org, key, url, excerpt, person } = yield* setUp
            const keys = yield* ApiKeys
            const stranger = yield* web.request(url, "")
            const sum = lost.reduce((total, { amount }) => total + (amount ?? 0), 0)
            assert.include(stranger.text, `<mark>${excerpt}</mark>`)
            assert.include(stranger.text, `<p>${lost.length} deals, ${sum.toLocaleString("en-US")}`)
            assert.include(stranger.text, "competitor Orvanta")
            assert.include(stranger.text, "sign in there")
            assert.isFalse(isListed(stranger.text))
            for (const { id } of lost) assert.notInclude(stranger.text, `Deal ${id} `)
            const other = yield* web.tenant()
            const uploads = { name: "uploads", role: "viewer", permissions: ["documents.read"] } as const
            const callers = {
              key: [key, true],
              person: [person("ada"), true],
              "key without deals.read": [(yield* keys.create(org, uploads)).key, false],
              "key of another workspace": [other.key, false],
              "person of another workspace": [person("ada").replace(org, other.org), false],
            } as const
            for (const [name, [caller, seesDeals]] of Object.entries(callers)) {
              const shown = yield* web.request(url, caller)
              assert.strictEqual(shown.status, 200, name)
              assert.strictEqual(isListed(shown.text), seesDeals, name)
            }
            const unknown = yield* web.request(url, key.slice(0, -1))
            assert.strictEqual(unknown.status, 401)
          }),
      )

      it.effect("draws the first measure, marks the cited row, and lists the deals that the measure counts", () =>
        Effect.gen(function* () {
          const { web, key, cite } = yield* setUp
          const { url, excerpt } = yield* cite(key, "win rate by owner")
          const owner = excerpt.slice(0, excerpt.indexOf(":"))
          const decided = deals.filter((deal) => deal.owner === owner && deal.outcome !== "open").length
          const { text } = yield* web.request(url, key)
          assert.include(text, `<p>${decided} deals: `)
          assert.notInclude(text, "<td>Evaluation</td>")
          const [chart = ""] = /<figure class="chart">.*<\/figure>/.exec(text) ?? []
          assert.strictEqual(chart.match(/<rect class="ground"/g)?.length, OWNERS.length)
          assert.match(
            chart,
            new RegExp(`<g class="cited"><svg class="name"[^>]*><text x="0" y="\\d+">${owner}</text>`),
          )
          assert.match(text, new RegExp(`<tr class="here"><td>${owner}</td>`))
          const months = yield* cite(key, "lost deals by month")
          const line = (yield* web.request(months.url, key)).text
          assert.match(line, /<polyline points="[\d. ,]+"/)
          assert.notMatch(line, /NaN|Infinity|style=/)
        }),
      )

      it.effect("lists the deals for a session of the console, and not for one that has ended", () =>
        Effect.gen(function* () {
          const { web, org, key, url } = yield* setUp
          const sessions = yield* Sessions
          const [{ id = "" } = {}] = yield* (yield* ApiKeys).list(org)
          const caller = { organizationId: org, keyId: id } as Parameters<typeof sessions.start>[0]
          const token = yield* sessions.start(caller, key, undefined)
          const cookie = `sightline_session=${token}`
          assert.isTrue(isListed((yield* web.request(url, "", { headers: { cookie } })).text))
          const { sql, transaction } = yield* Database
          yield* transaction(org, sql`delete from sessions where org_id = ${org} and hash = ${yield* hash(token)}`)
          const ended = yield* web.request(url, "", { headers: { cookie } })
          assert.strictEqual(ended.status, 200)
          assert.isFalse(isListed(ended.text))
        }),
      )

      it.effect("lists the deals for everyone once the workspace says so, which the audit log has", () =>
        Effect.gen(function* () {
          const { web, org, key, url, change } = yield* setUp
          const member = (yield* (yield* ApiKeys).create(org, { name: "m", role: "viewer" })).key
          const init = { method: "PUT", body: '{"links":"deals"}', headers: JSON_TYPE }
          assert.strictEqual((yield* web.request("/api/v1/workspace", member, init)).status, 403)
          assert.isFalse(isListed((yield* web.request(url, "")).text))
          assert.strictEqual((yield* change({ links: "deals" })).json.links, "deals")
          assert.isTrue(isListed((yield* web.request(url, "")).text))
          assert.strictEqual((yield* change({ links: "all" })).status, 400)
          const { json } = yield* web.request("/api/v1/audit?types=workspace.updated", key)
          assert.deepStrictEqual(json.data[0].details, { settings: ["links"] })
          yield* change({ links: "figures" })
          assert.isFalse(isListed((yield* web.request(url, "")).text))
        }),
      )

      it.effect("is computed again after a minute if the workspace changed, and says what the answer said", () =>
        Effect.gen(function* () {
          const { org, url, excerpt } = yield* setUp
          const opened = yield* (yield* FigureLinks).open(tokenOf(url))
          assert.isObject(opened)
          const pages = yield* FigurePages
          const show = Effect.map(
            pages.show(opened as never, tokenOf(url), { seesDeals: false, hasConsole: false }),
            (page) => page!.response,
          )
          const [first, second] = [yield* at(0)(show), yield* at(0)(show)]
          assert.strictEqual(first, second)
          assert.strictEqual(yield* at(61_000)(show), first, "nothing changed")
          const gone = [{ type: "deal", id: lost[0]!.id, deleted: true }]
          const { deleted } = yield* (yield* Import).records(org, Stream.fromIterable(gone))
          assert.strictEqual(deleted, 1)
          assert.strictEqual(yield* at(61_000 + 59_000)(show), first, "looked at 59 s ago")
          const changed = yield* at(61_000 + 61_000)(show)
          assert.notStrictEqual(changed, first)
          const text = new TextDecoder().decode((changed.body as { readonly body: Uint8Array }).body)
          assert.match(text, new RegExp(`The answer said on \\d{4}-\\d\\d-\\d\\d: <mark>${excerpt}</mark>`))
          assert.include(text, `Today: lost deals ${lost.length - 1}`)
        }),
      )

      it.effect("is computed once at a time: 20 callers wait for it, and others get 429", () =>
        Effect.gen(function* () {
          const { url } = yield* setUp
          const opened = yield* (yield* FigureLinks).open(tokenOf(url))
          const pages = yield* FigurePages
          const show = pages.show(opened as never, tokenOf(url), { seesDeals: true, hasConsole: false })
          const shown = yield* Effect.all(
            Array.from({ length: 30 }, () => Effect.result(show)),
            { concurrency: "unbounded" },
          )
          const pagesShown = shown.filter(Result.isSuccess).map(({ success }) => success!.response)
          assert.lengthOf(pagesShown, 21)
          assert.strictEqual(new Set(pagesShown).size, 1)
          for (const refused of shown.filter(Result.isFailure)) {
            assert.strictEqual(refused.failure._tag, "RateLimitExceeded")
            assert.deepInclude(refused.failure, { details: { scope: "concurrency" } })
          }
        }),
      )

      it.effect("is counted in the usage, and once a flush in the audit log", () =>
        Effect.gen(function* () {
          const { web, org, key, url, person, cite } = yield* setUp
          const views = yield* FigureViews
          yield* views.flush()
          const read = Effect.map((yield* Usage).read(org), ({ organization }) => organization.link_views)
          const before = yield* read
          const theirs = (yield* cite(person("bob"), "What is our win rate by competitor?")).url
          for (const each of [url, url, theirs, url]) yield* web.request(each, "")
          yield* web.request(url, key)
          assert.strictEqual(yield* read, before)
          yield* views.flush()
          assert.strictEqual(yield* read, before + 5)
          yield* views.flush()
          const { json } = yield* web.request("/api/v1/audit?types=link.viewed", key)
          const seen = json.data.slice(0, 2).map(({ actor, details }: any) => [actor.person ?? "key", details])
          assert.deepStrictEqual(
            seen.toSorted(),
            [
              ["bob", { views: 1, report: "Report: win rate by competitor" }],
              ["key", { views: 4, report: "Report: lost deals" }],
            ].toSorted(),
          )
          assert.strictEqual((yield* web.request("/api/v1/usage", key)).json.organization.link_views, before + 5)
        }),
      )

      it.effect("does not open, and the answer has its numbers without links, if the figure cannot be stored", () =>
        Effect.gen(function* () {
          const { org } = yield* setUp
          const database = yield* Database
          const full = new DatabaseUnavailable({ message: "the disk is full", reason: "no_space" })
          const withoutSpace = Layer.succeed(Database, { ...database, transaction: () => Effect.fail(full) as never })
          const ask = Effect.flatMap(DealQuestions, ({ answer }) =>
            answer(org, [{ role: "user", content: "Which competitor do we lose to most?" }]),
          ).pipe(
            Effect.provide(
              Layer.fresh(layerDealQuestions).pipe(
                Layer.provide(Layer.fresh(layerFigureLinks)),
                Layer.provide(withoutSpace),
              ),
            ),
          )
          const { events } = Option.getOrThrow(yield* ask)
          const text = events.map((event) => (event.type === "content_delta" ? event.content : "")).join("")
          assert.match(text, /the most lost deals: \d+/)
          assert.notInclude(text, "http")
          assert.isEmpty(events.filter(({ type }) => type === "citation"))
        }),
      )

      it.effect("ends with the person whose answer made the link, and opens from before figures were stored", () =>
        Effect.gen(function* () {
          const { web, org, key, person, cite } = yield* setUp
          const { url } = yield* cite(person("eve"), "What is our win rate?")
          assert.strictEqual((yield* web.request(url, "")).status, 200)
          yield* (yield* ApiKeys).revokeIdentity(org, "eve")
          assert.strictEqual((yield* web.request(url, key)).status, 410)
          // The host may let the person in again, as another row.
          yield* web.request("/api/v1/deals", person("eve"))
          assert.strictEqual((yield* web.request(url, "")).status, 410)

          const { sql, transaction } = yield* Database
          const query = { subject: "deals", query: { measures: ["won"], groupBy: [], filters: {}, limit: 1 } }
          yield* transaction(
            org,
            sql`insert into cited_reports (org_id, id, query, expires_at)
              values (${org}, 'before', ${JSON.stringify(query)}, now() + interval '1 day')`,
          )
          const expires = Math.floor(Date.now() / 1000) + 3600
          const token = yield* (yield* Links).token(org, { target: "reports", id: "before", expires })
          const old = yield* web.request(`/r/${token}`, "")
          assert.strictEqual(old.status, 200)
          assert.match(old.text, /<mark>won \d+<\/mark>/)
        }),
      )
    })
  })
}
