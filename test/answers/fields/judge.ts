import { References } from "../../../src/core/answers/citations/References.ts"
import { passage } from "../passages.ts"

export const KINDS = ["paraphrase", "value", "subject", "number", "name", "negated"] as const
export type Kind = (typeof KINDS)[number]

/**
 * A passage, and sentences about it by kind: true ones in other words, and false ones: a value of another field, another subject, a
 * number or a name from nowhere, the opposite.
 */
export interface FieldClaims extends Readonly<Record<Kind, ReadonlyArray<string>>> {
  /** The language of the passage and of most of its sentences. */
  readonly language: "en" | "de" | "fr" | "es"
  readonly source?: "document" | "deal"
  readonly document: string
  readonly headings?: ReadonlyArray<string>
  readonly text: string
}

interface Judged {
  readonly kind: Kind
  readonly language: FieldClaims["language"]
  readonly isCited: boolean
}

/** Verifies each sentence as an agent's answer would: the passages are the results of one search. */
export const judge = (all: ReadonlyArray<FieldClaims>): ReadonlyArray<Judged & { readonly claim: string }> => {
  const references = new References()
  const refs = all.map(({ source = "document", document: name, headings = [], text }, n) => {
    const dealName = source === "deal" ? name : null
    return references.ref(passage({ id: `d${n}`, source, name, headings: [...headings], dealName, text }))
  })
  return all.flatMap((claims, n) =>
    KINDS.flatMap((kind) =>
      claims[kind].map((claim) => ({
        kind,
        language: claims.language,
        claim,
        isCited: references.quote(refs[n] ?? "", claim) !== undefined,
      })),
    ),
  )
}

/** How many sentences of each kind are cited, and how many there are. */
export const countCited = (judged: ReadonlyArray<Judged>): Record<Kind, readonly [cited: number, all: number]> => {
  const count = (kind: Kind) => {
    const of = judged.filter((each) => each.kind === kind)
    return [of.filter(({ isCited }) => isCited).length, of.length] as const
  }
  return {
    paraphrase: count("paraphrase"),
    value: count("value"),
    subject: count("subject"),
    number: count("number"),
    name: count("name"),
    negated: count("negated"),
  }
}
