import type { DateFilter } from "../../src/core/deals/filters/filters.ts"
import type { DimensionName } from "../../src/core/reports/dimensions.ts"
import {
  clientOf,
  dateOf,
  find,
  isInSegment,
  matches,
  newNames,
  outcomeOf,
  type Row,
  rowsOf,
  type Tables,
  fold,
} from "../deals/oracle.ts"
import { type Now, within } from "../deals/oracleDates.ts"
import { bandOf, bucketIn } from "./oracleBuckets.ts"

/**
 * The expected report, computed from the contract over plain objects. It shares no code with the service: it lists the rows of each
 * deal, keeps those that the filters are about, and counts.
 */
type Filters = Readonly<Record<string, any>>
type Key = string | null
export interface Asked {
  readonly subject: "deals" | "associations"
  readonly group_by: ReadonlyArray<string>
  readonly filters: Filters
}

/** One cell of a deal: a value for each dimension and, of associations, those that are in it. */
interface Cell {
  readonly keys: ReadonlyArray<Key>
  readonly deal: Row
  readonly associations: ReadonlyArray<Row>
  readonly changes: ReadonlyArray<Row>
}

export interface Group {
  readonly keys: ReadonlyArray<Key>
  readonly deals: ReadonlyArray<Row>
  readonly associations: ReadonlyArray<Row>
  /** The stage changes and slips of the deals that are in the group. */
  readonly changes: ReadonlyArray<Row>
}

const lower = (text: Key | undefined): Key => text?.toLowerCase() ?? null
const folded = (text: Key | undefined): Key => (text == null ? null : fold(text))
type OfDeal = (deal: Row, world: Tables, now: Now) => Key
const DIMENSIONS_OF_DEAL = {
  outcome: (deal, world) => outcomeOf(deal, world) ?? null,
  status: (deal) => deal["status_id"],
  owner: (deal) => deal["owner_id"],
  client: (deal) => deal["client_id"],
  industry: (deal, world) => folded(clientOf(deal, world)?.["industry"]),
  region: (deal) => folded(deal["region"]),
  deal_type: (deal) => folded(deal["type"]),
  amount_band: ({ amount }: Row) => (amount === null ? null : bandOf(amount)),
  analyzed: (deal) => String(deal["deal_analyzed"]),
} satisfies Readonly<Record<string, OfDeal>>
const OF_DEAL: Readonly<Record<string, OfDeal>> = DIMENSIONS_OF_DEAL

/** The table of a dimension's rows, the rows that count, and the values of a row. */
type OfRows = readonly [
  table: string,
  counts: (row: Row) => boolean,
  of: (row: Row, world: Tables) => ReadonlyArray<Key>,
]
const any = () => true
/** The dimensions on rows: all that are neither the deal's own nor dates. */
type OnRows = Exclude<DimensionName, keyof typeof DIMENSIONS_OF_DEAL | DateFilter | "segment">
const DIMENSIONS_ON_ROWS: Readonly<Record<OnRows, OfRows>> = {
  collaborator: ["deal_collaborators", any, (row) => [row["owner_id"]]],
  product_label: ["deal_product_labels", any, (row) => [folded(row["label"])]],
  competitor: ["deal_competitors", any, (row) => [row["competitor_id"]]],
  primary_competitor: ["deal_competitors", (row) => row["is_primary"], (row) => [row["competitor_id"]]],
  incumbent: ["deal_competitors", (row) => row["is_incumbent"], (row) => [row["competitor_id"]]],
  driver: ["deal_drivers", any, (row) => [row["reason_id"]]],
  driver_category: [
    "deal_drivers",
    any,
    (row, world) => [folded(find(world, "reasons", row["reason_id"])?.["category"])],
  ],
  driver_effect: [
    "deal_drivers",
    any,
    (row) => [row["positive"] === null ? null : row["positive"] ? "positive" : "negative"],
  ],
  feature: ["associations", any, (row) => [row["feature_id"]]],
  product: ["associations", any, (row, world) => [folded(find(world, "features", row["feature_id"])?.["product"])]],
  product_area: [
    "associations",
    any,
    (row, world) => [folded(find(world, "features", row["feature_id"])?.["product_area"])],
  ],
  entered_stage: ["deal_stage_changes", any, (row, world) => [find(world, "stages", row["status_id"])?.["id"] ?? null]],
  left_stage: [
    "deal_stage_changes",
    any,
    (row, world) => [find(world, "stages", row["previous_status_id"])?.["id"] ?? null],
  ],
  sentiment: [
    "associations",
    any,
    (row) => [row["sentiment"] === null ? "neutral" : row["sentiment"] ? "positive" : "negative"],
  ],
  association_tag: ["associations", any, (row) => (row["tags"].length === 0 ? [null] : row["tags"].map(lower))],
}
const OF_ROWS: Readonly<Record<string, OfRows>> = DIMENSIONS_ON_ROWS

