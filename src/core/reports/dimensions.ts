import type { ArrayFilter, NamedTable } from "../deals/filters/arrays.ts"
import type { DateFilter } from "../deals/filters/filters.ts"
import type { RelationName } from "../deals/filters/relations.ts"
import type { Subject } from "./measures.ts"

export const GRAINS = ["day", "week", "month", "quarter", "year"] as const
export type Grain = (typeof GRAINS)[number]

/** The tables that a dimension reads beside a row of the deal. */
export type RowJoin = "reasons" | "features" | "tags" | "entered" | "left"

/**
 * The SQL of a value of the deal `d`, its stage `s` or its account `n`; or of one of the deal's rows `x`, the row that it refers to `y`, or
 * its tag `t`, the stage that it entered `e` or left `l`; or one that the workspace's segments define.
 */
export interface DimensionText {
  readonly of: "deal" | "stage" | "client" | "segments" | RelationName
  /** The value that identifies the group. Values that fold alike are one group. */
  readonly key: string
  /** The value as written, if the key is not. */
  readonly written?: string
  /** The key is the id of a row of this table. */
  readonly names?: NamedTable
  readonly join?: RowJoin
}

/** A property of deals or associations by which a report groups. */
export interface Dimension {
  readonly definition: string
  /** As answers write it, in the singular and in lower case; the plurals follow. */
  readonly one: string
  readonly german: string
  /** Other words that mean it in a question. */
  readonly others: ReadonlyArray<string>
  /** Words that mean it as a parameter, and too much else in a question. */
  readonly loose: ReadonlyArray<string>
  /** A deal can be in several groups. */
  readonly several?: true
  /** A date, which takes a grain: `close_date.quarter`. */
  readonly dated?: true
  readonly sql: DimensionText
  /** The filter that selects a group. */
  readonly filter: ArrayFilter | DateFilter | "amount" | "analyzed"
}

type Filter = Dimension["filter"]
type Words = readonly [one: string, german: string, definition: string]
/** The other words, separated by commas. */
interface More {
  readonly others?: string
  readonly loose?: string
}

const split = (words: string | undefined) => words?.split(/,\s*/) ?? []

const one = <F extends Filter>(
  filter: F,
  sql: DimensionText,
  [word, german, definition]: Words,
  { others, loose }: More = {},
) => ({ filter, sql, one: word, german, definition, others: split(others), loose: split(loose) })
const several = <F extends Filter>(filter: F, sql: DimensionText, words: Words, more?: More) =>
  ({ ...one(filter, sql, words, more), several: true }) as const
const dated = <F extends DateFilter>(filter: F, sql: DimensionText, words: Words, loose: string) =>
  ({ ...one(filter, sql, words, { loose }), dated: true }) as const

const id = (of: DimensionText["of"], key: string, names: NamedTable): DimensionText => ({ of, key, names })
const text = (of: DimensionText["of"], key: string, written: string, join?: DimensionText["join"]): DimensionText => ({
  of,
  key,
  written,
  ...(join !== undefined && { join }),
})
const sentiment = (column: string, other: string) =>
  `case when ${column} then 'positive' when not ${column} then 'negative' ${other} end`

/** The bounds between amount bands. A band includes its lower bound. */
export const BAND_BOUNDS = [10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000] as const
export const BAND_NAMES = [
  "under 10 k",
  "10-25 k",
  "25-50 k",
  "50-100 k",
  "100-250 k",
  "250 k-1 m",
  "over 1 m",
] as const

