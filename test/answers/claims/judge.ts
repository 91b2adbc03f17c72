import { References } from "../../../src/core/answers/citations/References.ts"
import { passage } from "../passages.ts"
import type { Passage } from "../../../src/core/search/SearchIndex.ts"
import type { Claims } from "./claims.ts"

const KINDS = ["supported", "exchanged", "foreign"] as const
type Kind = (typeof KINDS)[number]

interface Judged {
  readonly kind: Kind
  readonly of: Claims["kind"]
  readonly claim: string
  readonly isCited: boolean
}

/** Verifies each sentence as an agent's answer would: the passages are the results of one search. */
export const judgeClaims = (given: ReadonlyArray<Claims>): ReadonlyArray<Judged> => {
  const half = given.flatMap((claims) => (claims.kind === "table" ? [claims, { ...claims, isRead: true }] : [claims]))
  const references = new References()
  const refs = half.map((claims, n) => {
    const { source = "document", name, headings = [], text } = claims
    const written = "isRead" in claims ? asRead(text) : { text }
    const dealName = source === "deal" ? name : null
    return references.ref(passage({ id: `d${n}`, source, name, headings: [...headings], dealName, ...written }))
  })
  return half.flatMap((claims, n) =>
    KINDS.flatMap((kind) =>
      claims[kind].map((claim) => ({
        kind,
        of: claims.kind,
        claim,
        isCited: references.quote(refs[n] ?? "", claim) !== undefined,
      })),
    ),
  )
}

/** A table as the readers of documents return it: cells between tabs, and the labels of their columns. */
const asRead = (table: string): Pick<Passage, "text" | "tables"> => {
  const text = table.replaceAll(" | ", "\t")
  const first = text.indexOf("\n")
  const labels = text.slice(0, first).split("\t")
  return {
    text,
    tables: [
      { start: 0, end: first, labels, header: true },
      { start: first + 1, end: text.length, labels },
    ],
  }
}

/** The share of sentences of that kind that are cited, in percent. */
export const citedShare = (judged: ReadonlyArray<Judged>, kind: Kind): number => {
  const of = judged.filter((each) => each.kind === kind)
  return (100 * of.filter(({ isCited }) => isCited).length) / of.length
}
