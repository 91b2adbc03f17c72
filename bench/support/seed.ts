import { FOLDED_COLUMNS, type FoldedTable } from "../../src/core/storage/foldedColumns.ts"
import { METRICS } from "../../src/core/deals/columns/metrics.ts"

export const ORGANIZATIONS = 5

/** A number in [0, n) from a row's number and a salt: the same on every machine, in any order of execution. */
const pick = (n: number, salt: string) => `(abs(hashint8extended(i, hashtext('${salt}'))) % ${n})::int`

const WORDS =
  "array['platform','rollout','renewal','pricing','security','pilot','migration','support','timeline','budget','integration','roadmap','procurement','adoption','analytics','workflow']"

const words = (count: number, salt: string) =>
  Array.from({ length: count }, (_, n) => `(${WORDS})[1 + ${pick(16, `${salt}${n}`)}]`).join(` || ' ' || `)

/** A piece of a long sentence: text that differs by row, at the cost of one hash. */
const prose = (length: number, salt: string) => `substr(${PROSE}, 1 + ${pick(400, salt)}, ${length})`

const PROSE = `repeat('The buyer compared the platform with two rivals, asked for a security review, and wanted a price that follows use. Support answered within a day; the pilot went well in two regions, less so in the third. ', 4)`

/** Inserts what `select` selects, with the folded columns. The texts are ASCII. */
export const insertFolded = (table: FoldedTable, columns: string, select: string) => {
  const given = new Set(columns.split(/,\s*/))
  const folded = Object.entries<{ readonly from: string; readonly quick: string }>(FOLDED_COLUMNS[table]).filter(
    ([, { from }]) => !/^\w+$/.test(from) || given.has(from),
  )
  return `insert into ${table} (${[columns, ...folded.map(([name]) => name)].join(", ")})
   select s.*, ${folded.map(([, { quick }]) => quick).join(", ")} from (${select}) s(${columns})`
}

const forEachOrganization = (table: FoldedTable, columns: string, select: string, count: number) =>
  insertFolded(
    table,
    `org_id, ${columns}`,
    `select 'org_bench_' || o, ${select} from generate_series(1, ${ORGANIZATIONS}) o, generate_series(1, ${count}) n`,
  )

const deal = `'deal_' || md5('deal' || i)`
const hasScore = (metric: string) => `${pick(10, `has_${metric}`)} < 7`

/**
 * The rows as SQL: `deals` in equal parts over the first `organizations`, with stages, owners, clients, one to three competitors and up to
 * three drivers each, scores and text. Only a superuser can run it, past row-level security.
 */
export const seed = (deals: number, organizations = ORGANIZATIONS): ReadonlyArray<string> => {
  const org = `'org_bench_' || 1 + i % ${organizations}`
  return [
    `insert into organizations (id, name, plan) select 'org_bench_' || o, 'Bench ' || o, 'enterprise' from generate_series(1, ${ORGANIZATIONS}) o`,
    `insert into organization_usage (org_id) select id from organizations on conflict do nothing`,
    forEachOrganization(
      "stages",
      "id, name, category, position",
      `'stage_' || n, (array['Qualification','Discovery','Proposal','Negotiation','Won','Lost'])[n],
     (array['open','open','open','open','won','lost'])[n], n`,
      6,
    ),
    forEachOrganization(
      "owners",
      "id, name, email",
      `'owner_' || n, 'Owner ' || n, 'owner' || n || '@example.com'`,
      40,
    ),
    forEachOrganization("competitors", "id, name, website_url", `'competitor_' || n, 'Competitor ' || n, null`, 30),
    forEachOrganization(
      "reasons",
      "id, name, category",
      `'reason_' || n, 'Reason ' || n, (array['Product','Price','Service'])[1 + n % 3]`,
      25,
    ),
    forEachOrganization(
      "clients",
      "id, name, industry, website_url",
      `'client_' || n, 'Client ' || n, (array['Software','Finance','Health','Retail'])[1 + n % 4], 'https://client' || n || '.example.com'`,
      2000,
    ),
    insertFolded(
      "deals",
      `org_id, id, crm_one_id, crm_two_id, name, amount, status_id, previous_status_id, close_date,
     created_at, updated_at, owner_id, client_id, type, region, deal_analyzed, analysis_verified,
     ${METRICS.map((metric) => `wl_${metric}_score, wl_${metric}_explanation`).join(", ")}, summary`,
      `select ${org}, ${deal}, 'opp_' || i, case when ${pick(2, "two")} = 0 then 'two_' || i end,
     'Client ' || 1 + ${pick(2000, "client")} || ' ' || ${words(3, "name")},
     case when ${pick(20, "no amount")} > 0 then ${pick(400000, "amount")} + ${pick(4, "quarter")} * 0.25 end,
     'stage_' || 1 + ${pick(6, "stage")}, case when ${pick(3, "previous")} > 0 then 'stage_' || 1 + ${pick(6, "before")} end,
     case when ${pick(12, "no close")} > 0 then date '2025-01-01' + ${pick(700, "close")} end,
     timestamptz '2024-01-01Z' + i * interval '9 minutes' + ${pick(60000, "ms")} * interval '1 ms',
     timestamptz '2025-12-01Z' + ${pick(5000000, "updated")} * interval '1 second',
     'owner_' || 1 + ${pick(40, "owner")}, 'client_' || 1 + ${pick(2000, "client")},
     (array['New business','Expansion','Renewal'])[1 + ${pick(3, "type")}],
     (array['EMEA','AMER','APAC','LATAM'])[1 + ${pick(4, "region")}],
     ${pick(10, "analyzed")} < 7, ${pick(10, "verified")} < 4,
     ${METRICS.map(
       (metric) => `case when ${hasScore(metric)} then 1 + ${pick(9, metric)} * 0.5 end,
         case when ${hasScore(metric)} then ${prose(90, metric)} end`,
     ).join(", ")},
     jsonb_build_object('overview', ${prose(200, "summary")})
   from generate_series(1, ${deals}) i`,
    ),
    `insert into deal_competitors (org_id, deal_id, competitor_id, is_primary, is_incumbent)
   select ${org}, ${deal}, 'competitor_' || 1 + (${pick(30, "competitor")} + c * 7) % 30, c = 0, c = 1
   from generate_series(1, ${deals}) i, generate_series(0, ${pick(3, "competitors")}) c`,
    `insert into deal_drivers (org_id, deal_id, position, reason_id, positive, summary)
   select ${org}, ${deal}, p, 'reason_' || 1 + (${pick(25, "reason")} + p * 3) % 25, (i + p) % 2 = 0, ${prose(80, "driver")}
   from generate_series(1, ${deals}) i, generate_series(1, ${pick(4, "drivers")}) p`,
  ]
}

/** Raises the limits beyond any run, so that each request is charged and accepted. */
export const GENEROUS = `update plans set requests_per_minute = 1000000000, requests_per_key_minute = 1000000000,
  requests_per_month = 1000000000 where name = 'enterprise'`
