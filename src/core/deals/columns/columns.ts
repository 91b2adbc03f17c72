import * as Schema from "effect/Schema"
import { dateTime } from "../../http/values/described.ts"
import { Uri } from "../../http/values/parameters.ts"
import { type Metric, METRICS } from "./metrics.ts"

/**
 * A standard column of a deal. `COLUMNS` drives validation, the default reply, the OpenAPI description, the export, imports,
 * the searchable record and, for stored columns, the SQL. `sql.ts` has the SQL of computed columns; a missing one is a
 * compile error.
 */
interface Shared {
  readonly schema: Schema.Codec<any, any>
  readonly description: string
  /** Part of the reply when no columns are chosen. */
  readonly byDefault?: true
  /** Its label in the deal's searchable record. Without it, the record omits the column. */
  readonly fact?: string
}

/** A column of the table `deals`. */
export interface StoredColumn extends Shared {
  readonly stored: StoredType
  /** The field of the import record that sets it unchanged. Without it, the import has its own code for the column. */
  readonly imported?: string
}

/** A column computed from other tables or from several columns. */
export interface ComputedColumn extends Shared {
  readonly computed: "text" | "structured"
}

export type Column = StoredColumn | ComputedColumn

export type StoredType = "text" | "float8" | "boolean" | "date" | "timestamptz" | "json"

/** The type of a value in replies and exports. An export writes an object or array (`structured`) as one JSON cell. */
export type ColumnKind = "text" | "number" | "boolean" | "date" | "instant" | "structured"

const KINDS = {
  text: "text",
  float8: "number",
  boolean: "boolean",
  date: "date",
  timestamptz: "instant",
  json: "structured",
} as const satisfies Record<StoredType, ColumnKind>

export const kindOf = (column: Column): ColumnKind => ("stored" in column ? KINDS[column.stored] : column.computed)

const stored = <
  const T extends StoredType,
  S extends Schema.Codec<any, any>,
  const M extends Omit<StoredColumn, "stored" | "schema" | "description">,
>(
  type: T,
  schema: S,
  description: string,
  more: M,
) => ({ stored: type, schema, description, ...more })

// Without `NoInfer`, TypeScript takes `M` from `satisfies` if `more` is absent, and the schema's type becomes `any`.
const computed = <S extends Schema.Codec<any, any>, const M extends Pick<Shared, "byDefault" | "fact"> = {}>(
  kind: ComputedColumn["computed"],
  schema: S,
  description: string,
  more?: M,
) => ({ computed: kind, schema, description, ...(more as NoInfer<M>) })

const text = Schema.NullOr(Schema.String)
const Named = Schema.Struct({ id: Schema.String, name: Schema.String })
const Role = { is_primary: Schema.Boolean, is_incumbent: Schema.Boolean }
const score = Schema.NullOr(Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: 5 })))

export const CompetitorAssociation = Schema.Struct({
  competitor_id: Schema.String,
  competitor_name: Schema.String,
  ...Role,
}).annotate({ identifier: "CompetitorAssociation" })

export const Driver = Schema.Struct({
  reason_id: Schema.String,
  name: Schema.String,
  category: text,
  positive: Schema.NullOr(Schema.Boolean),
  summary: text,
}).annotate({ identifier: "Driver" })

export const DealFeature = Schema.Struct({
  feature_id: Schema.String,
  name: Schema.String,
  product: text,
  product_area: text,
  sentiment: Schema.NullOr(Schema.Boolean),
  influence_summary: text,
  tags: Schema.Array(Schema.String),
}).annotate({ identifier: "DealFeature" })

const Scorecard = Schema.Record(Schema.Literals(METRICS), Schema.Struct({ score, explanation: text })).annotate({
  identifier: "Scorecard",
})

/** Makes one column for each win-loss metric. */
const forEachMetric = <Suffix extends "score" | "explanation", C extends StoredColumn>(
  suffix: Suffix,
  column: (metric: string) => C,
) =>
  Object.fromEntries(METRICS.map((metric) => [`wl_${metric}_${suffix}`, column(metric.replaceAll("_", " "))])) as {
    readonly [M in Metric as `wl_${M}_${Suffix}`]: C
  }

const byDefault = { byDefault: true } as const

