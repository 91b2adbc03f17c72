import { makeRandom } from "../../test/support/random.ts"
import type { ReportQuery } from "../../src/core/reports/Reports.ts"

/** A report and what a person would write for it, without row-level security: its groups, and its totals over deals that count once. */
export interface Compared {
  readonly name: string
  readonly query: ReportQuery
  readonly groups: string
  readonly totals: string
}

const FROM = "from deals d left join stages s on s.org_id = d.org_id and s.id = d.status_id"
const OF = "where d.org_id = 'org_bench_1'"
const WIN_RATE = `count(*) filter (where s.category = 'won')::float8 / nullif(count(*) filter (where s.category in ('won', 'lost')), 0)`
const CYCLE = `percentile_cont(.5) within group (order by d.close_date - (d.created_at at time zone 'UTC')::date)
  filter (where s.category in ('won', 'lost'))`
const COMPETITORS = "left join deal_competitors x on x.org_id = d.org_id and x.deal_id = d.id"

const deals = (measures: ReadonlyArray<string>, groupBy: ReadonlyArray<string>): ReportQuery => ({
  subject: "deals",
  measures,
  groupBy,
  limit: 1000,
  filters: {},
})

export const NAMED: ReadonlyArray<Compared> = [
  {
    name: "win rate by competitor by quarter",
    query: deals(["win_rate"], ["competitor", "close_date.quarter"]),
    groups: `select x.competitor_id, date_trunc('quarter', d.close_date), ${WIN_RATE} ${FROM} ${COMPETITORS} ${OF} group by 1, 2`,
    totals: `select ${WIN_RATE} ${FROM} ${OF}`,
  },
  {
    name: "features by lost amount",
    query: { subject: "associations", measures: ["amount_lost"], groupBy: ["feature"], limit: 1000, filters: {} },
    groups: `select x.feature_id, sum(d.amount) filter (where s.category = 'lost') ${FROM}
      join (select distinct deal_id, feature_id from associations where org_id = 'org_bench_1') x on x.deal_id = d.id ${OF} group by 1`,
    totals: `select sum(d.amount) filter (where s.category = 'lost') ${FROM} ${OF}
      and d.id in (select deal_id from associations where org_id = 'org_bench_1')`,
  },
  {
    name: "pipeline by stage",
    query: deals(["amount_open", "deals"], ["status"]),
    groups: `select d.status_id, sum(d.amount) filter (where s.category = 'open'), count(*) ${FROM} ${OF} group by 1`,
    totals: `select sum(d.amount) filter (where s.category = 'open'), count(*) ${FROM} ${OF}`,
  },
  {
    name: "median cycle by owner",
    query: deals(["cycle_days_median"], ["owner"]),
    groups: `select d.owner_id, ${CYCLE} ${FROM} ${OF} group by 1`,
    totals: `select ${CYCLE} ${FROM} ${OF}`,
  },
]

/** By hand: the key of each dimension, and the join that it needs. */
const DIMENSIONS: Readonly<Record<string, readonly [key: string, join?: string]>> = {
  owner: ["d.owner_id"],
  region: ["d.folded_region"],
  deal_type: ["d.folded_type"],
  outcome: ["s.category"],
  "close_date.month": ["date_trunc('month', d.close_date)"],
  "created_at.quarter": ["date_trunc('quarter', d.created_at at time zone 'UTC')"],
  primary_competitor: [
    "x.competitor_id",
    "left join deal_competitors x on x.org_id = d.org_id and x.deal_id = d.id and x.is_primary",
  ],
  industry: ["n.folded_industry", "left join clients n on n.org_id = d.org_id and n.id = d.client_id"],
}
const MEASURES: Readonly<Record<string, string>> = {
  deals: "count(*)",
  amount: "sum(d.amount)",
  won: "count(*) filter (where s.category = 'won')",
  clients: "count(distinct d.client_id)",
  amount_median: "percentile_cont(.5) within group (order by d.amount)",
  win_rate: WIN_RATE,
  cycle_days_median: CYCLE,
  amount_max: "max(d.amount)",
}

/** Reports at random: one or two dimensions, one or two measures. */
export const randomQueries = (count: number, seed: number): ReadonlyArray<Compared> => {
  const random = makeRandom(seed)
  return Array.from({ length: count }, () => {
    const groupBy = random.some(Object.keys(DIMENSIONS), 1, 2)
    const measures = random.some(Object.keys(MEASURES), 1, 2)
    const keys = groupBy.map((name) => DIMENSIONS[name]![0])
    const joins = groupBy.flatMap((name) => DIMENSIONS[name]![1] ?? [])
    const values = measures.map((name) => MEASURES[name]!).join(", ")
    return {
      name: `${measures.join(", ")} by ${groupBy.join(" by ")}`,
      query: deals(measures, groupBy),
      groups: `select ${[...keys, values].join(", ")} ${FROM} ${joins.join(" ")} ${OF} group by ${keys.map((_, index) => index + 1).join(", ")}`,
      totals: `select ${values} ${FROM} ${OF}`,
    }
  })
}
