import type { ArrayFilter, OLDER_NAMES } from "../../src/core/deals/filters.ts"

/**
 * The expected reply of GET /deals, written from the contract over plain objects. It shares no code with the service, so that
 * a common error is unlikely. Only the types connect them: they require that it names every filter.
 */
type Row = Readonly<Record<string, any>>
type Tables = Readonly<Record<string, ReadonlyArray<Row>>>
type Filters = Readonly<Record<string, any>>

const OLDER: Record<keyof typeof OLDER_NAMES, string> = {
  deal_analyzed: "analyzed",
  analysis_verified: "verified",
  competitor_ids: "competitors",
  product_ids: "product_labels",
  proposal_due: "close_date",
  type: "deal_type",
}

/** Each array filter: the values of a deal that it compares, its modifier's name, and whether case distinguishes ids. */
const ARRAYS: Record<
  ArrayFilter,
  { modifier?: string; of: (deal: Row, world: Tables) => ReadonlyArray<ReadonlyArray<string>>; identifier?: string }
> = {
  deal_ids: { of: (deal) => one(deal["id"]), identifier: "id" },
  crm_one_ids: { of: (deal) => one(deal["crm_one_id"]), identifier: "crm_one_id" },
  crm_two_ids: { of: (deal) => one(deal["crm_two_id"]), identifier: "crm_two_id" },
  owner_ids: { modifier: "owner_filter_type", of: (deal, world) => named(world, "owners", deal["owner_id"]) },
  collaborators: {
    modifier: "collaborator_filter_type",
    of: (deal, world) =>
      linked(world, "deal_collaborators", deal).flatMap((row) => named(world, "owners", row["owner_id"])),
  },
  status: { modifier: "status_filter_type", of: (deal, world) => named(world, "stages", deal["status_id"]) },
  deal_type: { modifier: "deal_type_filter_type", of: (deal) => one(deal["type"]) },
  region: { modifier: "region_filter_type", of: (deal) => one(deal["region"]) },
  industry: { modifier: "industry_filter_type", of: (deal, world) => one(clientOf(deal, world)?.["industry"]) },
  product_labels: {
    modifier: "product_filter_type",
    of: (deal, world) => linked(world, "deal_product_labels", deal).map((row) => [row["label"]]),
  },
  competitors: { modifier: "competitors_filter_type", of: (deal, world) => rivals(deal, world, false) },
  primary_competitors: { modifier: "primary_competitor_filter_type", of: (deal, world) => rivals(deal, world, true) },
  driver_ids: {
    of: (deal, world) =>
      linked(world, "deal_drivers", deal).flatMap((row) => named(world, "reasons", row["reason_id"])),
  },
  feature_ids: {
    of: (deal, world) =>
      linked(world, "associations", deal).flatMap((row) => named(world, "features", row["feature_id"])),
  },
  segment_ids: {
    of: (deal, world) =>
      (world["segments"] ?? [])
        .filter((segment) => matches(deal, segment["filters"], world))
        .map((segment) => [segment["id"], segment["name"]]),
  },
}

const one = (value: string | null | undefined) => (value === null || value === undefined ? [] : [[value]])
const byDeal = new WeakMap<ReadonlyArray<Row>, Map<string, Array<Row>>>()
const linked = (world: Tables, table: string, deal: Row): ReadonlyArray<Row> => {
  const rows = world[table] ?? []
  const index = byDeal.get(rows) ?? new Map<string, Array<Row>>()
  if (!byDeal.has(rows)) {
    for (const row of rows) index.set(row["deal_id"], [...(index.get(row["deal_id"]) ?? []), row])
    byDeal.set(rows, index)
  }
  return index.get(deal["id"]) ?? []
}
/** The id and name of a row that a deal refers to. */
const named = (world: Tables, table: string, id: string | null) =>
  id === null ? [] : [[id, world[table]?.find((row) => row["id"] === id)?.["name"] as string]]
const clientOf = (deal: Row, world: Tables) => world["clients"]?.find((client) => client["id"] === deal["client_id"])
const rivals = (deal: Row, world: Tables, primary: boolean) =>
  linked(world, "deal_competitors", deal)
    .filter((row) => !primary || row["is_primary"])
    .flatMap((row) => named(world, "competitors", row["competitor_id"]))

/** Whether the deal matches the filters. */
export const matches = (deal: Row, given: Filters, world: Tables): boolean => {
  const filters = newNames(given)
  for (const [name, { modifier, of, identifier }] of Object.entries(ARRAYS)) {
    const values = filters[name] as ReadonlyArray<string> | undefined
    const mode = (modifier === undefined ? undefined : filters[modifier]) ?? "is any of"
    if (values === undefined && mode !== "is empty" && mode !== "is not empty") continue
    const items = of(deal, world)
    if (!arrayHolds(items, values ?? [], mode)) return false
    if (identifier !== undefined && !isMeant(deal, identifier, values ?? [], world)) return false
  }
  for (const name of ["amount", ...Object.keys(deal).filter((key) => /^wl_.*_score$/.test(key))]) {
    const { min = -Infinity, max = Infinity } = filters[name] ?? {}
    if (filters[name] !== undefined && (deal[name] === null || deal[name] < min || deal[name] > max)) return false
  }
  for (const name of ["close_date", "created_at", "updated_at"]) {
    if (filters[name] !== undefined && !within(deal[name], filters[name])) return false
  }
  if (filters["analyzed"] !== undefined && deal["deal_analyzed"] !== filters["analyzed"]) return false
  if (filters["verified"] !== undefined && deal["analysis_verified"] !== filters["verified"]) return false
  return (
    (filters["crm_filters"] ?? []).every((filter: Row) =>
      crmHolds(deal["crm_properties"], {}, filter, "deal", world),
    ) &&
    (filters["crm_account_filters"] ?? []).every((filter: Row) => {
      const client = clientOf(deal, world) ?? {}
      return crmHolds(client["crm_properties"] ?? {}, client, filter, "account", world)
    })
  )
}