/** The filters on rows: the dimension whose values they name, and their modifier. */
const ROW_FILTERS: Readonly<Record<string, readonly [dimension: string, modifier: string, closed?: string]>> = {
  collaborators: ["collaborator", "collaborator_filter_type", "owners"],
  product_labels: ["product_label", "product_filter_type"],
  competitors: ["competitor", "competitors_filter_type", "competitors"],
  primary_competitors: ["primary_competitor", "primary_competitor_filter_type", "competitors"],
  incumbents: ["incumbent", "incumbents_filter_type", "competitors"],
  driver_ids: ["driver", "driver_ids_filter_type", "reasons"],
  driver_categories: ["driver_category", "driver_categories_filter_type"],
  driver_effect: ["driver_effect", "driver_effect_filter_type"],
  feature_ids: ["feature", "feature_ids_filter_type", "features"],
  products: ["product", "products_filter_type"],
  product_areas: ["product_area", "product_areas_filter_type"],
  feature_sentiment: ["sentiment", "feature_sentiment_filter_type"],
  association_tags: ["association_tag", "association_tags_filter_type"],
  entered_stages: ["entered_stage", "entered_stages_filter_type", "stages"],
  left_stages: ["left_stage", "left_stages_filter_type", "stages"],
}

const idsNamed = (world: Tables, table: string | undefined, values: ReadonlyArray<string>): ReadonlyArray<string> =>
  table === undefined
    ? values.map((value) => fold(value))
    : values.flatMap((value) => {
        const rows = world[table] ?? []
        if (rows.some(({ id }) => id === value)) return [value]
        return rows
          .filter(({ id, name }) => lower(id) === lower(value) || folded(name) === folded(value))
          .map(({ id }) => id)
      })

/** The filters with `is all of` on a relation. Each of their values may have a row of its own. */
const spreadFilters = (relation: string, filters: Filters) =>
  Object.entries(ROW_FILTERS).filter(
    ([name, [dimension, modifier]]) =>
      name !== "association_tags" && relationOf(dimension) === relation && filters[modifier] === "is all of",
  )

/**
 * Whether a report is about this row: it meets the filters on such rows, without those that only exclude deals, or that different
 * rows may meet.
 */
const isAbout = (row: Row, relation: string, filters: Filters, world: Tables, now: Now): boolean =>
  Object.entries(DATES_OF_ROWS).every(
    ([name, table]) =>
      table !== relation || filters[name] === undefined || within(dateOf(row, table), filters[name], now),
  ) &&
  Object.entries(ROW_FILTERS).every(([name, [dimension, modifier, closed]]) => {
    const [table, counts, of] = OF_ROWS[dimension]!
    const given = filters[name] as ReadonlyArray<string> | undefined
    const mode = (filters[modifier] as string | undefined) ?? "is any of"
    if (relationOf(dimension) !== relation || (given === undefined && filters[modifier] === undefined)) return true
    if (table === undefined || !counts(row)) return false
    const held = of(row, world).filter((value) => value !== null)
    // Tags differ only by case.
    const wanted =
      name === "association_tags" ? (given ?? []).map((tag) => tag.toLowerCase()) : idsNamed(world, closed, given ?? [])
    if (mode === "is not") return true
    if (mode === "is empty") return held.length === 0
    if (mode === "is not empty") return held.length > 0
    if (mode === "is all of" && name === "association_tags") return wanted.every((value) => held.includes(value))
    if (mode === "is all of" && spreadFilters(relation, filters).length > 1) return true
    return wanted.some((value) => held.includes(value))
  })

