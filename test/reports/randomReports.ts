import { ASSOCIATION_DIMENSIONS, type DimensionName, GRAINS } from "../../src/core/reports/dimensions.ts"
import { ASSOCIATION_MEASURES, DEAL_MEASURES } from "../../src/core/reports/measures.ts"
import type { ReportQuery } from "../../src/core/reports/Reports.ts"
import { randomFilters } from "../deals/randomFilters.ts"
import { ANSWER_NAMES, METRIC_NAMES, PROPERTIES, type Row, type Workspace } from "../deals/workspace.ts"
import type { Random } from "../support/random.ts"

export interface ReportCase {
  readonly query: Omit<ReportQuery, "filters"> & { readonly filters: Row }
}

const OF_ASSOCIATIONS: ReadonlySet<DimensionName> = new Set(["sentiment", "association_tag", "asked_at"])
const DATES: ReadonlySet<DimensionName> = new Set([
  "close_date",
  "created_at",
  "updated_at",
  "asked_at",
  "stage_changed_at",
  "slipped_from",
])

const dimensions = (random: Random, subject: ReportQuery["subject"]): ReadonlyArray<string> => [
  ...(Object.keys(ASSOCIATION_DIMENSIONS) as ReadonlyArray<DimensionName>)
    .filter((name) => subject === "associations" || !OF_ASSOCIATIONS.has(name))
    .map((name) => (DATES.has(name) ? `${name}.${random.pick(GRAINS)}` : name)),
  ...random
    .some(PROPERTIES, 2, 2)
    .map(({ crm, object, id }) => (object === "deal" ? `crm_${id}` : `crm_${crm}_account_${id}`)),
  `custom_answer_${random.pick(ANSWER_NAMES).id}`,
]

/** Filters that limit the groups of their dimension, which random ones rarely are. */
const LIMITING: Readonly<Record<string, (random: Random, world: Workspace) => Row>> = {
  competitor: (random) => ({
    competitors: random.some(["cmp_1", "CMP_4", "Übermut GmbH"], 1, 2),
    ...mode(random, "competitors"),
  }),
  driver: (random) => ({ driver_ids: random.some(["rsn_0", "rsn_1", "rsn 2"], 1, 2), ...mode(random, "driver_ids") }),
  driver_effect: (random) => ({ driver_effect: [random.pick(["positive", "negative"])] }),
  feature: (random) => ({
    feature_ids: random.some(["ftr_0", "ftr 1", "ftr_2"], 1, 2),
    ...mode(random, "feature_ids"),
  }),
  sentiment: (random) => ({ feature_sentiment: [random.pick(["positive", "negative", "neutral"])] }),
  association_tag: (random) => ({
    association_tags: random.some(["core", "Add-on"], 1, 2),
    ...mode(random, "association_tags"),
  }),
  segment: (random) => ({ segment_ids: random.some(["seg_0", "Segment 1"], 1, 2), ...mode(random, "segment_ids") }),
  amount_band: () => ({ amount: { min: 0, below: 60_000 } }),
}

const mode = (random: Random, filter: string): Row =>
  random.chance(0.4) ? { [`${filter}_filter_type`]: random.pick(["is all of", "is not", "is any of"]) } : {}

const reportOf = (subject: ReportQuery["subject"], dimension: string, filters: Row): ReportCase => ({
  query: { subject, measures: ["deals"], groupBy: [dimension], filters, limit: 1000 },
})

const allOf = (name: string, value: string): Row => ({ [name]: [value], [`${name}_filter_type`]: "is all of" })

/** Reports with filters that different rows of a deal may meet, which random ones hardly ever have. */
export const SPREAD_REPORTS: ReadonlyArray<ReportCase> = [
  ...["positive", "negative"].flatMap((effect) =>
    ["driver", "driver_category", "driver_effect"].map((dimension) =>
      reportOf("deals", dimension, { ...allOf("driver_ids", "rsn_0"), ...allOf("driver_effect", effect) }),
    ),
  ),
  ...(["deals", "associations"] as const).flatMap((subject) =>
    ["feature", "product"].map((dimension) =>
      reportOf(subject, dimension, { ...allOf("feature_ids", "ftr_0"), ...allOf("feature_sentiment", "negative") }),
    ),
  ),
]

