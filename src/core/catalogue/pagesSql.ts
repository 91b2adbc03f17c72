import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { fold } from "../common/fold.ts"
import type { SortKey } from "./cursor.ts"
import { type Kind, PAGE_SIZE } from "./kinds.ts"

/** The SQL that reads the entries of a kind. Runs inside `Database.scoped`. */
interface Source {
  /** One row per entry: `id`, `name`, `key` and `tie` (the order), and the columns in `shows`; for values, also `deals`. */
  readonly entries: string
  readonly shows?: ReadonlyArray<string>
  /** Counts the deals of an entry of `page e`; with `joined`, reads the count from `n`. Values already have counts. */
  readonly deals?: string
  readonly joined?: string
  /** The column whose `json_keys` `joined` reads. */
  readonly keys?: Keyed
  /** Another column that a search looks at, besides the name. */
  readonly searched?: string
  /** Whether the rows have a column `folded`, which a search looks at. */
  readonly isFolded?: boolean
}

const BY_NAME = "lower(t.name) as key, t.id as tie"

const entity = (
  table: string,
  shows: ReadonlyArray<string>,
  deals: Pick<Source, "deals" | "joined" | "keys">,
  key = BY_NAME,
) => ({
  entries: `select ${["t.id", "t.name", "t.folded", ...shows.map((column) => `t.${column}`)].join(", ")}, ${key}
    from ${table} t where t.org_id = scope.org`,
  shows,
  isFolded: true,
  ...deals,
})

const countByColumn = (column: string) => ({
  deals: `(select count(*)::int from deals d where d.org_id = scope.org and d.${column} = e.id)`,
})
const countByLink = (table: string, column: string) => ({
  deals: `(select count(distinct l.deal_id)::int from ${table} l where l.org_id = scope.org and l.${column} = e.id)`,
})
/** JSON columns of deals whose keys are entries. */
type Keyed = "custom_metrics" | "custom_answers" | "crm_properties"

/** Counts the deals that have each key, in one pass for all columns. */
const keysOf = (columns: ReadonlyArray<Keyed>) => `
  select k.source, k.id, count(*)::int as deals
  from deals d, lateral (${columns
    .map((column) => `select '${column}' as source, jsonb_object_keys(d.${column}) as id`)
    .join(" union all ")}) k
  where d.org_id = scope.org group by 1, 2`

/** One `json_keys` for statements that read several kinds. PostgreSQL skips it if no page has entries that need it. */
export const SHARED_KEYS = `json_keys as materialized (${keysOf(["custom_metrics", "custom_answers", "crm_properties"])})`

const keyed = (column: Keyed): Pick<Source, "deals" | "keys" | "joined"> => ({
  deals: "coalesce(n.deals, 0)",
  keys: column,
  joined: `left join (select k.id, k.deals from json_keys k
    where k.source = '${column}' and exists (select from page)) n on n.id = e.id`,
})

const values = (name: string, from: string, deals = "count(*)::int"): Source => ({
  entries: `select null::text as id, v.name, v.deals, lower(v.name) as key, v.name as tie
    from (select ${name} as name, ${deals} as deals from ${from} group by 1) v where v.name is not null`,
})

const SOURCES: Record<Kind, Source> = {
  stages: entity(
    "stages",
    ["category", "position", "probability"],
    countByColumn("status_id"),
    // Positions lie between -1,000,000 and 1,000,000.
    "lpad((t.position + 1000000)::text, 7, '0') || lower(t.name) as key, t.id as tie",
  ),
  owners: entity("owners", [], countByColumn("owner_id")),
  competitors: entity("competitors", ["website_url", "aliases"], countByLink("deal_competitors", "competitor_id")),
  reasons: entity("reasons", ["category", "aliases"], countByLink("deal_drivers", "reason_id")),
  features: entity(
    "features",
    ["description", "product", "product_area", "aliases"],
    countByLink("associations", "feature_id"),
  ),
  // The filters of a segment decide which deals it contains: see `countSegments`.
  segments: entity("segments", ["filters"], { deals: "0" }),
  regions: values("d.region", "deals d where d.org_id = scope.org"),
  industries: values(
    "c.industry",
    `clients c left join (
      select d.client_id, count(*) as deals from deals d where d.org_id = scope.org group by 1) n on n.client_id = c.id
      where c.org_id = scope.org`,
    "coalesce(sum(n.deals), 0)::int",
  ),
  deal_types: values("d.type", "deals d where d.org_id = scope.org"),
  product_labels: values("l.label", "deal_product_labels l where l.org_id = scope.org"),
  tags: values(
    "t.tag",
    "(select distinct tag, a.deal_id from associations a, unnest(a.tags) tag where a.org_id = scope.org) t",
  ),
  metrics: entity("metrics", ["question", "filters"], keyed("custom_metrics")),
  answers: entity("answers", ["question", "form", "options", "filters"], keyed("custom_answers")),
  crm_properties: {
    entries: `select t.id, coalesce(t.label, t.id) as name, t.crm, t.object, t.data_type,
      lower(coalesce(t.label, t.id)) as key, concat_ws(' ', t.crm, t.object, t.id) as tie
      from crm_properties t where t.org_id = scope.org`,
    shows: ["crm", "object", "data_type"],
    searched: "t.id",
    deals: "coalesce(n.deals, 0)",
    keys: "crm_properties",
    joined: `left join (
      select 'deal' as object, k.id, k.deals from json_keys k
        where k.source = 'crm_properties' and exists (select from page p where p.object = 'deal')
      union all
      select 'account', k.id, sum(o.deals)::int
        from (select d.client_id, count(*) as deals from deals d where d.org_id = scope.org group by 1) o
        join clients c on c.org_id = scope.org and c.id = o.client_id, jsonb_object_keys(c.crm_properties) k(id)
        where exists (select from page p where p.object = 'account') group by k.id
    ) n on n.object = e.object and n.id = e.id`,
  },
}

