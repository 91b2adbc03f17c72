import type { ArrayFilter, ModifierName } from "../../src/core/deals/filters/arrays.ts"
import { newNames } from "./oracleNames.ts"
import { crmHolds } from "./oracleCrm.ts"
import { localDay } from "../support/zones.ts"
import { type Now, within } from "./oracleDates.ts"
import { clientOf, find, isFirstWon, outcomeOf, type Row, rowsOf, type Tables } from "./oracleTables.ts"

export { newNames } from "./oracleNames.ts"
export { clientOf, find, isFirstWon, outcomeOf, type Row, rowsOf, type Tables } from "./oracleTables.ts"

/**
 * The expected reply of GET /deals, written from the contract over plain objects. It shares no code with the service, so that
 * a common error is unlikely. Only the types connect them: they require that it names every filter.
 */
type Filters = Readonly<Record<string, any>>

const lower = (text: string) => text.toLowerCase()
/** Compares names: `ß` and `SS` are alike. The names of the random workspaces need no more. */
export const fold = (text: string) => text.normalize("NFKC").toUpperCase().toLowerCase()

interface Compared {
  readonly modifier?: ModifierName
  /** The table that the values name. */
  readonly closed?: string
  readonly by?: (value: string) => string // Without it, values are folded.
}

/** A filter on the deal: the values that it compares, and whether case distinguishes them as ids. */
interface OfDeal extends Compared {
  readonly of: (deal: Row, world: Tables, now: Now) => ReadonlyArray<string>
  readonly identifier?: string
}

/** A filter on one of the deal's rows: the values of a row. */
interface OfRow extends Compared {
  readonly rows: string
  readonly only?: (row: Row) => boolean
  readonly of: (row: Row, world: Tables, now: Now) => ReadonlyArray<string>
  /** `is all of` applies to a row, which has several values. */
  readonly several?: true
}

const ARRAYS: Record<ArrayFilter, OfDeal | OfRow> = {
  deal_ids: { of: (deal) => one(deal["id"]), identifier: "id" },
  crm_one_ids: { of: (deal) => one(deal["crm_one_id"]), by: (value) => value },
  crm_two_ids: { of: (deal) => one(deal["crm_two_id"]), by: (value) => value },
  owner_ids: { modifier: "owner_filter_type", closed: "owners", of: (deal) => one(deal["owner_id"]) },
  collaborators: {
    modifier: "collaborator_filter_type",
    closed: "owners",
    rows: "deal_collaborators",
    of: (row) => one(row["owner_id"]),
  },
  client_ids: { closed: "clients", of: (deal) => one(deal["client_id"]) },
  status: { modifier: "status_filter_type", closed: "stages", of: (deal) => one(deal["status_id"]) },
  outcome: { of: (deal, world) => one(outcomeOf(deal, world)) },
  deal_type: { modifier: "deal_type_filter_type", of: (deal) => one(deal["type"]) },
  region: { modifier: "region_filter_type", of: (deal) => one(deal["region"]) },
  industry: { modifier: "industry_filter_type", of: (deal, world) => one(clientOf(deal, world)?.["industry"]) },
  product_labels: {
    modifier: "product_filter_type",
    rows: "deal_product_labels",
    of: (row) => [row["label"]],
  },
  competitors: {
    modifier: "competitors_filter_type",
    closed: "competitors",
    rows: "deal_competitors",
    of: (row) => one(row["competitor_id"]),
  },
  primary_competitors: {
    modifier: "primary_competitor_filter_type",
    closed: "competitors",
    rows: "deal_competitors",
    only: (row) => row["is_primary"],
    of: (row) => one(row["competitor_id"]),
  },
  incumbents: {
    closed: "competitors",
    rows: "deal_competitors",
    only: (row) => row["is_incumbent"],
    of: (row) => one(row["competitor_id"]),
  },
  driver_ids: { closed: "reasons", rows: "deal_drivers", of: (row) => one(row["reason_id"]) },
  driver_effect: {
    rows: "deal_drivers",
    of: ({ positive }) => (positive === null ? [] : [positive ? "positive" : "negative"]),
  },
  driver_categories: {
    rows: "deal_drivers",
    of: (row, world) => one(find(world, "reasons", row["reason_id"])?.["category"]),
  },
  feature_ids: { closed: "features", rows: "associations", of: (row) => one(row["feature_id"]) },
  products: {
    rows: "associations",
    of: (row, world) => one(find(world, "features", row["feature_id"])?.["product"]),
  },
  product_areas: {
    rows: "associations",
    of: (row, world) => one(find(world, "features", row["feature_id"])?.["product_area"]),
  },
  feature_sentiment: {
    rows: "associations",
    of: ({ sentiment }) => [sentiment === null ? "neutral" : sentiment ? "positive" : "negative"],
  },
  association_tags: { rows: "associations", of: (row) => row["tags"], by: lower, several: true },
  entered_stages: {
    closed: "stages",
    rows: "deal_stage_changes",
    of: (row, world) => one(find(world, "stages", row["status_id"])?.["id"]),
  },
  left_stages: {
    closed: "stages",
    rows: "deal_stage_changes",
    of: (row, world) => one(find(world, "stages", row["previous_status_id"])?.["id"]),
  },
  segment_ids: {
    closed: "segments",
    of: (deal, world, now) =>
      (world["segments"] ?? [])
        .filter((segment) => isInSegment(deal, segment, world, now))
        .map((segment) => segment["id"]),
  },
}

