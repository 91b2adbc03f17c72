import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { jsonObject, jsonObjectOf, jsonValue } from "../storage/json.ts"
import { utc } from "../storage/sql.ts"
import { during } from "../storage/timeZone.ts"
import type { AssociationFilters } from "./contract.ts"

/** The position after the last row of a page. */
export interface Position {
  readonly created_at: string
  readonly id: string
}

export interface PageRow {
  /** JSON objects separated by commas; null on an empty page. */
  readonly rows: string | null
  readonly count: number
  readonly last: Position | null
}

const client = jsonObject({
  id: "c.id",
  name: "c.name",
  crm_one_id: "c.crm_one_id",
  crm_two_id: "c.crm_two_id",
  industry: "c.industry",
  website_url: "c.website_url",
})

const members: Record<string, string> = {
  id: jsonValue("a.id"),
  created_at: jsonValue(utc("a.created_at")),
  deal_id: jsonValue("a.deal_id"),
  feature_id: jsonValue("a.feature_id"),
  influence_summary: jsonValue("a.influence_summary"),
  sentiment: jsonValue("a.sentiment"),
  tags: jsonValue("a.tags"),
  features: jsonObject({
    id: "f.id",
    name: "f.name",
    description: "coalesce(f.description, '')",
    product: "coalesce(f.product, '')",
    product_area: "coalesce(f.product_area, '')",
  }),
  deals: jsonObjectOf({
    id: jsonValue("d.id"),
    name: jsonValue("d.name"),
    crm_one_id: jsonValue("d.crm_one_id"),
    crm_two_id: jsonValue("d.crm_two_id"),
    status: jsonValue("s.name"),
    amount: jsonValue("d.amount"),
    close_date: jsonValue(`d.close_date::text || 'T00:00:00.000Z'`),
    created_at: jsonValue(utc("d.created_at")),
    updated_at: jsonValue(utc("d.updated_at")),
    clients: `case when c.id is null then 'null' else ${client} end`,
  }),
}

const association = jsonObjectOf(members)

/** One page of associations as JSON text, newest first. Runs inside `Database.scoped`. */
export const selectPage = (
  sql: SqlClient,
  filters: AssociationFilters,
  after: Position | undefined,
  size: number,
  zone: string,
): Fragment => sql`
  select string_agg(p.json, ',' order by p.created_at desc, p.id collate "C") as rows,
    count(*)::int as count,
    (array_agg(json_build_object('created_at', p.created_at::text, 'id', p.id) order by p.created_at, p.id collate "C" desc))[1] as last
  from (
    select a.created_at, a.id, ${sql.literal(association)} as json
    from associations a
    join features f on f.org_id = scope.org and f.id = a.feature_id
    join deals d on d.org_id = scope.org and d.id = a.deal_id
    left join stages s on s.org_id = scope.org and s.id = d.status_id
    left join clients c on c.org_id = scope.org and c.id = d.client_id
    where ${sql.and([sql`a.org_id = scope.org`, ...conditions(sql, filters, after, zone)])}
    order by a.created_at desc, a.id collate "C" limit ${size}::int
  ) p`

const conditions = (sql: SqlClient, filters: AssociationFilters, after: Position | undefined, zone: string) => [
  ...during(sql, "a.created_at", { from: filters.date_from, to: filters.date_to }, zone),
  ...(filters.sentiment === undefined ? [] : [sql`a.sentiment is ${sql.literal(SENTIMENT[filters.sentiment])}`]),
  ...(filters.tags === undefined || filters.tags.length === 0 ? [] : [sql`a.tags @> ${[...filters.tags]}::text[]`]),
  ...(filters.product === undefined ? [] : [sql`f.product = ${filters.product}`]),
  ...(filters.product_area === undefined ? [] : [sql`f.product_area = ${filters.product_area}`]),
  ...(after === undefined
    ? []
    : [
        sql`a.created_at <= ${after.created_at}::timestamptz`,
        sql`(a.created_at < ${after.created_at}::timestamptz or a.id collate "C" > ${after.id})`,
      ]),
]

const SENTIMENT = { positive: "true", negative: "false", neutral: "null" } as const
