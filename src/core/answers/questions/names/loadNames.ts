import * as Effect from "effect/Effect"
import { fold } from "../../../common/fold.ts"
import type { CanonicalFilters } from "../../../deals/filters/filters.ts"
import { DEFAULT_ZONE } from "../../../common/zone.ts"
import { Database } from "../../../storage/Database.ts"
import { CurrentChanges } from "../../../storage/recordChanges.ts"
import { NameIndex, setIndex, withNames } from "./nameIndex.ts"
import {
  type Kind,
  type KnownName,
  listPhrases,
  MAX_CLIENT_WORDS,
  type Outcome,
  type WorkspaceNames,
} from "../words/names.ts"
import { type CommonNames, RecentNames } from "./RecentNames.ts"
import type { Property } from "../words/properties.ts"

/** Properties that are read. */
const MAX_PROPERTIES = 200

/** Names between two turns of the event loop. */
const SLICE = 4_000

/** Prepares the names of a workspace, in slices, so that other requests go on. */
export const indexNames = Effect.fnUntraced(function* (names: ReadonlyArray<KnownName>) {
  const index = new NameIndex(names)
  for (const [at, name] of names.entries()) {
    if (at % SLICE === SLICE - 1) yield* Effect.yieldNow
    index.add(name)
  }
  setIndex(names, index)
})

/** Loads the properties of deals and accounts, without values. */
const loadProperties = Effect.fnUntraced(function* (org: string) {
  const { scoped, sql } = yield* Database
  const rows = yield* scoped<Omit<Property, "labels" | "values"> & { readonly label: string }>(
    org,
    sql`select id, crm, object, data_type as type, lower(coalesce(label, id)) as label
      from crm_properties where org_id = scope.org and length(coalesce(label, id)) > 2
      order by object desc, id limit ${MAX_PROPERTIES}::int`,
  )
  return rows.map(({ label, ...row }): Property => {
    const byId = row.id.toLowerCase().replaceAll("_", " ")
    return { ...row, labels: byId === label ? [label] : [label, byId], values: [], alone: [] }
  })
})

/** Names of each kind that are loaded, and custom metrics. */
const MAX_NAMES = 5000
const MAX_METRICS = 200

/** The distinct values of a column, folded. Each takes one step in the index of `folded_<column>`. */
const selectDistinct = (table: string, column: string, kind: Kind) => {
  const first = (condition: string) => `(select t.folded_${column} as low, t.${column} as value from ${table} t
    where t.org_id = scope.org and t.folded_${column} ${condition} order by t.folded_${column} limit 1)`
  return `
  select '${kind}' as kind, value, value as name, '' as category, 0 as position from (
    with recursive v as (
      ${first("is not null")} union all select n.* from v, lateral ${first("> v.low")} n
    ) select value from v limit ${MAX_NAMES}) ${kind}_values`
}

const selectNames = (table: string, kind: Kind) =>
  `select '${kind}' as kind, id as value, name, '' as category, 0 as position from (select id, name from ${table} where org_id = scope.org order by name limit ${MAX_NAMES}) ${kind}_names`

/** Kinds of names that every question can mean. */
const COMMON = [
  selectNames("competitors", "competitor"),
  selectNames("owners", "owner"),
  selectNames("features", "feature"),
  selectNames("reasons", "reason"),
  selectNames("segments", "segment"),
  `select 'stage', id, name, category, position from stages where org_id = scope.org`,
  `select 'metric', id, name, '', 0 from (select id, name from metrics where org_id = scope.org order by name limit ${MAX_METRICS}) m`,
  `select distinct 'category', category, category, '', 0 from reasons where org_id = scope.org and category is not null`,
  `select distinct 'product_area', product_area, product_area, '', 0 from features where org_id = scope.org and product_area is not null`,
  selectDistinct("deals", "region", "region"),
  selectDistinct("deals", "type", "deal_type"),
  selectDistinct("deal_product_labels", "label", "product"),
  selectDistinct("clients", "industry", "industry"),
].join("\nunion all\n")

type NameRow = readonly [kind: Kind | "metric" | "category", value: string, name: string, category: string]

const loadCommon = Effect.fnUntraced(function* (org: string) {
  const { scoped, sql } = yield* Database
  // One JSON text: a row for each of 45,000 names takes three times as long to read.
  const [row] = yield* scoped<{ readonly names: ReadonlyArray<NameRow> }>(
    org,
    sql`select coalesce(json_agg(json_build_array(kind, value, name, category) order by kind, position, name), '[]') as names
      from (${sql.literal(COMMON)}) n`,
  )
  const rows = row?.names ?? []
  const names = rows.flatMap(([kind, value, name]) =>
    kind === "metric" || kind === "category" ? [] : [{ kind, value, name }],
  )
  yield* indexNames(names)
  return {
    names,
    stages: rows.flatMap(([kind, id, name, category]) =>
      kind === "stage" ? [{ id, name, category: category as Outcome }] : [],
    ),
    metrics: rows.flatMap(([kind, , name]) => (kind === "metric" ? [name] : [])),
    categories: rows.flatMap(([kind, , name]) => (kind === "category" ? [name] : [])),
  } satisfies CommonNames
})