const one = (value: string | null | undefined) => (value === null || value === undefined ? [] : [value])

/** The ids that a value names: the exact id, else every row whose id or name it is, ignoring case. */
const meant = (world: Tables, table: string, value: string): ReadonlyArray<string> => {
  const rows = world[table] ?? []
  if (rows.some(({ id }) => id === value)) return [value]
  return rows.filter(({ id, name }) => lower(id) === lower(value) || fold(name) === fold(value)).map(({ id }) => id)
}

/** Whether `held` has one of `values`. */
const hasAny = (
  { closed, by = fold }: Compared,
  held: ReadonlyArray<string>,
  values: ReadonlyArray<string>,
  world: Tables,
) =>
  values.some((value) =>
    closed === undefined
      ? held.some((each) => by(each) === by(value))
      : meant(world, closed, value).some((id) => held.includes(id)),
  )

/** An identifier ignores case; but a value that is exactly another deal's id, which differs only by case, means that deal. */
const isMeant = (deal: Row, identifier: string, values: ReadonlyArray<string>, world: Tables): boolean => {
  const own = deal[identifier] as string | null
  const same = values.filter((value) => value.toLowerCase() === own?.toLowerCase())
  if (own === null || same.length === 0 || same.includes(own)) return same.length > 0
  return !(world["deals"] ?? []).some((other) => same.includes(other[identifier]))
}

export const isInSegment = (deal: Row, segment: Row, world: Tables, now: Now): boolean =>
  matches(deal, segment["filters"], world, { ...now, fiscalStart: now.segmentsFiscalStart ?? now.fiscalStart })

/** Whether the deal matches the filters. */
export const matches = (deal: Row, given: Filters, world: Tables, now: Now): boolean => {
  const { and = [], ...filters } = newNames(given)
  return [filters, ...and].every((part: Filters) => matchesPart(deal, part, world, now))
}

/** The filters on the date of a row, and its table. */
const DATES_OF_ROWS = [
  ["asked_at", "associations"],
  ["stage_changed_at", "deal_stage_changes"],
  ["slipped_from", "slips"],
] as const

const matchesPart = (deal: Row, filters: Filters, world: Tables, now: Now): boolean =>
  [arraysHold, rangesHold, datesHold, statesHold, customHold].every((hold) => hold(deal, filters, world, now))

const arraysHold = (deal: Row, filters: Filters, world: Tables, now: Now): boolean => {
  const onRows = new Map<string, Array<{ filter: OfRow; values: ReadonlyArray<string>; mode: string }>>()
  for (const [name, filter] of Object.entries<OfDeal | OfRow>(ARRAYS)) {
    const given = filters[filter.modifier ?? `${name}_filter_type`] as string | undefined
    const values = filters[name] as ReadonlyArray<string> | undefined
    if (values === undefined && given === undefined) continue
    const mode = given ?? "is any of"
    if ("rows" in filter) {
      const rows = `${filter.rows} ${filter.only ?? ""}`
      onRows.set(rows, [...(onRows.get(rows) ?? []), { filter, values: values ?? [], mode }])
      continue
    }
    const held = filter.of(deal, world, now)
    const { identifier } = filter
    const anyOf = (some: ReadonlyArray<string>) =>
      identifier === undefined ? hasAny(filter, held, some, world) : isMeant(deal, identifier, some, world)
    if (!arrayHolds(anyOf, held, values ?? [], mode)) return false
  }
  for (const [name, table] of DATES_OF_ROWS)
    if (filters[name] !== undefined && ![...onRows.keys()].some((key) => key.startsWith(table)))
      onRows.set(`${table} `, [])
  return [...onRows].every(([key, all]) => {
    const [dated = ""] = DATES_OF_ROWS.find(([, table]) => key.startsWith(table)) ?? []
    return rowsHold(deal, key, all, filters[dated], world, now)
  })
}

const rangesHold = (deal: Row, filters: Filters): boolean =>
  ["amount", ...Object.keys(deal).filter((key) => /^wl_.*_score$/.test(key))].every((name) => {
    if (filters[name] === undefined) return true
    const { min = -Infinity, max = Infinity, below = Infinity } = filters[name]
    const held = deal[name]
    return held !== null && held >= min && held <= max && (below === Infinity || held < below)
  })

const datesHold = (deal: Row, filters: Filters, world: Tables, now: Now): boolean =>
  ["close_date", "created_at", "updated_at"].every(
    (name) => filters[name] === undefined || within(deal[name], filters[name], now),
  ) &&
  ["amount", "close_date", "stage_changed_at", "slipped_from"].every((name) => {
    const mode = filters[`${name}_filter_type`]
    return mode === undefined || lacks(deal, name, world, now) === (mode === "is empty")
  })

