import * as Schema from "effect/Schema"
import { Uri } from "../http/parameters.ts"
import { utc } from "../storage/sql.ts"
import { METRICS } from "./metrics.ts"

/**
 * One standard column of a deal. The list below drives validation, `*`, the default reply, SQL, the OpenAPI description
 * and the export.
 */
export interface Column {
  readonly name: string
  readonly description: string
  readonly schema: Schema.Codec<any, any>
  /** Its value over `d`; of a structured column, its JSON as text. */
  readonly sql: string
  /** What `sql` gathers for one deal: who reads a page gathers it for all of its deals at once. */
  readonly list?: DealList
  /** `sql` looks up one of an organization's few: who reads a page joins them once. */
  readonly ofFew?: true
  /** Answered when no columns are chosen. */
  readonly byDefault?: true
  /** An object or array: one JSON cell in an export. */
  readonly structured?: true
  /** A number, which an export writes as it is. */
  readonly numeric?: true
  /** The `timestamptz` that `sql` is the text of: an export reads it as it is, and writes the text itself. */
  readonly instant?: string
}

/** Rows that belong to a deal, as a JSON array. */
export interface DealList {
  /** A row as JSON text. */
  readonly element: string
  readonly from: string
  /** The alias in `from` that has `org_id` and `deal_id`. */
  readonly of: string
  readonly order: string
}

/** A JSON object as compact text; the functions that build JSON put spaces in it. */
export const jsonObject = (members: Readonly<Record<string, string>>) =>
  `'{' || ${Object.entries(members)
    .map(([name, value]) => `'"${name}":' || ${jsonValue(value)}`)
    .join(" || ',' || ")} || '}'`

/** Any value as JSON text. */
export const jsonValue = (value: string) => `coalesce(to_json(${value})::text, 'null')`

const each = (list: DealList) => ({
  structured: true as const,
  list,
  sql: `(select ${gathered(list)} from ${list.from} where ${list.of}.org_id = d.org_id and ${list.of}.deal_id = d.id)`,
})

/** The array, over rows of one deal. */
export const gathered = ({ element, order }: Pick<DealList, "element" | "order">) =>
  `'[' || coalesce(string_agg(${element}, ',' order by ${order}), '') || ']'`

const named = (alias: string) => jsonObject({ id: `${alias}.id`, name: `${alias}.name` })

const competitorsOf = (element: string) =>
  each({
    element,
    from: "deal_competitors dc join competitors k on k.org_id = dc.org_id and k.id = dc.competitor_id",
    of: "dc",
    order: 'dc.is_primary desc, k.name collate "C", k.id collate "C"',
  })

const nameOf = (table: string, id: string) =>
  `(select t.name from ${table} t where t.org_id = d.org_id and t.id = d.${id})`

/** A column of the deal's account. */
export const ofClient = (column: string) =>
  `(select c.${column} from clients c where c.org_id = d.org_id and c.id = d.client_id)`

const competitorRole = { is_primary: "dc.is_primary", is_incumbent: "dc.is_incumbent" }

const text = Schema.NullOr(Schema.String)
const Named = Schema.Struct({ id: Schema.String, name: Schema.String })
const Role = { is_primary: Schema.Boolean, is_incumbent: Schema.Boolean }
const score = Schema.NullOr(Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: 5 })))
const dateTime = Schema.String.annotate({ format: "date-time" })

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

const column = (
  name: string,
  schema: Schema.Codec<any, any>,
  description: string,
  more: Partial<Column> = {},
): Column => ({ name, schema, description, sql: `d.${name}`, ...more })

const byDefault = { byDefault: true } as const
const structured = { structured: true } as const
const numeric = { numeric: true } as const
const instant = (value: string) => ({ instant: value, sql: utc(value) })

