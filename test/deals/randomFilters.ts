import type { ArrayFilter, ModifierName } from "../../src/core/deals/filters/arrays.ts"
import type { OLDER_NAMES, canonicalFilters } from "../../src/core/deals/filters/filters.ts"
import type { ScoreColumn } from "../../src/core/deals/columns/metrics.ts"
import type { Random } from "../support/random.ts"
import {
  ANSWER_NAMES,
  AREAS,
  CATEGORIES,
  COMPETITORS,
  EPOCH,
  FEATURES,
  INDUSTRIES,
  LABELS,
  NAMES,
  OWNERS,
  PRODUCTS,
  PROPERTIES,
  REASONS,
  REGIONS,
  type Row,
  SCORES,
  STAGES,
  TYPES,
} from "./workspace.ts"

const swapCase = (random: Random, text: string) => random.pick([text, text.toUpperCase(), text.toLowerCase()])
const both = (random: Random, rows: ReadonlyArray<Row>) =>
  rows.flatMap(({ id, name }) => [swapCase(random, id), swapCase(random, name)])
const ids = (rows: ReadonlyArray<Row>) => rows.map(({ id }) => id as string)
/** Values of an open set: some in another case, some that no deal has. */
const open = (random: Random, values: ReadonlyArray<string>) => [
  ...values.map((value) => swapCase(random, value)),
  "no such",
  "x'y\"z\\",
]
const filled = (values: ReadonlyArray<string>) => values.filter((value) => value !== "")

/** Array filters: the source of their values, and their modifier. */
const arrays = (
  random: Random,
  deals: ReadonlyArray<Row>,
): Record<ArrayFilter, readonly [ReadonlyArray<string>, string?]> => {
  const few = random.some(deals, 1, 40)
  return {
    deal_ids: [open(random, ids(few))],
    crm_one_ids: [
      open(
        random,
        few.flatMap((deal) => deal["crm_one_id"] ?? []),
      ),
    ],
    crm_two_ids: [
      open(
        random,
        few.flatMap((deal) => deal["crm_two_id"] ?? []),
      ),
    ],
    client_ids: [Array.from({ length: 20 }, (_, n) => swapCase(random, `cli_${n}`))],
    outcome: [["open", "won", "lost"]],
    owner_ids: [both(random, OWNERS), "owner_filter_type"],
    collaborators: [both(random, OWNERS), "collaborator_filter_type"],
    status: [both(random, STAGES), "status_filter_type"],
    deal_type: [open(random, TYPES), "deal_type_filter_type"],
    region: [open(random, REGIONS), "region_filter_type"],
    industry: [open(random, INDUSTRIES), "industry_filter_type"],
    product_labels: [open(random, LABELS), "product_filter_type"],
    competitors: [both(random, COMPETITORS), "competitors_filter_type"],
    primary_competitors: [both(random, COMPETITORS), "primary_competitor_filter_type"],
    incumbents: [both(random, COMPETITORS)],
    driver_ids: [both(random, REASONS)],
    driver_effect: [["positive", "negative"]],
    driver_categories: [open(random, CATEGORIES)],
    feature_ids: [both(random, FEATURES)],
    products: [open(random, PRODUCTS)],
    product_areas: [open(random, AREAS)],
    feature_sentiment: [["positive", "negative", "neutral"]],
    association_tags: [open(random, LABELS)],
    entered_stages: [both(random, STAGES)],
    left_stages: [both(random, STAGES)],
    segment_ids: [["seg_0", "SEG_1", "segment 2", "Segment 3", "seg_4"]],
  }
}

const date = (random: Random) => new Date(EPOCH + (random.below(100) - 5) * 86_400_000).toISOString().slice(0, 10)
const instant = (random: Random) =>
  `${date(random)}T${random.pick(["00:00:00Z", "23:59:59.999Z", "12:00:00.500Z", "02:00:00+02:00", "00:00-05:30", "11:59:59.9999Z"])}`

const range = <A>(random: Random, names: readonly [string, string], make: () => A, less: (a: A, b: A) => boolean) => {
  const [a, b] = [make(), make()]
  const [low, high] = less(a, b) ? [a, b] : [b, a]
  return random.pick([{ [names[0]]: low, [names[1]]: high }, { [names[0]]: low }, { [names[1]]: high }])
}

