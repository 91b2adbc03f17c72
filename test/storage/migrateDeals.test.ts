import { readdirSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { SUMMARY_SECTIONS } from "../../src/core/deals/columns/summary.ts"
import { freshPostgresUrl } from "../support/engines.ts"
import { oneConnection } from "../support/oneConnection.ts"

const MIGRATIONS = new URL("../../src/core/storage/migrations/before39/", import.meta.url)
const files = readdirSync(MIGRATIONS)
  .filter((name) => /^\d{4}_/.test(name))
  .toSorted()

/** One connection as the superuser of a database that holds nothing. */
const connected = Layer.unwrap(Effect.map(Effect.orDie(freshPostgresUrl), (url) => oneConnection(url)))

const run = Effect.fnUntraced(function* (name: string) {
  const module = yield* Effect.promise(
    () => import(new URL(name, MIGRATIONS).href) as Promise<{ default: Effect.Effect<void, SqlError, SqlClient> }>,
  )
  yield* module.default
})

describe("what deals held before 0016_deals", () => {
  it.live("keeps its summaries, in the order of their sections, and its stages", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql.unsafe("do $$ begin create role sightline_app; exception when duplicate_object then null; end $$")
      yield* sql.unsafe("create schema sightline")
      yield* sql.unsafe("set search_path = sightline, public")
      for (const name of files.filter((name) => name < "0016")) yield* run(name)
      yield* sql`insert into organizations (id, name, plan) values ('org', 'Org', 'growth')`
      yield* sql`insert into stages (org_id, id, name, category, position)
        values ('org', 'old', 'Old', 'open', 1), ('org', 'new', 'New', 'open', 2)`
      const summary = {
        key_quotes: ['"said"'],
        own: { b: 1, a: null },
        ...Object.fromEntries(SUMMARY_SECTIONS.map((name) => [name, "…"])),
      }
      const deals = [
        { id: "d1", summary, status_id: "new", previous_status_id: "old" },
        { id: "d2", summary: "An older summary.", status_id: "old", previous_status_id: null },
        { id: "d3", summary: null, status_id: null, previous_status_id: null },
        { id: "d4", summary: {}, status_id: null, previous_status_id: null },
      ]
      yield* sql`insert into deals (org_id, id, name, created_at, updated_at, summary, status_id, previous_status_id)
        select 'org', x.id, x.id, '2026-01-01', '2026-02-01', x.summary, x.status_id, x.previous_status_id
        from json_to_recordset(${JSON.stringify(deals)}::json)
          as x(id text, summary jsonb, status_id text, previous_status_id text)`
      yield* sql`delete from stale_deal_records`

      yield* run("0016_deals.ts")
      const kept = yield* sql<{ id: string; summary: unknown }>`select id, summary from deals order by id`
      assert.deepStrictEqual(
        kept.map(({ summary }) => summary),
        deals.map(({ summary }) => summary),
      )
      assert.deepStrictEqual(Object.keys(kept[0]?.summary ?? {}), [...SUMMARY_SECTIONS, "own"])
      const changes = yield* sql`select deal_id, status_id, previous_status_id, changed_at::date::text as on_day
        from deal_stage_changes order by deal_id`
      assert.deepStrictEqual(changes, [
        { deal_id: "d1", status_id: "new", previous_status_id: "old", on_day: "2026-02-01" },
        { deal_id: "d2", status_id: "old", previous_status_id: null, on_day: "2026-02-01" },
      ])
      const stale = yield* sql<{ deal_id: string }>`select deal_id from stale_deal_records order by deal_id`
      assert.deepStrictEqual(
        stale.map(({ deal_id }) => deal_id),
        ["d1", "d4"],
      )
    }).pipe(Effect.provide(connected)),
  )
})
