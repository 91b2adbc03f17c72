import * as Effect from "effect/Effect"
import { Database } from "../../storage/Database.ts"
import type { QuestionReader } from "../QuestionReader.ts"
import { nameTokens, straightenApostrophes } from "../words.ts"

/** The kinds of things that a question can name. */
export type Kind =
  | "competitor"
  | "owner"
  | "client"
  | "product"
  | "feature"
  | "reason"
  | "segment"
  | "region"
  | "industry"
  | "deal_type"
  | "stage"

export interface KnownName {
  readonly kind: Kind
  /** What the filter takes: an id if it takes ids, else the value. */
  readonly value: string
  readonly name: string
}

interface Stage {
  readonly id: string
  readonly name: string
  readonly category: "open" | "won" | "lost"
}

/** The names of a workspace that a question can mean. */
export interface WorkspaceNames {
  readonly names: ReadonlyArray<KnownName>
  readonly stages: ReadonlyArray<Stage>
  /** The currency of amounts, as an ISO 4217 code; undefined if unknown. */
  readonly currency?: string | undefined
}

/** Names of each kind that are loaded. */
const MAX_NAMES = 5000
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
  readonly kind: Kind | "currency"
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
        selectDistinct("deals", "region", "region"),
        selectDistinct("deals", "type", "deal_type"),
        selectDistinct("deal_product_labels", "label", "product"),
        selectDistinct("clients", "industry", "industry"),
      ].join("\nunion all\n"),
    )}
    union all select 'client', id, name, '', 0 from clients
      where org_id = scope.org and lower(name) = any(${phrasesOf(question.toLowerCase(), MAX_CLIENT_WORDS)}::text[])
    order by kind, position, name`,
  )
  const stages = rows.flatMap(({ kind, value, name, category }) =>
    kind === "stage" ? [{ id: value, name, category: category as Stage["category"] }] : [],
  )
  return {
    names: rows.flatMap(({ kind, value, name }) => (kind === "currency" ? [] : [{ kind, value, name }])),
    stages,
    currency: rows.find(({ kind }) => kind === "currency")?.value,
  } satisfies WorkspaceNames
})

/** A name that the question contains. */
export interface FoundName extends KnownName {
  readonly start: number
  readonly end: number
  readonly negated: boolean
  /** How it relates to the name before it: "and" or "versus". */
  readonly joined?: "and" | "against" | undefined
  /** Other names that the same word can mean: the second of two Annas. */
  readonly others: ReadonlyArray<KnownName>
}

const NOT =
  /(?<![\p{L}\p{N}])(?:not|except(?: for)?|excluding|outside(?: of)?|without|other than|besides|apart from|isn't|aren't|wasn't)\s+(?:(?:in|to|from|against|by|for|of|with|on)\s+)?(?:the\s+)?$/u

/** Stages named only by their outcome. The word then means every stage with that outcome. */
const OUTCOME_STAGE = /^(?:closed[ -])?(?:won|lost|open)$/i

const AND = /^[\s,]*(?:and|&)\s+(?:also\s+)?(?:against\s+|the\s+)?$/i
const AGAINST = /^[\s,]*(?:vs\.?|versus|compared (?:to|with)|rather than|than)\s+(?:the\s+)?$/i

/** If two kinds have the same name, the first kind here is meant. */
const KIND_ORDER: ReadonlyArray<Kind> = [
  "competitor",
  "product",
  "feature",
  "owner",
  "client",
  "region",
  "industry",
  "segment",
  "deal_type",
  "stage",
  "reason",
]

/** Takes every name of the workspace that the question contains, the longest first. */
export const takeNames = (reader: QuestionReader, { names: known }: WorkspaceNames): ReadonlyArray<FoundName> => {
  const found: Array<FoundName> = []
  const take = (names: ReadonlyArray<KnownName>, text: string) => {
    for (let at = reader.find(text); at !== undefined; at = reader.find(text)) {
      const not = NOT.exec(reader.text.slice(0, at.start))
      reader.takeRange(not?.index ?? at.start, at.end)
      const [first, ...others] = names
      if (first !== undefined) found.push({ ...first, ...at, negated: not !== null, others })
    }
  }
  const longestFirst = known.toSorted(
    (a, b) => b.name.length - a.name.length || KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind),
  )
  for (const each of longestFirst) {
    const name = each.name.trim()
    if (name.length > 1 && !(each.kind === "stage" && OUTCOME_STAGE.test(name))) take([each], name)
  }
  // A question often uses one part of a person's name.
  const byPart = new Map<string, Array<KnownName>>()
  for (const owner of known.filter(({ kind }) => kind === "owner")) {
    for (const part of new Set(owner.name.toLowerCase().split(/\s+/))) {
      if (part.length > 2) byPart.set(part, [...(byPart.get(part) ?? []), owner])
    }
  }
  for (const { text } of reader.unread()) {
    const part = text.replace(/'s$/, "")
    const owners = byPart.get(part)
    if (owners !== undefined) take(owners, part)
  }
  const inOrder = found.toSorted((a, b) => a.start - b.start)
  return inOrder.map((each, index) => {
    const before = inOrder[index - 1]
    const between = before === undefined ? "" : reader.original.slice(before.end, each.start)
    return { ...each, joined: AND.test(between) ? "and" : AGAINST.test(between) ? "against" : undefined }
  })
}
