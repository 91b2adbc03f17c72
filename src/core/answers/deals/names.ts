import * as Effect from "effect/Effect"
import type { CanonicalFilters } from "../../deals/filters.ts"
import { Database } from "../../storage/Database.ts"
import type { QuestionReader } from "../QuestionReader.ts"
import { nameTokens, straightenApostrophes } from "../words.ts"
import { type Dimension, nounOf } from "./lexicon.ts"
import { loadProperties, type Property } from "./properties.ts"
import type { Outcome, Unknown } from "./slots.ts"

/** The kinds of things that a question can name, by the dimension that groups by them. */
export const KINDS = {
  competitor: "competitor",
  owner: "owner",
  client: "client",
  product: "product_label",
  product_area: "product_area",
  feature: "feature",
  reason: "driver",
  segment: "segment",
  region: "region",
  industry: "industry",
  deal_type: "deal_type",
  tag: "association_tag",
  stage: "status",
} as const satisfies Readonly<Record<string, Dimension>>

export type Kind = keyof typeof KINDS

export interface KnownName {
  readonly kind: Kind
  /** What the filter takes: an id if it takes ids, else the value. */
  readonly value: string
  readonly name: string
}

/** The names of a workspace that a question can mean. */
export interface WorkspaceNames {
  readonly names: ReadonlyArray<KnownName>
  readonly stages: ReadonlyArray<{ readonly id: string; readonly name: string; readonly category: Outcome }>
  /** The currency of amounts, as an ISO 4217 code; undefined if unknown. */
  readonly currency?: string | undefined
  /** The first month of the fiscal year, from 1. */
  readonly fiscalStart: number
  /** The names of custom metrics. */
  readonly metrics: ReadonlyArray<string>
  /** The CRM properties that the question names. */
  readonly properties: ReadonlyArray<Property>
}

/** Names of each kind that are loaded, and custom metrics. */
const MAX_NAMES = 5000
const MAX_METRICS = 200
/** Words in the name of a client. Clients are too many to load: SQL selects those whose name is in the question. */
export const MAX_CLIENT_WORDS = 6

/** The distinct values of a column, ignoring case. Each takes one step in the index of `lower_<column>`. */
const selectDistinct = (table: string, column: string, kind: Kind) => {
  const first = (condition: string) => `(select t.lower_${column} as low, t.${column} as value from ${table} t
    where t.org_id = scope.org and t.lower_${column} ${condition} order by t.lower_${column} limit 1)`
  return `
  select '${kind}' as kind, value, value as name, '' as category, 0 as position from (
    with recursive v as (
      ${first("is not null")} union all select n.* from v, lateral ${first("> v.low")} n
    ) select value from v limit ${MAX_NAMES}) ${kind}_values`
}

const selectNames = (table: string, kind: Kind) =>
  `select '${kind}' as kind, id as value, name, '' as category, 0 as position from (select id, name from ${table} where org_id = scope.org order by name limit ${MAX_NAMES}) ${kind}_names`

interface NameRow extends Omit<KnownName, "kind"> {
  readonly kind: Kind | "currency" | "fiscal_start" | "metric"
  readonly category: string
}

/** The phrases of at most `maxWords` words in a question: with and without a genitive, and with either apostrophe. */
export const phrasesOf = (question: string, maxWords: number): ReadonlyArray<string> => {
  const line = straightenApostrophes(question).replaceAll(/\s+/g, " ")
  const words = nameTokens(line)
  const phrases = words.flatMap(({ start }, index) =>
    words.slice(index, index + maxWords).flatMap(({ end }) => {
      const phrase = line.slice(start, end)
      return [phrase, phrase.replace(/(?:'s|[.'-])$/, "")]
    }),
  )
  return [...new Set(phrases.flatMap((phrase) => [phrase, phrase.replaceAll("'", "’")]))]
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
      where org_id = scope.org and lower(name) = any(${phrasesOf(question.toLowerCase(), MAX_CLIENT_WORDS)}::text[])
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
    metrics: rows.flatMap(({ kind, name }) => (kind === "metric" ? [name] : [])),
    properties: yield* loadProperties(org, question),
  } satisfies WorkspaceNames
})

