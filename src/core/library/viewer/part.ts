import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { PartElement } from "./parts.ts"
import type { AnchorTarget } from "./places.ts"

/** Chooses a part by its number, counted from 1; else by an offset in the text; else by a place. */
export interface Choice {
  readonly part?: number | undefined
  readonly start?: number | undefined
  readonly wanted?: AnchorTarget | undefined
}

export interface PartRow {
  /** From 0. */
  readonly part: number
  readonly parts: number
  /** Null in a document without text. */
  readonly elements: ReadonlyArray<PartElement> | null
}

/** Selects one part of a document. Runs inside `Database.scoped`. */
export const selectPart = (sql: SqlClient, id: string, choice: Choice): Fragment => sql`
  with found as (
    select count(*)::float8 as parts, ${target(sql, choice)} as n
    from document_parts where org_id = scope.org and document_id = ${id}
  ), chosen as (
    select greatest(parts, 1) as parts, least(greatest(coalesce(n, 0), 0), greatest(parts - 1, 0)) as part from found
  )
  select part, parts, (
    select elements from document_parts p where p.org_id = scope.org and p.document_id = ${id} and p.n = part
  ) as elements
  from document_texts, chosen where org_id = scope.org and document_id = ${id}`

/** Selects the elements of some parts of a document, in order. Runs inside `Database.scoped`. */
export const selectElements = (sql: SqlClient, id: string, from: number, to: number): Fragment => sql`
  select elements from document_parts where org_id = scope.org and document_id = ${id} and n >= ${from}::int and n < ${to}::int
  order by n`

const target = (sql: SqlClient, { part, start, wanted }: Choice): Fragment => {
  if (part !== undefined) return sql`${part - 1}::float8`
  if (start !== undefined) return sql`max(n) filter (where start_at <= ${start}::float8)`
  if (wanted === undefined) return sql`0`
  if (wanted.kind === "time") return sql`max(n) filter (where (reach->>'time')::float8 <= ${wanted.seconds}::float8)`
  const last =
    wanted.kind === "row" && wanted.sheet !== undefined
      ? sql`reach->'rows'->>${wanted.sheet}`
      : sql`reach->>${wanted.kind}`
  return sql`min(n) filter (where (${last})::float8 >= ${wanted.number}::float8)`
}
