import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Modifier } from "../filters/arrays.ts"
import { type Relation, type RelationName, RELATIONS } from "../filters/relations.ts"

/** The condition that limits a relation's rows to those that count. */
export const onlyRows = (sql: SqlClient, name: RelationName): Fragment =>
  sql.literal((RELATIONS[name] as Relation).only ?? "true")

/** An array filter on rows of a relation, as `x`. */
export interface RowFilter {
  readonly relation: RelationName
  readonly anyOf: (values: ReadonlyArray<string>) => Fragment
  /** The row has a value. Omitted: every row has one. */
  readonly present?: Fragment
  /** A row has several values, so that `is all of` applies to one row. */
  readonly allOf?: (values: ReadonlyArray<string>) => Fragment
}

/** A row filter with its values. */
export interface GivenRowFilter {
  readonly filter: RowFilter
  readonly values: ReadonlyArray<string>
  readonly modifier: Modifier
}

/** The filters on one relation, and the conditions on its rows besides (`asked_at`, `stage_changed_at`, `slipped_from`). */
export interface RowFilters {
  readonly relation: RelationName
  readonly given: ReadonlyArray<GivenRowFilter>
  readonly others: ReadonlyArray<Fragment>
}

/** The conditions that one row must meet. A missing row has no value. */
const rowConditions = (sql: SqlClient, { given, others }: RowFilters): ReadonlyArray<Fragment> => [
  ...others,
  ...given.flatMap(({ filter: { anyOf, present, allOf }, values, modifier }): ReadonlyArray<Fragment> => {
    switch (modifier) {
      case "is any of":
        return [anyOf(values)]
      case "is all of":
        return allOf === undefined ? [] : [allOf(values)]
      case "is empty":
        return [present === undefined ? sql`false` : sql`not (${present})`]
      case "is not empty":
        return [present ?? sql`true`]
      case "is not":
        return []
    }
  }),
]

/**
 * The conditions over `d`. One row meets all filters. Exceptions: for `is all of`, each value has such a row; for `is not`, no row
 * has a value. If every filter is `is empty`, a deal without rows matches too.
 */
export const relationConditions = (sql: SqlClient, filters: RowFilters): ReadonlyArray<Fragment> => {
  const { relation, given, others } = filters
  const exists = (conditions: ReadonlyArray<Fragment>) =>
    sql`exists (select from ${sql.literal(
      RELATIONS[relation].table,
    )} x where x.org_id = scope.org and x.deal_id = d.id and ${onlyRows(sql, relation)} and ${sql.and([...conditions])})`
  const row = rowConditions(sql, filters)
  const positive = given.filter(({ modifier }) => modifier !== "is not")
  const isEmpty = others.length === 0 && positive.every(({ modifier }) => modifier === "is empty")
  const isWithoutRows = positive.some(({ filter }) => filter.present === undefined)
  return [
    ...(row.length === 0
      ? []
      : !isEmpty
        ? [exists(row)]
        : isWithoutRows
          ? [sql`not ${exists([sql`true`])}`]
          : [sql`(${exists(row)} or not ${exists([sql`true`])})`]),
    ...given.flatMap(({ filter, values, modifier }) => {
      if (modifier === "is not") return [sql`not ${exists([filter.anyOf(values)])}`]
      if (modifier !== "is all of" || filter.allOf !== undefined) return []
      return values.map((value) => exists([...row, filter.anyOf([value])]))
    }),
  ]
}

/**
 * The rows that the filters are about: groups of a report on the relation come from these alone. Different rows of a deal may meet
 * several filters with `is all of`, so these limit the rows only if there is one.
 */
export const matchingRows = (sql: SqlClient, filters: RowFilters): ReadonlyArray<Fragment> => {
  const spread = filters.given.filter(({ filter, modifier }) => modifier === "is all of" && filter.allOf === undefined)
  return [
    ...rowConditions(sql, filters),
    ...(spread.length === 1 ? spread.map(({ filter, values }) => filter.anyOf(values)) : []),
  ]
}