export const COLUMNS: ReadonlyArray<Column> = [
  column("id", Schema.String, "deal identifier", byDefault),
  column("name", Schema.String, "name", byDefault),
  column("amount", Schema.NullOr(Schema.Finite), "deal value", { ...byDefault, ...numeric }),
  column("status_id", text, "current stage identifier", byDefault),
  column("previous_status_id", text, "previous stage identifier", byDefault),
  column(
    "close_date",
    Schema.NullOr(Schema.String.annotate({ format: "date" })),
    "expected or actual close date; `proposal_due` is accepted too",
    byDefault,
  ),
  column("created_at", dateTime, "when the deal was created", { ...byDefault, ...instant("d.created_at") }),
  column("owner_id", text, "owner identifier", byDefault),
  column("crm_one_id", text, "opportunity identifier in the first CRM", byDefault),
  column("crm_two_id", text, "deal identifier in the second CRM", byDefault),
  column("deal_analyzed", Schema.Boolean, "whether analysis has run", byDefault),
  column("analysis_verified", Schema.Boolean, "whether the analysis is verified", byDefault),
  column("type", text, "deal type", byDefault),
  column("region", text, "region", byDefault),
  column(
    "deal_competitor_associations",
    Schema.Array(CompetitorAssociation),
    "competitors of the deal, the primary first",
    {
      ...byDefault,
      ...competitorsOf(jsonObject({ competitor_id: "k.id", competitor_name: "k.name", ...competitorRole })),
    },
  ),
  column("drivers", Schema.Array(Driver), "reasons that drove the deal", {
    ...byDefault,
    ...each({
      element: jsonObject({
        reason_id: "r.id",
        name: "r.name",
        category: "r.category",
        positive: "dd.positive",
        summary: "dd.summary",
      }),
      from: "deal_drivers dd join reasons r on r.org_id = dd.org_id and r.id = dd.reason_id",
      of: "dd",
      order: "dd.position",
    }),
  }),
  ...METRICS.map((metric) =>
    column(`wl_${metric}_score`, score, `win-loss score for ${metric.replaceAll("_", " ")}, 1 to 5`, {
      ...byDefault,
      ...numeric,
    }),
  ),
  column("updated_at", dateTime, "when the deal last changed", instant("d.updated_at")),
  column("deal_status", text, "current stage's name", { sql: nameOf("stages", "status_id"), ofFew: true }),
  column("owner_name", text, "owner's name", { sql: nameOf("owners", "owner_id"), ofFew: true }),
  column("client_name", text, "account's name", { sql: ofClient("name") }),
  column("industry", text, "account's industry", { sql: ofClient("industry") }),
  column("website_url", Schema.NullOr(Uri), "account's web site", { sql: ofClient("website_url") }),
  column(
    "product_labels",
    Schema.Array(Schema.String),
    "products of the deal",
    each({ element: "to_json(l.label)::text", from: "deal_product_labels l", of: "l", order: 'l.label collate "C"' }),
  ),
  column(
    "collaborators",
    Schema.Array(Named),
    "people who work on the deal beside its owner",
    each({
      element: named("w"),
      from: "deal_collaborators dw join owners w on w.org_id = dw.org_id and w.id = dw.owner_id",
      of: "dw",
      order: 'w.name collate "C", w.id collate "C"',
    }),
  ),
  // Which segments hold a deal depends on their filters: see `segmentsOf`.
  column("segments", Schema.Array(Named), "segments that hold the deal", { ...structured, sql: "" }),
  column("primary_competitor", Schema.NullOr(Named), "the primary competitor", {
    ...structured,
    sql: `(select ${named("k")} from deal_competitors dc join competitors k on k.org_id = dc.org_id and k.id = dc.competitor_id
      where dc.org_id = d.org_id and dc.deal_id = d.id and dc.is_primary order by k.name collate "C", k.id collate "C" limit 1)`,
  }),
  column(
    "competitors",
    Schema.Array(Schema.Struct({ ...Named.fields, ...Role })),
    "competitors, flattened",
    competitorsOf(jsonObject({ id: "k.id", name: "k.name", ...competitorRole })),
  ),
  column(
    "features",
    Schema.Array(DealFeature),
    "product features that came up in the deal",
    each({
      element: jsonObject({
        feature_id: "f.id",
        name: "f.name",
        product: "f.product",
        product_area: "f.product_area",
        sentiment: "a.sentiment",
        influence_summary: "a.influence_summary",
        tags: "a.tags",
      }),
      from: "associations a join features f on f.org_id = a.org_id and f.id = a.feature_id",
      of: "a",
      order: 'a.created_at, a.id collate "C"',
    }),
  ),
  column("summary", Schema.Unknown, "the deal's story: an object, text for an older summary, null before analysis", {
    ...structured,
    sql: "d.summary::text",
  }),
  column("scorecard", Scorecard, "all eight win-loss metrics, each a score and an explanation", {
    ...structured,
    sql: `'{' || ${METRICS.map(
      (metric) =>
        `'"${metric}":' || ${jsonObject({ score: `d.wl_${metric}_score`, explanation: `d.wl_${metric}_explanation` })}`,
    ).join(" || ',' || ")} || '}'`,
  }),
  ...METRICS.map((metric) =>
    column(`wl_${metric}_explanation`, text, `why ${metric.replaceAll("_", " ")} has its score`),
  ),
]

export const columnNamed: ReadonlyMap<string, Column> = new Map(COLUMNS.map((column) => [column.name, column]))

export const DEFAULT_COLUMNS = COLUMNS.filter((column) => column.byDefault)

/** Raised with every change to what `DEFAULT_COLUMNS` render: stored JSON of another version is not used. */
export const DEFAULT_COLUMNS_VERSION = 1

/** Never answered, whoever asks. */
export const INTERNAL_COLUMNS: ReadonlySet<string> = new Set([
  "fts",
  "joined_fts",
  "keywords",
  "sync_run_id",
  "client_id",
  "org_sharing_enabled",
  "processing_in_progress",
])

/** Asked for by these names, answered under them. */
export const COLUMN_ALIASES: ReadonlyMap<string, string> = new Map([["proposal_due", "close_date"]])