/** A name that the question contains. */
export interface FoundName extends KnownName {
  readonly start: number
  readonly end: number
  readonly negated: boolean
  /** How it relates to the name before it: "and", "or", "versus". */
  readonly joined?: "and" | "or" | "against" | undefined
  /** As the question says it. */
  readonly said: string
  /** Other names that the same word can mean: the second of two Annas. */
  readonly others: ReadonlyArray<KnownName>
}

const NOT =
  /(?<![\p{L}\p{N}])(?:not|except(?: for)?|excluding|outside(?: of)?|without|other than|besides|apart from|isn't|aren't|wasn't)\s+(?:(?:in|to|from|against|by|for|of|with|on)\s+)?(?:the\s+)?$/u

/** Stages named only by their outcome. The word then means every stage with that outcome. */
const OUTCOME_STAGE = /^(?:closed[ -])?(?:won|lost|open)$/i

const PREPOSITION = String.raw`(?:(?:against|in|with|for|to|by|from|of|the)\s+)*`
const AND = new RegExp(String.raw`^[\s,]*(?:and|&)\s+(?:also\s+)?${PREPOSITION}$`, "i")
const OR = new RegExp(String.raw`^[\s,]*or\s+${PREPOSITION}$`, "i")
const AGAINST = new RegExp(
  String.raw`^[\s,]*(?:vs\.?|versus|compared (?:to|with)|rather than|than)\s+${PREPOSITION}$`,
  "i",
)

const joinedBy = (between: string): FoundName["joined"] =>
  AND.test(between) ? "and" : OR.test(between) ? "or" : AGAINST.test(between) ? "against" : undefined

/** If two kinds have the same name, the first kind here is meant. */
const KIND_ORDER: ReadonlyArray<Kind> = [
  "competitor",
  "product",
  "feature",
  "product_area",
  "owner",
  "client",
  "region",
  "industry",
  "segment",
  "deal_type",
  "stage",
  "reason",
  "tag",
]

/** Takes every name of the workspace that the question contains, the longest first. */
export const takeNames = (reader: QuestionReader, { names: known }: WorkspaceNames): ReadonlyArray<FoundName> => {
  const found: Array<FoundName> = []
  const take = (names: ReadonlyArray<KnownName>, text: string) => {
    for (let at = reader.find(text); at !== undefined; at = reader.find(text)) {
      const not = NOT.exec(reader.text.slice(0, at.start))
      reader.takeRange(not?.index ?? at.start, at.end)
      const [first, ...others] = names
      if (first !== undefined)
        found.push({ ...first, ...at, said: reader.original.slice(at.start, at.end), negated: not !== null, others })
    }
  }
  const longestFirst = known.toSorted(
    (a, b) => b.name.length - a.name.length || KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind),
  )
  for (const each of longestFirst) {
    const name = each.name.trim()
    if (name.length > 1 && !(each.kind === "stage" && OUTCOME_STAGE.test(name))) take([each], name)
  }
  // A question often uses one part of a name.
  const byPart = partsOf(known)
  for (const { text } of reader.unread()) {
    const part = text.replace(/'s$/, "")
    const meant = byPart.get(part)
    if (meant !== undefined) take(meant, part)
  }
  const inOrder = found.toSorted((a, b) => a.start - b.start)
  for (const each of inOrder) takeLabel(reader, each)
  return inOrder.map((each, index) => {
    const before = inOrder[index - 1]
    const between = before === undefined ? "" : reader.original.slice(before.end, each.start)
    return { ...each, joined: joinedBy(between) }
  })
}

/** Kinds with names of several words, of which questions often say one: "Anna", "Brixen". */
const PARTED: ReadonlySet<Kind> = new Set(["owner", "competitor", "client"])

/** Words that many names share, so that alone they mean none of them. */
const COMMON_PARTS = /^(?:the|one|suite|systems?|software|cloud|group|inc|ltd|llc|gmbh|corp|company|data|new|and)$/

const partsOf = (known: ReadonlyArray<KnownName>): ReadonlyMap<string, ReadonlyArray<KnownName>> => {
  const byPart = new Map<string, Array<KnownName>>()
  for (const each of known.filter(({ kind }) => PARTED.has(kind))) {
    for (const part of new Set(each.name.toLowerCase().split(/\s+/))) {
      if (part.length > 2 && !COMMON_PARTS.test(part)) byPart.set(part, [...(byPart.get(part) ?? []), each])
    }
  }
  return byPart
}

/** Takes the noun beside a name: "region DACH", "the Retail industry". */
const takeLabel = (reader: QuestionReader, { kind, start, end }: FoundName): void => {
  const words = nounOf(KINDS[kind])?.words
  if (words === undefined) return
  const after = new RegExp(String.raw`^[\s|]*(?:${words})(?![\p{L}\p{N}])`, "u").exec(reader.text.slice(end))
  if (after !== null) return reader.takeRange(end, end + after[0].length)
  const before = new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?:${words})(?: (?:is|are|was|were|called|named|to|of|in))?[\s|:]*$`,
    "u",
  )
  const found = before.exec(reader.text.slice(0, start))
  // "Which competitors besides Orvanta" asks for competitors.
  const asks = /(?:which|what|many|top|by|per|each)[\s|]*$/u.test(reader.text.slice(0, found?.index ?? 0))
  if (found !== null && !asks && !/s[\s|]*$/u.test(found[0]))
    reader.takeRange(found.index, found.index + found[0].length)
}

/** Names that are ambiguous, that are both included and excluded, or that no filter can exclude. */
export const findDoubtful = (
  found: ReadonlyArray<FoundName>,
  conditions: CanonicalFilters,
  outcomes: ReadonlyArray<Outcome>,
  { stages }: WorkspaceNames,
): ReadonlyArray<Unknown> => [
  ...("competitors_filter_type" in conditions && found.some(({ kind }) => kind === "competitor")
    ? [{ said: "without competitors", as: "conflict" as const }]
    : []),
  ...found.flatMap((each): ReadonlyArray<Unknown> => {
    const { kind, name, others, negated, start, end, said } = each
    if (others.length > 0 && end > start)
      return [{ said, as: "other", several: [name, ...others.map((other) => other.name)] }]
    const mixed = found.some((other) => other.kind === kind && other.negated !== negated)
    const cannot = negated && (kind === "feature" || kind === "reason" || kind === "segment" || kind === "tag")
    const category = stages.find((stage) => kind === "stage" && stage.name === name)?.category
    const contradicts = category !== undefined && outcomes.length > 0 && !outcomes.includes(category)
    return mixed || cannot || contradicts ? [{ said: name, as: "conflict" }] : []
  }),
]

/** Clients whose names are similar to a part of a question. */
const MAX_SIMILAR = 20

/** Finds clients by a part of their name, or by a similar spelling. Reads every client, so only for words that nothing else explains. */
export const findClients = Effect.fnUntraced(function* (org: string, said: string) {
  const { scoped, sql } = yield* Database
  const low = said.toLowerCase()
  const rows = yield* scoped<{ readonly id: string; readonly name: string }>(
    org,
    sql`select id, name from clients where org_id = scope.org
      and (starts_with(lower(name), ${`${low} `}) or similarity(lower(name), ${low}) > 0.3)
    order by starts_with(lower(name), ${`${low} `}) desc, similarity(lower(name), ${low}) desc, name limit ${MAX_SIMILAR}::int`,
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
  return { ...names, names: [...names.names, ...clients] }
})