const cut = (subject: ReportQuery["subject"], limit: number, ...groupBy: ReadonlyArray<string>): ReportCase => ({
  query: { subject, measures: ["deals", "amount", "clients"], groupBy, filters: {}, limit, orderBy: "-deals" },
})

/** Reports whose deals are in groups that are shown and in others, or in others only by a value between the lowest and the highest. */
export const CUT_REPORTS: ReadonlyArray<ReportCase> = [
  ...[1, 4, 7].map((limit) => cut("deals", limit, "competitor")),
  ...[10, 30, 60].map((limit) => cut("deals", limit, "competitor", "driver")),
  ...[20, 200].map((limit) => cut("deals", limit, "collaborator", "product_label", "driver_category")),
  ...[5, 20].map((limit) => cut("deals", limit, "driver", "driver_effect", "segment")),
  ...[5, 20].map((limit) => cut("deals", limit, "product", "owner")),
  ...[3, 30].map((limit) => cut("associations", limit, "association_tag", "sentiment", "competitor")),
]

export const FLOWS: ReadonlyArray<string> = ["stage_entered", "stage_left"]

/** The dimension that a report's `status` means. */
export const meantBy = (name: string, measures: ReadonlyArray<string> = []): string => {
  if (name !== "status") return name
  return measures.includes("stage_entered") ? "entered_stage" : measures.includes("stage_left") ? "left_stage" : name
}

/** Reports of stage changes, grouped and filtered by what they are about. */
export const FLOW_REPORTS: ReadonlyArray<ReportCase> = [
  ["status"],
  ["entered_stage", "stage_changed_at.month"],
  ["left_stage", "entered_stage"],
  ["region"],
  ["status", "owner"],
].flatMap((groupBy) =>
  [
    {},
    { entered_stages: ["Negotiation", "stg_4"] },
    { stage_changed_at: { from: "2026-01-20", to: "2026-02-20" } },
  ].flatMap((filters) =>
    FLOWS.map((flow): ReportCase => ({
      query: { subject: "deals", measures: ["deals", flow], groupBy, filters, limit: 8 },
    })),
  ),
)

/** Reports of slips, grouped and filtered by the earlier close dates. */
export const SLIP_REPORTS: ReadonlyArray<ReportCase> = [
  ["slipped_from.month"],
  ["slipped_from.quarter", "close_date.month"],
  ["status"],
  [],
].flatMap((groupBy) =>
  [{}, { slipped_from: { from: "2025-12-20", to: "2026-01-20" } }, { slipped_from_filter_type: "is not empty" }].map(
    (filters): ReportCase => ({
      query: { subject: "deals", measures: ["deals", "slipped", "stage_entered"], groupBy, filters, limit: 3 },
    }),
  ),
)

/** Makes a report: dimensions, measures, filters, and sometimes bounds, an order and a limit. */
export const randomReport = (random: Random, world: Workspace): ReportCase => {
  const subject = random.chance(0.35) ? "associations" : "deals"
  const drawn = random.some(dimensions(random, subject), 0, random.pick([1, 1, 2, 2, 3]))
  const known: ReadonlyArray<string> =
    subject === "deals"
      ? [...Object.keys(DEAL_MEASURES), ...METRIC_NAMES.map(({ id }) => `custom_metric_${id}_avg`)]
      : Object.keys(ASSOCIATION_MEASURES)
  const measures = [...new Set(["deals", ...random.some(known, 1, 5)])]
  // Beside both, `status` is refused.
  const groupBy = FLOWS.every((flow) => measures.includes(flow)) ? drawn.filter((name) => name !== "status") : drawn
  const limiting = groupBy.flatMap((name) => LIMITING[name]?.(random, world) ?? [])
  const filters: Row = random.chance(0.3)
    ? {}
    : random.chance(0.4) && limiting.length > 0
      ? Object.assign({}, ...limiting)
      : randomFilters(random, world.deals)
  return {
    query: {
      subject,
      measures,
      groupBy,
      filters,
      ...(random.chance(0.3) && { fiscalStart: 1 + random.below(12) }),
      ...(random.chance(0.2) && { having: { [random.pick(["deals", "clients"])]: { min: 1 + random.below(5) } } }),
      ...(random.chance(0.5) && { limit: 1 + random.below(30) }),
      ...(!random.chance(0.5) && { limit: 1000 }),
      ...(random.chance(0.4) && { orderBy: random.pick(["", "-"]) + random.pick([...measures, ...groupBy]) }),
    },
  }
}
