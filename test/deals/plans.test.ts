import { assert, describe, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { canonicalize } from "../../src/core/deals/filters/canonical.ts"
import { loadContext } from "../../src/core/deals/selection/context.ts"
import { conditions } from "../../src/core/deals/conditions/conditions.ts"
import { DealFilters } from "../../src/core/deals/filters/filters.ts"
import { bySimilarity, type Sorting, sortingBy, SORTS } from "../../src/core/deals/columns/sorting.ts"
import type { PageQuery } from "../../src/core/deals/rows/rows.ts"
import { selectCount } from "../../src/core/deals/sql.ts"
import { selectStoredPage } from "../../src/core/deals/rows/page.ts"
import { selectCandidates } from "../../src/core/answers/subjects/subject.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { freshPostgresUrl } from "../support/engines.ts"
import { explain, planOf } from "./plans.ts"
import { oneConnection } from "../support/oneConnection.ts"

const ORG = "org_3"
const PER_ORGANIZATION = 20_000
const PAGE = 50

/** Inserts 100,000 deals over 5 organizations, with statements over whole tables. */
const seed = [
  // If it marked pages as visible in the middle of a run, PostgreSQL would prefer to read the index of all of an organization's deals.
  ...["deals", "deal_competitors", "deal_product_labels"].map(
    (table) => `alter table ${table} set (autovacuum_enabled = false)`,
  ),
  `insert into organizations (id, name, plan) select 'org_' || o, 'Org ' || o, 'growth' from generate_series(1, 5) o`,
  `insert into stages (org_id, id, name, folded, category, position)
    select 'org_' || o, 'stg_' || s, 'Stage ' || s, 'stage ' || s, 'open', s
    from generate_series(1, 5) o, generate_series(0, 7) s`,
  `insert into owners (org_id, id, name, folded) select 'org_' || o, 'own_' || s, 'Owner ' || s, 'owner ' || s from generate_series(1, 5) o, generate_series(0, 199) s`,
  `insert into competitors (org_id, id, name, folded) select 'org_' || o, 'cmp_' || s, 'Rival ' || s, 'rival ' || s from generate_series(1, 5) o, generate_series(0, 99) s`,
  `insert into clients (org_id, id, name, folded, industry, folded_industry)
    select 'org_' || o, 'cli_' || s, 'Client ' || s, 'client ' || s, 'industry ' || s % 50, 'industry ' || s % 50
    from generate_series(1, 5) o, generate_series(0, 1999) s`,
  `insert into deals (org_id, id, crm_one_id, crm_one_key, name, folded, folded_type, folded_region, amount, status_id, close_date, created_at, updated_at, owner_id, client_id, type,
      region, deal_analyzed, wl_product_fit_score, wl_sales_execution_score, wl_relationship_score, wl_price_sensitivity_score,
      wl_competitive_intensity_score, wl_customer_fit_score, wl_messaging_fit_score, wl_messaging_accuracy_score)
    select 'org_' || n % 5 + 1, 'deal_' || n, 'opp-' || n, 'opp-' || n, 'Deal ' || md5(n::text) || ' ' || n, 'deal ' || md5(n::text) || ' ' || n,
      'type ' || (n / 5) % 40, 'region ' || (n / 5) % 40, case when n % 7 > 0 then (n * 7919) % 1000000 end,
      'stg_' || (n / 5) % 8, case when n % 11 > 0 then date '2025-01-01' + (n * 31 % 700)::int end,
      timestamptz '2025-01-01' + (n * 104729 % 40000000) * interval '1 second', timestamptz '2025-06-01' + (n * 7907 % 40000000) * interval '1 second',
      'own_' || (n / 5) % 200, 'cli_' || (n / 5) % 2000, 'type ' || (n / 5) % 40, 'region ' || (n / 5) % 40, (n / 5) % 50 > 0, s, s, s, s, s, s, s, s
    from (select n, case when n % 3 > 0 then 1 + (n * 13) % 9 / 2.0 end as s from generate_series(1, ${5 * PER_ORGANIZATION}::bigint) n) deal`,
  `insert into deal_competitors (org_id, deal_id, competitor_id, is_primary, is_incumbent)
    select org_id, id, 'cmp_' || ('x' || substr(md5(id), 1, 4))::bit(16)::int % 100, true, false from deals`,
  `insert into deal_product_labels (org_id, deal_id, label, folded_label)
    select d.org_id, d.id, l.label, l.label from deals d,
      lateral (select 'label ' || ('x' || substr(md5(d.id), 5, 4))::bit(16)::int % 60 as label) l`,
  // Samples every row: the plans do not depend on chance.
  `set local default_statistics_target = 10000`,
  `analyze`,
]

const OWNER = "plans_owner"

/** The tables' owner is not a superuser, as on a hosted server, so row-level security applies even to the owner's functions. */
const setUp = Effect.gen(function* () {
  const superuser = new URL(yield* Effect.orDie(freshPostgresUrl))
  const asSuperuser = yield* Layer.build(oneConnection(superuser.href))
  const sql = Context.get(asSuperuser, SqlClient)
  for (const text of [
    `create role ${OWNER} login createrole password 'owner'`,
    `do $$ begin create role sightline_app; exception when duplicate_object then null; end $$`,
    `grant sightline_app to ${OWNER} with admin option`,
    `alter database ${superuser.pathname.slice(1)} owner to ${OWNER}`,
  ]) {
    yield* sql.unsafe(text)
  }
  const url = new URL(superuser)
  url.username = OWNER
  url.password = "owner"
  const database = yield* Layer.build(
    Database.layer.pipe(Layer.provide(layerPostgres({ url: Redacted.make(url.href) }))),
  )
  yield* sql.unsafe("set search_path = sightline, public")
  yield* sql.withTransaction(Effect.forEach(seed, (text) => sql.unsafe(text)))
  const owner = yield* Layer.build(oneConnection(url.href))
  return Context.add(database, TablesOwner, Context.get(owner, SqlClient))
})

class TablesOwner extends Context.Service<TablesOwner, SqlClient>()("test/TablesOwner") {}

const decode = Schema.decodeUnknownSync(DealFilters)
const statementsFor = Effect.map(Database, (database) => {
  const { sql } = database
  const parts = Effect.fnUntraced(function* (filters: unknown) {
    const { filters: known } = canonicalize(decode(filters))
    const context = yield* loadContext(ORG, known, false)
    return { conditions: conditions(sql, known, context), searchQuery: known.searchQuery }
  })
  return {
    page: (filters: unknown, sorting: Sorting, more: Partial<PageQuery> = {}) =>
      Effect.map(parts(filters), (known) =>
        selectStoredPage(sql, { ...known, sorting, size: PAGE, offset: 0, after: undefined, ...more }),
      ),
    count: (filters: unknown) =>
      Effect.map(parts(filters), ({ conditions, searchQuery }) => selectCount(sql, conditions, searchQuery)),
  }
})

/** The most used filters. If one is selective, PostgreSQL must use one of its indexes. */
const FILTERS: ReadonlyArray<readonly [object, ReadonlyArray<string>]> = [
  [{ owner_ids: ["own_7"] }, ["deals_by_owner_id"]],
  [{ owner_ids: ["owner 7", "OWN_8"] }, ["deals_by_owner_id"]],
  [{ type: ["Type 3"] }, ["deals_by_folded_type"]],
  [{ region: ["REGION 3"] }, ["deals_by_folded_region"]],
  [{ region: ["region 3", "Region 4"] }, ["deals_by_folded_region", "deals_by_created_at"]],
  [{ competitors: ["rival 5"] }, ["deal_competitors_org_id_competitor_id_deal_id_idx"]],
  [{ primary_competitors: ["cmp_5"] }, ["deal_competitors_org_id_competitor_id_deal_id_idx"]],
  [{ product_labels: ["LABEL 5"] }, ["deal_product_labels_by_folded_label"]],
  [{ industry: ["Industry 5"] }, ["deals_by_client_id"]],
  [{ amount: { min: 500, max: 600 } }, ["deals_by_amount"]],
  [{ close_date: { from: "2025-03-01", to: "2025-03-02" } }, ["deals_by_close_date"]],
  [{ created_at: { from: "2025-03-01", to: "2025-03-01" } }, ["deals_by_created_at"]],
  [{ created_at: { from: "2025-03-01T00:00:00Z", to: "2025-03-01T23:00:00Z" } }, ["deals_by_created_at"]],
  [{ updated_at: { from: "2026-09-06" } }, ["deals_by_updated_at"]],
  [{ analyzed: false }, ["deals_unanalyzed"]],
  [{ crm_one_ids: ["opp-12", "opp-17", "opp-22"] }, ["deals_by_crm_one_key"]],
  [{ deal_ids: ["deal_12", "DEAL_17", "deal_22"] }, ["deals_by_lower_id"]],
]

describe("plans over 100,000 deals on PostgreSQL", () => {
  layer(Layer.effectContext(setUp), { excludeTestServices: true })((it) => {
    for (const sort of SORTS) {
      for (const order of ["asc", "desc"] as const) {
        it.effect(`a page by ${sort} ${order} reads its index and few rows beyond the page`, () =>
          Effect.gen(function* () {
            const { page } = yield* statementsFor
            const { scoped } = yield* Database
            const sorting = sortingBy(sort, order)
            const [first] = yield* scoped<{ last_id: string; last_value: string | null }>(
              ORG,
              yield* page({}, sorting, { offset: 9_000 }),
            )
            assert.isNotNull(first?.last_value)
            const after = { value: first?.last_value ?? null, id: first?.last_id ?? "" }
            const own = `deals_by_${sort}`
            const tail = sorting.nullable
              ? [
                  [
                    page({}, sorting, { after: { value: null, id: "deal_5" } }),
                    sorting.isSparse === true ? "deals_without_score" : own,
                  ] as const,
                ]
              : []
            for (const [statement, index] of [
              [page({}, sorting), own] as const,
              [page({}, sorting, { after }), own] as const,
              ...tail,
            ]) {
              const plan = yield* explain(ORG, yield* statement)
              assert.notInclude(plan.scanned, "deals")
              assert.include(plan.indexes, index)
              assert.isAtMost(plan.read, 4 * (PAGE + 1), `${sort} ${order}`)
            }
          }),
        )
      }
    }

    for (const [filters, indexes] of FILTERS) {
      it.effect(`${JSON.stringify(filters)} uses an index`, () =>
        Effect.gen(function* () {
          const { page, count } = yield* statementsFor
          for (const statement of [count(filters), page(filters, sortingBy("created_at", "desc"))]) {
            const plan = yield* explain(ORG, yield* statement)
            assert.notIncludeMembers(plan.scanned, ["deals"])
            assert.isTrue(
              indexes.some((index) => plan.indexes.includes(index)),
              `${plan.indexes}`,
            )
            assert.isBelow(plan.read, PER_ORGANIZATION / 4, `${plan.indexes}`)
          }
        }),
      )
    }

    it.effect("a page of a common status stops early, and its count reads only that status", () =>
      Effect.gen(function* () {
        const { page, count } = yield* statementsFor
        const filters = { status: ["stage 3"] }
        const listed = yield* explain(ORG, yield* page(filters, sortingBy("created_at", "desc")))
        assert.notInclude(listed.scanned, "deals")
        assert.isAtMost(listed.read, 20 * PAGE)
        const counted = yield* explain(ORG, yield* count(filters))
        assert.notInclude(counted.scanned, "deals")
        assert.include(counted.indexes, "deals_by_status_id")
        assert.isAtMost(counted.read, PER_ORGANIZATION / 4)
      }),
    )

    it.effect("the lookup of names in a question scans neither deals nor clients", () =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        const name = "Deal c4ca4238a0b923820dcc509a6f75849b 1"
        for (const question of [`Tell me about Client 7 and ${name}.`, "What do they charge per seat? ".repeat(20)]) {
          const plan = yield* explain(ORG, selectCandidates(sql, question))
          assert.notIncludeMembers(plan.scanned, ["deals", "clients"])
          assert.isBelow(plan.read, 500, `${plan.indexes}`)
        }
      }),
    )

    it.effect("a search uses the trigram index, also under row-level security", () =>
      Effect.gen(function* () {
        const sql = yield* TablesOwner
        const [source] = yield* sql<{ body: string }>`
          select prosrc as body from pg_proc where proname = 'deals_named_like' and pronamespace = 'sightline'::regnamespace`
        const body = source?.body.replaceAll("p_org", "$1").replaceAll("p_query", "$2")
        const plan = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql.unsafe("set local search_path = sightline, public")
            yield* sql.unsafe("set local plan_cache_mode = force_custom_plan")
            yield* sql.unsafe("set local pg_trgm.word_similarity_threshold = 0.5")
            yield* sql`select set_config('sightline.organization', ${ORG}, true)`
            yield* sql.unsafe(`prepare search(text, text) as ${body}`)
            return yield* planOf(
              sql.unsafe(`explain (analyze, format json, timing off) execute search('${ORG}', 'c4ca4238a0')`),
            )
          }),
        )
        assert.include(plan.indexes, "deals_by_name_trigram")
        assert.isBelow(plan.read, 500)
      }),
    )

    it.effect("a search reads the deals that it found by their keys", () =>
      Effect.gen(function* () {
        const { page, count } = yield* statementsFor
        const filters = { searchQuery: "c4ca4238a0" }
        for (const [statement, most] of [
          [page(filters, bySimilarity), 500],
          [count(filters), 500],
          // In another order, it compares the first 1,000 names before.
          [page(filters, sortingBy("name", "asc")), 1500],
        ] as const) {
          const plan = yield* explain(ORG, yield* statement)
          assert.notInclude(plan.scanned, "deals")
          assert.isBelow(plan.read, most)
        }
      }),
    )
  })
})