/** The dimensions of deals. A new one is an entry here and in `test/reports/oracle.ts`. */
export const DEAL_DIMENSIONS = {
  outcome: one(
    "outcome",
    { of: "stage", key: "s.category" },
    ["outcome", "Ergebnis", "open, won or lost: the category of the stage"],
    { loose: "result" },
  ),
  status: one("status", id("deal", "d.status_id", "stages"), ["stage", "Phase", "the stage"], {
    others: "status, pipeline stage, sales stage",
  }),
  owner: one("owner_ids", id("deal", "d.owner_id", "owners"), ["owner", "Verantwortlich", "the owner"], {
    others: `account executive, account manager, account owner, deal owner, rep, sales rep, salesrep, ae, seller, salesperson,
      sales person, salesman, sales man, colleague, team member`,
  }),
  collaborator: several("collaborators", id("collaborators", "x.owner_id", "owners"), [
    "collaborator",
    "Mitwirkende",
    "people who work on the deal besides its owner",
  ]),
  client: one("client_ids", id("deal", "d.client_id", "clients"), ["client", "Kunde", "the account"], {
    others: "customer, account, logo, company, buyer, prospect",
  }),
  industry: one(
    "industry",
    text("client", "n.folded_industry", "n.industry"),
    ["industry", "Branche", "the account's industry"],
    { others: "sector, vertical" },
  ),
  region: one("region", text("deal", "d.folded_region", "d.region"), ["region", "Region", "the region"], {
    others: "territory, geo, geography",
    loose: "market",
  }),
  deal_type: one(
    "deal_type",
    text("deal", "d.folded_type", "d.type"),
    ["deal type", "Art des Deals", "the deal's type"],
    { others: "opportunity type, type of deal, type of opportunity", loose: "type" },
  ),
  product_label: several(
    "product_labels",
    text("product_labels", "x.folded_label", "x.label"),
    ["product", "Produkt", "the products in the deal"],
    { others: "product line" },
  ),
  segment: several("segment_ids", id("segments", "x.id", "segments"), [
    "segment",
    "Segment",
    "the segments that include the deal",
  ]),
  competitor: several(
    "competitors",
    id("competitors", "x.competitor_id", "competitors"),
    ["competitor", "Wettbewerber", "the competitors in the deal"],
    { others: "rival, vendor, competition" },
  ),
  primary_competitor: several(
    "primary_competitors",
    id("primary_competitors", "x.competitor_id", "competitors"),
    ["primary competitor", "Hauptwettbewerber", "the primary competitor"],
    { others: "primary rival", loose: "main competitor" },
  ),
  incumbent: several(
    "incumbents",
    id("incumbents", "x.competitor_id", "competitors"),
    ["incumbent", "Bisheriger Anbieter", "the incumbent competitors"],
    { loose: "existing vendor" },
  ),
  driver: several(
    "driver_ids",
    id("drivers", "x.reason_id", "reasons"),
    ["reason", "Grund", "the reasons that influenced the deal"],
    { others: "driver, factor, cause", loose: "why" },
  ),
  driver_category: several(
    "driver_categories",
    text("drivers", "y.folded_category", "y.category", "reasons"),
    ["reason category", "Kategorie des Grundes", "the categories of these reasons"],
    { others: "driver category, category of reason, category of driver" },
  ),
  driver_effect: several(
    "driver_effect",
    { of: "drivers", key: sentiment("x.positive", "") },
    ["side of the reason", "Wirkung des Grundes", "whether a reason helped (positive) or hurt (negative)"],
    { others: "side of the driver", loose: "side, effect" },
  ),
  feature: several(
    "feature_ids",
    id("associations", "x.feature_id", "features"),
    ["feature", "Funktion", "the product features that came up"],
    { others: "capability, functionality, feature request" },
  ),
  product: several("products", text("associations", "y.folded_product", "y.product", "features"), [
    "feature product",
    "Produkt der Funktion",
    "the products of these features",
  ]),
  product_area: several(
    "product_areas",
    text("associations", "y.folded_product_area", "y.product_area", "features"),
    ["product area", "Produktbereich", "the product areas of these features"],
    { others: "area" },
  ),
  amount_band: one(
    "amount",
    { of: "deal", key: `width_bucket(d.amount, array[${BAND_BOUNDS.join()}]::float8[])` },
    ["amount band", "Größenklasse", "the size: under 10 k, 10-25 k, 25-50 k, 50-100 k, 100-250 k, 250 k-1 m, over 1 m"],
    { others: "amount bucket, amount range, band", loose: "size" },
  ),
  analyzed: one("analyzed", { of: "deal", key: "d.deal_analyzed" }, [
    "analyzed",
    "Analysiert",
    "whether the analysis has run",
  ]),
  entered_stage: several("entered_stages", { of: "stage_changes", key: "e.id", names: "stages", join: "entered" }, [
    "entered stage",
    "Erreichte Phase",
    "the stages that the deal entered, also by its creation",
  ]),
  left_stage: several("left_stages", { of: "stage_changes", key: "l.id", names: "stages", join: "left" }, [
    "left stage",
    "Verlassene Phase",
    "the stages that the deal left",
  ]),
  stage_changed_at: {
    ...dated(
      "stage_changed_at",
      { of: "stage_changes", key: "x.changed_at" },
      ["stage changed", "Phase geändert", "the times of the deal's stage changes"],
      "moved",
    ),
    several: true,
  },
  slipped_from: {
    ...dated(
      "slipped_from",
      { of: "slips", key: "x.close_date" },
      [
        "slipped from",
        "Verschoben von",
        "the earlier close dates from which the deal slipped to a later fiscal quarter",
      ],
      "slipped",
    ),
    several: true,
  },
  close_date: dated(
    "close_date",
    { of: "deal", key: "d.close_date" },
    ["close date", "Abschlussdatum", "the expected or actual close date"],
    "closed, closing",
  ),
  created_at: dated(
    "created_at",
    { of: "deal", key: "d.created_at" },
    ["created", "Erstellt", "the time of creation"],
    "opened",
  ),
  updated_at: dated(
    "updated_at",
    { of: "deal", key: "d.updated_at" },
    ["updated", "Geändert", "the time of the last change"],
    "changed",
  ),
} satisfies Readonly<Record<string, Dimension>>

export const ASSOCIATION_DIMENSIONS = {
  ...DEAL_DIMENSIONS,
  // An association has one feature; a deal has several.
  sentiment: several(
    "feature_sentiment",
    { of: "associations", key: sentiment("x.sentiment", "else 'neutral'") },
    ["sentiment", "Stimmung", "the association's sentiment: positive, negative or neutral"],
    { loose: "feeling" },
  ),
  association_tag: several("association_tags", text("associations", "lower(t)", "t", "tags"), [
    "tag",
    "Schlagwort",
    "the association's tags",
  ]),
  asked_at: {
    ...dated(
      "asked_at",
      { of: "associations", key: "x.created_at" },
      ["asked", "Gefragt", "the time of the association"],
      "requested",
    ),
    several: true,
  },
} as const satisfies Readonly<Record<string, Dimension>>
export type DimensionName = keyof typeof ASSOCIATION_DIMENSIONS

/**
 * The dimensions of each report, besides `crm_<property>`, `crm_crm_one_account_<property>`, `crm_crm_two_account_<property>` and
 * `custom_answer_<name>`.
 */
export const DIMENSIONS: Readonly<Record<Subject, Readonly<Record<string, Dimension>>>> = {
  deals: DEAL_DIMENSIONS,
  associations: ASSOCIATION_DIMENSIONS,
}
