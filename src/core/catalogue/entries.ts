import * as Schema from "effect/Schema"
import { ANSWER_FORMS } from "../deals/columns/answerForms.ts"
import { DealFilters } from "../deals/filters/filters.ts"
import { Position, Probability } from "../deals/edits/record.ts"
import { Text, Uri } from "../http/values/parameters.ts"
import type { Kind } from "./kinds.ts"
import { described } from "../http/values/described.ts"

const text = Schema.NullOr(Schema.String)

const deals = described(Schema.Int, "The number of deals that have it.")
const named = { id: Schema.String, name: Schema.String }

const aliases = described(Schema.Array(Schema.String), "Other names that texts use for it.")

const Item = Schema.Struct({ ...named, deals }).annotate({ identifier: "WorkspaceItem" })
const Value = Schema.Struct({
  id: described(Schema.Null, "Plain values have no id; filters take the name."),
  name: Schema.String,
  deals,
}).annotate({ identifier: "WorkspaceValue" })
const Stage = Schema.Struct({
  ...named,
  category: Schema.Literals(["open", "won", "lost"]),
  position: described(Schema.Int, "Stages are listed in this order."),
  probability: described(
    Schema.NullOr(Schema.Finite),
    "The part of its deals that will be won, 0 to 1, for the measure `amount_weighted`.",
  ),
  deals: described(Schema.Int, "The number of deals in it."),
}).annotate({ identifier: "WorkspaceStage" })
const Competitor = Schema.Struct({ ...named, website_url: Schema.NullOr(Uri), aliases, deals }).annotate({
  identifier: "WorkspaceCompetitor",
})
const Reason = Schema.Struct({ ...named, category: text, aliases, deals }).annotate({ identifier: "WorkspaceReason" })
const Feature = Schema.Struct({
  ...named,
  description: text,
  product: text,
  product_area: text,
  aliases,
  deals,
}).annotate({
  identifier: "WorkspaceFeature",
})
const Segment = Schema.Struct({
  ...named,
  filters: described(
    Schema.Record(Schema.String, Schema.Unknown),
    "The filters of GET /deals that define the segment.",
  ),
  deals,
}).annotate({ identifier: "WorkspaceSegment" })
const question = {
  question: described(text, "The question that an analysis by a language model answers. Null: people answer it."),
  filters: described(
    Schema.Record(Schema.String, Schema.Unknown),
    "The filters of GET /deals for which it is asked. Empty: of every deal.",
  ),
}
const Metric = Schema.Struct({ ...named, ...question, deals }).annotate({ identifier: "WorkspaceMetric" })
const Answer = Schema.Struct({
  ...named,
  ...question,
  form: described(Schema.NullOr(Schema.Literals(ANSWER_FORMS)), "The form of the answer. Null: a sentence."),
  options: described(Schema.Array(Schema.String), "The values of the form `option`."),
  deals,
}).annotate({ identifier: "WorkspaceAnswer" })
const CrmProperty = Schema.Struct({
  ...named,
  crm: Schema.Literals(["crm_one", "crm_two"]),
  object: Schema.Literals(["deal", "account"]),
  data_type: Schema.Literals(["text", "number", "date", "boolean"]),
  deals: described(Schema.Int, "The number of deals with a value, in the deal or its account."),
}).annotate({ identifier: "WorkspaceCrmProperty" })

/** An entry of any kind. Kinds with more fields come first, because the encoder takes the first that fits. */
export const Entry = Schema.Union([
  Stage,
  CrmProperty,
  Feature,
  Answer,
  Metric,
  Segment,
  Competitor,
  Reason,
  Item,
  Value,
])
export type Entry = typeof Entry.Type

const first = <S extends Schema.Top>(entry: S) =>
  Schema.Struct({ data: Schema.Array(entry), has_more: described(Schema.Boolean, "True if there are more than 100.") })

/** The first entries of each kind. */
export const OVERVIEW = {
  stages: first(Stage),
  owners: first(Item),
  competitors: first(Competitor),
  reasons: first(Reason),
  features: first(Feature),
  segments: first(Segment),
  regions: first(Value),
  industries: first(Value),
  deal_types: first(Value),
  product_labels: first(Value),
  tags: first(Value),
  metrics: first(Metric),
  answers: first(Answer),
  crm_properties: first(CrmProperty),
} as const satisfies Record<Kind, Schema.Top>

const Duplicate = Schema.Struct({
  type: Schema.Literals(["deal", "client"]),
  field: Schema.Literals(["crm_one_id", "crm_two_id"]),
  key: described(Schema.String, "The common part of their ids: the first 15 characters of an id of Salesforce."),
  records: described(Schema.Array(Schema.Struct({ ...named, crm_id: Schema.String })), "The oldest first."),
}).annotate({ identifier: "WorkspaceDuplicate" })
export type Duplicate = typeof Duplicate.Type
export const Duplicates = described(
  Schema.Array(Duplicate),
  "Deals and clients that an earlier version stored twice, with the short and the long form of one CRM id: the first 100. Nothing merges them.",
)

const optional = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(described(schema, description))

/** The body of `PUT`. The import record of a kind decides which fields it has and which values are valid. */
export const EntryPatch = Schema.Struct({
  name: optional(Text, "Required for a new one. It must be unique within the kind."),
  category: optional(
    Schema.NullOr(Text),
    "For a stage: `open`, `won` or `lost`; by default, derived from its name. For a reason: any text.",
  ),
  position: optional(Position, "For a stage: its position among the others."),
  probability: optional(
    Schema.NullOr(Probability),
    "For a stage: the part of its deals that will be won, 0 to 1. The measure `amount_weighted` multiplies amounts by it.",
  ),
  website_url: optional(
    Schema.NullOr(Text.check(Schema.isMaxLength(4000)).annotate({ format: "uri" })),
    "For a competitor.",
  ),
  description: optional(Schema.NullOr(Text), "For a feature."),
  product: optional(Schema.NullOr(Text), "For a feature."),
  product_area: optional(Schema.NullOr(Text), "For a feature."),
  aliases: optional(
    Schema.NullOr(Schema.Array(Text).check(Schema.isMaxLength(100))),
    "For a competitor, reason or feature: other names that texts use for it. They replace those that it has.",
  ),
  filters: optional(
    Schema.NullOr(DealFilters),
    "For a segment: the filters of GET /deals that define it. For a metric or answer: those of the deals that its question is asked of.",
  ),
  question: optional(
    Schema.NullOr(Text.check(Schema.isMaxLength(1000))),
    "For a metric or answer: what an analysis by a language model asks of a deal's documents. A metric is a score from 1 to 5; its question says what these mean.",
  ),
  form: optional(
    Schema.NullOr(Schema.Literals(ANSWER_FORMS)),
    "For an answer: true or false with a sentence, a sentence (the default), a paragraph, or one of `options`.",
  ),
  options: optional(
    Schema.NullOr(Schema.Array(Text).check(Schema.isMaxLength(50))),
    "For an answer of the form `option`: its values.",
  ),
}).annotate({ identifier: "WorkspaceEntryPatch", examples: [{ name: "Closed won", category: "won", position: 5 }] })
export type EntryPatch = typeof EntryPatch.Type