/** In the order of `*`. */
export const COLUMNS = {
  id: stored("text", Schema.String, "The deal's id.", byDefault),
  name: stored("text", Schema.String, "The deal's name.", byDefault),
  amount: stored("float8", Schema.NullOr(Schema.Finite), "The deal's value.", {
    ...byDefault,
    imported: "amount",
    fact: "Amount",
  }),
  status_id: stored("text", text, "The current stage's id.", byDefault),
  previous_status_id: stored("text", text, "The previous stage's id.", byDefault),
  close_date: stored(
    "date",
    Schema.NullOr(Schema.String.annotate({ format: "date" })),
    "The expected or actual close date. The column name `proposal_due` is accepted too.",
    { ...byDefault, imported: "close_date", fact: "Close date" },
  ),
  created_at: stored("timestamptz", dateTime, "The time when the deal was created.", byDefault),
  owner_id: stored("text", text, "The owner's id.", byDefault),
  crm_one_id: stored("text", text, "The opportunity's id in the first CRM.", byDefault),
  crm_two_id: stored("text", text, "The deal's id in the second CRM.", byDefault),
  deal_analyzed: stored("boolean", Schema.Boolean, "Whether the analysis has run.", {
    ...byDefault,
    imported: "deal_analyzed",
  }),
  analysis_verified: stored("boolean", Schema.Boolean, "Whether the analysis is verified.", {
    ...byDefault,
    imported: "analysis_verified",
  }),
  type: stored("text", text, "The deal's type.", { ...byDefault, imported: "deal_type", fact: "Deal type" }),
  region: stored("text", text, "The deal's region.", { ...byDefault, imported: "region", fact: "Region" }),
  deal_competitor_associations: computed(
    "structured",
    Schema.Array(CompetitorAssociation),
    "The competitors in the deal, the primary one first.",
    byDefault,
  ),
  drivers: computed("structured", Schema.Array(Driver), "The reasons that influenced the deal.", byDefault),
  ...forEachMetric("score", (metric) =>
    stored("float8", score, `The win-loss score for ${metric}, 1 to 5.`, byDefault),
  ),
  updated_at: stored("timestamptz", dateTime, "The time of the deal's last change.", {}),
  deal_status: computed("text", text, "The current stage's name.", { fact: "Stage" }),
  owner_name: computed("text", text, "The owner's name.", { fact: "Owner" }),
  client_name: computed("text", text, "The account's name.", { fact: "Client" }),
  industry: computed("text", text, "The account's industry.", { fact: "Industry" }),
  website_url: computed("text", Schema.NullOr(Uri), "The account's website.", { fact: "Web site" }),
  product_labels: computed("structured", Schema.Array(Schema.String), "The products in the deal."),
  collaborators: computed("structured", Schema.Array(Named), "People who work on the deal besides its owner."),
  segments: computed("structured", Schema.Array(Named), "The segments that include the deal."),
  primary_competitor: computed("structured", Schema.NullOr(Named), "The primary competitor."),
  competitors: computed(
    "structured",
    Schema.Array(Schema.Struct({ ...Named.fields, ...Role })),
    "The competitors, flattened.",
  ),
  features: computed("structured", Schema.Array(DealFeature), "The product features that came up in the deal."),
  summary: stored(
    "json",
    Schema.Unknown,
    "The deal's story: an object, a text if it is an older summary, null before the analysis.",
    {},
  ),
  scorecard: computed("structured", Scorecard, "All eight win-loss metrics, each with a score and an explanation."),
  ...forEachMetric("explanation", (metric) => stored("text", text, `The explanation of the ${metric} score.`, {})),
} as const satisfies Readonly<Record<string, Column>>

export type ColumnName = keyof typeof COLUMNS
export type StoredName = {
  [K in ColumnName]: (typeof COLUMNS)[K] extends StoredColumn ? K : never
}[ColumnName]
export type ComputedName = Exclude<ColumnName, StoredName>

export const COLUMN_NAMES = Object.keys(COLUMNS) as ReadonlyArray<ColumnName>

export const isColumn = (name: string): name is ColumnName => Object.hasOwn(COLUMNS, name)
export const isStored = (name: ColumnName): name is StoredName => "stored" in COLUMNS[name]

export const STORED_NAMES = COLUMN_NAMES.filter(isStored)

/** The columns that an import record sets unchanged. */
export const IMPORTED_NAMES = STORED_NAMES.filter((name): name is ImportedName => "imported" in COLUMNS[name])
export type ImportedName = {
  [K in StoredName]: (typeof COLUMNS)[K] extends { readonly imported: string } ? K : never
}[StoredName]

/** The columns of a reply when the request chooses none. */
export const DEFAULT_NAMES = COLUMN_NAMES.filter(
  (name): name is DefaultName => (COLUMNS[name] as Column).byDefault === true,
)
export type DefaultName = {
  [K in ColumnName]: (typeof COLUMNS)[K] extends { readonly byDefault: true } ? K : never
}[ColumnName]

/** Raise it whenever the JSON of the default columns changes: readers ignore stored JSON of another version. */
export const DEFAULT_COLUMNS_VERSION = 1

/** Columns that no reply has. A request for them is accepted, and they are dropped. */
export const INTERNAL_COLUMNS: ReadonlySet<string> = new Set([
  "fts",
  "joined_fts",
  "keywords",
  "sync_run_id",
  "client_id",
  "org_sharing_enabled",
  "processing_in_progress",
])

/** Other names of columns; the reply uses the name that the request used. */
const ALIASES = { proposal_due: "close_date" } as const satisfies Readonly<Record<string, ColumnName>>
export type ColumnAliases = typeof ALIASES
export const COLUMN_ALIASES: ReadonlyMap<string, ColumnName> = new Map(Object.entries(ALIASES))
