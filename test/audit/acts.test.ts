import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { AUDIT_ACTION_NAMES } from "../../src/core/audit/actions.ts"
import { FigureViews } from "../../src/core/answers/figures/FigureViews.ts"
import { makeWorkspace } from "../answers/workspace.ts"
import { engines } from "../support/engines.ts"
import { untilEffect } from "../support/until.ts"
import { layerWeb, Web } from "../support/web.ts"

/** Acts of the operator, of refused keys, of the console, of members who sign in and of connected assistants; their own tests cover them. */
const ELSEWHERE = [
  "organization.created",
  "organization.updated",
  "sign_in.refused",
  "session.started",
  "session.ended",
  "member.joined",
  "grant.created",
  "grant.used",
  "grant.revoked",
]

const CALL = "Dana (Customer): We love single sign-on, it works great.\n"

for (const engine of engines) {
  describe(`the audit log on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      it.effect("has an entry for every listed act, with the key that acted and its request", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const workspace = yield* makeWorkspace()
          const owner = yield* workspace.key("owner")
          let n = 0
          const send = Effect.fnUntraced(function* (
            method: string,
            path: string,
            body?: object | string,
            type = "application/json",
          ) {
            const reply = yield* web.request(
              path.startsWith("/") && !path.startsWith("/api") ? `/api/v1${path}` : path,
              owner,
              {
                method,
                ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
                headers: { "x-request-id": `act-${++n}`, ...(body !== undefined && { "content-type": type }) },
              },
            )
            assert.isBelow(reply.status, 300, `${method} ${path}: ${reply.text}`)
            return reply.json
          })

          const { id: key } = yield* send("POST", "/keys", { name: "x", role: "viewer" })
          yield* send("POST", `/keys/${key}/rotate`)
          yield* send("DELETE", `/keys/${key}`)
          const { id: hook } = yield* send("POST", "/webhooks", { url: "https://example.com/hook" })
          yield* send("PATCH", `/webhooks/${hook}`, { description: "ours" })
          yield* send("POST", `/webhooks/${hook}/rotate`)
          yield* send("DELETE", `/webhooks/${hook}`)
          const { id: member } = yield* send("POST", "/members", { email: "ada@example.com", role: "viewer" })
          yield* send("POST", "/members", { email: "ada@example.com", role: "admin" })
          yield* send("DELETE", `/members/${member}`)

          const { export_id } = yield* send("POST", "/deals/export", { columns: ["name"] })
          const link = yield* untilEffect<string, never, Web>(
            "the export has a link",
            Effect.map(send("GET", `/deals/export/${export_id}`), ({ download_url }) => download_url),
          )
          const { pathname } = new URL(link, "http://localhost")
          const download = yield* web.request(pathname, "none", { headers: { "x-request-id": "by-link" } })
          assert.strictEqual(download.status, 200)
          yield* web.request(pathname, "none", { headers: { range: "bytes=3-" } })
          yield* send("DELETE", `/deals/export/${export_id}`)
          yield* send("GET", "/product-intelligence")

          const association = {
            type: "association",
            id: "as_1",
            deal: "deal_1",
            feature: "Audit log",
            tags: ["unverified"],
            created_at: "2026-01-01",
          }
          yield* send("POST", "/import", JSON.stringify(association), "application/x-ndjson")
          yield* send("POST", "/import?type=owner&dry_run=true", "Name\nNobody\n", "text/csv")

          const ended = (run: string) =>
            untilEffect(
              `the run ${run} ends`,
              Effect.map(send("GET", `/runs/${run}`), ({ status }) => status === "completed"),
            )
          yield* send("PUT", "/workspace/features/f_sso", { name: "Single sign-on" })
          const file = {
            file_name: "call.txt",
            content_type: "text/plain",
            file_base64: Buffer.from(CALL).toString("base64"),
          }
          const { run_id: reading } = yield* send("POST", "/deals/documents", { deal_id: "deal_1", ...file })
          yield* ended(reading)
          const { run_id: analysis } = yield* send("POST", "/deals/deal_1/analysis")
          yield* ended(analysis)
          const { findings } = yield* send("GET", "/deals/deal_1/analysis")
          const { id: finding } = findings.find(({ kind }: { readonly kind: string }) => kind === "feature")
          for (const state of ["accepted", "rejected"])
            yield* send("PATCH", `/deals/deal_1/analysis/findings/${finding}`, { state })
          yield* send("POST", "/deals/deal_1/analysis/verify")
          yield* send("DELETE", "/product-intelligence/as_1")

          yield* send("PATCH", "/deals/deal_1", { amount: 5 })
          yield* send("DELETE", "/deals/deal_1")
          yield* send("GET", `/documents/${workspace.battlecard}/original`)
          yield* send("DELETE", `/documents/${workspace.battlecard}`)
          yield* send("PUT", "/workspace", { name: "Renamed" })
          yield* send("PUT", "/workspace/competitors/cmp_new", { name: "Brand New" })
          yield* send("DELETE", "/workspace/competitors/cmp_new")
          const { import_id } = yield* send("POST", "/import?type=owner", "Name\nSomebody\n", "text/csv")
          const { run_id: undoing } = yield* send("POST", `/import/${import_id}/undo`)
          yield* ended(undoing)
          const messages = [{ role: "user", content: "How many deals are there?" }]
          const { message } = yield* send("POST", "/responses", { messages })
          const viewed = { headers: { "x-request-id": `act-${++n}` } }
          assert.strictEqual((yield* web.request(message.citations[0].url, "", viewed)).status, 200)
          yield* (yield* FigureViews).flush()

          const entries: Array<any> = []
          for (let cursor: string | null = ""; cursor !== null;) {
            const page: any = yield* send("GET", `/audit${cursor && `?cursor=${cursor}`}`)
            entries.push(...page.data)
            cursor = page.next_cursor
          }
          const { data: keys } = yield* send("GET", "/keys")
          const me = keys.find(({ name }: { name: string }) => name === "owner").id
          const mine = entries.filter(({ request_id }) => request_id?.startsWith("act-"))
          for (const { action, actor } of mine) assert.deepStrictEqual(actor, { key_id: me }, action)
          const downloads = entries.filter(({ action }) => action === "export.downloaded")
          assert.lengthOf(downloads, 1, "a resumed download is one download")
          assert.deepInclude(downloads[0], { actor: { key_id: me }, target: export_id, request_id: "by-link" })
          assert.sameMembers(
            [
              ...new Set(entries.map(({ action }) => action)),
              ...ELSEWHERE.filter((action) => action !== "organization.created"),
            ],
            [...AUDIT_ACTION_NAMES],
          )
          const imported = mine.findLast(({ action }) => action === "records.imported")
          assert.deepInclude(imported.details, { received: 1, failed: 0, complete: true })
        }),
      )
    })
  })
}
