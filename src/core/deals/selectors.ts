import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type * as SchemaIssue from "effect/SchemaIssue"
import { refusedBecause } from "../http/expectation.ts"
import type { Invalid } from "../http/validation.ts"
import { suggestion } from "../common/nearest.ts"
import {
  type Column,
  COLUMN_ALIASES,
  COLUMNS,
  columnNamed,
  type DealList,
  DEFAULT_COLUMNS,
  INTERNAL_COLUMNS,
  ofClient,
} from "./columns.ts"
import { type CrmProperties, findProperty } from "./crmFilterSql.ts"
import { type FilterContext, inSegment } from "./filterSql.ts"

/** What of the workspace a selector may name. */
export interface SelectorContext extends FilterContext {
  readonly properties: CrmProperties
  readonly metrics: ReadonlyArray<Named>
  readonly answers: ReadonlyArray<Named>
  readonly segmentNames: ReadonlyArray<Named>
}

export interface Named {
  readonly id: string
  readonly name: string
}

/** A requested column: `selector` is the property's name in the reply, as the caller wrote it. */
export interface Selected {
  readonly selector: string
  /** Its value over `d`; of a structured column, its JSON as text. */
  readonly value: Fragment
  /** `json`: a jsonb value of any type. */
  readonly kind: "text" | "number" | "instant" | "json" | "structured"
  /** Of an instant, the `timestamptz` that its value is the text of. */
  readonly instant?: Fragment | undefined
  /** What `value` gathers for one deal. */
  readonly list?: DealList | undefined
  /** The value looks up one of an organization's few. */
  readonly ofFew?: true | undefined
  /** The value is a subquery that finds a row by its key: who reads many deals joins it. */
  readonly lookup: boolean
}

const DYNAMIC = /^(crm_|custom_metric_score_|custom_metric_explanation_|custom_answer_)./

const isStandard = (name: string) =>
  name === "*" || columnNamed.has(name) || COLUMN_ALIASES.has(name) || INTERNAL_COLUMNS.has(name)

/** Could this be a column of some workspace? Says what is wrong before the workspace is asked. */
export const selectorProblem = (name: string): SchemaIssue.Issue | undefined =>
  isStandard(name) || DYNAMIC.test(name)
    ? undefined
    : refusedBecause({
        reason: `must name columns of a deal; '${name.slice(0, 100)}' is none`,
        ...suggestion(name, [...columnNamed.keys(), ...COLUMN_ALIASES.keys()]),
      })

/** Does any of these need to know the workspace? */
export const isDynamic = (name: string): boolean =>
  (!isStandard(name) && DYNAMIC.test(name)) || name === "segments" || name === "*"

/** `columns` resolved in the order asked for; duplicates and internal names dropped. */
export const select = (
  sql: SqlClient,
  columns: ReadonlyArray<string>,
  context: SelectorContext,
): { readonly selected: ReadonlyArray<Selected>; readonly invalid: ReadonlyArray<Invalid> } => {
  const names = columns.flatMap((name) => (name === "*" ? COLUMNS.map((column) => column.name) : [name]))
  const selected: Array<Selected> = []
  const invalid: Array<Invalid> = []
  let all: ReadonlyArray<string> | undefined
  for (const name of new Set(names)) {
    if (INTERNAL_COLUMNS.has(name)) continue
    const column = columnNamed.get(COLUMN_ALIASES.get(name) ?? name)
    const found = column === undefined ? dynamic(sql, name, context) : standard(sql, name, column, context)
    if (found === undefined) {
      invalid.push({
        field: "columns",
        reason: `must name columns of this workspace's deals; '${name.slice(0, 100)}' is none`,
        ...(invalid.length < MAX_SUGGESTED && suggestion(name, (all ??= selectorsOf(context)))),
      })
    } else {
      selected.push(found)
    }
  }
  return { selected, invalid }
}

/** Unknown columns for which the nearest is looked for, which takes time. */
const MAX_SUGGESTED = 20

