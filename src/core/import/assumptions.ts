import * as Schema from "effect/Schema"
import type { TableFacts } from "./table/Table.ts"
import type { ImportPlan } from "./plan/ImportPlan.ts"

const described = <S extends Schema.Top>(schema: S, description: string) => schema.annotate({ description })

/** The assumptions of an import, shown so that a person can see whether it is right. Files of records have the first two only. */
export const Assumptions = Schema.Struct({
  container: described(Schema.Literals(["csv", "ndjson", "json", "xlsx", "html"]), "The kind of file, from its bytes."),
  encoding: Schema.optionalKey(described(Schema.String, "The encoding of a text file.")),
  compression: Schema.optionalKey(Schema.Literal("gzip")),
  delimiter: Schema.optionalKey(described(Schema.String, "The separator of the cells of a CSV.")),
  sheet: Schema.optionalKey(described(Schema.String, "The sheet of a workbook that was read.")),
  header_line: Schema.optionalKey(described(Schema.Int, "The line of the headers. Lines above it are skipped.")),
  currency: Schema.optionalKey(
    described(
      Schema.NullOr(Schema.String),
      "The currency of amounts. Null: neither the workspace nor the file has one.",
    ),
  ),
  converted: Schema.optionalKey(
    described(
      Schema.Record(Schema.String, Schema.Finite),
      "Rates of the currencies that are converted: units of the workspace's for one.",
    ),
  ),
  decimal: Schema.optionalKey(
    described(Schema.Record(Schema.String, Schema.Literals([".", ","])), "The decimal mark of each column of numbers."),
  ),
  date_order: Schema.optionalKey(
    described(
      Schema.Record(Schema.String, Schema.Literals(["DMY", "MDY"])),
      "The order of day and month in each column of dates that has it.",
    ),
  ),
  columns: Schema.optionalKey(
    described(
      Schema.Array(
        Schema.Struct({
          column: Schema.String,
          field: Schema.NullOr(Schema.String),
          confidence: Schema.Finite,
          by: Schema.Literals(["map", "name", "values"]),
        }),
      ),
      "The field that each column fills, how sure that is (0 to 1), and what says so. A field of null: the column is not imported.",
    ),
  ),
  stages: Schema.optionalKey(
    described(
      Schema.Array(
        Schema.Struct({
          name: Schema.String,
          category: Schema.Literals(["open", "won", "lost"]),
          by: Schema.Literals(["option", "words", "none"]),
        }),
      ),
      "The new stages, and why each is open, won or lost. `none`: nothing says so, and the stage is open.",
    ),
  ),
}).annotate({ identifier: "ImportAssumptions" })
export type Assumptions = typeof Assumptions.Type

/** The assumptions of a plan, as far as they are known when it is made. */
export const assumptionsOf = (facts: TableFacts, plan: ImportPlan | undefined): Assumptions => ({
  container: facts.container,
  ...(facts.encoding !== undefined && { encoding: facts.encoding }),
  ...(facts.compression !== undefined && { compression: facts.compression }),
  ...(facts.delimiter !== undefined && { delimiter: facts.delimiter }),
  ...(facts.sheet !== undefined && { sheet: facts.sheet }),
  ...(plan !== undefined && {
    header_line: plan.headerLine,
    columns: plan.columns,
    ...(plan.fields.some(({ kind }) => kind === "money") && { currency: plan.currency.target ?? null }),
    ...(Object.keys(plan.currency.rates).length > 0 && { converted: plan.currency.rates }),
    decimal: Object.fromEntries(plan.fields.flatMap(({ field, mark }) => (mark === undefined ? [] : [[field, mark]]))),
    date_order: Object.fromEntries(
      plan.fields.flatMap(({ field, order }) => (order === undefined || order === "ISO" ? [] : [[field, order]])),
    ),
  }),
})
