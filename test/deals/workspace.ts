import { CLOSE_DATES_SINCE } from "./oracleTables.ts"
import { FOLDED_TABLES, foldedNames, foldedValues } from "../../src/core/storage/foldedColumns.ts"
import * as Effect from "effect/Effect"
import { Database } from "../../src/core/storage/Database.ts"
import { recordWritten } from "../../src/core/storage/recordChanges.ts"
import type { Random } from "../support/random.ts"

/** Plain table rows, which the oracle reads and the tests insert. */
export type Row = Readonly<Record<string, any>>
export type Workspace = Readonly<Record<TableName, ReadonlyArray<Row>>>
type TableName = (typeof TABLES)[number]

/** In the order of their foreign keys. */
const TABLES = [
  "stages",
  "owners",
  "competitors",
  "reasons",
  "clients",
  "features",
  "crm_properties",
  "metrics",
  "answers",
  "segments",
  "deals",
  "deal_collaborators",
  "deal_product_labels",
  "deal_competitors",
  "deal_drivers",
  "deal_stage_changes",
  "deal_close_date_changes",
  "associations",
] as const

export const SCORES = [
  "product_fit",
  "sales_execution",
  "relationship",
  "price_sensitivity",
  "competitive_intensity",
  "customer_fit",
  "messaging_fit",
  "messaging_accuracy",
]

/** Names that differ by case, by accents, or by code-point against UTF-16 order, and names with SQL syntax. */
export const NAMES = [
  "Acme Corp",
  "acme corp",
  "ACME CORP",
  "Ångström AB",
  "ångström ab",
  "Zeta",
  "zeta",
  "_under%score",
  "back\\slash",
  'quote\'s "q"',
  "ｱｸﾒ",
  "😀 Smile",
  "日本電気",
  "e\u0301clair",
  "éclair",
  "",
  " ",
  "$1 ? :x",
]
const WORDS = ["alpha", "Beta", "gamma", "Δelta", "renewal", "Pilot", "2026"]
/** The unused stage has none; `stg_6` neither, so that some sums are null. */
const PROBABILITIES = [1, 0, 0.25, 0.6, 0, null, null]
export const STAGES: ReadonlyArray<Row> = [
  { id: "stg_won", name: "Won", category: "won" },
  { id: "stg_lost", name: "Lost", category: "lost" },
  { id: "STG_Open", name: "Negotiation", category: "open" },
  { id: "stg_4", name: "NEGOTIATION", category: "open" },
  { id: "stg_5", name: "Négociation", category: "open" },
  // Its name is the id of another.
  { id: "stg_6", name: "stg_won", category: "open" },
  { id: "stg_unused", name: "Parked", category: "open" },
].map((stage, position) => ({ ...stage, position, probability: PROBABILITIES[position]! }))
export const COMPETITORS: ReadonlyArray<Row> = [
  ["cmp_1", "Rival"],
  ["cmp_2", "RIVAL"],
  ["cmp_3", "Übermut GmbH"],
  ["CMP_4", 'O\'Neil, "Sons"'],
  ["cmp_5", "日本"],
  ["cmp_unused", "Nobody"],
].map(([id, name]) => ({ id, name, website_url: null }))
const named = (prefix: string, count: number, more: (n: number) => Row = () => ({})) =>
  Array.from({ length: count }, (_, n) => ({ id: `${prefix}_${n}`, name: `${prefix} ${n}`, ...more(n) }))
export const OWNERS = named("own", 7, () => ({ email: null }))
export const CATEGORIES = ["price", "Price", "product"]
export const PRODUCTS = ["Core", "CORE", "Größe"]
export const AREAS = ["Access", "access", "Reports"]
const each = <A>(values: ReadonlyArray<A>, n: number): A | null => values[n % (values.length + 1)] ?? null
export const REASONS = named("rsn", 6, (n) => ({ category: each(CATEGORIES, n) }))
export const FEATURES = named("ftr", 7, (n) => ({
  description: null,
  product: each(PRODUCTS, n),
  product_area: each(AREAS, n >> 1),
}))
export const TYPES = ["new", "New", "renewal", "Ünïcode", ""]
export const REGIONS = ["EMEA", "emea", "APAC", "日本", "a,b", "{x}", 'q"', "b\\s", "NULL"]
export const LABELS = ["Core", "core", "Add-on", "Größe", "a,b", 'x"y', "null"]
export const INDUSTRIES = ["software", "Software", "health care", "Énergie"]
export const PROPERTIES: ReadonlyArray<Row> = [
  ["crm_one", "deal", "forecast", "text"],
  ["crm_one", "deal", "probability", "number"],
  ["crm_two", "deal", "next_step_on", "date"],
  ["crm_two", "deal", "is_hot", "boolean"],
  ["crm_two", "deal", 'it\'s "quoted" \\ ok', "text"],
  ["crm_one", "account", "tier", "text"],
  ["crm_one", "account", "employees", "number"],
  ["crm_two", "account", "renewal_on", "date"],
  ["crm_two", "account", "partner", "boolean"],
].map(([crm, object, id, data_type]) => ({ crm, object, id, label: null, data_type }))
export const METRIC_NAMES = [
  { id: "mtr_1", name: "Champion Strength" },
  { id: "mtr_2", name: 'Prix d\'ÉTÉ "net"' },
]
export const ANSWER_NAMES = [
  { id: "ans_1", name: "Why did we win?" },
  { id: "ans_2", name: `${"A very long question about the decision ".repeat(3)}end` },
]

