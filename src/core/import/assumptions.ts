import * as Schema from "effect/Schema"
import type { TableFacts } from "./table/Table.ts"
import type { ImportPlan } from "./plan/fields/ImportPlan.ts"
import { described } from "../http/values/described.ts"

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
  timezone: Schema.optionalKey(
    described(Schema.String, "The time zone of times without an offset, if a column may have them."),
  ),
  matched_by: Schema.optionalKey(
    described(
      Schema.Record(Schema.String, Schema.Int),
      "How many records found the row that they change, by way: `id`, `crm_one_id`, `crm_two_id`, `name_and_client`, `name`, `email`, `deal_and_feature`.",
    ),
  ),
  columns: Schema.optionalKey(
    described(
      Schema.Array(
        Schema.Struct({
          column: Schema.String,
          field: Schema.NullOr(Schema.String),
          confidence: Schema.Finite,
          by: Schema.Literals(["map", "name", "values", "export"]),
        }),
      ),
      "The field that each column fills, how sure that is (0 to 1), and what says so. A field of null: the column is not imported. `export`: the file is an export of ours, and the column one of its columns; those that are computed have a field of null.",
    ),
  ),
  properties: Schema.optionalKey(
    described(
      Schema.Array(
        Schema.Struct({
          column: Schema.String,
          id: Schema.String,
          data_type: Schema.Literals(["text", "number", "date", "boolean"]),
          is_new: Schema.Boolean,
        }),
      ),
      "The properties that keep the columns without a field (`keep_unmapped`), and whether the import registers them.",
    ),
  ),
  stages: Schema.optionalKey(
    described(
      Schema.Array(
        Schema.Struct({
          name: Schema.String,
          category: Schema.Literals(["open", "won", "lost"]),
          by: Schema.Literals(["option", "words", "flags", "none"]),
        }),
      ),
      "The new stages, and why each is open, won or lost. `flags`: a column such as Is Won says so. `none`: nothing says so, and the stage is open.",
    ),
  ),
}).annotate({ identifier: "ImportAssumptions" })
export type Assumptions = typeof Assumptions.Type

/** The assumptions of a plan, as far as they are known when it is made. */
export const describeAssumptions = (facts: TableFacts, plan: ImportPlan | undefined): Assumptions => ({
  container: facts.container,
  ...(facts.encoding !== undefined && { encoding: facts.encoding }),
  ...(facts.compression !== undefined && { compression: facts.compression }),
  ...(facts.delimiter !== undefined && { delimiter: facts.delimiter }),
  ...(facts.sheet !== undefined && { sheet: facts.sheet }),
  ...(plan !== undefined && {
    header_line: plan.headerLine,
    columns: plan.columns,
    ...(plan.kept.length > 0 && {
      properties: plan.kept.map(({ column, id, data_type, is_new }) => ({ column, id, data_type, is_new })),
    }),
    ...(plan.fields.some(({ kind }) => kind === "money") && { currency: plan.currency.target ?? null }),
    ...(Object.keys(plan.currency.rates).length > 0 && { converted: plan.currency.rates }),
    decimal: Object.fromEntries(plan.fields.flatMap(({ field, mark }) => (mark === undefined ? [] : [[field, mark]]))),
    ...(plan.timezone !== undefined && { timezone: plan.timezone }),
    date_order: Object.fromEntries(
      plan.fields.flatMap(({ field, order }) => (order === undefined || order === "ISO" ? [] : [[field, order]])),
    ),
  }),
})
