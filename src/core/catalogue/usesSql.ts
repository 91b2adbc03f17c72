import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { fold } from "../common/fold.ts"
import { TABLES } from "../records/names/kinds.ts"
import { foldName } from "../records/names/Names.ts"
import { CHANGEABLE, type ChangeableKind } from "./kinds.ts"

/** How many things refer to an entry. */
export interface Uses {
  readonly deals: number
  readonly documents: number
  readonly segments: number
}

const NONE = "select null::text as deal_id where false"

/** Selects the deals that refer to an entry, by kind. No deal refers to a segment. */
const DEALS: Record<ChangeableKind, (sql: SqlClient, org: string, id: string) => Fragment> = {
  stages: (sql, org, id) =>
    sql`select d.id as deal_id from deals d where d.org_id = ${org} and ${id} in (d.status_id, d.previous_status_id)`,
  competitors: (sql, org, id) =>
    sql`select deal_id from deal_competitors where org_id = ${org} and competitor_id = ${id}`,
  reasons: (sql, org, id) => sql`select deal_id from deal_drivers where org_id = ${org} and reason_id = ${id}`,
  features: (sql, org, id) => sql`select deal_id from associations where org_id = ${org} and feature_id = ${id}`,
  segments: (sql) => sql.literal(NONE),
  metrics: (sql, org, id) =>
    sql`select d.id as deal_id from deals d where d.org_id = ${org} and jsonb_exists(d.custom_metrics, ${id})`,
  answers: (sql, org, id) =>
    sql`select d.id as deal_id from deals d where d.org_id = ${org} and jsonb_exists(d.custom_answers, ${id})`,
}

/** Counts the deals and documents that refer to an entry. Runs in a transaction of the organization. */
export const countUses = (sql: SqlClient, kind: ChangeableKind, org: string, id: string) =>
  sql<Omit<Uses, "segments">>`
    select (select count(distinct u.deal_id)::int from (${DEALS[kind](sql, org, id)}) u) as deals,
      ${
        kind === "competitors"
          ? sql`(select count(*)::int from documents where org_id = ${org} and competitor_id = ${id})`
          : sql`0`
      } as documents`

/**
 * Finds another entry with this name. Features of different products may share a name. An entry may keep its name even if
 * an import gave it to another entry too.
 */
export const findSameName = (
  sql: SqlClient,
  kind: ChangeableKind,
  org: string,
  id: string,
  { name, product }: { readonly name: string; readonly product?: string | null | undefined },
) => {
  const table = sql.literal(TABLES[CHANGEABLE[kind]].table)
  const own = (column: string) =>
    sql`(select ${sql.literal(column)} from ${table} where org_id = ${org} and id = ${id})`
  const sameProduct =
    kind === "features"
      ? sql`coalesce(n.folded_product, '') = coalesce(${product === undefined ? own("folded_product") : product && fold(product)}, '')`
      : sql`true`
  return sql<{ id: string }>`
    select n.id from ${table} n
    where n.org_id = ${org} and n.folded = ${foldName(CHANGEABLE[kind], name)} and n.id <> ${id} and ${own("name")} is distinct from ${name.trim()} and ${sameProduct}
    order by n.id limit 1`
}