interface SettingsRow {
  readonly currency: string | null
  readonly fiscal_start: number | null
  readonly timezone: string | null
  readonly revision: string | null
  readonly tags: ReadonlyArray<string>
  readonly clients: ReadonlyArray<{ readonly id: string; readonly name: string }>
}

const recentOf = new WeakMap<Database["Service"], RecentNames>()

/** The names that all questions have in common: those of this number in the feed of changes, which was read before, or newer ones. */
const commonNames = Effect.fnUntraced(function* (org: string, revision: string | null) {
  // A transaction may see rows that it has not committed. An organization without a number has no deals.
  if (revision === null || (yield* CurrentChanges) !== undefined) return yield* loadCommon(org)
  const database = yield* Database
  const recent = recentOf.get(database) ?? new RecentNames()
  recentOf.set(database, recent)
  const known = recent.get(org, revision)
  if (known !== undefined) return known
  const names = yield* loadCommon(org)
  recent.put(org, revision, names)
  return names
})

/** A question says that it means tags, or asks for features by one: "roadmap requests", "how often is offline mode a blocker?", "top blockers". */
const ABOUT_TAGS =
  /(?<!\p{L})(?:tag\p{L}*|features?|requests?|mentions?|mentioned|how often (?:is|was) .+ an?|(?:top|main|biggest|key|worst|most (?:common|frequent)|what about|how about)(?: (?:\d+|three|five|ten))? \p{L}[\p{L}-]*s)(?!\p{L})/iu
/** The phrases of a question, also without a plural's "s". */
const listTagPhrases = (question: string): ReadonlyArray<string> =>
  listPhrases(question, MAX_TAG_WORDS).flatMap((each) => (each.endsWith("s") ? [each, each.slice(0, -1)] : [each]))
const MAX_TAG_WORDS = 4

/** Loads the names of the workspace that the question can mean. */
export const loadNames = Effect.fnUntraced(function* (org: string, question: string) {
  const { scoped, sql } = yield* Database
  const [row] = yield* scoped<SettingsRow>(
    org,
    sql`select (select currency from organizations where id = scope.org) as currency,
      (select fiscal_start from organizations where id = scope.org) as fiscal_start,
      (select timezone from organizations where id = scope.org) as timezone,
      (select last::text from change_feeds where org_id = scope.org) as revision,
      (select coalesce(json_agg(tag order by tag), '[]') from (
        select distinct tag from associations, unnest(tags) tag where org_id = scope.org and ${ABOUT_TAGS.test(question)}::boolean
          and (${/\btag/i.test(question)}::boolean or lower(tag) = any(${listTagPhrases(question.toLowerCase())}::text[]))) t) as tags,
      (select coalesce(json_agg(json_build_object('id', id, 'name', name) order by name), '[]') from clients where org_id = scope.org
        and folded = any(${listPhrases(question.toLowerCase(), MAX_CLIENT_WORDS).map(fold)}::text[])) as clients`,
  )
  const common = yield* commonNames(org, row?.revision ?? null)
  return {
    ...common,
    names: withNames(common.names, [
      ...(row?.clients ?? []).map(({ id, name }): KnownName => ({ kind: "client", value: id, name })),
      ...(row?.tags ?? []).map((tag): KnownName => ({ kind: "tag", value: tag, name: tag })),
    ]),
    currency: row?.currency ?? undefined,
    fiscalStart: row?.fiscal_start ?? 1,
    timezone: row?.timezone ?? DEFAULT_ZONE,
    properties: yield* loadProperties(org),
  } satisfies WorkspaceNames
})

/** Clients whose names are similar to a part of a question. */
const MAX_SIMILAR = 20

/** Finds clients by a part of their name, or by a similar spelling. Reads every client, so only for words that nothing else explains. */
export const findClients = Effect.fnUntraced(function* (org: string, said: string) {
  const { scoped, sql } = yield* Database
  const low = fold(said)
  const rows = yield* scoped<{ readonly id: string; readonly name: string }>(
    org,
    sql`select id, name from clients where org_id = scope.org
      and (starts_with(folded, ${`${low} `}) or similarity(folded, ${low}) > 0.3)
    order by starts_with(folded, ${`${low} `}) desc, similarity(folded, ${low}) desc, name limit ${MAX_SIMILAR}::int`,
  )
  return rows.map(({ id, name }): KnownName => ({ kind: "client", value: id, name }))
})

/** Adds the names of the clients that filters name by id. */
export const nameClients = Effect.fnUntraced(function* (org: string, names: WorkspaceNames, filters: CanonicalFilters) {
  const { client_ids: ids = [] } = filters
  if (ids.length === 0) return names
  const { scoped, sql } = yield* Database
  const rows = yield* scoped<{ readonly id: string; readonly name: string }>(
    org,
    sql`select id, name from clients where org_id = scope.org and id = any(${[...ids]}::text[])`,
  )
  const clients = rows.map(({ id, name }): KnownName => ({ kind: "client", value: id, name }))
  return { ...names, names: withNames(names.names, clients) }
})
