import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { ArrayFilter } from "../../deals/filters/arrays.ts"
import { fold } from "../../common/fold.ts"
import { type EntityRow, updateSegment } from "../entityRows.ts"
import { type Kind, TABLES } from "./kinds.ts"

/** The filters that name entities, by kind. */
const FIELDS: Partial<Record<Kind, ReadonlyArray<ArrayFilter>>> = {
  stage: ["status", "entered_stages", "left_stages"],
  owner: ["owner_ids", "collaborators"],
  client: ["client_ids"],
  competitor: ["competitors", "primary_competitors", "incumbents"],
  reason: ["driver_ids"],
  feature: ["feature_ids"],
}

export interface Segment {
  readonly id: string
  readonly filters: Readonly<Record<string, unknown>>
}

const selectSegments = (sql: SqlClient, org: string) =>
  sql<Segment & EntityRow>`select id, name, filters from segments where org_id = ${org} order by id for update`

export interface Renamed {
  readonly id: string
  readonly from: string
}

type FilterPart = Readonly<Record<string, unknown>>

const partsIn = (filters: FilterPart): ReadonlyArray<FilterPart> => [
  filters,
  ...((filters["and"] ?? []) as ReadonlyArray<FilterPart>),
]

const valuesIn = (part: FilterPart, field: string): ReadonlyArray<string> => {
  const values = part[field]
  return Array.isArray(values) ? values.map(String) : []
}

/** Reads which values segments have where they name entities. Returns whether one of them is the id or name of an entity. */
export const readNamedInSegments = Effect.fnUntraced(function* (sql: SqlClient, org: string, kinds: Iterable<Kind>) {
  const named = new Map<Kind, ReadonlySet<string>>()
  const fieldsOf = [...kinds].flatMap((kind) => (FIELDS[kind] === undefined ? [] : [[kind, FIELDS[kind]] as const]))
  if (fieldsOf.length > 0) {
    const segments = yield* sql<Pick<Segment, "filters">>`select filters from segments where org_id = ${org}`
    const parts = segments.flatMap(({ filters }) => partsIn(filters))
    for (const [kind, fields] of fieldsOf) {
      named.set(kind, new Set(parts.flatMap((part) => fields.flatMap((field) => valuesIn(part, field).map(fold)))))
    }
  }
  return (kind: Kind, { id, name }: { readonly id: string; readonly name: string }): boolean => {
    const values = named.get(kind)
    return values !== undefined && values.size > 0 && (values.has(fold(id)) || values.has(fold(name)))
  }
})

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
  return (yield* selectSegments(sql, org)).filter((segment) =>
    partsIn(segment.filters).some((part) =>
      fields.some((field) => valuesIn(part, field).some((value) => said.has(fold(value)))),
    ),
  ).length
})

/** The segments that use old names, with ids instead. `stillNamed`: folded names that another entity has. */
export const replaceOldNames = <S extends Segment>(
  segments: ReadonlyArray<S>,
  kind: Kind,
  renamed: ReadonlyArray<Renamed>,
  stillNamed: ReadonlySet<string>,
): ReadonlyArray<S> => {
  const fields = FIELDS[kind] ?? []
  const idsOf = Map.groupBy(renamed, ({ from }) => fold(from))
  const replaceIn = (part: FilterPart): FilterPart => {
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
      ? { ...filters, and: (part["and"] as ReadonlyArray<FilterPart>).map(replaceIn) }
      : filters
  }
  return segments.flatMap((segment) => {
    const filters = replaceIn(segment.filters)
    return JSON.stringify(filters) === JSON.stringify(segment.filters) ? [] : [{ ...segment, filters }]
  })
}

/** Whether filters of segments name entities of the kind. */
export const isNamedInSegments = (kind: Kind): boolean => FIELDS[kind] !== undefined

/** Replaces old names in segments by ids, so that a segment still means the renamed entity. Returns the changed ones, and all as they were. */
export const replaceNamesInSegments = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  kind: Kind,
  renamed: ReadonlyArray<Renamed>,
) {
  if (!isNamedInSegments(kind) || renamed.length === 0) return { found: [], changed: [] }
  const found = yield* selectSegments(sql, org)
  if (found.length === 0) return { found, changed: [] }
  const others = yield* sql<{ folded: string; id: string }>`
    select folded, id from ${sql.literal(TABLES[kind].table)} where org_id = ${org} and folded = any(${renamed.map(({ from }) => fold(from))}::text[])`
  const stillNamed = new Set(others.map(({ folded }) => folded))
  const changed = replaceOldNames(found, kind, renamed, stillNamed)
  for (const { id, filters } of changed) yield* updateSegment(sql, org, id, filters)
  return { found, changed }
})
