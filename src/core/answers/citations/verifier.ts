import { MONTH as MONTHS } from "./dates.ts"
import { factsOf } from "./facts.ts"
import { type Field, fieldOf, isInPlace, states } from "./fields.ts"
import { type Counts, type Profile, profileOf } from "./profile.ts"
import { isCommon } from "./vocabulary.ts"

/** The weight of a word: the rarer, the heavier. */
export type Weigh = (stem: string) => number

/** The share of a claim's weight that its evidence must contain. */
const MIN_SUPPORT = 0.8

/** The share that suffices if the claim has a value or a name: `isInPlace` then checks the field that it is in. */
const MIN_ANCHORED_SUPPORT = 0.5

interface Unit {
  readonly profile: Profile
  /** Other words of the text about the unit: heads of columns, the label, the speaker. */
  readonly context: Profile
}

interface Terms {
  readonly labels: Profile
  readonly minShare: number
  /** The least share of the claim's weight. */
  readonly least: number
}

/** A part of a text has this much of the support that the whole text gives. */
const MIN_OF_WHOLE = 0.8

/**
 * The share of the claim's weight that the units have; undefined if they do not support the claim together. They contain its words by weight, each of its values, and each of its names as
 * often; each unit contributes its share. A negative claim needs a negative unit, and a positive claim must not rest
 * on units that deny exactly it. Labels may contribute words and names, such as the participants of a call, but no values.
 */
const supportOf = (
  units: ReadonlyArray<Unit>,
  { labels, minShare, least }: Terms,
  claim: Profile,
  weigh: Weigh,
): number | undefined => {
  if (!hasMeaning(claim)) return undefined
  const sentences = units.map(({ profile }) => profile)
  if (claim.denies && !sentences.some(({ denies }) => denies)) return undefined
  if (!claim.values.every((value) => sentences.some((sentence) => states(sentence, value)))) return undefined
  const withLabels = [...sentences, ...units.map(({ context }) => context), labels]
  const contains = (needed: Counts, kind: "capitals" | "pairs") =>
    [...needed].every(([word, times]) => times <= sum(withLabels.map((one) => one[kind].get(word) ?? 0)))
  const has = (stem: string) => withLabels.some(({ stems, light }) => stems.has(stem) || light.has(stem))
  if (![...claim.openers].every((stem) => isCommon(stem) || has(stem))) return undefined
  const isAlone = (word: string) => withLabels.some(({ single }) => single.has(word))
  if (!contains(claim.names, "capitals")) return undefined
  if (
    ![...claim.pairs].every(
      ([pair, times]) => contains(new Map([[pair, times]]), "pairs") || pair.split(" ").every(isAlone),
    )
  )
    return undefined
  let total = 0
  let found = 0
  const onlyIn = units.map(() => 0)
  for (const stem of claim.stems) {
    const weight = weigh(stem)
    const holders = units.flatMap(({ profile, context }, n) =>
      [profile, context].some(({ stems, light }) => stems.has(stem) || light.has(stem)) ? [n] : [],
    )
    total += weight
    if (holders.length > 0 || labels.stems.has(stem)) found += weight
    if (holders.length === 1) for (const n of holders) onlyIn[n] = (onlyIn[n] ?? 0) + weight
  }
  if (!claim.denies && sentences.every(({ denies }) => denies) && statesOnly(sentences, claim, weigh)) return undefined
  const isWhole = found >= least * total && (units.length === 1 || onlyIn.every((weight) => weight >= minShare * total))
  return isWhole ? found / Math.max(total, Number.MIN_VALUE) : undefined
}

/** Whether the sentences state nothing but the claim. If they state more, their denial may concern the rest. */
const statesOnly = (sentences: ReadonlyArray<Profile>, claim: Profile, weigh: Weigh) => {
  const stems = [...new Set(sentences.flatMap((sentence) => [...sentence.stems]))]
  const weight = (some: ReadonlyArray<string>) => sum(some.map(weigh))
  return weight(stems.filter((stem) => claim.stems.has(stem))) >= MIN_SUPPORT * weight(stems)
}

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, number) => total + number, 0)

const hasMeaning = ({ stems, values }: Profile) => stems.size > 0 || values.length > 0

/** The share of a unit that a claim must repeat to be a quote of it. */
const MIN_QUOTED = 0.8

const isVerbatim = (claim: string, unit: string): boolean => {
  const [said, known] = [claim, unit].map(
    (text) =>
      text
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu)
        ?.join(" ") ?? "",
  )
  return said!.length >= MIN_QUOTED * known!.length && ` ${known} `.includes(` ${said} `)
}

/** A part of a text: `text.slice(start, end)`. */
export interface Span {
  readonly start: number
  readonly end: number
}

const SENTENCES = new Intl.Segmenter("en", { granularity: "sentence" })

const MONTH = new RegExp(`^(?:${MONTHS})`, "iu")

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
    const before = spans.at(-1)
    // A German day: "am 1. Februar".
    if (before !== undefined && /\b\d{1,2}\.$/.test(text.slice(before.start, before.end)) && MONTH.test(trimmed)) {
      spans[spans.length - 1] = { start: before.start, end: start + trimmed.length }
    } else spans.push({ start, end: start + trimmed.length })
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
  readonly #units: ReadonlyArray<Span & Unit>
  readonly #fields: ReadonlyArray<Field>
  readonly #maxUnits: number
  readonly #options: { readonly labels: Profile; readonly minShare: number }

  constructor(text: string, { labels = "", maxUnits = 3, minShare = 0.15 }: EvidenceOptions = {}) {
    this.stems = profileOf(text).stems
    const units = unitsOf(text)
    const facts = factsOf(text, units)
    this.#units = units.map(({ start, end }, n) => ({
      start,
      end,
      profile: profileOf(text.slice(start, end)),
      context: profileOf([...new Set(facts[n]?.map(({ context }) => context))].join("\n")),
    }))
    this.#fields = facts
      .flat()
      .map(({ start, end, context, subject = "" }) =>
        fieldOf(profileOf(text.slice(start, end)), profileOf(context), profileOf(subject)),
      )
    this.#maxUnits = maxUnits
    this.#options = { labels: profileOf(labels), minShare }
  }

  /** The shortest run of adjacent units that supports the claim, if there is one. */
  find(claim: Profile, weigh: Weigh): Span | undefined {
    const own = this.#units.find(({ profile }) => isVerbatim(claim.text, profile.text))
    if (own !== undefined && hasMeaning(claim)) return { start: own.start, end: own.end }
    // If the whole text does not support the claim, no part of it does.
    const min = claim.values.length > 0 || claim.names.size > 0 ? MIN_ANCHORED_SUPPORT : MIN_SUPPORT
    const whole = supportOf(this.#units, { ...this.#options, minShare: 0, least: min }, claim, weigh)
    if (whole === undefined) return undefined
    if (!isInPlace(claim, this.#fields, this.#options.labels)) return undefined
    for (let width = 1; width <= this.#maxUnits; width++) {
      for (let first = 0; first + width <= this.#units.length; first++) {
        const [from, to] = [this.#units[first], this.#units[first + width - 1]]
        if (from === undefined || to === undefined) continue
        const terms = { ...this.#options, least: Math.max(min, MIN_OF_WHOLE * whole) }
        if (supportOf(this.#units.slice(first, first + width), terms, claim, weigh) !== undefined)
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
