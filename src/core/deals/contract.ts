import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { NotFound } from "../http/errors.ts"
import * as OpenApi from "effect/http-api/OpenApi"
import { Id } from "../http/parameters.ts"
import { queryValue } from "../http/queryValue.ts"
import { COLUMNS } from "./columns.ts"
import { filterFields } from "./filters.ts"
import { inQueryString } from "./queryString.ts"
import { selectorProblem } from "./selectors.ts"
import { SORT_ORDERS, SORTS } from "./sorting.ts"

/** A deal with the columns asked for; dynamic columns (`crm_…`, `custom_…`) stand beside the standard ones. */
export const Deal = Schema.StructWithRest(
  Schema.Struct(
    Object.fromEntries(
      COLUMNS.map(({ name, schema, description }) => [name, Schema.optionalKey(schema.annotate({ description }))]),
    ) as Record<string, Schema.optionalKey<Schema.Codec<unknown>>>,
  ),
  [Schema.Record(Schema.String, Schema.Unknown)],
).annotate({ identifier: "Deal" })

const DealCount = Schema.Struct({
  count: Schema.Int.annotate({ description: "how many deals match" }),
}).annotate({ identifier: "DealCount" })

const Columns = queryValue(
  Schema.Array(Schema.String)
    .check(
      Schema.isMaxLength(500),
      Schema.makeFilter((names: ReadonlyArray<string>) => {
        if (names.length === 0) return "must name at least one column: leave it out for the common ones, or send *"
        return names.flatMap((name) => selectorProblem(name) ?? [])
      }),
    )
    .annotate({
      description:
        "Columns to answer, separated by commas or repeated; `*` for every standard column. Beside the standard ones: " +
        "`crm_{property_id}`, `crm_crm_one_account_{property_id}`, `crm_crm_two_account_{property_id}`, " +
        "`custom_metric_score_{metric_name}`, `custom_metric_explanation_{metric_name}`, `custom_answer_{answer_name}`. " +
        "`id` is always answered.",
    }),
  { commas: true, example: ["name", "amount", "deal_status"] },
)

const described = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optional(schema.annotate({ description }) as S)

export const listDeals = HttpApiEndpoint.get("list", "/deals", {
  query: {
    page_size: described(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })),
      "deals a page; 50 unless said",
    ),
    page_index: described(
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000_000 })),
      "zero-based page; far pages are cheaper by `cursor`",
    ),
    cursor: described(
      Schema.String.check(Schema.isMaxLength(4000)),
      "where the page before ended: follow the `Link` header with rel=next rather than making one",
    ),
    count: described(Schema.Boolean, 'true answers only `{"count": n}`'),
    sort: described(
      Schema.Literals(SORTS),
      "`created_at` unless said; with `searchQuery` the best match first. Nulls last",
    ),
    sort_order: described(Schema.Literals(SORT_ORDERS), "`desc` unless said"),
    columns: Schema.optional(Columns),
    ...inQueryString(filterFields),
  },
  success: [Schema.Array(Deal), DealCount],
}).annotateMerge(
  OpenApi.annotations({
    summary: "List deals, or count them",
    description:
      'Without `columns`: the common fields and the eight scores. Filters combine with AND; null matches nothing but `is not` and `does not contain`. Arrays and objects are written as JSON (`status=["Won","Lost"]`), as repeated parameters (`status=Won&status=Lost`) or in brackets (`amount[min]=10000`); one parameter in one form. A `Link` header opens the next page.',
  }),
)

export const getDeal = HttpApiEndpoint.get("get", "/deals/:id", {
  params: { id: Id },
  query: { columns: Schema.optional(Columns) },
  success: Deal,
  error: NotFound.wire,
}).annotate(OpenApi.Summary, "Read one deal")

export const DealsGroup = HttpApiGroup.make("deals")
  .add(listDeals, getDeal)
  .annotate(OpenApi.Description, "Deals: filtered, sorted, with the columns asked for")