/** Dimensions of one relation describe the same row. */
const relationOf = (dimension: string): string => {
  const [table] = OF_ROWS[dimension]!
  return table === "deal_competitors" ? dimension : table
}

const DATES_OF_ROWS: Readonly<Record<string, string>> = {
  asked_at: "associations",
  stage_changed_at: "deal_stage_changes",
  slipped_from: "slips",
}

const valuesOfRow = (row: Row, dimension: string, filters: Filters, world: Tables, now: Now) => {
  const [name = "", grain = ""] = dimension.split(".")
  if (name in DATES_OF_ROWS) return [bucketIn(grain, dateOf(row, DATES_OF_ROWS[name]!), now)]
  const values = OF_ROWS[name]![2](row, world)
  const tags = filters["association_tags"] as ReadonlyArray<string> | undefined
  const mode = (filters["association_tags_filter_type"] as string | undefined) ?? "is any of"
  if (name !== "association_tag" || tags === undefined || !["is any of", "is all of"].includes(mode))
    return [...new Set(values)]
  // A filter on tags limits the groups by tag.
  return [...new Set(values.filter((value) => tags.some((tag) => lower(tag) === value)))]
}

const product = <A>(lists: ReadonlyArray<ReadonlyArray<A>>): ReadonlyArray<ReadonlyArray<A>> =>
  lists.reduce<ReadonlyArray<ReadonlyArray<A>>>(
    (all, list) => all.flatMap((each) => list.map((one) => [...each, one])),
    [[]],
  )

/** The cells of a deal. */
const cellsOf = (deal: Row, { subject, group_by, filters }: Asked, world: Tables, now: Now): ReadonlyArray<Cell> => {
  const relations = new Map<string, Array<number>>()
  if (subject === "associations") relations.set("associations", [])
  const fixed = group_by.map((name, index): ReadonlyArray<Key> | undefined => {
    const [base = "", grain] = name.split(".")
    if (base in OF_ROWS || base in DATES_OF_ROWS) {
      const relation = DATES_OF_ROWS[base] ?? relationOf(base)
      relations.set(relation, [...(relations.get(relation) ?? []), index])
      return undefined
    }
    if (base in OF_DEAL) return [OF_DEAL[base]!(deal, world, now)]
    if (grain !== undefined && base in deal) return [bucketIn(grain, deal[base], now)]
    if (base === "segment") return segmentsOf(deal, filters, world, now)
    return [dynamicOf(deal, name, world)]
  })
  interface Found {
    readonly at: ReadonlyArray<number>
    readonly values: ReadonlyArray<Key>
    readonly row: Row | undefined
  }
  const found = [...relations].map(([relation, at]): ReadonlyArray<Found> => {
    const table = ["competitor", "primary_competitor", "incumbent"].includes(relation) ? "deal_competitors" : relation
    const counts = OF_ROWS[relation]?.[1] ?? any
    const rows = rowsOf(world, table, deal, now).filter(
      (row) => counts(row) && isAbout(row, relation, filters, world, now),
    )
    const cells = rows.flatMap((row) =>
      product(at.map((index) => valuesOfRow(row, group_by[index]!, filters, world, now))).map((values) => ({
        at,
        values,
        row,
      })),
    )
    const isRequired = subject === "associations" && relation === "associations"
    return cells.length === 0 && !isRequired ? [{ at, values: at.map(() => null), row: undefined }] : cells
  })
  const own = product(fixed.map((values) => values ?? [null]))
  const cells = new Map<string, { keys: ReadonlyArray<Key>; deal: Row; associations: Set<Row>; changes: Set<Row> }>()
  const changes = CHANGES.filter((table) => !relations.has(table)).flatMap((table) =>
    changesOf(table, deal, filters, world, now),
  )
  for (const keys of own) {
    for (const rows of product(found)) {
      const all = [...keys]
      for (const { at, values } of rows) for (const [n, index] of at.entries()) all[index] = values[n] ?? null
      const key = JSON.stringify(all)
      const cell = cells.get(key) ?? { keys: all, deal, associations: new Set<Row>(), changes: new Set(changes) }
      for (const { row } of rows) if (row !== undefined && "feature_id" in row) cell.associations.add(row)
      for (const { row } of rows) if (row !== undefined && "changed_at" in row) cell.changes.add(row)
      cells.set(key, cell)
    }
  }
  return [...cells.values()].map((cell) => ({
    ...cell,
    associations: [...cell.associations],
    changes: [...cell.changes],
  }))
}