const newNames = (given: Filters): Filters =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const newer = new Map(Object.entries(OLDER)).get(name)
      if (newer === undefined) return [[name, value]]
      if (!Array.isArray(value) || !/^(deal_analyzed|analysis_verified)$/.test(name)) return [[newer, value]]
      const wanted = [...new Set(value.map(String))]
      return wanted.length === 2 ? [] : [[newer, wanted[0] === "true"]]
    }),
  )

/** False if a value is exactly the id of another deal that differs from this one's only by case. */
const isMeant = (deal: Row, identifier: string, values: ReadonlyArray<string>, world: Tables) => {
  const own = deal[identifier] as string
  if (values.includes(own)) return true
  const others = new Set(values.filter((value) => value.toLowerCase() === own.toLowerCase()))
  return !(world["deals"] ?? []).some((other) => others.has(other[identifier]))
}

/** `items` are the deal's values, each with all of its names. */
const arrayHolds = (items: ReadonlyArray<ReadonlyArray<string>>, values: ReadonlyArray<string>, mode: string) => {
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  const has = (value: string) => items.some((names) => names.some((name) => same(name, value)))
  switch (mode) {
    case "is any of":
      return values.some(has)
    case "is not":
      return !values.some(has)
    case "is all of":
      return values.every(has)
    case "is empty":
      return items.length === 0
    case "is not empty":
      return items.length > 0
    default:
      throw new Error(`no modifier ${mode}`)
  }
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text)
const start = (text: string) => Date.parse(isDay(text) ? `${text}T00:00:00Z` : text)
const end = (text: string) => (isDay(text) ? start(text) + 86_399_999 : start(text))

const within = (value: string | null, { from, to }: { from?: string; to?: string }) =>
  value !== null && (from === undefined || start(value) >= start(from)) && (to === undefined || start(value) <= end(to))

const propertyOf = (world: Tables, object: string, name: string, crm: string | undefined) => {
  const all = (world["crm_properties"] ?? []).filter(
    (each) => each["object"] === object && (crm === undefined || each["crm"] === crm),
  )
  const lower = name.toLowerCase()
  return (
    all.find((each) => each["id"] === name) ??
    all.find((each) => each["id"].toLowerCase() === lower) ??
    all.find((each) => each["label"]?.toLowerCase() === lower)
  )
}

const crmHolds = (
  properties: Row,
  columns: Row,
  { property, operator, value, crm }: Row,
  object: string,
  world: Tables,
) => {
  const found = typeof property === "string" ? propertyOf(world, object, property, crm) : undefined
  const type = found?.["data_type"] ?? "text"
  const held = (typeof property === "string" ? properties[found?.["id"] ?? property] : columns[property.map_to]) ?? null
  const negative = operator === "is not" || operator === "does not contain"
  if (held === null) return negative
  const plain = (each: unknown) =>
    type === "number"
      ? Number(each)
      : type === "date"
        ? String(each).slice(0, 10)
        : type === "text"
          ? String(each).toLowerCase()
          : String(each)
  const [a, b] = [plain(held), plain(value)]
  switch (operator) {
    case "is":
      return a === b
    case "is not":
      return a !== b
    case "is greater than":
    case "is after":
      return a > b
    case "is less than":
    case "is before":
      return a < b
    case "is greater than or equal to":
      return a >= b
    case "is less than or equal to":
      return a <= b
    case "contains":
      return String(a).toLowerCase().includes(String(b).toLowerCase())
    case "does not contain":
      return !String(a).toLowerCase().includes(String(b).toLowerCase())
    default:
      throw new Error(`no operator ${operator}`)
  }
}

const codePoints = new Map<string, ReadonlyArray<number>>()
const pointsOf = (text: string): ReadonlyArray<number> => {
  const known = codePoints.get(text) ?? [...text].map((character) => character.codePointAt(0) ?? 0)
  codePoints.set(text, known)
  return known
}

/** Compares by Unicode code point; JavaScript's `<` compares UTF-16 units. */
export const compareText = (a: string, b: string): number => {
  const [x, y] = [pointsOf(a), pointsOf(b)]
  for (let n = 0; n < Math.min(x.length, y.length); n++) {
    const difference = (x[n] ?? 0) - (y[n] ?? 0)
    if (difference !== 0) return difference
  }
  return x.length - y.length
}

/** Sorts all matches: by value, nulls last, ties by id in the same direction. */
export const ordered = (deals: ReadonlyArray<Row>, sort: string, order: "asc" | "desc"): ReadonlyArray<string> => {
  const sign = order === "asc" ? 1 : -1
  const value = (deal: Row) => (sort.endsWith("_at") && deal[sort] !== null ? Date.parse(deal[sort]) : deal[sort])
  const compare = (a: any, b: any) => (typeof a === "string" ? compareText(a, b) : a - b)
  return [...deals]
    .sort((a, b) => {
      const [x, y] = [value(a), value(b)]
      if ((x === null) !== (y === null)) return x === null ? 1 : -1
      return sign * ((x === null ? 0 : compare(x, y)) || compareText(a["id"], b["id"]))
    })
    .map((deal) => deal["id"])
}
