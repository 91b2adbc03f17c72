import * as Effect from "effect/Effect"
import type { Database } from "../../storage/Database.ts"
import type { Words } from "./Words.ts"

/** What a name in a question may be of. */
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

export interface Named {
  readonly kind: Kind
  /** What a filter takes: the id where it takes ids, else the value. */
  readonly value: string
  readonly name: string
}

export interface Stage {
  readonly id: string
  readonly name: string
  readonly category: "open" | "won" | "lost"
}

/** What of a workspace a question may name. */
export interface Names {
  readonly named: ReadonlyArray<Named>
  readonly stages: ReadonlyArray<Stage>
  /** What amounts are in, by its ISO 4217 code; absent: not known. */
  readonly currency?: string | undefined
}

/** Names of a kind that are looked at. */
const MOST = 5000
/** A client's name has at most so many words. There may be very many clients: only those a question may mean are fetched. */
export const CLIENT_WORDS = 6

/** The different values of a column, each found by one step in its index. */
const distinct = (table: string, column: string, kind: Kind) => `
  select '${kind}' as kind, value, value as name, '' as category, 0 as position from (
    with recursive v as (
      (select ${column} as value from ${table} where org_id = scope.org and ${column} is not null order by ${column} limit 1)
      union all
      select (select t.${column} from ${table} t where t.org_id = scope.org and t.${column} > v.value order by t.${column} limit 1)
      from v where v.value is not null
    ) select value from v where value is not null limit ${MOST}) ${kind}_values`

const listed = (table: string, kind: Kind) =>
  `select '${kind}' as kind, id as value, name, '' as category, 0 as position from (select id, name from ${table} where org_id = scope.org order by name limit ${MOST}) ${kind}_names`

interface Row extends Omit<Named, "kind"> {
  readonly kind: Kind | "currency"
  readonly category: string
}

/** What in a question may be a name of at most so many words, with the genitive and without, and with either apostrophe. */
export const phrasesOf = (question: string, most: number): ReadonlyArray<string> => {
  const line = question.replaceAll(/[’‘]/g, "'").replaceAll(/\s+/g, " ")
  const words = [...line.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'&.-]*/gu)]
  const phrases = words.flatMap(({ index }, at) =>
    words.slice(at, at + most).flatMap((last) => {
      const phrase = line.slice(index, last.index + last[0].length)
      return [phrase, phrase.replace(/(?:'s|[.'-])$/, "")]
    }),
  )
  return [...new Set(phrases.flatMap((phrase) => [phrase, phrase.replaceAll("'", "’")]))]
}

/** The names of the workspace, as far as the question may mean them. */
export const loadNames = Effect.fnUntraced(function* (database: Database["Service"], org: string, question: string) {
  const { sql } = database
  const rows = yield* database.scoped<Row>(
    org,
    sql`${sql.literal(
      [
        listed("competitors", "competitor"),
        listed("owners", "owner"),
        listed("features", "feature"),
        listed("reasons", "reason"),
        listed("segments", "segment"),
        `select 'stage', id, name, category, position from stages where org_id = scope.org`,
        `select 'currency', currency, currency, '', 0 from organizations where id = scope.org and currency is not null`,
        distinct("deals", "region", "region"),
        distinct("deals", "type", "deal_type"),
        distinct("deal_product_labels", "label", "product"),
        distinct("clients", "industry", "industry"),
      ].join("\nunion all\n"),
    )}
    union all select 'client', id, name, '', 0 from clients
      where org_id = scope.org and lower(name) = any(${phrasesOf(question.toLowerCase(), CLIENT_WORDS)}::text[])
    order by kind, position, name`,
  )
  const stages = rows.flatMap(({ kind, value, name, category }) =>
    kind === "stage" ? [{ id: value, name, category: category as Stage["category"] }] : [],
  )
  return {
    named: rows.flatMap(({ kind, value, name }) => (kind === "currency" ? [] : [{ kind, value, name }])),
    stages,
    currency: rows.find(({ kind }) => kind === "currency")?.value,
  } satisfies Names
})

/** A name that the question says. */
export interface Found extends Named {
  readonly start: number
  readonly end: number
  readonly negated: boolean
  /** How it is joined to the name before it: by "and", or set against it. */
  readonly joined?: "and" | "against" | undefined
  /** Several of the name's kind fit: "Anna" of two Annas. */
  readonly others: ReadonlyArray<Named>
}

const NOT =
  /(?<![\p{L}\p{N}])(?:not|except(?: for)?|excluding|outside(?: of)?|without|other than|besides|apart from|isn't|aren't|wasn't)\s+(?:(?:in|to|from|against|by|for|of|with|on)\s+)?(?:the\s+)?$/u

/** Stages that say no more than how a deal ended: the word means every stage that ends so. */
const PLAIN_STAGE = /^(?:closed[ -])?(?:won|lost|open)$/i

const AND = /^[\s,]*(?:and|&)\s+(?:also\s+)?(?:against\s+|the\s+)?$/i
const AGAINST = /^[\s,]*(?:vs\.?|versus|compared (?:to|with)|rather than|than)\s+(?:the\s+)?$/i

/** The order in which a name that is of two kinds is understood. */
const KINDS: ReadonlyArray<Kind> = [
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

/** Takes every name of the workspace that the question says, the longest first. */
export const takeNames = (words: Words, { named }: Names): ReadonlyArray<Found> => {
  const found: Array<Found> = []
  const take = (names: ReadonlyArray<Named>, text: string) => {
    for (let at = words.find(text); at !== undefined; at = words.find(text)) {
      const not = NOT.exec(words.text.slice(0, at.start))
      words.takeAt(not?.index ?? at.start, at.end)
      const [first, ...others] = names
      if (first !== undefined) found.push({ ...first, ...at, negated: not !== null, others })
    }
  }
  const whole = named.toSorted((a, b) => b.name.length - a.name.length || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
  for (const each of whole) {
    const name = each.name.trim()
    if (name.length > 1 && !(each.kind === "stage" && PLAIN_STAGE.test(name))) take([each], name)
  }
  // People are called by one of their names.
  const byPart = new Map<string, Array<Named>>()
  for (const owner of named.filter(({ kind }) => kind === "owner")) {
    for (const part of new Set(owner.name.toLowerCase().split(/\s+/))) {
      if (part.length > 2) byPart.set(part, [...(byPart.get(part) ?? []), owner])
    }
  }
  for (const { word } of words.left()) {
    const owners = byPart.get(word.replace(/'s$/, ""))
    if (owners !== undefined) take(owners, word.replace(/'s$/, ""))
  }
  const inOrder = found.toSorted((a, b) => a.start - b.start)
  return inOrder.map((each, index) => {
    const before = inOrder[index - 1]
    const between = before === undefined ? "" : words.original.slice(before.end, each.start)
    return { ...each, joined: AND.test(between) ? "and" : AGAINST.test(between) ? "against" : undefined }
  })
}