const UNCOUNTED = { deals: "0", joined: "", keys: undefined }

/** Whether the entries of a kind are values of deals, with only a name and a count. */
export const isOfValues = (kind: Kind): boolean => SOURCES[kind].deals === undefined

/** An entry with its sort key. */
export type EntryRow = SortKey & { readonly entry: Record<string, unknown> }

export interface PageQuery {
  readonly id?: string | undefined
  readonly searchQuery?: string | undefined
  readonly after?: SortKey | undefined
  /** True if the statement begins with `SHARED_KEYS`. */
  readonly sharesKeys?: boolean | undefined
  /** False: each entry has 0 deals, and kinds of values are empty, because counting is what finds them. */
  readonly counts?: boolean | undefined
}

/** Selects a page of a kind and one more entry, as a JSON array of `EntryRow`s. */
export const selectPage = (
  sql: SqlClient,
  kind: Kind,
  { id, searchQuery, after, sharesKeys = false, counts = true }: PageQuery = {},
): Fragment => {
  const source = SOURCES[kind]
  if (!counts && isOfValues(kind)) return sql`'[]'::json`
  const {
    entries,
    shows = [],
    deals,
    joined = "",
    keys,
    searched,
    isFolded,
  } = counts ? source : { ...source, ...UNCOUNTED }
  const wanted = [
    ...(id === undefined ? [] : [sql`t.id = ${id}`]),
    ...(after === undefined ? [] : [sql`(t.key collate "C", t.tie collate "C") > (${after.key}, ${after.tie})`]),
    ...(searchQuery === undefined ? [] : [matches(sql, searchQuery, entries, searched, isFolded)]),
  ]
  const members = ["id", "name", ...shows].map((column) => `'${column}', e.${column}`).join(", ")
  const own = keys === undefined || sharesKeys ? "" : `, json_keys as materialized (${keysOf([keys])})`
  return sql`(
    with page as materialized (
      select t.* from (${sql.literal(entries)}) t where ${sql.and([sql`true`, ...wanted])}
      order by t.key collate "C", t.tie collate "C" limit ${PAGE_SIZE + 1}::int)${sql.literal(own)}
    select coalesce(json_agg(json_build_object('key', e.key, 'tie', e.tie,
      'entry', json_build_object(${sql.literal(`${members}, 'deals', ${deals ?? "e.deals"}`)}))
      order by e.key collate "C", e.tie collate "C"), '[]')
    from page e ${sql.literal(joined)})`
}

/** Matches names that contain the text, ignoring case; if there are none, similar names. */
const matches = (
  sql: SqlClient,
  searchQuery: string,
  entries: string,
  searched: string | undefined,
  isFolded = false,
) => {
  const texts = ["t.name", ...(searched === undefined ? [] : [searched])].map((text) => sql.literal(text))
  const holds = sql.or([
    ...texts.map((text) => sql`strpos(lower(${text}), lower(${searchQuery})) > 0`),
    ...(isFolded ? [sql`strpos(t.folded, ${fold(searchQuery)}) > 0`] : []),
  ])
  const isLike = sql.or(texts.map((text) => sql`word_similarity(${searchQuery}, ${text}) >= 0.5`))
  return sql`(${holds} or (${isLike} and not exists (select from (${sql.literal(entries)}) t where ${holds})))`
}

/** The condition that decides which deals a segment contains. */
interface SegmentCondition {
  readonly id: string
  /** A condition over `deals d`. */
  readonly holds: Fragment
  /** Whether the condition reads only columns of the deal itself. */
  readonly isOwn: boolean
}

/** Counts the deals of each segment: one pass for all conditions on the deals' own columns, an indexed query for each other. */
export const countSegments = (sql: SqlClient, segments: ReadonlyArray<SegmentCondition>): Fragment => {
  const own = segments.filter(({ isOwn }) => isOwn)
  const counts = sql.csv(own.map(({ holds }) => sql`count(*) filter (where ${holds})::int`))
  const passed = sql`
    select n.id, n.deals from (select array[${counts}] as counts from deals d where d.org_id = scope.org) c,
      unnest(${own.map(({ id }) => id)}::text[], c.counts) as n(id, deals)`
  const others = segments
    .filter(({ isOwn }) => !isOwn)
    .map(
      ({ id, holds }) => sql`select ${id}::text as id, (select count(*)::int from deals d
      where d.org_id = scope.org and ${holds}) as deals`,
    )
  return [...(own.length === 0 ? [] : [passed]), ...others].reduce((all, each) => sql`${all} union all ${each}`)
}
