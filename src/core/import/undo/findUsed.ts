import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { EntityType } from "../../records/names/kinds.ts"
import { readNamedInSegments } from "../../records/names/segmentNames.ts"

/** A table and a column that have ids of a kind, with an index on both. */
const COLUMNS: Partial<Record<EntityType, ReadonlyArray<readonly [table: string, column: string]>>> = {
  owner: [
    ["deals", "owner_id"],
    ["deal_collaborators", "owner_id"],
  ],
  client: [["deals", "client_id"]],
  competitor: [
    ["deal_competitors", "competitor_id"],
    ["documents", "competitor_id"],
  ],
  reason: [["deal_drivers", "reason_id"]],
  feature: [["associations", "feature_id"]],
}

/** A scan of the organization that looks for all ids at once. */
const SCANS: Partial<Record<EntityType, string>> = {
  stage: `select unnest(array[status_id, previous_status_id]) as id, org_id from deals
    union all select unnest(array[status_id, previous_status_id]), org_id from deal_stage_changes`,
  metric: "select jsonb_object_keys(custom_metrics) as id, org_id from deals",
  answer: "select jsonb_object_keys(custom_answers) as id, org_id from deals",
}

/** Returns the ids of the entries that something refers to. Segments named those of `named` before the entries existed. */
export const findUsed = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  type: EntityType,
  entries: ReadonlyArray<{ readonly id: string; readonly name: string }>,
  named: ReadonlySet<string>,
) {
  if (entries.length === 0) return new Set<string>()
  const ids = entries.map(({ id }) => id)
  const scan = SCANS[type]
  const parts: ReadonlyArray<Fragment> = [
    ...(COLUMNS[type] ?? []).map(
      ([table, column]) => sql`select x.id from unnest(${ids}::text[]) x(id) where exists
        (select from ${sql.literal(table)} t where t.org_id = ${org} and t.${sql.literal(column)} = x.id)`,
    ),
    ...(scan === undefined
      ? []
      : [sql`select s.id from (${sql.literal(scan)}) s where s.org_id = ${org} and s.id = any(${ids}::text[])`]),
  ]
  const found =
    parts.length === 0 ? [] : yield* sql<{ id: string }>`${parts.reduce((all, part) => sql`${all} union ${part}`)}`
  const isNamed = yield* readNamedInSegments(sql, org, [type])
  return new Set([
    ...found.map(({ id }) => id),
    ...entries.filter((entry) => !named.has(entry.id) && isNamed(type, entry)).map(({ id }) => id),
  ])
})
