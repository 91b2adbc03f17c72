import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { forgetStored } from "../deals/rows/stored.ts"
import { markStaleOf, recordShowing } from "../storage/recordChanges.ts"
import type { EntityType } from "./names/kinds.ts"

interface Dependents {
  /** The columns that deals, deal records or associations show. */
  readonly columns: ReadonlyArray<string>
  /** Selects the type and id of what shows the entries `ids` and counts as updated with them. */
  readonly showing?: (sql: SqlClient, org: string, ids: Fragment) => Fragment
  /** Selects the deals that show the entries only in their deal records. */
  readonly records?: (sql: SqlClient, org: string, ids: Fragment) => Fragment
}

const deals =
  (column: string): NonNullable<Dependents["showing"]> =>
  (sql, org, ids) =>
    sql`select 'deal', id from deals where org_id = ${org} and ${sql.literal(column)} = any(${ids})`

const links =
  (table: string, column: string): NonNullable<Dependents["showing"]> =>
  (sql, org, ids) =>
    sql`select 'deal', deal_id from ${sql.literal(table)} where org_id = ${org} and ${sql.literal(column)} = any(${ids})`

const keys =
  (column: string): NonNullable<Dependents["records"]> =>
  (sql, org, ids) =>
    sql`select id from deals where org_id = ${org} and jsonb_exists_any(${sql.literal(column)}, ${ids})`

/** Segments are absent: queries compute which deals they contain, so that changing one changes no deal. */
const DEPENDENTS: Partial<Record<EntityType, Dependents>> = {
  stage: { columns: ["name", "category"], showing: deals("status_id") },
  owner: {
    columns: ["name"],
    showing: (...of) => of[0]`${deals("owner_id")(...of)} union ${links("deal_collaborators", "owner_id")(...of)}`,
  },
  client: { columns: ["name", "industry", "website_url"], showing: deals("client_id") },
  competitor: { columns: ["name"], showing: links("deal_competitors", "competitor_id") },
  reason: { columns: ["name", "category"], showing: links("deal_drivers", "reason_id") },
  feature: {
    columns: ["name", "product", "product_area"],
    showing: (sql, org, ids) => sql`${links("associations", "feature_id")(sql, org, ids)}
      union select 'association', id from associations where org_id = ${org} and feature_id = any(${ids})`,
  },
  metric: { columns: ["name"], records: keys("custom_metrics") },
  answer: { columns: ["name"], records: keys("custom_answers") },
}

type Values = Readonly<Record<string, unknown>>

/** Whether a change of an entry changes things that show it. */
export const changesDependents = (type: EntityType, before: Values, after: Values): boolean =>
  (DEPENDENTS[type]?.columns ?? []).some((column) => before[column] !== after[column])

/** Records everything that shows these entries as changed: in the feed, deal records and stored JSON. */
export const recordDependents = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  type: EntityType,
  ids: ReadonlyArray<string>,
) {
  const shown = DEPENDENTS[type]
  if (shown === undefined || ids.length === 0) return
  const given = sql`${[...ids]}::text[]`
  if (shown.showing !== undefined) yield* recordShowing(shown.showing(sql, org, given))
  if (shown.records !== undefined) yield* markStaleOf(shown.records(sql, org, given))
  if (type === "competitor") yield* forgetStored(sql, org, links("deal_competitors", "competitor_id")(sql, org, given))
  if (type === "reason") yield* forgetStored(sql, org, links("deal_drivers", "reason_id")(sql, org, given))
})
