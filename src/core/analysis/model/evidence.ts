import type { Ground } from "../../ports/Analyst.ts"
import type { Effect, FindingKind, Side } from "../finding.ts"
import type { CarriedSentence } from "../written.ts"
import type { Calls } from "./calls.ts"
import type { Written } from "./forms.ts"

/** A finding that sentences and scores rest on, after what people made of it. */
export interface Evidence {
  readonly id: string
  readonly kind: FindingKind
  readonly target_id: string | null
  readonly target_name: string
  readonly effect: Effect | null
  readonly side: Side
  readonly speaker: string | null
  readonly quote: string
}

/** The minimum of findings behind a section or score. */
export const MIN_FINDINGS = 2
export const TOO_FEW = "fewer than two findings"
export const NOT_CARRIED = "no sentence is carried by the findings that it names"

/** In UTF-16 units. */
const MAX_SENTENCE = 600

/** Findings under short refs, as a model sees them. */
export const refer = (findings: ReadonlyArray<Evidence>) =>
  findings.map((finding, n) => ({ ref: `f${n + 1}`, finding }))
export type Referred = ReturnType<typeof refer>

export const shown = ({ ref, finding }: Referred[number]) => {
  const { kind, target_name: target, effect, side, speaker, quote } = finding
  return { ref, kind, target, effect, side, speaker, quote }
}

export interface Parties {
  readonly deal: string
  readonly client: string | null
}

const BUYER = /\b(?:buyers?|customers?|clients?|prospects?)\b/i
const SELLER = /\b(?:sellers?|sales (?:team|reps?)|account executives?)\b/i
/** Text that would show as a link or as markup. */
const MARKUP = /https?:|www\.|[<>[\]]/i

const SIDE_WORDS = {
  buyer: "buyer customer client prospect",
  seller: "seller sales team we us our",
  unknown: "",
} as const
const KIND_WORDS: Partial<Record<FindingKind, string>> = {
  driver: "reason driver",
  competitor: "competitor rival alternative",
  feature: "feature product",
}

/** Makes the check of a model's sentences against the findings that they name. */
export const makeCheck = ({ isCarried, inventsNothing }: Calls, referred: Referred, { deal, client }: Parties) => {
  const byRef = new Map(referred.map(({ ref, finding }) => [ref.toLowerCase(), finding]))
  const clientWord = client
    ?.split(/\s+/)
    .find((word) => word.length >= 4)
    ?.toLowerCase()

  const groundOf = ({ quote, speaker, side, kind, target_name }: Evidence): Ground => ({
    text: quote,
    labels: [target_name, speaker ?? "", SIDE_WORDS[side], KIND_WORDS[kind] ?? "", deal, client ?? ""],
  })

  /** Words of one side are no words of the other. */
  const isAttributed = (text: string, findings: ReadonlyArray<Evidence>) => {
    const has = (side: Side) => findings.some((each) => each.side === side)
    const namesBuyer = BUYER.test(text) || (clientWord !== undefined && text.toLowerCase().includes(clientWord))
    return (!namesBuyer || has("buyer")) && (!SELLER.test(text) || has("seller"))
  }

  /** `isAdvice`: the sentence states nothing, so its words may be others than those of its findings. */
  return (sentences: ReadonlyArray<Written>, isAdvice = false) => {
    const kept: Array<CarriedSentence> = []
    for (const { text: written, refs } of sentences) {
      const text = written.trim().replaceAll(/\s+/g, " ")
      const named = [...new Set(refs)].map((ref) => byRef.get(ref.trim().toLowerCase()))
      const findings = named.filter((each) => each !== undefined)
      if (text === "" || text.length > MAX_SENTENCE || MARKUP.test(text)) continue
      if (findings.length === 0 || findings.length < named.length || !isAttributed(text, findings)) continue
      const grounds = findings.map(groundOf)
      const holds = isAdvice ? inventsNothing(text, grounds) : isCarried(text, grounds)
      if (holds) kept.push({ text, findings: findings.map(({ id }) => id) })
    }
    return kept
  }
}
export type Check = ReturnType<typeof makeCheck>

const MAX_KEY_QUOTES = 8

/** The buyer's key quotes, the first ones. */
export const keyQuoteFindings = (evidence: ReadonlyArray<Evidence>) =>
  evidence.filter(({ kind, side }) => kind === "quote" && side === "buyer").slice(0, MAX_KEY_QUOTES)

/** How many findings the sentences rest on. */
export const restsOn = (sentences: ReadonlyArray<CarriedSentence>) =>
  new Set(sentences.flatMap(({ findings }) => findings)).size

export const joined = (sentences: ReadonlyArray<CarriedSentence>) => sentences.map(({ text }) => text).join(" ")
