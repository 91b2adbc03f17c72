import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { suggestion } from "../../common/nearest.ts"
import type { Invalid } from "../../http/validation/validation.ts"
import {
  COLUMN_ALIASES,
  COLUMN_NAMES,
  type ColumnKind,
  type ColumnName,
  COLUMNS,
  DEFAULT_NAMES,
  INTERNAL_COLUMNS,
  isColumn,
  kindOf,
} from "../columns/columns.ts"
import { type ColumnSql, columnSql, type FixedName, ofClient } from "../columns/sql.ts"
import { findProperty } from "../names/properties.ts"
import { findByIdOrName } from "../names/dynamic.ts"
import type { SelectorContext } from "./context.ts"
import { inSegment } from "../conditions/conditions.ts"

/** A requested column. `selector` is its name in the reply, as the caller wrote it. */
export interface Selected extends Omit<ColumnSql, "value" | "instant"> {
  readonly selector: string
  /** Its value over `d`; a structured column's value is JSON text. */
  readonly value: Fragment
  /** `json`: a jsonb value of any type. */
  readonly kind: ColumnKind | "json"
  /** The `timestamptz` behind the text of an instant. */
  readonly instant?: Fragment | undefined
}

/** Resolves columns in the order of the request; drops duplicates and internal names. */
export const select = (
  sql: SqlClient,
  columns: ReadonlyArray<string>,
  context: SelectorContext,
): { readonly selected: ReadonlyArray<Selected>; readonly invalid: ReadonlyArray<Invalid> } => {
  const names = columns.flatMap((name): ReadonlyArray<string> => (name === "*" ? COLUMN_NAMES : [name]))
  const selected: Array<Selected> = []
  const invalid: Array<Invalid> = []
  let all: ReadonlyArray<string> | undefined
  for (const name of new Set(names)) {
    if (INTERNAL_COLUMNS.has(name)) continue
    const column = COLUMN_ALIASES.get(name) ?? name
    const found = isColumn(column) ? selectStandard(sql, name, column, context) : selectDynamic(sql, name, context)
    if (found === undefined) {
      invalid.push({
        field: "columns",
        reason: `must name columns of this workspace's deals; '${name.slice(0, 100)}' is not one`,
        ...(invalid.length < MAX_SUGGESTED && suggestion(name, (all ??= makeSelectors(context)))),
      })
    } else {
      selected.push(found)
    }
  }
  return { selected, invalid }
}

/** The unknown columns that get a suggestion, which takes time to find. */
const MAX_SUGGESTED = 20

/** Lists every selector that the workspace knows. */
const makeSelectors = ({ properties, metrics, answers }: SelectorContext): ReadonlyArray<string> => [
  ...COLUMN_NAMES,
  ...properties.map(({ crm, object, id }) => (object === "deal" ? `crm_${id}` : `crm_${crm}_account_${id}`)),
  ...metrics.flatMap(({ name }) => [`custom_metric_score_${name}`, `custom_metric_explanation_${name}`]),
  ...answers.map(({ name }) => `custom_answer_${name}`),
]

/** The columns of a reply when the request chooses none. */
export const selectDefault = (sql: SqlClient): ReadonlyArray<Selected> =>
  DEFAULT_NAMES.map((name) => selectFixed(sql, name, name))

const selectStandard = (sql: SqlClient, selector: string, name: ColumnName, context: SelectorContext): Selected =>
  name === "segments"
    ? { selector, value: selectSegments(sql, context), kind: kindOf(COLUMNS.segments) }
    : selectFixed(sql, selector, name)

const selectFixed = (sql: SqlClient, selector: string, name: FixedName): Selected => {
  const { value, instant, ...how } = columnSql(name)
  return {
    selector,
    ...how,
    value: sql.literal(value),
    instant: instant === undefined ? undefined : sql.literal(instant),
    kind: kindOf(COLUMNS[name]),
  }
}

const selectSegments = (sql: SqlClient, context: SelectorContext): Fragment => {
  if (context.segmentNames.length === 0) return sql`'[]'`
  const rows = context.segmentNames.map(
    ({ id, name }) => sql`case when ${inSegment(sql, id, context)} then ${JSON.stringify({ id, name })}::text end`,
  )
  return sql`'[' || concat_ws(',', variadic array[${sql.csv(rows)}]) || ']'`
}

const withoutPrefix = (name: string, prefix: string) =>
  name.startsWith(prefix) ? name.slice(prefix.length) : undefined

const selectDynamic = (sql: SqlClient, selector: string, context: SelectorContext): Selected | undefined => {
  const value = (value: Fragment): Selected => ({ selector, value, kind: "json" })
  const score = withoutPrefix(selector, "custom_metric_score_")
  const explanation = withoutPrefix(selector, "custom_metric_explanation_")
  const answer = withoutPrefix(selector, "custom_answer_")
  if (answer !== undefined) {
    const found = findByIdOrName(context.answers, answer)
    return found && value(sql`d.custom_answers -> ${found.id}::text`)
  }
  if (score !== undefined || explanation !== undefined) {
    const found = findByIdOrName(context.metrics, score ?? explanation ?? "")
    const part = score !== undefined ? "score" : "explanation"
    return found && value(sql`d.custom_metrics -> ${found.id}::text -> ${part}::text`)
  }
  for (const crm of ["crm_one", "crm_two"] as const) {
    const name = withoutPrefix(selector, `crm_${crm}_account_`)
    const found = name === undefined ? undefined : findProperty(context.properties, "account", crm, name)
    if (found !== undefined) return value(sql`${sql.literal(ofClient("crm_properties"))} -> ${found.id}::text`)
  }
  const name = withoutPrefix(selector, "crm_")
  const found = name === undefined ? undefined : findProperty(context.properties, "deal", undefined, name)
  return found && value(sql`d.crm_properties -> ${found.id}::text`)
}
