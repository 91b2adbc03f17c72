import * as Schema from "effect/Schema"
import { ANSWER_FORMS } from "../deals/columns/answerForms.ts"
import { DealFilters } from "../deals/filters/filters.ts"
import {
  clearable,
  crmIds,
  crmProperties,
  DealRecord,
  DealReference,
  deletable,
  identified,
  Instant,
  Long,
  named,
  Position,
  Probability,
  PropertyId,
  record,
  Reference,
  Short,
} from "../deals/edits/record.ts"

const aliases = clearable(
  Schema.Array(Short)
    .check(Schema.isMaxLength(100))
    .annotate({ description: "Other names that texts use for it. They replace those that it has." }),
)

const question = {
  question: clearable(
    Schema.String.check(Schema.isMaxLength(1000)).annotate({
      description: "The question that an analysis by a language model answers about each deal. Null: people answer it.",
    }),
  ),
  filters: clearable(DealFilters),
}

/** The fields of each type of record. All are optional in an update; creating a record checks the required ones. */
export const RECORDS = {
  stage: record("stage", {
    ...named,
    category: Schema.optional(Schema.Literals(["open", "won", "lost"])),
    position: Schema.optional(Position),
    probability: clearable(Probability),
  }),
  owner: record("owner", { ...named, email: clearable(Short) }),
  competitor: record("competitor", { ...named, website_url: clearable(Long), aliases }),
  reason: record("reason", { ...named, category: clearable(Short), aliases }),
  feature: record("feature", {
    ...named,
    description: clearable(Schema.String),
    product: clearable(Short),
    product_area: clearable(Short),
    aliases,
  }),
  metric: record("metric", { ...named, ...question }),
  answer: record("answer", {
    ...named,
    ...question,
    form: clearable(Schema.Literals(ANSWER_FORMS)),
    options: clearable(Schema.Array(Short).check(Schema.isMaxLength(50))),
  }),
  crm_property: record("crm_property", {
    crm: Schema.Literals(["crm_one", "crm_two"]),
    object: Schema.Literals(["deal", "account"]),
    id: PropertyId,
    label: clearable(Short),
    data_type: Schema.optional(Schema.Literals(["text", "number", "date", "boolean"])),
  }),
  client: record("client", {
    ...named,
    ...crmIds,
    industry: clearable(Short),
    website_url: clearable(Long),
    crm_properties: crmProperties,
  }),
  segment: record("segment", { ...named, filters: clearable(DealFilters) }),
  deal: DealRecord,
  association: record("association", {
    ...identified,
    deal: Schema.optional(DealReference),
    feature: Schema.optional(Reference),
    created_at: Schema.optional(Instant),
    influence_summary: clearable(Schema.String),
    sentiment: clearable(Schema.Boolean),
    tags: clearable(Schema.Array(Short).check(Schema.isMaxLength(1000))),
    ...deletable,
  }),
} as const

export type RecordType = keyof typeof RECORDS
export const RECORD_TYPES = Object.keys(RECORDS) as ReadonlyArray<RecordType>
export const isRecordType = (text: unknown): text is RecordType =>
  typeof text === "string" && Object.hasOwn(RECORDS, text)

export type ImportRecord<T extends RecordType = RecordType> = { readonly [K in T]: (typeof RECORDS)[K]["Type"] }[T]

export interface AnyRecordSchema extends Schema.Union<ReadonlyArray<(typeof RECORDS)[RecordType]>> {}
/** A line of an NDJSON file. */
export const AnyRecord: AnyRecordSchema = Schema.Union(Object.values(RECORDS)).annotate({ identifier: "ImportRecord" })
