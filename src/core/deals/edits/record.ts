import * as Schema from "effect/Schema"
import { Amount, DateOrTime, Id, Magnitude } from "../../http/values/parameters.ts"
import { COLUMNS, IMPORTED_NAMES, type ImportedName, type StoredType } from "../columns/columns.ts"
import { type Metric, METRICS } from "../columns/metrics.ts"

const bounded = (maximum: number) =>
  Schema.String.check(
    Schema.makeFilter(
      (text: string) =>
        (text.length <= maximum && text.trim() !== "") || `must be text of 1 to ${maximum} characters, not blank`,
    ),
  )

/** Text in an index, which limits its length. */
export const Short = bounded(400)
export const Long = bounded(2000)

/** An omitted value stays unchanged; null clears it. */
export const clearable = <S extends Schema.Top>(schema: S) => Schema.optional(Schema.NullOr(schema))

export const Instant = DateOrTime.annotate({
  description: "An instant, or a day or a time without offset in the workspace's time zone.",
})

const Day = Instant.annotate({ description: "A day. Of a time, the day as written: an offset does not move it." })

/** A string is an id or, if no row has it, a name. `{"id"}` must exist; `{"name"}` is never read as an id; both create what does not exist. */
export const Reference = Schema.Union([
  Short,
  Schema.Struct({ id: Id, name: Short }),
  Schema.Struct({ id: Id }),
  Schema.Struct({ name: Short }),
]).annotate({
  identifier: "ImportReference",
  description:
    "An id or, if no id matches, a name; an unknown name creates a row. `{id}` must exist; `{name}` is never read as an id; " +
    "`{id, name}` creates a row with this id and name if no row has the id. An owner may also be an e-mail, `Last, First` or `Name (e-mail)`.",
})
export type Reference = typeof Reference.Type

export const DealReference = Schema.Union([
  Short,
  Schema.Struct({ id: Id }),
  Schema.Struct({ crm_one_id: Short }),
  Schema.Struct({ crm_two_id: Short }),
]).annotate({ description: "A deal's id or CRM id." })
export type DealReference = typeof DealReference.Type

export const identified = { id: Schema.optional(Id) }
export const named = { ...identified, name: Schema.optional(Short) }
export const crmIds = { crm_one_id: clearable(Short), crm_two_id: clearable(Short) }

/** The part of a stage's deals that will be won. */
export const Probability = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
/** A stage's place among the others. */
export const Position = Schema.Int.check(Schema.isBetween({ minimum: -1_000_000, maximum: 1_000_000 }))

export const PropertyId = bounded(200)
export const crmProperties = clearable(
  Schema.Record(PropertyId, Schema.NullOr(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean]))).annotate({
    description: "Values by CRM property id. Other properties stay unchanged; null removes one.",
  }),
)

export const deletable = {
  deleted: Schema.optional(
    Schema.Boolean.annotate({ description: "True deletes the row; the other fields only identify it." }),
  ),
}

const Score = Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: 5 }))
const scoreFields = <S extends Schema.Top>(score: S) =>
  Schema.NullOr(Schema.Struct({ score: clearable(score), explanation: clearable(Schema.String) }))

/** Converts `crm_property` to `CrmProperty`. */
const componentName = (type: string) => type.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

export const record = <const Type extends string, F extends Schema.Struct.Fields>(type: Type, fields: F) =>
  Schema.Struct({ type: Schema.Literal(type), ...fields }).annotate({ identifier: `${componentName(type)}Record` })

const CompetitorOfDeal = Schema.Union([
  Schema.Struct({
    competitor: Reference,
    is_primary: Schema.optional(Schema.Boolean),
    is_incumbent: Schema.optional(Schema.Boolean),
  }),
  Short,
])
const DriverOfDeal = Schema.Union([
  Schema.Struct({ reason: Reference, positive: clearable(Schema.Boolean), summary: clearable(Schema.String) }),
  Short,
])

/** The schema of an imported column's field, by the stored type. */
const IMPORTED = {
  text: clearable(Short),
  float8: clearable(Amount),
  date: clearable(Day),
  boolean: Schema.optional(Schema.Boolean),
} as const satisfies Partial<Record<StoredType, Schema.Top>>

const importedFields = Object.fromEntries(
  IMPORTED_NAMES.map((name) => [COLUMNS[name].imported, IMPORTED[COLUMNS[name].stored]]),
) as {
  readonly [K in ImportedName as (typeof COLUMNS)[K]["imported"]]: (typeof IMPORTED)[(typeof COLUMNS)[K]["stored"]]
}

/** A deal in an import. Every field is optional for an update; the import checks that a new deal has the required ones. */
const dealFields = {
  ...named,
  ...crmIds,
  ...importedFields,
  status: clearable(Reference),
  previous_status: clearable(Reference),
  created_at: Schema.optional(Instant),
  updated_at: Schema.optional(Instant),
  owner: clearable(Reference),
  collaborators: clearable(Schema.Array(Reference).check(Schema.isMaxLength(1000))),
  client: clearable(Reference),
  product_labels: clearable(Schema.Array(Short).check(Schema.isMaxLength(1000))),
  competitors: clearable(Schema.Array(CompetitorOfDeal).check(Schema.isMaxLength(1000))),
  drivers: clearable(Schema.Array(DriverOfDeal).check(Schema.isMaxLength(1000))),
  summary: clearable(Schema.Union([Schema.String, Schema.Record(Schema.String, Schema.Unknown)])),
  scorecard: clearable(
    Schema.Struct(
      Object.fromEntries(METRICS.map((metric) => [metric, Schema.optional(scoreFields(Score))])) as {
        readonly [M in Metric]: Schema.optional<ReturnType<typeof scoreFields<typeof Score>>>
      },
    ),
  ),
  crm_properties: crmProperties,
  custom_metrics: clearable(Schema.Record(Short, scoreFields(Magnitude))),
  custom_answers: clearable(Schema.Record(Short, Schema.NullOr(Schema.String))),
  ...deletable,
}

export interface DealRecordSchema extends Schema.Struct<
  { readonly type: Schema.Literal<"deal"> } & typeof dealFields
> {}
export const DealRecord: DealRecordSchema = record("deal", dealFields)

const { id: _id, deleted: _deleted, ...fields } = dealFields

export interface DealUpdateSchema extends Schema.Struct<Omit<typeof dealFields, "id" | "deleted">> {}
/** The body of `PATCH /deals/{id}`: the fields of the import record except those that identify or delete the deal. */
export const DealUpdate: DealUpdateSchema = Schema.Struct(fields).annotate({
  identifier: "DealUpdate",
  description: "The fields of a deal's import record. A field that is left out stays unchanged; null clears it.",
})
export type DealUpdate = typeof DealUpdate.Type