const PERIODS = [
  "today",
  ...["this", "last", "next"].flatMap((which) =>
    ["week", "month", "quarter", "year"].map((unit) => `${which}_${unit}`),
  ),
  "last_7_days",
  "last_30_days",
  "last_90_days",
  "last_4_quarters",
  "last_12_months",
  "year_to_date",
]

const dates = (random: Random, make: () => string): Row => {
  if (random.chance(0.3)) return { period: random.pick(PERIODS) }
  const drawn: Row = range(random, ["from", "to"], make, (a, b) => Date.parse(a) <= Date.parse(b))
  const [from = "", to = ""] = [drawn["from"], drawn["to"]]
  // The zone decides whether a day and an instant that are close are the wrong way round.
  return from.length !== to.length && Date.parse(to) - Date.parse(from) < 2 * 86_400_000 ? { from } : drawn
}

const numeric = (random: Random, pool: ReadonlyArray<number>) =>
  range(
    random,
    ["min", "max"],
    () => random.pick(pool),
    (a, b) => a <= b,
  )

const EQUAL = ["is", "is not"]
const ORDER = ["is greater than", "is less than", "is greater than or equal to", "is less than or equal to"]
const OPERATORS: Record<string, ReadonlyArray<string>> = {
  text: [...EQUAL, "contains", "does not contain"],
  number: [...EQUAL, ...ORDER],
  date: [...EQUAL, ...ORDER, "is before", "is after"],
  boolean: EQUAL,
}
const VALUES: Record<string, ReadonlyArray<string | number | boolean>> = {
  text: ["commit", "COMMIT", "case", "GRÖSSE", "größe", "%", "_", "\\", "", "o", "off_now"],
  number: [0, 1, "10", 10.5, "-1", 1e9, 0.1, 41],
  date: ["2026-01-01", "2026-03-31", "2025-12-31", "2026-02-14", "2026-03-31T23:00:00Z"],
  boolean: [true, false, "true", "false"],
}

const crm = (random: Random, object: string): Row => {
  if (object === "account" && random.chance(0.4)) {
    const property = random.pick<unknown>([
      { map_to: "name" },
      { map_to: "industry" },
      { map_to: "website_url", id: "domain" },
      "industry",
    ])
    const value = random.pick([...NAMES, ...INDUSTRIES, "https://example.org/1", "example", "acme"])
    return { property, operator: random.pick(OPERATORS["text"] ?? []), value }
  }
  const { id, data_type, crm } = random.pick(PROPERTIES.filter((each) => each["object"] === object))
  const property = swapCase(random, id)
  if (random.chance(0.2)) return { property, operator: random.pick(["is empty", "is not empty"]) }
  return {
    property,
    operator: random.pick(OPERATORS[data_type] ?? []),
    value: random.pick(VALUES[data_type] ?? []),
    ...(random.chance(0.3) && { crm }),
  }
}

const OLDER: Record<(typeof OLDER_NAMES)[keyof typeof OLDER_NAMES], keyof typeof OLDER_NAMES> = {
  analyzed: "deal_analyzed",
  verified: "analysis_verified",
  competitors: "competitor_ids",
  product_labels: "product_ids",
  close_date: "proposal_due",
  deal_type: "type",
}

/** Every filter except modifiers, which come with their filter, `and`, and the search, which has its own tests. */
type FilterName = Exclude<
  keyof typeof canonicalFilters,
  | ModifierName
  | "amount_filter_type"
  | "close_date_filter_type"
  | "stage_changed_at_filter_type"
  | "slipped_from_filter_type"
  | "and"
  | "searchQuery"
>

const AMOUNTS = [0, -5, 100, 100.5, 0.1, 1e6, 500, 9007199254740991]

