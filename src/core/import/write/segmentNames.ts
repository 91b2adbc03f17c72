import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { ArrayFilter } from "../../deals/arrayFilters.ts"
import { fold } from "../../common/fold.ts"
import { updateSegment } from "./entityRows.ts"
import { type Kind, TABLES } from "./Names.ts"

/** The filters that name entities, by kind. */
const FIELDS: Partial<Record<Kind, ReadonlyArray<ArrayFilter>>> = {
  stage: ["status"],
  owner: ["owner_ids", "collaborators"],
  client: ["client_ids"],
  competitor: ["competitors", "primary_competitors", "incumbents"],
  reason: ["driver_ids"],
  feature: ["feature_ids"],
}

interface Segment {
  readonly id: string
  readonly filters: Readonly<Record<string, unknown>>
}

const segmentsOf = (sql: SqlClient, org: string) =>
  sql<Segment>`select id, filters from segments where org_id = ${org} order by id for update`

type Part = Readonly<Record<string, unknown>>

const partsIn = (filters: Part): ReadonlyArray<Part> => [filters, ...((filters["and"] ?? []) as ReadonlyArray<Part>)]

const valuesIn = (part: Part, field: string): ReadonlyArray<string> => {
  const values = part[field]
  return Array.isArray(values) ? values.map(String) : []
}

/** Counts the segments that name an entity, by id or name. */
export const countSegmentsNaming = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  kind: Kind,
  { id, name }: { readonly id: string; readonly name: string },
) {
  const fields = FIELDS[kind] ?? []
  if (fields.length === 0) return 0
  const said = new Set([fold(id), fold(name)])
  return (yield* segmentsOf(sql, org)).filter((segment) =>
    partsIn(segment.filters).some((part) =>
      fields.some((field) => valuesIn(part, field).some((value) => said.has(fold(value)))),
    ),
  ).length
})

/** Replaces old names in segments by ids, so that a segment still means the renamed entity. */
export const replaceNamesInSegments = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  kind: Kind,
  renamed: ReadonlyArray<{ readonly id: string; readonly from: string }>,
) {
  const fields = FIELDS[kind] ?? []
  if (fields.length === 0 || renamed.length === 0) return
  const segments = yield* segmentsOf(sql, org)
  if (segments.length === 0) return
  const others = yield* sql<{ folded: string; id: string }>`
    select folded, id from ${sql.literal(TABLES[kind].table)} where org_id = ${org} and folded = any(${renamed.map(({ from }) => fold(from))}::text[])`
  const stillNamed = new Set(others.map(({ folded }) => folded))
  const idsOf = Map.groupBy(renamed, ({ from }) => fold(from))
  const replaceIn = (part: Part): Part => {
    const filters: Record<string, unknown> = { ...part }
    for (const field of fields) {
      const values = valuesIn(part, field)
      if (!values.some((value) => idsOf.has(fold(value)))) continue
      filters[field] = [
        ...new Set(
          values.flatMap((value) => [
            ...(idsOf.get(fold(value)) ?? []).map(({ id }) => id),
            // If another entity has the same name, the segment means both.
            ...(idsOf.has(fold(value)) && !stillNamed.has(fold(value)) ? [] : [value]),
          ]),
        ),
      ]
    }
    return Array.isArray(part["and"])
      ? { ...filters, and: (part["and"] as ReadonlyArray<Part>).map(replaceIn) }
      : filters
  }
  for (const segment of segments) {
    const filters = replaceIn(segment.filters)
    if (JSON.stringify(filters) === JSON.stringify(segment.filters)) continue
    yield* updateSegment(sql, org, segment.id, filters)
  }
})
