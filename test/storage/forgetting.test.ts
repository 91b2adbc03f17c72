import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Database } from "../../src/core/storage/Database.ts"
import { deleteExpired } from "../../src/core/server/retention.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { engines } from "../support/engines.ts"
import { layerOrganizations } from "../support/organizations.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const DONE = "'completed', now() - interval '31 days', now() - interval '31 days'"

/** More rows than one statement takes away, and rows that stay. */
const rows = (org: string) => [
  `insert into changes (org_id, type, id, deleted, sequence, created_sequence, changed_at)
    select '${org}', 'deal', n::text, n > 1, n, 1, now() - interval '31 days' from generate_series(1, 1100) n`,
  `insert into documents (org_id, id, type, source, file_name, content_type) values ('${org}', 'doc', 'asset', 'api', 'f', 't')`,
  `insert into jobs (org_id, id, kind, subject, state, ended_at, created_at) values
    ('${org}', 'of-nothing', 'document', 'gone', ${DONE}),
    ('${org}', 'first', 'document', 'doc', 'failed', now() - interval '31 days', now() - interval '32 days'),
    ('${org}', 'last', 'document', 'doc', ${DONE}),
    ('${org}', 'of-export', 'export', 'exp', ${DONE}),
    ('${org}', 'new', 'document', 'gone', 'completed', now(), now())`,
  `insert into exports (org_id, id, job_id, columns, filters, csv_safe) values ('${org}', 'exp', 'of-export', '[]', '{}', true)`,
  `insert into idempotent_replies (org_id, key, fingerprint, locked_until, expires_at) values
    ('${org}', 'past', '', now(), now() - interval '1 second'), ('${org}', 'kept', '', now(), now() + interval '1 hour')`,
  `insert into cited_reports (org_id, id, query, expires_at) values
    ('${org}', 'past', '{}', now() - interval '1 second'), ('${org}', 'kept', '{}', now() + interval '1 hour')`,
  `insert into figures (org_id, id, query, answered, expires_at) values
    ('${org}', 'past', '{}', '{}', now() - interval '1 second'), ('${org}', 'kept', '{}', '{}', now() + interval '1 hour')`,
  `insert into import_pages (org_id, run_id, type, n, body, created_at) values
    ('${org}', 'crashed', 'deal', 0, '[]', now() - interval '25 hours'), ('${org}', 'running', 'deal', 0, '[]', now())`,
  `insert into import_plans (org_id, id, body, created_at) values
    ('${org}', 'old', '{}', now() - interval '61 minutes'), ('${org}', 'kept', '{}', now() - interval '59 minutes')`,
  `insert into import_log (org_id, import_id, n, entries, created_at) values
    ('${org}', 'past', 0, '{}', now() - interval '193 hours'), ('${org}', 'kept', 0, '{}', now() - interval '191 hours')`,
  `insert into imports (org_id, id, started_at) values
    ('${org}', 'past', now() - interval '91 days'), ('${org}', 'kept', now() - interval '89 days')`,
  `insert into webhooks (org_id, id, url, event_types, secret, cursor, seen) values ('${org}', 'wh', 'u', '{}', '', '', '0')`,
  `insert into webhook_deliveries (org_id, id, n, webhook_id, event, subject, body, state, ended_at)
    select '${org}', n::text, n, 'wh', 'ping', 's', '{}', 'delivered', now() - n * interval '1 day' from generate_series(29, 2100) n`,
]

for (const engine of engines) {
  const services = layerOrganizations.pipe(Layer.provideMerge(Database.layer), Layer.provide(engine.database))
  describe(`what is past its time on ${engine.name}`, () => {
    layer(services, { excludeTestServices: true })((it) => {
      it.effect("is forgotten, of organizations too that nobody uses; the rest is kept", () =>
        Effect.gen(function* () {
          const { sql, transaction, scoped } = yield* Database
          const { id: org } = yield* (yield* Organizations).create({ name: "Idle", plan: UNLIMITED })
          yield* transaction(
            org,
            Effect.forEach(rows(org), (text) => sql.unsafe(text)),
          )
          yield* deleteExpired
          const kept = (table: string, id: string) =>
            Effect.map(
              scoped<{ id: string }>(
                org,
                sql`select ${sql.literal(id)} as id from ${sql.literal(table)} where org_id = scope.org order by 1`,
              ),
              (all) => all.map((row) => row.id),
            )
          assert.deepStrictEqual(yield* kept("changes", "type || id"), ["deal1"])
          assert.deepStrictEqual(yield* kept("jobs", "id"), ["last", "new", "of-export"])
          assert.deepStrictEqual(yield* kept("idempotent_replies", "key"), ["kept"])
          assert.deepStrictEqual(yield* kept("cited_reports", "id"), ["kept"])
          assert.deepStrictEqual(yield* kept("import_log", "import_id"), ["kept"])
          assert.deepStrictEqual(yield* kept("imports", "id"), ["kept"])
          assert.deepStrictEqual(yield* kept("figures", "id"), ["kept"])
          assert.deepStrictEqual(yield* kept("import_pages", "run_id"), ["running"])
          assert.deepStrictEqual(yield* kept("import_plans", "id"), ["kept"])
          assert.deepStrictEqual(yield* kept("webhook_deliveries", "id"), ["29"])
          assert.lengthOf(yield* kept("change_horizons", "org_id"), 1)
        }),
      )
    })
  })
}
