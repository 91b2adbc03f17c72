import * as Effect from "effect/Effect"
import { fold } from "../../common/fold.ts"
import type { CanonicalFilters } from "../../deals/filters.ts"
import { DEFAULT_ZONE } from "../../common/zone.ts"
import { Database } from "../../storage/Database.ts"
import { loadProperties } from "./loadProperties.ts"
import { withNames } from "./nameIndex.ts"
import { type Kind, KINDS, type KnownName, MAX_CLIENT_WORDS, phrasesOf, type WorkspaceNames } from "./names.ts"
import type { Outcome } from "./slots.ts"

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

interface NameRow extends Omit<KnownName, "kind"> {
  readonly kind: Kind | "currency" | "fiscal_start" | "timezone" | "metric"
  readonly category: string
}

/** Loads the names of the workspace that the question can mean. */
export const loadNames = Effect.fnUntraced(function* (org: string, question: string) {
  const database = yield* Database
  const { sql } = database
  const rows = yield* database.scoped<NameRow>(
    org,
    sql`${sql.literal(
      [
        selectNames("competitors", "competitor"),
        selectNames("owners", "owner"),
        selectNames("features", "feature"),
        selectNames("reasons", "reason"),
        selectNames("segments", "segment"),
        `select 'stage', id, name, category, position from stages where org_id = scope.org`,
        `select 'currency', currency, currency, '', 0 from organizations where id = scope.org and currency is not null`,
        `select 'fiscal_start', fiscal_start::text, '', '', 0 from organizations where id = scope.org`,
        `select 'timezone', timezone, '', '', 0 from organizations where id = scope.org`,
        `select 'metric', id, name, '', 0 from (select id, name from metrics where org_id = scope.org order by name limit ${MAX_METRICS}) m`,
        `select distinct 'product_area', product_area, product_area, '', 0 from features where org_id = scope.org and product_area is not null`,
        selectDistinct("deals", "region", "region"),
        selectDistinct("deals", "type", "deal_type"),
        selectDistinct("deal_product_labels", "label", "product"),
        selectDistinct("clients", "industry", "industry"),
      ].join("\nunion all\n"),
    )}
    union all select distinct 'tag', tag, tag, '', 0 from associations, unnest(tags) tag
      where org_id = scope.org and ${/\btag/i.test(question)}::boolean
    union all select 'client', id, name, '', 0 from clients
      where org_id = scope.org and folded = any(${phrasesOf(question.toLowerCase(), MAX_CLIENT_WORDS).map(fold)}::text[])
    order by kind, position, name`,
  )
  const stages = rows.flatMap(({ kind, value, name, category }) =>
    kind === "stage" ? [{ id: value, name, category: category as Outcome }] : [],
  )
  return {
    names: rows.flatMap(({ kind, value, name }) => (kind in KINDS ? [{ kind: kind as Kind, value, name }] : [])),
    stages,
    currency: rows.find(({ kind }) => kind === "currency")?.value,
    fiscalStart: Number(rows.find(({ kind }) => kind === "fiscal_start")?.value ?? 1),
    timezone: rows.find(({ kind }) => kind === "timezone")?.value ?? DEFAULT_ZONE,
    metrics: rows.flatMap(({ kind, name }) => (kind === "metric" ? [name] : [])),
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