const makers = (random: Random, deals: ReadonlyArray<Row>): Record<FilterName, () => Row> => ({
  ...(Object.fromEntries(
    Object.entries(arrays(random, deals)).map(([name, [pool, modifier]]) => [
      name,
      () => {
        const mode = random.pick([undefined, "is any of", "is not", "is all of", "is empty", "is not empty"])
        const values = random.some(filled(pool), 1, mode === "is all of" ? 2 : 4)
        const type = modifier ?? `${name}_filter_type`
        if (mode === "is empty" || mode === "is not empty")
          return { [type]: mode, ...(random.chance(0.2) && { [name]: [] }) }
        return { [name]: values, ...(mode !== undefined && { [type]: mode }) }
      },
    ]),
  ) as Record<ArrayFilter, () => Row>),
  amount: () =>
    random.pick<() => Row>([
      () => ({ amount: numeric(random, AMOUNTS) }),
      () => ({ amount: { below: random.pick(AMOUNTS) } }),
      () => ({ amount_filter_type: random.pick(["is empty", "is not empty"]) }),
    ])(),
  ...(Object.fromEntries(
    SCORES.map((score) => [
      `wl_${score}_score`,
      () => ({ [`wl_${score}_score`]: numeric(random, [1, 2, 2.5, 3, 4.5, 5, 0, 6]) }),
    ]),
  ) as Record<ScoreColumn, () => Row>),
  close_date: () =>
    random.chance(0.2)
      ? { close_date_filter_type: random.pick(["is empty", "is not empty"]) }
      : { close_date: dates(random, () => date(random)) },
  ...(Object.fromEntries(
    ["created_at", "updated_at", "asked_at", "stage_changed_at"].map((name) => [
      name,
      () =>
        name === "stage_changed_at" && random.chance(0.2)
          ? { stage_changed_at_filter_type: random.pick(["is empty", "is not empty"]) }
          : { [name]: dates(random, () => (random.chance(0.5) ? date(random) : instant(random))) },
    ]),
  ) as Record<"created_at" | "updated_at" | "asked_at" | "stage_changed_at", () => Row>),
  slipped_from: () =>
    random.chance(0.3)
      ? { slipped_from_filter_type: random.pick(["is empty", "is not empty"]) }
      : { slipped_from: dates(random, () => date(random)) },
  analyzed: () => ({ analyzed: random.chance(0.5) }),
  verified: () => ({ verified: random.chance(0.5) }),
  overdue: () => ({ overdue: random.chance(0.5) }),
  first_won: () => ({ first_won: random.chance(0.7) }),
  open_days: () => ({ open_days: numeric(random, [-3, 0, 1, 10, 30, 59, 90]) }),
  custom_answers: () => ({
    custom_answers: Object.fromEntries(
      random
        .some(ANSWER_NAMES, 1, 2)
        .map(({ id, name }) => [
          random.pick([id, name]),
          random.some<string | null>([...NAMES.map((text) => swapCase(random, text)), "LONG", null], 1, 4),
        ]),
    ),
  }),
  crm_filters: () => ({ crm_filters: Array.from({ length: 1 + random.below(2) }, () => crm(random, "deal")) }),
  crm_account_filters: () => ({
    crm_account_filters: Array.from({ length: 1 + random.below(2) }, () => crm(random, "account")),
  }),
})

const LINKED: ReadonlyArray<ReadonlyArray<string>> = [
  ["driver_ids", "driver_effect", "driver_categories"],
  ["feature_ids", "products", "product_areas", "feature_sentiment", "association_tags", "asked_at"],
  ["entered_stages", "left_stages", "stage_changed_at"],
  ["slipped_from", "close_date"],
]

/** Makes one to four filters, some of them under their older names, some with more filters in `and`. */
export const randomFilters = (random: Random, deals: ReadonlyArray<Row>, without: ReadonlyArray<string> = []): Row => {
  const all = Object.entries(makers(random, deals)).filter(([name]) => !without.includes(name))
  const draw = (most: number): Record<string, unknown> => {
    // Filters on the same rows must meet often.
    const linked = random.pick(LINKED)
    const pool = random.chance(0.3) ? all.filter(([name]) => linked.includes(name)) : all
    const chosen = random.some(pool, 1, random.chance(0.5) ? most : 1)
    return Object.assign({}, ...chosen.map(([, make]) => make()))
  }
  const filters = draw(4)
  if (random.chance(0.15)) filters["and"] = Array.from({ length: 1 + random.below(2) }, () => draw(2))
  for (const [name, older] of Object.entries(OLDER)) {
    const value = filters[name]
    if (value === undefined || (Array.isArray(value) && value.length === 0) || random.chance(0.7)) continue
    filters[older] =
      typeof value === "boolean" ? random.pick<unknown>([[String(value)], value, [String(value), value]]) : value
    if (random.chance(0.7)) delete filters[name]
  }
  if (random.chance(0.01))
    filters["deal_analyzed"] = filters["analyzed"] === undefined ? ["true", "false"] : [String(filters["analyzed"])]
  return filters
}
