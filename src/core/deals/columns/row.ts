import type { ColumnAliases, ColumnValues, DefaultName } from "./values.ts"

/** The name of a standard column. */
export type ColumnName = keyof ColumnValues

/** The name of a column: a standard one, `*` for all of those, or one of the workspace's own. */
export type Selector = ColumnName | keyof ColumnAliases | "*" | DynamicSelector

/** A CRM property, custom metric or custom answer of the workspace. */
export type DynamicSelector =
  | `crm_${string}`
  | `custom_metric_score_${string}`
  | `custom_metric_explanation_${string}`
  | `custom_answer_${string}`

type ValueOf<S> = S extends ColumnName
  ? ColumnValues[S]
  : S extends keyof ColumnAliases
    ? ValueOf<ColumnAliases[S]>
    : S extends `custom_metric_score_${string}`
      ? number | null
      : S extends `custom_${string}`
        ? string | null
        : string | number | boolean | null

type NamesIn<S> = "id" | Exclude<S, "*"> | ("*" extends S ? ColumnName : never)

/**
 * A deal with the columns that were asked for: `Row<"name" | "amount">`. If they are not known before run time, every column is
 * optional.
 */
export type Row<S extends Selector = DefaultName> = Selector extends S
  ? Flat<{ readonly id: string } & { readonly [K in Exclude<Selector, "*" | "id">]?: ValueOf<K> }>
  : // The first part keeps the descriptions of standard columns.
    Flat<Pick<ColumnValues, NamesIn<S> & ColumnName> & { readonly [K in Exclude<NamesIn<S>, ColumnName>]: ValueOf<K> }>

/** The type of the rows for a list of columns. */
export type RowOf<C extends ReadonlyArray<Selector>> = Row<C[number]>

/** Shows the fields of an intersection as one object. */
type Flat<A> = { [K in keyof A]: A[K] }
