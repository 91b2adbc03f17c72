import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { insertSelected, markStale, recordDeleted, recordWritten } from "../storage/recordChanges.ts"
import { utc } from "../storage/sql.ts"

/** A row of the table `associations`; times are ISO 8601 in UTC. */
export interface AssociationRow {
  readonly id: string
  readonly deal_id: string
  readonly feature_id: string
  readonly created_at: string
  readonly influence_summary: string | null
  readonly sentiment: boolean | null
  readonly tags: ReadonlyArray<string>
}

/** Reads the associations with these ids, or of these deals. `lock` ends the statement. */
export const readAssociations = (
  sql: SqlClient,
  org: string,
  ids: ReadonlyArray<string>,
  deals: ReadonlyArray<string>,
  lock: "" | "for update",
) =>
  sql<AssociationRow>`select id, deal_id, feature_id, ${sql.literal(utc("created_at"))} as created_at,
      influence_summary, sentiment, tags
    from associations where org_id = ${org} and (id = any(${[...ids]}::text[]) or deal_id = any(${[...deals]}::text[]))
    order by id ${sql.literal(lock)}`

/** Writes and deletes associations. `formerDeals` are the deals of the replaced rows, whose records become stale too. */
export const writeAssociationRows = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  {
    changed,
    deleted,
    formerDeals,
  }: {
    readonly changed: ReadonlyArray<AssociationRow>
    readonly deleted: ReadonlyArray<string>
    readonly formerDeals: ReadonlyArray<string>
  },
) {
  if (deleted.length > 0) {
    yield* sql`delete from associations where org_id = ${org} and id = any(${[...deleted]}::text[])`
    yield* recordDeleted("association", deleted)
  }
  if (changed.length > 0) {
    yield* insertSelected(
      sql,
      org,
      (
        home,
      ) => sql`insert into associations (org_id, id, deal_id, feature_id, created_at, influence_summary, sentiment, tags)
        select ${home.org}, x.id, x.deal_id, x.feature_id, x.created_at, x.influence_summary, x.sentiment, x.tags
        from ${home.from}json_to_recordset(${JSON.stringify(changed)}::json) as x(id text, deal_id text, feature_id text,
          created_at timestamptz, influence_summary text, sentiment boolean, tags text[]) ${home.where}
        on conflict (org_id, id) do update set deal_id = excluded.deal_id, feature_id = excluded.feature_id,
          created_at = excluded.created_at, influence_summary = excluded.influence_summary,
          sentiment = excluded.sentiment, tags = excluded.tags`,
    )
    yield* recordWritten(
      "association",
      changed.map(({ id }) => id),
    )
  }
  yield* markStale([...formerDeals, ...changed.map(({ deal_id }) => deal_id)])
})

/** Deletes the associations of deals that are being deleted. */
export const deleteAssociations = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  deals: ReadonlyArray<string>,
) {
  const gone = yield* sql<{ id: string }>`
    delete from associations where org_id = ${org} and deal_id = any(${[...deals]}::text[]) returning id`
  yield* recordDeleted(
    "association",
    gone.map(({ id }) => id),
  )
})
