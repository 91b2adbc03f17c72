import { type Counts, type Profile, profileOf } from "./profile.ts"

/** The weight of a word: the rarer, the heavier. */
export type Weigh = (stem: string) => number

/** The share of a claim's weight that its evidence must contain. */
const MIN_SUPPORT = 0.8

/**
 * Whether the sentences support the claim together. They contain its words by weight, and each of its numbers and names as
 * often; each sentence contributes its share. A negative claim needs a negative sentence, and a positive claim must not rest
 * on sentences that deny exactly it. Labels may contribute words and names, such as the participants of a call, but no numbers.
 */
const supports = (
  sentences: ReadonlyArray<Profile>,
  { labels, minShare }: { readonly labels: Profile; readonly minShare: number },
  claim: Profile,
  weigh: Weigh,
): boolean => {
  if (claim.stems.size === 0) return false
  if (claim.denies && !sentences.some(({ denies }) => denies)) return false
  const contains = (needed: Counts, kind: "capitals" | "numbers" | "pairs", texts: ReadonlyArray<Profile>) =>
    [...needed].every(([word, times]) => times <= sum(texts.map((one) => one[kind].get(word) ?? 0)))
  const withLabels = [...sentences, labels]
  if (!contains(claim.numbers, "numbers", sentences)) return false
  if (![...claim.openers].every((stem) => withLabels.some(({ stems }) => stems.has(stem)))) return false
  if (!contains(claim.names, "capitals", withLabels) || !contains(claim.pairs, "pairs", withLabels)) return false
  let total = 0
  let found = 0
  const onlyIn = sentences.map(() => 0)
  for (const stem of claim.stems) {
    const weight = weigh(stem)
    const holders = sentences.flatMap(({ stems }, n) => (stems.has(stem) ? [n] : []))
    total += weight
    if (holders.length > 0 || labels.stems.has(stem)) found += weight
    if (holders.length === 1) for (const n of holders) onlyIn[n] = (onlyIn[n] ?? 0) + weight
  }
  if (!claim.denies && sentences.every(({ denies }) => denies) && statesOnly(sentences, claim, weigh)) return false
  return (
    found >= MIN_SUPPORT * total && (sentences.length === 1 || onlyIn.every((weight) => weight >= minShare * total))
  )
}

/** Whether the sentences state nothing but the claim. If they state more, their denial may concern the rest. */
const statesOnly = (sentences: ReadonlyArray<Profile>, claim: Profile, weigh: Weigh) => {
  const stems = [...new Set(sentences.flatMap((sentence) => [...sentence.stems]))]
  const weight = (some: ReadonlyArray<string>) => sum(some.map(weigh))
  return weight(stems.filter((stem) => claim.stems.has(stem))) >= MIN_SUPPORT * weight(stems)
}

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, number) => total + number, 0)

/** A part of a text: `text.slice(start, end)`. */
export interface Span {
  readonly start: number
  readonly end: number
}

const SENTENCES = new Intl.Segmenter("en", { granularity: "sentence" })

/**
 * The units of evidence: sentences that also end at each line break. Shorter than the sentences that answers quote, so that
 * a unit has fewer names.
 */
export const unitsOf = (text: string): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  for (const { segment, index } of SENTENCES.segment(text)) {
    const trimmed = segment.trim()
    if (trimmed === "") continue
    const start = index + segment.indexOf(trimmed)
    spans.push({ start, end: start + trimmed.length })
  }
  return spans
}

interface EvidenceOptions {
  /** Names and headings of the text, a line each. */
  readonly labels?: string
  /** Units that one citation can span. */
  readonly maxUnits?: number
  /** If several units support a claim, the share of its weight that each must contribute alone. */
  readonly minShare?: number
}

/** A text that can be cited, prepared for finding claims in it. */
export class Evidence {
  readonly stems: ReadonlySet<string>
  readonly #units: ReadonlyArray<Span & { readonly profile: Profile }>
  readonly #maxUnits: number
  readonly #options: { readonly labels: Profile; readonly minShare: number }

  constructor(text: string, { labels = "", maxUnits = 3, minShare = 0.15 }: EvidenceOptions = {}) {
    this.stems = profileOf(text).stems
    this.#units = unitsOf(text).map(({ start, end }) => ({
      start,
      end,
      profile: profileOf(text.slice(start, end)),
    }))
    this.#maxUnits = maxUnits
    this.#options = { labels: profileOf(labels), minShare }
  }

  /** The shortest run of adjacent units that supports the claim, if there is one. */
  find(claim: Profile, weigh: Weigh): Span | undefined {
    const profiles = this.#units.map(({ profile }) => profile)
    // If the whole text does not support the claim, no part of it does.
    if (!supports(profiles, { ...this.#options, minShare: 0 }, claim, weigh)) return undefined
    for (let width = 1; width <= this.#maxUnits; width++) {
      for (let first = 0; first + width <= profiles.length; first++) {
        const [from, to] = [this.#units[first], this.#units[first + width - 1]]
        if (from === undefined || to === undefined) continue
        if (supports(profiles.slice(first, first + width), this.#options, claim, weigh))
          return { start: from.start, end: to.end }
      }
    }
    return undefined
  }
}

/** Weighs words by inverse document frequency; a word that is in no text weighs most. */
export const weighByRarity = (texts: ReadonlyArray<{ readonly stems: ReadonlySet<string> }>): Weigh => {
  const holders = new Map<string, number>()
  for (const { stems } of texts) for (const stem of stems) holders.set(stem, (holders.get(stem) ?? 0) + 1)
  return (stem) => Math.log(1 + (texts.length + 1) / (1 + (holders.get(stem) ?? 0)))
}
