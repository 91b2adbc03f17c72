import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { erase } from "../../src/core/catalogue/erase.ts"
import { DealRecords } from "../../src/core/search/DealRecords.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { insertWorkspace, makeWorkspace } from "../deals/workspace.ts"
import { engines } from "../support/engines.ts"
import { makeRandom } from "../support/random.ts"
import { readDocument } from "../support/readDocument.ts"
import { layerWeb, Web } from "../support/web.ts"

/** Rows of tables that the requests below leave empty. */
const OTHERS = (org: string) => [
  `insert into import_pages (org_id, run_id, type, n, body) values ('${org}', 'r', 'deal', 0, '[]')`,
  `insert into import_plans (org_id, id, body) values ('${org}', 'p', '{}')`,
  `insert into import_log (org_id, import_id, n, entries) values ('${org}', 'i', 0, '{}')`,
  `insert into imports (org_id, id) values ('${org}', 'i')`,
  `insert into change_horizons (org_id, sequence) values ('${org}', '3') on conflict do nothing`,
  `insert into blobs (org_id, version, key) values ('${org}', 'v', 'k')`,
  `insert into blob_parts (org_id, version, n, bytes) values ('${org}', 'v', 0, 'x')`,
  `insert into idempotent_reply_parts (org_id, key, first, last, ends, body, size)
    select org_id, key, 1, 1, true, 'x', 1 from idempotent_replies where org_id = '${org}' limit 1`,
  `insert into figures (org_id, id, query, answered, expires_at) values ('${org}', 'f', '{}', '{}', now() + interval '1 day')`,
  `insert into cited_reports (org_id, id, query, expires_at) values ('${org}', 'r', '{}', now() + interval '1 day')`,
  `insert into sessions (org_id, id, key_id, key_hash, hash, is_link, expires_at)
    select org_id, 's', id, 'k', 'h', false, now() + interval '1 day' from api_keys where org_id = '${org}' limit 1`,
  `insert into grants (org_id, id, key_id, key_hash, client_id, client_name, redirect_uri, challenge, scopes, permissions, resource, expires_at)
    select org_id, 'g', id, 'k', 'c', 'C', 'u', 'c', '{}', '{}', 'r', now() + interval '1 day' from api_keys where org_id = '${org}' limit 1`,
  `insert into members (org_id, id, role, origin) values ('${org}', 'm', 'viewer', 'added')`,
  `insert into grant_secrets (org_id, hash, grant_id, kind, expires_at) values ('${org}', 'h', 'g', 'code', now() + interval '1 day')`,
  `insert into vector_sets (org_id, model, vectors) values ('${org}', 'm', 1)`,
  `insert into passage_vectors (org_id, passage_id, model, signature, vector)
    select org_id, id, 'm', '1', '{1}' from passages where org_id = '${org}' limit 1`,
  `insert into deal_analyses (org_id, deal_id, run_id, state) select org_id, id, 'r', 'ready' from deals where org_id = '${org}' limit 1`,
  `insert into findings (org_id, id, deal_id, document_id, kind, target_name, side, quote, start_at, end_at, method, version)
    select d.org_id, 'f', d.id, t.id, 'quote', 'Price', 'buyer', 'q', 0, 1, 'm', '1' from deals d, documents t
    where d.org_id = '${org}' and t.org_id = '${org}' limit 1`,
  `insert into analysis_calls (org_id, deal_id, key, purpose, answer, input_tokens, output_tokens)
    select org_id, id, 'k', 'find', '{}', 1, 1 from deals where org_id = '${org}' limit 1`,
  `insert into analysis_spending (org_id, month, run_id, input_tokens, output_tokens) values ('${org}', '2026-01-01', 'r', 1, 1)`,
  `insert into boards (org_id, id, key_id, name, is_shared) values ('${org}', 'b', 'k', 'B', true)`,
  `insert into views (org_id, id, key_id, name, is_shared, board_id, filters) values ('${org}', 'v', 'k', 'V', true, 'b', '{}')`,
  `insert into conversations (org_id, id, key_id, title) values ('${org}', 'c', 'k', 'C')`,
  `insert into conversation_turns (org_id, conversation_id, number, question, answer, style, citations)
    values ('${org}', 'c', 1, 'Q', 'A', 'links', '[]')`,
  `insert into deal_json (org_id, deal_id, version, body) select org_id, id, 0, '{}' from deals where org_id = '${org}' limit 1`,
]

for (const engine of engines) {
  describe(`erasing an organization on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      it.effect("leaves no row of it in any table, and another's alone", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { sql, transaction } = yield* Database
          const fill = Effect.gen(function* () {
            const { org, key } = yield* web.tenant()
            const post = (path: string, body: object) =>
              web.request(`/api/v1${path}`, key, {
                method: "POST",
                body: JSON.stringify(body),
                headers: { "content-type": "application/json", "idempotency-key": path },
              })
            const segments = [{ id: "seg", name: "all", filters: {} }]
            yield* insertWorkspace(org, makeWorkspace(makeRandom(1), 20, segments))
            yield* readDocument(org, [{ kind: "paragraph", text: "Words", place: { kind: "text" } }])
            const webhook = yield* post("/webhooks", { url: "https://93.184.215.14/" })
            assert.strictEqual(webhook.status, 201, webhook.text)
            assert.strictEqual((yield* post(`/webhooks/${webhook.json.id}/test`, {})).status, 202)
            assert.strictEqual((yield* post("/deals/export", { columns: ["name"] })).status, 202)
            yield* (yield* DealRecords).refresh(org)
            yield* web.request("/api/v1/deals", key)
            yield* transaction(
              org,
              Effect.forEach(OTHERS(org), (text) => sql.unsafe(text)),
            )
            return org
          })
          const tables = yield* sql<{ name: string }>`
            select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
            where c.relnamespace = 'sightline'::regnamespace and c.relkind = 'r' order by 1`
          const counts = (org: string) =>
            Effect.forEach(tables, ({ name }) =>
              Effect.map(
                transaction(
                  org,
                  sql<{ count: number }>`select count(*)::int as count from ${sql.literal(name)} where org_id = ${org}`,
                ),
                ([row]) => [name, row!.count] as const,
              ),
            )
          const empty = (all: ReadonlyArray<readonly [string, number]>) =>
            // Marks are taken away at any moment, by who renders what they mark.
            all.filter(([name, count]) => count === 0 && name !== "stale_deal_records").map(([name]) => name)
          const org = yield* fill
          const other = yield* fill
          assert.deepStrictEqual(empty(yield* counts(org)), [])
          yield* erase(org)
          const left = (yield* counts(org)).filter(([, count]) => count > 0)
          assert.deepStrictEqual(left, [])
          assert.deepStrictEqual(empty(yield* counts(other)), [])
        }),
      )

      it.effect("keeps the rule that a name in use is not deleted by itself", () =>
        Effect.gen(function* () {
          const { org } = yield* (yield* Web).tenant()
          const { sql, transaction } = yield* Database
          yield* insertWorkspace(org, makeWorkspace(makeRandom(2), 20, []))
          for (const [table, link] of [
            ["owners", "deal_collaborators where owner_id"],
            ["competitors", "deal_competitors where competitor_id"],
            ["reasons", "deal_drivers where reason_id"],
          ] as const) {
            const gone = transaction(
              org,
              sql.unsafe(
                `delete from ${table} n where org_id = '${org}' and exists (select from ${link} = n.id and org_id = '${org}')`,
              ),
            )
            assert.include(JSON.stringify(yield* Effect.exit(gone)), '"code":"23503"', table)
          }
        }),
      )
    })
  })
}