/** A CRM property's value as a CRM sends it; undefined if the deal lacks it. */
const propertyValue = (random: Random, type: string): unknown => {
  if (random.chance(0.25)) return random.chance(0.5) ? null : undefined
  switch (type) {
    case "number":
      return random.pick([0, 1, -1, 10, 10.5, 1e9, 0.1, 42])
    case "date":
      return random.pick(["2026-01-01", "2026-03-31", "2025-12-31T23:59:59.999Z", "2026-03-31T08:00:00.000Z"])
    case "boolean":
      return random.chance(0.5)
    default:
      return random.pick(["commit", "Commit", "best case", "Größe", "50% off_now", "b\\s", ""])
  }
}

const propertiesOf = (random: Random, object: string) =>
  Object.fromEntries(
    PROPERTIES.filter((each) => each["object"] === object).flatMap(({ id, data_type }) => {
      const value = propertyValue(random, data_type)
      return value === undefined ? [] : [[id, value]]
    }),
  )

const DAY = 86_400_000
export const EPOCH = Date.UTC(2026, 0, 1)
/** Midnights of `ZONES` in winter and summer, in hours of UTC. */
const OFFSETS = [7, -1, -2, -3, -5.5, -13, -5.75, 3.5, 2.5, 5, 4]
const instant = (random: Random) => {
  const day = EPOCH + random.below(90) * DAY
  // Midnights, instants next to them, and repeated instants, which expose errors in bounds and ties.
  // A quarter is by midnight of other zones.
  const midnight = day + (random.chance(0.25) ? random.pick(OFFSETS) * 3_600_000 : 0)
  return new Date(midnight + random.pick([0, -1, 1, DAY - 1, DAY / 2, random.below(DAY)])).toISOString()
}
const day = (random: Random) => new Date(EPOCH + random.below(60) * DAY).toISOString().slice(0, 10)
const maybe = <A>(random: Random, value: A, none = 0.2): A | null => (random.chance(none) ? null : value)

