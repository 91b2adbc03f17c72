import { METRICS } from "../../src/core/deals/columns/metrics.ts"
import { statementFor } from "../peers/deals.ts"

const words = (text: string) => text.split(" ")

/** 25 columns each. `default`: the default columns of a list and the stage's name, two of them JSON; `plain`: text and numbers. */
export const COLUMN_SETS: Readonly<Record<string, ReadonlyArray<string>>> = {
  default: [
    ...words("id name amount status_id previous_status_id close_date created_at owner_id crm_one_id crm_two_id"),
    ...words("deal_analyzed analysis_verified type region deal_competitor_associations drivers"),
    ...METRICS.map((metric) => `wl_${metric}_score`),
    "deal_status",
  ],
  plain: [
    ...words("id name amount status_id previous_status_id close_date created_at updated_at owner_id owner_name"),
    ...words("deal_status client_name crm_one_id crm_two_id type region deal_analyzed analysis_verified"),
    ...METRICS.slice(0, 4).map((metric) => `wl_${metric}_score`),
    ...METRICS.slice(0, 3).map((metric) => `wl_${metric}_explanation`),
  ],
}

const JOINED: Readonly<Record<string, string>> = {
  owner_name: "o.name",
  deal_status: "s.name",
  client_name: "c.name",
}

/** One statement that joins the names, as a careful person writes it. */
export const exportStatement = (set: string): string => {
  const { text } = statementFor("", new URLSearchParams({ columns: COLUMN_SETS[set]!.join(",") }))
  const aggregated = Object.fromEntries(
    [...text.matchAll(/(\(select coalesce\(json_agg[^]*?\)) as (\w+)(?=,| from deals d)/g)].map(([, sql, name]) => [
      name,
      sql,
    ]),
  )
  const cells = COLUMN_SETS[set]!.map((name) => `${JOINED[name] ?? aggregated[name] ?? `d.${name}`} as ${name}`)
  return `select ${cells.join(", ")} from deals d
    left join owners o on o.org_id = d.org_id and o.id = d.owner_id
    left join stages s on s.org_id = d.org_id and s.id = d.status_id
    left join clients c on c.org_id = d.org_id and c.id = d.client_id
    where d.org_id = 'org_bench_1' order by d.created_at desc, d.id collate "C" desc`.replaceAll(/\s+/g, " ")
}

export interface PeerExport {
  readonly milliseconds: number
  /** Microseconds. */
  readonly cpu: number
  readonly rows: number
  readonly baseMegabytes: number
  readonly peakMegabytes: number
  readonly sha256: string
}
