import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { CanonicalFilters } from "../../deals/filters.ts"
import { updateSegment } from "./entityRows.ts"
import { type Kind, TABLES } from "./Names.ts"

/** The filters that name entities, by kind. */
const FIELDS: Partial<Record<Kind, ReadonlyArray<keyof CanonicalFilters>>> = {
  stage: ["status"],
  owner: ["owner_ids", "collaborators"],
  competitor: ["competitors", "primary_competitors"],
  reason: ["driver_ids"],
  feature: ["feature_ids"],
}

interface Segment {
  readonly id: string
  readonly filters: Readonly<Record<string, unknown>>
}

const segmentsOf = (sql: SqlClient, org: string) =>
  sql<Segment>`select id, filters from segments where org_id = ${org} order by id for update`

const valuesOf = ({ filters }: Segment, field: string): ReadonlyArray<string> => {
  const values = filters[field]
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
  const said = new Set([id.toLowerCase(), name.toLowerCase()])
  return (yield* segmentsOf(sql, org)).filter((segment) =>
    fields.some((field) => valuesOf(segment, field).some((value) => said.has(value.toLowerCase()))),
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
  const others = yield* sql<{ given: string; id: string }>`
    select given, id from ids_named(${org}, ${TABLES[kind].table}, ${renamed.map(({ from }) => from)}::text[])`
  const stillNamed = new Set(others.map(({ given }) => given.toLowerCase()))
  const idsOf = Map.groupBy(renamed, ({ from }) => from.toLowerCase())
  for (const segment of segments) {
    const filters: Record<string, unknown> = { ...segment.filters }
    for (const field of fields) {
      const values = valuesOf(segment, field)
      if (!values.some((value) => idsOf.has(value.toLowerCase()))) continue
      filters[field] = [
        ...new Set(
          values.flatMap((value) => [
            ...(idsOf.get(value.toLowerCase()) ?? []).map(({ id }) => id),
            // If another entity has the same name, the segment means both.
            ...(idsOf.has(value.toLowerCase()) && !stillNamed.has(value.toLowerCase()) ? [] : [value]),
          ]),
        ),
      ]
    }
    if (JSON.stringify(filters) === JSON.stringify(segment.filters)) continue
    yield* updateSegment(sql, org, segment.id, filters)
  }
})
