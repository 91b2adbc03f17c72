import { METRICS } from "../../src/core/deals/columns/metrics.ts"

/**
 * The work of every peer, as one would write it by hand: PostgreSQL gathers associations as JSON, the driver parses the rows, and
 * `JSON.stringify` writes them again.
 */

/** The settings of Sightline's sessions, for the peers' sessions too. */
export const SETTINGS = {
  plan_cache_mode: "force_custom_plan",
  jit: "off",
  search_path: "sightline,public",
  timezone: "UTC",
} as const

export const databaseUrl = process.env["BENCH_DATABASE_URL"]!
export const port = Number(process.env["PORT"])
/** Sightline's 401. */
export const REFUSAL = JSON.stringify({
  error: {
    code: "unauthorized",
    message: "send 'Authorization: Bearer <key>' with a key of this workspace that is neither revoked nor expired",
  },
})
/** The same stored JSON per deal that Sightline reads. */
export const STORED = process.argv.includes("--stored")
/** Looks up a key and charges two limits before each answer. */
export const DUTIES = process.argv.includes("--duties")

const competitors = (element: string) =>
  `(select coalesce(json_agg(json_build_object(${element}, 'is_primary', dc.is_primary, 'is_incumbent', dc.is_incumbent)
      order by dc.is_primary desc, k.name, k.id), '[]')
    from deal_competitors dc join competitors k on k.org_id = dc.org_id and k.id = dc.competitor_id
    where dc.org_id = d.org_id and dc.deal_id = d.id)`

const SCORES = METRICS.map((metric) => `wl_${metric}_score`)

const words = (text: string) => text.split(" ")

/** Columns of the deal itself. */
const PLAIN = [
  ...words("id name amount status_id previous_status_id created_at updated_at owner_id crm_one_id crm_two_id"),
  ...words("deal_analyzed analysis_verified type region"),
  ...SCORES,
]

const COLUMNS: Record<string, string> = {
  ...Object.fromEntries(PLAIN.map((name) => [name, `d.${name}`])),
  close_date: "d.close_date::text",
  deal_competitor_associations: competitors(`'competitor_id', k.id, 'competitor_name', k.name`),
  competitors: competitors(`'id', k.id, 'name', k.name`),
  drivers: `(select coalesce(json_agg(json_build_object('reason_id', r.id, 'name', r.name, 'category', r.category,
      'positive', dd.positive, 'summary', dd.summary) order by dd.position), '[]')
    from deal_drivers dd join reasons r on r.org_id = dd.org_id and r.id = dd.reason_id
    where dd.org_id = d.org_id and dd.deal_id = d.id)`,
  deal_status: "(select s.name from stages s where s.org_id = d.org_id and s.id = d.status_id)",
  owner_name: "(select o.name from owners o where o.org_id = d.org_id and o.id = d.owner_id)",
  client_name: "(select c.name from clients c where c.org_id = d.org_id and c.id = d.client_id)",
}

const DEFAULT = [
  ...words("id name amount status_id previous_status_id close_date created_at owner_id crm_one_id crm_two_id"),
  ...words("deal_analyzed analysis_verified type region deal_competitor_associations drivers"),
  ...SCORES,
]

export interface Statement {
  readonly text: string
  readonly values: Array<string | number | ReadonlyArray<string>>
  readonly count: boolean
  readonly stored: boolean
}

/** The statement that answers this query string. A bare server validates nothing. */
export const statementFor = (org: string, query: URLSearchParams): Statement => {
  const values: Statement["values"] = [org]
  const parameter = (value: Statement["values"][number]) => `$${values.push(value)}`
  const where = ["d.org_id = $1"]
  const status = query.get("status")
  if (status !== null) {
    const wanted = parameter((JSON.parse(status) as ReadonlyArray<string>).map((name) => name.toLowerCase()))
    where.push(`d.status_id in (select s.id from stages s
      where s.org_id = $1 and (lower(s.name) = any(${wanted}::text[]) or lower(s.id) = any(${wanted}::text[])))`)
  }
  const amount = query.get("amount")
  if (amount !== null) {
    const { min, max } = JSON.parse(amount) as { readonly min: number; readonly max: number }
    where.push(`d.amount >= ${parameter(min)}::float8`, `d.amount <= ${parameter(max)}::float8`)
  }
  if (query.get("count") === "true") {
    return {
      text: `select count(*)::int as count from deals d where ${where.join(" and ")}`,
      values,
      count: true,
      stored: false,
    }
  }
  const size = Number(query.get("page_size") ?? 50)
  const chosen = query.get("columns")?.split(",")
  const stored = STORED && chosen === undefined
  const selected = stored ? "j.body" : (chosen ?? DEFAULT).map((name) => `${COLUMNS[name]} as ${name}`).join(", ")
  return {
    text: `select ${selected} from deals d ${stored ? "join deal_json j on j.org_id = d.org_id and j.deal_id = d.id" : ""}
      where ${where.join(" and ")} order by d.created_at desc, d.id collate "C" desc
      limit ${parameter(size)}::int offset ${parameter(Number(query.get("page_index") ?? 0) * size)}::int`,
    values,
    count: false,
    stored,
  }
}

/** Rows as the reply's body. */
export const bodyOf = (rows: ReadonlyArray<unknown>, { count, stored }: Statement): string => {
  if (count) return JSON.stringify(rows[0])
  return stored
    ? `[${(rows as ReadonlyArray<{ body: string }>).map((row) => row.body).join(",")}]`
    : JSON.stringify(rows)
}

/** Without duties, a peer trusts the organization's header. */
export const organizationOf = (headers: Headers | Record<string, string | Array<string> | undefined>): string =>
  String(headers instanceof Headers ? headers.get("x-organization") : headers["x-organization"])
