import * as Schema from "effect/Schema"
import type * as SchemaIssue from "effect/SchemaIssue"
import { suggestion } from "../../common/nearest.ts"
import { refusedBecause } from "../../http/validation/expectation.ts"
import { COLUMN_ALIASES, COLUMN_NAMES, INTERNAL_COLUMNS, isColumn } from "./columns.ts"

const DYNAMIC = /^(crm_|custom_metric_score_|custom_metric_explanation_|custom_answer_)./

const isStandard = (name: string) =>
  name === "*" || isColumn(name) || COLUMN_ALIASES.has(name) || INTERNAL_COLUMNS.has(name)

/** Explains why `name` cannot be a column of any workspace; undefined if it can. Needs no database. */
export const selectorProblem = (name: string): SchemaIssue.Issue | undefined =>
  isStandard(name) || DYNAMIC.test(name)
    ? undefined
    : refusedBecause({
        reason: `must name columns of a deal; '${name.slice(0, 100)}' is not one`,
        ...suggestion(name, [...COLUMN_NAMES, ...COLUMN_ALIASES.keys()]),
      })

/** The columns that a request names. */
export const ColumnNames = Schema.Array(Schema.String).check(
  Schema.isMaxLength(500),
  Schema.makeFilter((names: ReadonlyArray<string>) => {
    if (names.length === 0) return "must name at least one column; omit it for the default columns, or send *"
    return names.flatMap((name) => selectorProblem(name) ?? [])
  }),
)

/** Whether the column depends on the workspace's CRM properties, metrics, answers or segments. */
export const isDynamic = (name: string): boolean =>
  (!isStandard(name) && DYNAMIC.test(name)) || name === "segments" || name === "*"

/** Adds `id`, which every reply has. */
export const withId = (columns: ReadonlyArray<string>): ReadonlyArray<string> =>
  columns.includes("id") || columns.includes("*") ? columns : ["id", ...columns]