const statesHold = (deal: Row, filters: Filters, world: Tables, now: Now): boolean => {
  const isOpen = outcomeOf(deal, world) === "open"
  const isOverdue = () => isOpen && deal["close_date"] !== null && deal["close_date"] < now.today
  const days = ageOf(deal, now)
  const { min = -Infinity, max = Infinity } = filters["open_days"] ?? {}
  const is = (name: string, held: () => boolean) => filters[name] === undefined || held() === filters[name]
  return (
    is("analyzed", () => deal["deal_analyzed"]) &&
    is("verified", () => deal["analysis_verified"]) &&
    is("overdue", isOverdue) &&
    is("first_won", () => isFirstWon(deal, world)) &&
    (filters["open_days"] === undefined || (isOpen && days >= min && days <= max))
  )
}

const customHold = (deal: Row, filters: Filters, world: Tables): boolean =>
  Object.entries<ReadonlyArray<string | null>>(filters["custom_answers"] ?? {}).every(([name, values]) =>
    answerHolds(deal, name, values, world),
  ) &&
  (filters["crm_filters"] ?? []).every((filter: Row) => crmHolds(deal["crm_properties"], {}, filter, "deal", world)) &&
  (filters["crm_account_filters"] ?? []).every((filter: Row) => {
    const client = clientOf(deal, world) ?? {}
    return crmHolds(client["crm_properties"] ?? {}, client, filter, "account", world)
  })

const lacks = (deal: Row, name: string, world: Tables, now: Now): boolean => {
  const [, table] = DATES_OF_ROWS.find(([each]) => each === name) ?? []
  return table === undefined ? deal[name] === null : rowsOf(world, table, deal, now).length === 0
}

/** The date of a row that filters and groups read. */
export const dateOf = (row: Row, table: string): string =>
  row[{ associations: "created_at", slips: "close_date" }[table] ?? "changed_at"]

/** Whole days from the day of creation to today. */
export const ageOf = (deal: Row, { today, zone }: Now): number =>
  (Date.parse(today) - Date.parse(localDay(deal["created_at"], zone))) / 86_400_000

const answerHolds = (deal: Row, name: string, values: ReadonlyArray<string | null>, world: Tables) => {
  const answer = (world["answers"] ?? []).find((each) =>
    [each["id"], each["name"]].some((text) => text.toLowerCase() === name.toLowerCase()),
  )
  const held = (deal["custom_answers"][answer?.["id"]] ?? null) as string | null
  return values.some((value) =>
    value === null || held === null ? value === held : value.toLowerCase() === held.toLowerCase(),
  )
}

/** One row meets all filters; a deal without rows counts as one row without values. */
const rowsHold = (
  deal: Row,
  key: string,
  all: ReadonlyArray<{ filter: OfRow; values: ReadonlyArray<string>; mode: string }>,
  asked: Row | undefined,
  world: Tables,
  now: Now,
): boolean => {
  const only = all[0]?.filter.only ?? (() => true)
  const table = key.split(" ")[0] ?? ""
  const found = rowsOf(world, table, deal, now).filter(only)
  const rows: ReadonlyArray<Row | undefined> = found.length === 0 ? [undefined] : found
  const held = (row: Row | undefined, filter: OfRow) => (row === undefined ? [] : filter.of(row, world, now))
  const isOnRow = (mode: string, filter: OfRow) =>
    mode !== "is not" && (mode !== "is all of" || filter.several === true)
  const meets = (row: Row | undefined) =>
    (asked === undefined || (row !== undefined && within(dateOf(row, table), asked, now))) &&
    all
      .filter(({ mode, filter }) => isOnRow(mode, filter))
      .every(({ filter, values, mode }) =>
        arrayHolds((some) => hasAny(filter, held(row, filter), some, world), held(row, filter), values, mode),
      )
  return (
    rows.some(meets) &&
    all.every(({ filter, values, mode }) => {
      const hold = (row: Row | undefined, some: ReadonlyArray<string>) => hasAny(filter, held(row, filter), some, world)
      if (mode === "is not") return !rows.some((row) => hold(row, values))
      if (mode !== "is all of" || filter.several === true) return true
      return values.every((value) => rows.some((row) => meets(row) && hold(row, [value])))
    })
  )
}

/** `held` are the deal's values; `anyOf` says whether one of some values is among them. */
const arrayHolds = (
  anyOf: (values: ReadonlyArray<string>) => boolean,
  held: ReadonlyArray<string>,
  values: ReadonlyArray<string>,
  mode: string,
) => {
  switch (mode) {
    case "is any of":
      return anyOf(values)
    case "is not":
      return !anyOf(values)
    case "is all of":
      return values.every((value) => anyOf([value]))
    case "is empty":
    case "is not empty":
      return (mode === "is empty") === (held.length === 0)
    default:
      throw new Error(`no modifier ${mode}`)
  }
}
