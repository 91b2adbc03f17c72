import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Duplicates that a reply lists. */
export const MAX_DUPLICATES = 100

const PLACES = [
  ["deal", "deals", "crm_one"],
  ["deal", "deals", "crm_two"],
  ["client", "clients", "crm_one"],
  ["client", "clients", "crm_two"],
] as const

/**
 * The deals and accounts of an organization whose CRM ids mean the same thing: an earlier version compared ids letter by letter. The index
 * of the keys has the groups in order.
 */
export const selectDuplicates = (sql: SqlClient, org: Fragment): Fragment => {
  const places = PLACES.map(
    ([
      type,
      table,
      crm,
    ]) => sql`select ${sql.literal(`'${type}'`)} as type, ${sql.literal(`'${crm}_id'`)} as field, ${sql.literal(`${crm}_key`)} as key,
      json_agg(json_build_object('id', id, 'name', name, 'crm_id', ${sql.literal(`${crm}_id`)}) order by created_at, id) as records
    from ${sql.literal(table)} where org_id = ${org} and ${sql.literal(`${crm}_key`)} is not null
    group by ${sql.literal(`${crm}_key`)} having count(*) > 1`,
  )
  return sql`select p.type, p.field, p.key, p.records from (${places.reduce((all, each) => sql`${all} union all ${each}`)}) p
    order by p.type, p.field, p.key collate "C" limit ${MAX_DUPLICATES}::int`
}
