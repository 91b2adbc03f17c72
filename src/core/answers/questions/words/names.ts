import { nameTokens, straightenApostrophes } from "../../words.ts"
import type { Dimension } from "./lexicon.ts"
import type { Property } from "./properties.ts"

export type Outcome = "open" | "won" | "lost"

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
  /** The value for the filter: an id if it takes ids, else the name. */
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
  /** The IANA name of the workspace's time zone, in which days are. */
  readonly timezone: string
  /** The names of custom metrics. */
  readonly metrics: ReadonlyArray<string>
  /** The categories of reasons. */
  readonly categories?: ReadonlyArray<string>
  /** CRM properties, with the values that the question names. */
  readonly properties: ReadonlyArray<Property>
}

/** Words in the name of a client. Clients are too many to load: SQL selects those whose name is in the question. */
export const MAX_CLIENT_WORDS = 6

/** The phrases of at most `maxWords` words in a question: with and without a genitive, and with either apostrophe. */
export const listPhrases = (question: string, maxWords: number): ReadonlyArray<string> => {
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