/** Every selector that the workspace knows. */
const selectorsOf = ({ properties, metrics, answers }: SelectorContext): ReadonlyArray<string> => [
  ...columnNamed.keys(),
  ...properties.map(({ crm, object, id }) => (object === "deal" ? `crm_${id}` : `crm_${crm}_account_${id}`)),
  ...metrics.flatMap(({ name }) => [`custom_metric_score_${name}`, `custom_metric_explanation_${name}`]),
  ...answers.map(({ name }) => `custom_answer_${name}`),
]

/** A deal is answered with its `id`, asked for or not. */
export const withId = (columns: ReadonlyArray<string>): ReadonlyArray<string> =>
  columns.includes("id") || columns.includes("*") ? columns : ["id", ...columns]

/** The columns answered when none are chosen. */
export const selectDefault = (sql: SqlClient): ReadonlyArray<Selected> =>
  DEFAULT_COLUMNS.map((column) => fixed(sql, column.name, column))

const standard = (sql: SqlClient, selector: string, column: Column, context: SelectorContext): Selected =>
  column.name === "segments"
    ? { selector, value: segmentsOf(sql, context), kind: "structured", lookup: false }
    : fixed(sql, selector, column)

const fixed = (sql: SqlClient, selector: string, column: Column): Selected => ({
  selector,
  value: sql.literal(column.sql),
  list: column.list,
  ofFew: column.ofFew,
  instant: column.instant === undefined ? undefined : sql.literal(column.instant),
  kind: column.structured ? "structured" : column.numeric ? "number" : column.instant ? "instant" : "text",
  lookup: !column.structured && column.sql.startsWith("(select"),
})

const segmentsOf = (sql: SqlClient, context: SelectorContext): Fragment => {
  if (context.segmentNames.length === 0) return sql`'[]'`
  const rows = context.segmentNames.map(
    ({ id, name }) => sql`case when ${inSegment(sql, id, context)} then ${JSON.stringify({ id, name })}::text end`,
  )
  return sql`'[' || concat_ws(',', variadic array[${sql.csv(rows)}]) || ']'`
}

const normal = (name: string) => name.toLowerCase().replaceAll(/\s+/g, "")

const byIdOrName = (all: ReadonlyArray<Named>, name: string) =>
  all.find(({ id }) => id === name) ??
  all.find((each) => normal(each.name) === normal(name)) ??
  all.find(({ id }) => id.toLowerCase() === name.toLowerCase())

const after = (name: string, prefix: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : undefined)

const dynamic = (sql: SqlClient, selector: string, context: SelectorContext): Selected | undefined => {
  const value = (value: Fragment): Selected => ({
    selector,
    value,
    kind: "json",
    lookup: false,
  })
  const score = after(selector, "custom_metric_score_")
  const explanation = after(selector, "custom_metric_explanation_")
  const answer = after(selector, "custom_answer_")
  if (answer !== undefined) {
    const found = byIdOrName(context.answers, answer)
    return found && value(sql`d.custom_answers -> ${found.id}::text`)
  }
  if (score !== undefined || explanation !== undefined) {
    const found = byIdOrName(context.metrics, score ?? explanation ?? "")
    const part = score !== undefined ? "score" : "explanation"
    return found && value(sql`d.custom_metrics -> ${found.id}::text -> ${part}::text`)
  }
  for (const crm of ["crm_one", "crm_two"] as const) {
    const name = after(selector, `crm_${crm}_account_`)
    const found = name === undefined ? undefined : findProperty(context.properties, "account", crm, name)
    if (found !== undefined) return value(sql`${sql.literal(ofClient("crm_properties"))} -> ${found.id}::text`)
  }
  const name = after(selector, "crm_")
  const found = name === undefined ? undefined : findProperty(context.properties, "deal", undefined, name)
  return found && value(sql`d.crm_properties -> ${found.id}::text`)
}
