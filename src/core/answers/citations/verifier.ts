import { type Counts, type Words, wordsOf } from "./words.ts"

/** How much a word weighs: the rarer it is, the more. */
export type Weigh = (stem: string) => number

/** How much of what a sentence says, by weight, must stand in what it cites. */
const ENOUGH = 0.8

/**
 * Do the sentences carry the claim together? Its words stand in them, by weight; so does each of its numbers and names,
 * as often; each sentence has its share; a claim that denies cites what denies, and one that does not cites nothing that
 * denies just that. What the sentences stand under may
 * give names and words, such as whom a call was with; never numbers.
 */
const supports = (
  sentences: ReadonlyArray<Words>,
  { labels, share }: { readonly labels: Words; readonly share: number },
  claim: Words,
  weigh: Weigh,
): boolean => {
  if (claim.stems.size === 0) return false
  if (claim.denies && !sentences.some(({ denies }) => denies)) return false
  const stand = (said: Counts, kind: "capitals" | "numbers" | "pairs", texts: ReadonlyArray<Words>) =>
    [...said].every(([word, times]) => times <= sum(texts.map((one) => one[kind].get(word) ?? 0)))
  const named = [...sentences, labels]
  if (!stand(claim.numbers, "numbers", sentences)) return false
  if (![...claim.openers].every((stem) => named.some(({ stems }) => stems.has(stem)))) return false
  if (!stand(claim.names, "capitals", named) || !stand(claim.pairs, "pairs", named)) return false
  let said = 0
  let found = 0
  const alone = sentences.map(() => 0)
  for (const stem of claim.stems) {
    const weight = weigh(stem)
    const holders = sentences.flatMap(({ stems }, n) => (stems.has(stem) ? [n] : []))
    said += weight
    if (holders.length > 0 || labels.stems.has(stem)) found += weight
    if (holders.length === 1) for (const n of holders) alone[n] = (alone[n] ?? 0) + weight
  }
  if (!claim.denies && sentences.every(({ denies }) => denies) && saysOnly(sentences, claim, weigh)) return false
  return found >= ENOUGH * said && (sentences.length === 1 || alone.every((weight) => weight >= share * said))
}

/** A sentence that says more than the claim may deny the other thing. */
const saysOnly = (sentences: ReadonlyArray<Words>, claim: Words, weigh: Weigh) => {
  const stems = [...new Set(sentences.flatMap((sentence) => [...sentence.stems]))]
  const weight = (some: ReadonlyArray<string>) => sum(some.map(weigh))
  return weight(stems.filter((stem) => claim.stems.has(stem))) >= ENOUGH * weight(stems)
}

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, number) => total + number, 0)

/** A part of a text: `text.slice(start, end)`. */
export interface Span {
  readonly start: number
  readonly end: number
}

const SENTENCES = new Intl.Segmenter("en", { granularity: "sentence" })

/** The sentences of a text, without the white space around them. Shorter than those that are quoted: every line break ends one, so that fewer names stand in it. */
export const sentencesOf = (text: string): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  for (const { segment, index } of SENTENCES.segment(text)) {
    const words = segment.trim()
    if (words === "") continue
    const start = index + segment.indexOf(words)
    spans.push({ start, end: start + words.length })
  }
  return spans
}

interface EvidenceOptions {
  /** What the text stands under, a line each. */
  readonly labels?: string
  /** The most sentences that are cited as one. */
  readonly widest?: number
  /** Of a claim that several sentences carry together, how much each of them must, alone. */
  readonly share?: number
}

/** A text that may be cited, ready to be asked whether it carries a claim. */
export class Evidence {
  readonly stems: ReadonlySet<string>
  readonly #sentences: ReadonlyArray<Span & { readonly words: Words }>
  readonly #widest: number
  readonly #how: { readonly labels: Words; readonly share: number }

  constructor(text: string, { labels = "", widest = 3, share = 0.15 }: EvidenceOptions = {}) {
    this.stems = wordsOf(text).stems
    this.#sentences = sentencesOf(text).map(({ start, end }) => ({
      start,
      end,
      words: wordsOf(text.slice(start, end)),
    }))
    this.#widest = widest
    this.#how = { labels: wordsOf(labels), share }
  }

  /** The shortest part that carries the claim, in sentences that stand together. Undefined if none does. */
  find(claim: Words, weigh: Weigh): Span | undefined {
    const words = this.#sentences.map((sentence) => sentence.words)
    // What the whole does not carry, no part of it does.
    if (!supports(words, { ...this.#how, share: 0 }, claim, weigh)) return undefined
    for (let width = 1; width <= this.#widest; width++) {
      for (let first = 0; first + width <= words.length; first++) {
        const [from, to] = [this.#sentences[first], this.#sentences[first + width - 1]]
        if (from === undefined || to === undefined) continue
        if (supports(words.slice(first, first + width), this.#how, claim, weigh))
          return { start: from.start, end: to.end }
      }
    }
    return undefined
  }
}

/** Weighs by how few of the texts hold a word; a word of none weighs most. */
export const rarity = (texts: ReadonlyArray<{ readonly stems: ReadonlySet<string> }>): Weigh => {
  const holders = new Map<string, number>()
  for (const { stems } of texts) for (const stem of stems) holders.set(stem, (holders.get(stem) ?? 0) + 1)
  return (stem) => Math.log(1 + (texts.length + 1) / (1 + (holders.get(stem) ?? 0)))
}