export const CHANGES = ["deal_stage_changes", "slips"] as const
/** The stage changes or slips of a deal that the filters are about. */
export const changesOf = (
  table: (typeof CHANGES)[number],
  deal: Row,
  filters: Filters,
  world: Tables,
  now: Now,
): ReadonlyArray<Row> => rowsOf(world, table, deal, now).filter((row) => isAbout(row, table, filters, world, now))

const segmentsOf = (deal: Row, filters: Filters, world: Tables, now: Now): ReadonlyArray<Key> => {
  const mode = (filters["segment_ids_filter_type"] as string | undefined) ?? "is any of"
  const isLimited = filters["segment_ids"] !== undefined && ["is any of", "is all of"].includes(mode)
  const limit = isLimited ? idsNamed(world, "segments", filters["segment_ids"]) : undefined
  const found = (world["segments"] ?? []).filter(
    (segment) => (limit?.includes(segment["id"]) ?? true) && isInSegment(deal, segment, world, now),
  )
  return found.length === 0 ? [null] : found.map(({ id }) => id)
}

/** A CRM property or a custom answer. */
const dynamicOf = (deal: Row, name: string, world: Tables): Key => {
  const account = /^crm_crm_(?:one|two)_account_(.*)$/s.exec(name)?.[1]
  const id = account ?? name.replace(/^(crm_|custom_answer_)/, "")
  const holder = account === undefined ? deal : clientOf(deal, world)
  const held = (holder?.[name.startsWith("custom_answer_") ? "custom_answers" : "crm_properties"] ?? {})[id] ?? null
  const type = name.startsWith("custom_answer_")
    ? "text"
    : world["crm_properties"]!.find((each) => each["id"] === id)!["data_type"]
  if (held === null) return null
  return type === "text" ? lower(String(held)) : type === "date" ? String(held).slice(0, 10) : String(held)
}

/** The groups of a report, and the whole. */
export const groupsOf = (
  asked: Asked,
  world: Tables,
  now: Now,
): { readonly all: Group; readonly groups: ReadonlyArray<Group> } => {
  const named = { ...asked, filters: newNames(asked.filters) }
  const cells = (world["deals"] ?? [])
    .filter((deal) => matches(deal, asked.filters, world, now))
    .flatMap((deal) => cellsOf(deal, named, world, now))
  const gather = (keys: ReadonlyArray<Key>, some: ReadonlyArray<Cell>): Group => ({
    keys,
    deals: [...new Set(some.map(({ deal }) => deal))],
    associations: [...new Set(some.flatMap(({ associations }) => associations))],
    changes: [...new Set(some.flatMap(({ changes }) => changes))],
  })
  const byKey = Map.groupBy(cells, ({ keys }) => JSON.stringify(keys))
  return { all: gather([], cells), groups: [...byKey].map(([, some]) => gather(some[0]!.keys, some)) }
}
