import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"
import { analyzed, CALL, ended, type Finding, get, ofKind, send, upload, workspace } from "./workspace.ts"

const brief = (findings: ReadonlyArray<Finding>) =>
  findings.map(({ kind, target, effect, side }) => `${kind} ${target.name} ${effect} ${side}`)

for (const engine of engines) {
  const harness = Layer.unwrap(Effect.sync(() => layerWeb(engine.database)))
  describe(`the analysis of deals on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      it.effect("finds competitors, features, drivers and quotes with their sides, and changes no column", () =>
        Effect.gen(function* () {
          const { key } = yield* workspace
          const before = yield* get("/deals/d1", key)
          assert.deepInclude(yield* get("/deals/d1/analysis", key), { state: "none", findings: [], run_id: null })
          yield* upload("d1", "Second call.vtt", CALL, key)
          const { run, analysis } = yield* analyzed("d1", key)
          assert.deepInclude(run, { status: "completed", deal_id: "d1", document_id: null, progress: 1 })
          assert.deepInclude(analysis, { state: "ready", method: "extracted", stale: false, error: null, omitted: 0 })
          assert.deepStrictEqual(brief(analysis.findings), [
            "competitor Orvanta neutral seller",
            "competitor Orvanta negative buyer",
            "driver Price negative buyer",
            "quote Price negative buyer",
            "feature Single sign-on positive buyer",
            "driver Support negative buyer",
            "quote Support negative buyer",
          ])
          assert.deepStrictEqual(yield* get("/deals/d1", key), before)
          const [talk] = analysis.talk
          assert.deepInclude(talk.questions, { seller: 2, buyer: 0 })
          assert.isAbove(talk.buyer_share, 0.5)
          assert.deepInclude(talk.longest_monologue, { speaker: "Dana Reyes (Hartwell)", side: "buyer", seconds: 20 })
          assert.deepStrictEqual(
            analysis.next_steps.map(({ side, quote, withdrawn }: any) => ({ side, quote, withdrawn })),
            [{ side: "seller", quote: "I will send you the security questionnaire by Friday.", withdrawn: false }],
          )
          // The deal records support as a reason for us; the buyer says the opposite.
          const support = ofKind(analysis, "driver", "Support")
          assert.deepStrictEqual(analysis.conflicts, [
            {
              field: "drivers",
              target: { id: "r_support", name: "Support" },
              recorded: "positive",
              findings: [support.id],
            },
          ])
        }),
      )

      it.effect("links each finding to its quote, marked in the viewer", () =>
        Effect.gen(function* () {
          const { key } = yield* workspace
          yield* upload("d1", "Second call.vtt", CALL, key)
          const { analysis } = yield* analyzed("d1", key)
          assert.isNotEmpty(analysis.findings)
          for (const { url, quote } of analysis.findings as ReadonlyArray<Finding>) {
            const shown = yield* (yield* Web).request(url, "")
            const marked = [...shown.text.matchAll(/<mark[^>]*>(.*?)<\/mark>/g)].map(([, text]) => text).join("")
            assert.strictEqual(marked, quote)
          }
        }),
      )

      it.effect("replies the same run to a repeated request", () =>
        Effect.gen(function* () {
          const { key } = yield* workspace
          yield* upload("d1", "Second call.vtt", CALL, key)
          const web = yield* Web
          const start = web.request("/api/v1/deals/analysis", key, {
            method: "POST",
            body: "{}",
            headers: { "content-type": "application/json", "idempotency-key": "every deal" },
          })
          const first = yield* start
          assert.strictEqual(first.json.deals, 1, first.text)
          assert.strictEqual((yield* start).text, first.text)
        }),
      )

      it.effect("runs several deals, takes each into one run at a time, and does no work twice", () =>
        Effect.gen(function* () {
          const { key } = yield* workspace
          const refused = yield* send("POST", "/deals/analysis", key, {})
          assert.strictEqual(refused.status, 409, "no deal has a document")
          yield* upload("d1", "Second call.vtt", CALL, key)
          yield* upload("d2", "First call.vtt", CALL, key)
          const started = yield* send("POST", "/deals/analysis", key, { filters: { amount: { min: 1 } } })
          assert.deepInclude(started.json, { deals: 2 }, started.text)
          yield* ended(started.json.run_id, key)
          const { data } = yield* get("/analysis/queue", key)
          assert.deepStrictEqual(
            data.map(({ deal_id, amount, proposed, conflicts }: any) => [deal_id, amount, proposed, conflicts]),
            [
              ["d2", 90_000, 7, 0],
              // It records support as a reason for us, and the buyer says the opposite.
              ["d1", 48_000, 7, 1],
            ],
          )
          const first = yield* get("/analysis/queue?page_size=1", key)
          const second = yield* get(`/analysis/queue?page_size=1&cursor=${first.next_cursor}`, key)
          assert.deepStrictEqual([first.data[0], second.data[0]], data)
          assert.isNull(second.next_cursor)
          const { finished_at } = yield* get("/deals/d1/analysis", key)
          const again = (yield* analyzed("d1", key)).analysis
          assert.strictEqual(again.finished_at, finished_at, "unchanged inputs are not read again")
        }),
      )

      it.effect("goes on with the deals that a killed worker left", () =>
        Effect.gen(function* () {
          const { org, key } = yield* workspace
          yield* upload("d1", "Second call.vtt", CALL, key)
          yield* upload("d2", "First call.vtt", CALL, key)
          const { finished_at } = (yield* analyzed("d1", key)).analysis
          // A worker that died while it read the second of two deals: its lease has expired.
          const { sql, transaction } = yield* Database
          const job = { id: "run_dead", kind: "analysis", subject: "", state: "running", attempts: 1, epoch: 1 }
          yield* transaction(
            org,
            Effect.all([
              sql`insert into deal_analyses ${sql.insert({ org_id: org, deal_id: "d2", run_id: "run_dead", state: "running" })}`,
              sql`update deal_analyses set run_id = 'run_dead' where org_id = ${org} and deal_id = 'd1'`,
              sql`insert into jobs ${sql.insert({ org_id: org, ...job })}`,
              sql`update jobs set lease_until = now() - interval '1 minute', claimed_at = now() where org_id = ${org} and id = 'run_dead'`,
            ]),
          )
          assert.deepInclude(yield* ended("run_dead", key), { status: "completed", attempts: 2 })
          assert.strictEqual((yield* get("/deals/d2/analysis", key)).state, "ready")
          assert.strictEqual((yield* get("/deals/d1/analysis", key)).finished_at, finished_at, "d1 was done")
        }),
      )

      it.effect("verifies a ready analysis only, and says so in the feed and the audit log", () =>
        Effect.gen(function* () {
          const { key } = yield* workspace
          assert.strictEqual((yield* send("POST", "/deals/d1/analysis/verify", key)).status, 409)
          assert.isFalse((yield* get("/deals/d1", key)).analysis_verified)
          yield* upload("d1", "Second call.vtt", CALL, key)
          yield* analyzed("d1", key)
          const { next_cursor } = yield* get("/changes?since=now", key)
          const verified = yield* send("POST", "/deals/d1/analysis/verify", key)
          assert.isString(verified.json.verified_at)
          assert.isTrue((yield* get("/deals/d1", key)).analysis_verified)
          assert.isFalse((yield* get("/deals/d1", key)).deal_analyzed)
          const { data } = yield* get(`/changes?since=${next_cursor}`, key)
          assert.deepStrictEqual(
            data.map(({ type, id, action }: any) => [type, id, action]),
            [["deal", "d1", "updated"]],
          )
          const audit = (yield* get("/audit?types=analysis.verified,analysis.started", key)).data
          assert.deepStrictEqual(
            audit.map(({ action, target }: any) => [action, target]),
            [
              ["analysis.verified", "d1"],
              ["analysis.started", "d1"],
            ],
          )
        }),
      )

      it.effect("loses its findings with their document and their deal", () =>
        Effect.gen(function* () {
          const { key } = yield* workspace
          const document = yield* upload("d1", "Second call.vtt", CALL, key)
          yield* analyzed("d1", key)
          yield* send("DELETE", `/documents/${document}`, key)
          assert.deepInclude(yield* get("/deals/d1/analysis", key), { findings: [], stale: true })
          assert.strictEqual((yield* send("DELETE", "/deals/d1", key)).status, 204)
          assert.strictEqual((yield* send("GET", "/deals/d1/analysis", key)).status, 404)
          assert.strictEqual((yield* send("POST", "/deals/d1/analysis", key)).status, 404)
        }),
      )

      it.effect("lets viewers read, members run and judge, and admins verify", () =>
        Effect.gen(function* () {
          const { key } = yield* workspace
          yield* upload("d1", "Second call.vtt", CALL, key)
          const { analysis } = yield* analyzed("d1", key)
          const [finding] = analysis.findings
          const keyOf = (role: string, permissions?: ReadonlyArray<string>) =>
            Effect.map(send("POST", "/keys", key, { name: role, role, permissions }), ({ json }) => json.key as string)
          const acts = [
            ["GET", "/deals/d1/analysis"],
            ["POST", "/deals/d1/analysis"],
            ["PATCH", `/deals/d1/analysis/findings/${finding.id}`, { state: "rejected" }],
            ["POST", "/deals/d1/analysis/verify"],
          ] as const
          for (const [role, expected] of [
            ["viewer", [200, 403, 403, 403]],
            ["member", [200, 202, 200, 403]],
            ["admin", [200, 202, 200, 200]],
          ] as const) {
            const own = yield* keyOf(role)
            const statuses = []
            for (const [method, path, body] of acts) {
              const reply = yield* send(method, path, own, body)
              if (reply.status === 202) yield* ended(reply.json.run_id, key)
              statuses.push(reply.status)
            }
            assert.deepStrictEqual(statuses, [...expected], role)
          }
          const narrow = yield* keyOf("viewer", ["deals.read"])
          const { findings } = yield* get("/deals/d1/analysis", narrow)
          assert.isNotEmpty(findings)
          assert.isTrue(
            findings.every(({ url }: Finding) => url === null),
            "no link to a document that it may not read",
          )
        }),
      )
    })
  })
}