/** Makes a workspace of `size` deals with nulls, duplicates, ties and empty relations. The caller gives `segments`. */
export const makeWorkspace = (random: Random, size: number, segments: ReadonlyArray<Row> = []): Workspace => {
  const clients = Array.from({ length: 20 }, (_, n) => ({
    id: `cli_${n}`,
    name: random.pick(NAMES),
    crm_one_id: maybe(random, `acc-${n}`),
    crm_two_id: maybe(random, `com-${n}`),
    industry: maybe(random, random.pick(INDUSTRIES)),
    website_url: maybe(random, `https://example.org/${n % 3}`),
    crm_properties: propertiesOf(random, "account"),
  }))
  const deals = Array.from({ length: size }, (_, n) => ({
    id: `${random.pick(["deal", "Deal", "dEAL-ü", "😀", "ｱ"])}_${n}`,
    crm_one_id: maybe(random, `opp-${n}`),
    crm_two_id: maybe(random, `d${n}`),
    name: random.chance(0.5) ? random.pick(NAMES) : `${random.pick(NAMES)} ${random.pick(WORDS)} ${random.below(30)}`,
    amount: maybe(random, random.pick([0, -5, 100, 100.5, 0.1, 1e6, 9007199254740991, random.below(1000)])),
    status_id: maybe(random, random.pick(STAGES.slice(0, -1))["id"] as string, 0.1),
    previous_status_id: maybe(random, random.pick(STAGES)["id"] as string, 0.5),
    close_date: maybe(random, day(random)),
    created_at: instant(random),
    updated_at: instant(random),
    owner_id: maybe(random, random.pick(OWNERS.slice(0, -1)).id),
    client_id: maybe(random, random.pick(clients).id),
    type: maybe(random, random.pick(TYPES)),
    region: maybe(random, random.pick(REGIONS)),
    deal_analyzed: random.chance(0.6),
    analysis_verified: random.chance(0.4),
    ...Object.fromEntries(
      SCORES.flatMap((score) => [
        [`wl_${score}_score`, maybe(random, 1 + random.below(9) / 2, 0.3)],
        [`wl_${score}_explanation`, maybe(random, `because ${random.pick(NAMES)}`, 0.5)],
      ]),
    ),
    summary: random.pick<unknown>([
      null,
      'An older, plain summary\nof two "lines"',
      { executive_summary: "Won on price", key_quotes: ["yes", "ünd so"] },
    ]),
    crm_properties: propertiesOf(random, "deal"),
    custom_metrics: random.chance(0.5)
      ? {}
      : { mtr_1: { score: random.below(5), explanation: random.pick(NAMES) }, mtr_2: { score: null } },
    custom_answers: random.chance(0.5) ? {} : { ans_1: random.pick(NAMES), ans_2: "long" },
  }))
  const links = <A>(from: ReadonlyArray<A>, most: number, row: (each: A, position: number, deal: string) => Row) =>
    deals.flatMap(({ id }) => (random.chance(0.3) ? [] : random.some(from, 1, most).map((each, n) => row(each, n, id))))
  return {
    stages: STAGES,
    owners: OWNERS,
    competitors: COMPETITORS,
    reasons: REASONS,
    clients,
    features: FEATURES,
    crm_properties: PROPERTIES,
    metrics: METRIC_NAMES,
    answers: ANSWER_NAMES,
    segments,
    deals,
    deal_collaborators: links(OWNERS.slice(0, -1), 3, ({ id }, _, deal_id) => ({ deal_id, owner_id: id })),
    deal_product_labels: links(LABELS, 3, (label, _, deal_id) => ({ deal_id, label })),
    deal_competitors: links(COMPETITORS.slice(0, -1), 3, ({ id }, n, deal_id) => ({
      deal_id,
      competitor_id: id,
      is_primary: n === 0 && random.chance(0.7),
      is_incumbent: random.chance(0.3),
    })),
    deal_drivers: links([...REASONS.slice(0, -1), ...REASONS.slice(0, 2)], 3, ({ id }, position, deal_id) => ({
      deal_id,
      position,
      reason_id: id,
      positive: maybe(random, random.chance(0.5)),
      summary: maybe(random, random.pick(NAMES)),
    })),
    deal_stage_changes: deals.flatMap(({ id }) => {
      const stage = () =>
        maybe(random, random.chance(0.05) ? "stg_deleted" : (random.pick(STAGES)["id"] as string), 0.1)
      return Array.from({ length: random.below(4) }, (_, n) => ({
        deal_id: id,
        n: n + 1,
        changed_at: instant(random),
        status_id: stage(),
        previous_status_id: stage(),
      }))
    }),
    deal_close_date_changes: deals.flatMap(({ id }) =>
      Array.from({ length: random.below(4) }, (_, n) => ({
        deal_id: id,
        n: n + 1,
        changed_at: instant(random),
        // In four fiscal quarters. The first had ended before close dates were tracked.
        close_date: new Date(EPOCH + (random.below(200) - 110) * DAY).toISOString().slice(0, 10),
      })),
    ),
    associations: links(FEATURES.slice(0, -1), 3, ({ id }, n, deal_id) => ({
      id: `${deal_id}-${id}-${n}`,
      deal_id,
      feature_id: id,
      created_at: instant(random),
      influence_summary: maybe(random, random.pick(NAMES)),
      sentiment: maybe(random, random.chance(0.5)),
      tags: random.some(LABELS, 0, 3),
    })),
  }
}

/** Inserts the whole workspace, with one statement per table, and records its deals as their writer does. */
export const insertWorkspace = (org: string, workspace: Workspace) =>
  Effect.gen(function* () {
    const { sql, transaction } = yield* Database
    yield* transaction(
      org,
      sql`update organizations set close_dates_since = ${`${CLOSE_DATES_SINCE}T12:00:00Z`}::timestamptz where id = ${org}`,
    )
    yield* transaction(
      org,
      Effect.andThen(
        Effect.forEach(
          TABLES.filter((table) => workspace[table].length > 0),
          (table) => {
            const folded = FOLDED_TABLES.find((each) => each === table)
            const rows = JSON.stringify(
              workspace[table].map((row) => ({ ...row, ...(folded && foldedValues(folded, row)), org_id: org })),
            )
            const columns = [
              ...Object.keys({ org_id: org, ...workspace[table][0] }),
              ...(folded === undefined ? [] : foldedNames(folded)),
            ].join(", ")
            return sql`insert into ${sql.literal(`${table} (${columns})`)}
            select ${sql.literal(columns)} from json_populate_recordset(null::${sql.literal(table)}, ${rows}::json) returning 1`
          },
          { discard: true },
        ),
        recordWritten(
          "deal",
          workspace.deals.map(({ id }) => String(id)),
        ),
      ),
    )
  })
