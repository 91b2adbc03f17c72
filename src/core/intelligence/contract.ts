import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { SENTIMENTS } from "../deals/filters/arrays.ts"
import { NotFound } from "../http/errors/errors.ts"
import { DateOrInstant, Id, Text, Uri } from "../http/values/parameters.ts"
import { queryValue } from "../http/query/value.ts"
import { dateTime, described } from "../http/values/described.ts"

const text = Schema.NullOr(Schema.String)
const Feature = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  description: Schema.String,
  product: Schema.String,
  product_area: Schema.String,
}).annotate({ identifier: "Feature" })

const Client = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  crm_one_id: described(text, "The account's id in the first CRM, if synced."),
  crm_two_id: described(text, "The company's id in the second CRM, if synced."),
  industry: text,
  website_url: Schema.NullOr(Uri),
}).annotate({ identifier: "Client" })

const AssociatedDeal = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  crm_one_id: described(text, "The opportunity's id in the first CRM, if synced."),
  crm_two_id: described(text, "The deal's id in the second CRM, if synced."),
  status: described(text, "The stage's name."),
  amount: Schema.NullOr(Schema.Finite),
  close_date: Schema.NullOr(dateTime),
  created_at: dateTime,
  updated_at: dateTime,
  clients: Schema.NullOr(Client),
}).annotate({ identifier: "AssociatedDeal" })

export const Association = Schema.Struct({
  id: Schema.String,
  created_at: dateTime,
  deal_id: Schema.String,
  feature_id: Schema.String,
  influence_summary: text,
  sentiment: described(Schema.NullOr(Schema.Boolean), "True: positive. False: negative. Null: neutral or unspecified."),
  tags: Schema.Array(Schema.String),
  features: Feature,
  deals: AssociatedDeal,
}).annotate({ identifier: "Association" })

export const AssociationFilters = Schema.Struct({
  date_from: Schema.optional(
    described(
      DateOrInstant,
      "Inclusive lower bound of the association's created_at. A day starts in the workspace's time zone.",
    ),
  ),
  date_to: Schema.optional(
    described(DateOrInstant, "Inclusive upper bound. A day is the whole day in the workspace's time zone."),
  ),
  sentiment: Schema.optional(
    described(Schema.Literals(SENTIMENTS), "`neutral` finds associations without a sentiment. By default, all."),
  ),
  tags: Schema.optional(
    queryValue(described(Schema.Array(Text), "Separated by commas or repeated. A row must have all of them."), {
      commas: true,
      example: ["blocker", "q1"],
    }),
  ),
  product: Schema.optional(described(Text, "Exact match on the feature's product.")),
  product_area: Schema.optional(described(Text, "Exact match on the feature's product area.")),
})
export type AssociationFilters = typeof AssociationFilters.Type

const Meta = Schema.Struct({
  count: Schema.Int,
  sentiment: Schema.NullOr(Schema.Literals(SENTIMENTS)),
  date_from: text,
  date_to: text,
  product: text,
  product_area: text,
  tags: Schema.Array(Schema.String),
}).annotate({ identifier: "AssociationMeta", description: "The number of rows, and the applied filters." })

export const Associations = Schema.Struct({ data: Schema.Array(Association), meta: Meta }).annotate({
  identifier: "AssociationExport",
})

export const IntelligenceGroup = HttpApiGroup.make("intelligence")
  .add(
    HttpApiEndpoint.get("export", "/product-intelligence", {
      query: AssociationFilters.fields,
      success: Associations,
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Export product-feature associations",
        description:
          "Returns one row per feature and deal, not aggregated and not paged, newest first, then by id. Use filters to narrow large results.",
      }),
    ),
    HttpApiEndpoint.delete("delete", "/product-intelligence/:id", {
      params: { id: Id },
      success: HttpApiSchema.NoContent,
      error: NotFound.wire,
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete one association",
        description: "Does not delete its deal or its feature.",
      }),
    ),
  )
  .annotate(OpenApi.Description, "Product features that came up in deals")
