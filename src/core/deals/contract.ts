import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { BODY_ERRORS, NotFound } from "../http/errors/errors.ts"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Id } from "../http/values/parameters.ts"
import { queryValue } from "../http/query/value.ts"
import { type Column, COLUMNS } from "./columns/columns.ts"
import { filterFields } from "./filters/filters.ts"
import { inQueryString } from "./filters/queryString.ts"
import { DealUpdate } from "./edits/record.ts"
import { ColumnNames } from "./columns/selectors.ts"
import { SORT_ORDERS, SORTS } from "./columns/sorting.ts"

/** A deal with the requested columns, standard and dynamic (`crm_…`, `custom_…`). */
export const Deal = Schema.StructWithRest(
  Schema.Struct(
    Object.fromEntries(
      Object.entries<Column>(COLUMNS).map(([name, { schema, description }]) => [
        name,
        Schema.optionalKey(schema.annotate({ description })),
      ]),
    ) as Record<string, Schema.optionalKey<Schema.Codec<unknown>>>,
  ),
  [Schema.Record(Schema.String, Schema.Unknown)],
).annotate({ identifier: "Deal" })

const DealCount = Schema.Struct({
  count: Schema.Int.annotate({ description: "The number of deals that match." }),
}).annotate({ identifier: "DealCount" })

const Columns = queryValue(
  ColumnNames.annotate({
    description:
      "Columns to return, separated by commas or repeated; `*` for every standard column. Besides the standard ones: " +
      "`crm_{property_id}`, `crm_crm_one_account_{property_id}`, `crm_crm_two_account_{property_id}`, " +
      "`custom_metric_score_{metric_name}`, `custom_metric_explanation_{metric_name}`, `custom_answer_{answer_name}`. " +
      "`id` is always returned.",
  }),
  { commas: true, example: ["name", "amount", "deal_status"] },
)

const described = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optional(schema.annotate({ description }) as S)

const paging = {
  page_size: described(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })),
    "Deals per page; 50 by default.",
  ),
  page_index: described(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000_000 })),
    "The page, from 0. For distant pages, `cursor` is cheaper.",
  ),
  cursor: described(
    Schema.String.check(Schema.isMaxLength(4000)),
    "The end of the previous page. Follow the `Link` header with rel=next instead of making a cursor yourself.",
  ),
  count: described(Schema.Boolean, 'True returns only `{"count": n}`.'),
  sort: described(
    Schema.Literals(SORTS),
    "`created_at` by default; with `searchQuery`, the best match first. Nulls come last.",
  ),
  sort_order: described(Schema.Literals(SORT_ORDERS), "`desc` by default."),
  columns: Schema.optional(Columns),
}

export interface ListQuerySchema extends Schema.Struct<typeof paging & typeof filterFields> {}
const ListQuery: ListQuerySchema = Schema.Struct({ ...paging, ...inQueryString(filterFields) })

const listDeals = HttpApiEndpoint.get("list", "/deals", {
  query: ListQuery,
  success: [Schema.Array(Deal), DealCount],
}).annotateMerge(
  OpenApi.annotations({
    summary: "List deals, or count them",
    description:
      'Without `columns`: the common fields and the eight scores. Filters combine with AND; null matches nothing but `is not` and `does not contain`. Arrays and objects are written as JSON (`status=["Won","Lost"]`), as repeated parameters (`status=Won&status=Lost`) or in brackets (`amount[min]=10000`); one parameter in one form. A `Link` header opens the next page.',
  }),
)

const getDeal = HttpApiEndpoint.get("get", "/deals/:id", {
  params: { id: Id },
  query: { columns: Schema.optional(Columns) },
  success: Deal,
  error: NotFound.wire,
}).annotate(OpenApi.Summary, "Read one deal")

const updateDeal = HttpApiEndpoint.patch("update", "/deals/:id", {
  params: { id: Id },
  payload: DealUpdate,
  success: Deal,
  error: [NotFound.wire, ...BODY_ERRORS],
}).annotateMerge(
  OpenApi.annotations({
    summary: "Change one deal",
    description:
      "Takes the fields of the deal's import record and returns the whole deal. A new stage moves the old one to " +
      "`previous_status_id`, unless `previous_status` is given.",
  }),
)

const deleteDeal = HttpApiEndpoint.delete("delete", "/deals/:id", {
  params: { id: Id },
  success: HttpApiSchema.NoContent,
  error: NotFound.wire,
}).annotateMerge(
  OpenApi.annotations({
    summary: "Delete one deal",
    description:
      "Also deletes its associations and the documents attached to it, with their files. Completed exports keep the deal.",
  }),
)

const Stage = Schema.NullOr(
  Schema.Struct({
    id: Schema.String,
    name: Schema.NullOr(Schema.String).annotate({ description: "Null if the stage was deleted since then." }),
    category: Schema.NullOr(Schema.Literals(["open", "won", "lost"])),
  }),
)

const StageChanges = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      changed_at: Schema.String.annotate({
        format: "date-time",
        description:
          "The `updated_at` of the record that changed the stage, if it is not in the future and not before " +
          "the previous change; otherwise the time of the import.",
      }),
      status: Stage.annotate({ description: "The stage since then. Null: no stage." }),
      previous_status: Stage.annotate({ description: "The stage until then. Null: unknown." }),
    }).annotate({ identifier: "StageChange" }),
  ),
}).annotate({ identifier: "StageChanges" })

const listStages = HttpApiEndpoint.get("stages", "/deals/:id/stages", {
  params: { id: Id },
  success: StageChanges,
  error: NotFound.wire,
}).annotateMerge(
  OpenApi.annotations({
    summary: "List a deal's stage changes",
    description: "Oldest first. The first entry is the stage that the deal had when it was imported.",
  }),
)

export const DealsGroup = HttpApiGroup.make("deals")
  .add(listDeals, getDeal, updateDeal, deleteDeal, listStages)
  .annotate(OpenApi.Description, "Deals, filtered and sorted, with the columns you choose")
