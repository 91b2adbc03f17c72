import { MONTH as MONTHS } from "./dates.ts"
import { type Span, splitFacts } from "./facts.ts"
import { findChoices, findOutcomes } from "./choices.ts"
import { makeField, splitHalves, type Places } from "./fields.ts"
import { isGeneric, states } from "./mentions.ts"
import { isInPlace } from "./places.ts"
import { type Profile, makeProfile } from "./profile.ts"
import { canonical, isCommon, isField } from "./vocabulary.ts"

/** The weight of a word: the rarer, the heavier. */
export type Weigh = (stem: string) => number

/** The share of a claim's weight that its evidence must contain. */
const MIN_SUPPORT = 0.8

/** The share that suffices if the claim has a value or a name: `isInPlace` then checks the field that it is in. */
const MIN_ANCHORED_SUPPORT = 0.36

/** The values of a claim that is no quote. The time grows with their number. */
const MAX_VALUES = 30

/** A word that says what a value is of weighs more if the evidence lacks it. */
const MISSING_FIELD_WEIGHT = 2

const OUTCOMES: ReadonlySet<string> = new Set(["won", "lost"])

interface Unit {
  readonly profile: Profile
  /** Other words of the text about the unit: heads of columns, the label, the speaker. */
  readonly context: Profile
}

interface Terms {
  readonly labels: Profile
  /** Words that a choice in the text implies: who is not chosen has lost. */
  readonly implied: ReadonlySet<string>
  /** The halves of names of two words in the whole text. */
  readonly halves: Places["halves"]
  readonly minShare: number
  /** The least share of the claim's weight. */
  readonly least: number
}

/** A part of a text has this much of the support that the whole text gives. */
const MIN_OF_WHOLE = 0.7

/**
 * The share of the claim's weight that the units have; undefined if they do not support the claim together. They contain its words by weight, each of its values, and each of its names;
 * the first and the last unit contribute their share. Labels may contribute words and names, such as the participants of a call, but no values.
 */
const findSupport = (
  units: ReadonlyArray<Unit>,
  { labels, implied, halves, minShare, least }: Terms,
  claim: Profile,
  weigh: Weigh,
): number | undefined => {
  if (!hasMeaning(claim)) return undefined
  if (!claim.values.every((value) => units.some(({ profile }) => states(profile, value)))) return undefined
  const parts = [...units.flatMap(({ profile, context }) => [profile, context]), labels]
  const has = (stem: string) => parts.some((part) => hasWord(part, stem))
  if (!hasNames(claim, parts, halves) || ![...claim.openers].every((stem) => isCommon(stem) || has(stem)))
    return undefined
  let total = 0
  let found = 0
  const onlyIn = units.map(() => 0)
  const weighStem = (stem: string) => weigh(stem) * (isField(stem) && !has(stem) ? MISSING_FIELD_WEIGHT : 1)
  const isGiven = (stem: string) => implied.has(stem) || claim.values.some((value) => isGeneric(stem, value))
  for (const stem of claim.stems) {
    if (!has(stem) && isGiven(stem)) continue
    if (OUTCOMES.has(stem) && !has(stem)) return undefined
    const weight = weighStem(stem)
    const holders = units.flatMap(({ profile, context }, n) =>
      hasWord(profile, stem) || hasWord(context, stem) ? [n] : [],
    )
    total += weight
    if (holders.length > 0 || labels.stems.has(stem)) found += weight
    if (holders.length === 1) for (const n of holders) onlyIn[n] = (onlyIn[n] ?? 0) + weight
  }
  const contributes = (weight = 0) => weight >= minShare * total
  const isWhole =
    found >= least * total && (units.length === 1 || (contributes(onlyIn[0]) && contributes(onlyIn.at(-1))))
  return isWhole ? found / Math.max(total, Number.MIN_VALUE) : undefined
}

const hasWord = ({ stems, light }: Profile, stem: string) => stems.has(stem) || light.has(stem)

/** Whether the parts have each name, and longer names as such or each of their words alone. */
const hasNames = (claim: Profile, parts: ReadonlyArray<Profile>, halves: Places["halves"]): boolean => {
  const has = (name: string) => parts.some((part) => part.capitals.has(name) || hasWord(part, canonical(name)))
  const hasHalf = (name: string) => halves.some((pair) => pair.includes(name) && pair.some(has))
  return (
    [...claim.names].every((name) => has(name) || hasHalf(name)) &&
    [...claim.pairs.keys()].every(
      (pair) =>
        parts.some(({ pairs }) => pairs.has(pair)) ||
        pair.split(" ").every((word) => parts.some(({ single }) => single.has(word))) ||
        halves.some((names) => names.join(" ") === pair),
    )
  )
}

const hasMeaning = ({ stems, values }: Profile) => stems.size > 0 || values.length > 0

/** The share of a unit that a claim must repeat to be a quote of it. */
const MIN_QUOTED = 0.8

const isVerbatim = (claim: string, unit: string): boolean => {
  const [said, known] = [claim, unit].map(
    (text) =>
      text
        .toLowerCase()
        .match(/[\p{L}\p{Nd}]+/gu)
        ?.join(" ") ?? "",
  )
  return said!.length >= MIN_QUOTED * known!.length && ` ${known} `.includes(` ${said} `)
}

const SENTENCES = new Intl.Segmenter("en", { granularity: "sentence" })

const MONTH = new RegExp(`^(?:${MONTHS})`, "iu")

/** Whether a sentence goes on after its full stop: "am 1. Februar", "23 Mio. €", "Dr. Vogt". */
export const isUnended = (before: string, between: string, after: string) =>
  !between.includes("\n") &&
  ((/\b\d{1,2}\.$/.test(before) && MONTH.test(after)) ||
    /(?:^|\s)(?:Mio|Mrd|Tsd|Dr|Hr|Fr|Mr|Mrs|Ms|Sr|Sra|ca|bzw|vs)\.$/.test(before))

/**
 * The units of evidence: sentences that also end at each line break. Shorter than the sentences that answers quote, so that
 * a unit has fewer names.
 */
export const splitUnits = (text: string): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  for (const { segment, index } of SENTENCES.segment(text)) {
    const trimmed = segment.trim()
    if (trimmed === "") continue
    const start = index + segment.indexOf(trimmed)
    const before = spans.at(-1)
    if (
      before !== undefined &&
      isUnended(text.slice(before.start, before.end), text.slice(before.end, start), trimmed)
    ) {
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
  /** Offsets that no citation spans: another speaker begins. */
  readonly breaks?: ReadonlyArray<number>
}

/** A text that can be cited, prepared for finding claims in it. */
export class Evidence {
  readonly stems: ReadonlySet<string>
  readonly #units: ReadonlyArray<Span & Unit>
  readonly #places: Places
  readonly #maxUnits: number
  readonly #breaks: ReadonlyArray<number>
  readonly #options: Omit<Terms, "least">

  constructor(text: string, { labels = "", maxUnits = 4, minShare = 0.15, breaks = [] }: EvidenceOptions = {}) {
    this.stems = makeProfile(text).stems
    const units = splitUnits(text)
    const facts = splitFacts(text, units)
    this.#units = units.map(({ start, end }, n) => ({
      start,
      end,
      profile: makeProfile(text.slice(start, end)),
      context: makeProfile([...new Set(facts[n]?.map(({ context }) => context))].join("\n")),
    }))
    const isOfRecord = (unit: number) => facts[unit]?.some(({ kind }) => kind === "property") === true
    let block = 0
    const blocks = units.map((_, unit) => (isOfRecord(unit) && isOfRecord(unit - 1) ? block : (block = unit)))
    const ofLabels = makeProfile(labels)
    const choices = findChoices(units.map(({ start, end }) => text.slice(start, end)))
    const fields = facts.flatMap((each, unit) =>
      each.map(({ start, end, context, subject = "", kind }) =>
        makeField(makeProfile(text.slice(start, end)), makeProfile(context), makeProfile(subject), {
          unit: blocks[unit] ?? unit,
          kind,
        }),
      ),
    )
    this.#places = { fields, labels: ofLabels, choices, halves: splitHalves(fields) }
    this.#maxUnits = maxUnits
    this.#breaks = breaks
    this.#options = { labels: ofLabels, implied: findOutcomes(choices), halves: this.#places.halves, minShare }
  }

  /** The shortest run of adjacent units that supports the claim, if there is one. */
  find(claim: Profile, weigh: Weigh): Span | undefined {
    const own = this.#units.find(({ profile }) => isVerbatim(claim.text, profile.text))
    if (own !== undefined && hasMeaning(claim)) return { start: own.start, end: own.end }
    if (claim.values.length > MAX_VALUES) return undefined
    // If the whole text does not support the claim, no part of it does.
    const min = claim.values.length > 0 || claim.names.size > 0 ? MIN_ANCHORED_SUPPORT : MIN_SUPPORT
    const whole = findSupport(this.#units, { ...this.#options, minShare: 0, least: min }, claim, weigh)
    if (whole === undefined) return undefined
    if (!isInPlace(claim, this.#places)) return undefined
    for (let width = 1; width <= this.#maxUnits; width++) {
      for (let first = 0; first + width <= this.#units.length; first++) {
        const [from, to] = [this.#units[first], this.#units[first + width - 1]]
        if (from === undefined || to === undefined) continue
        if (this.#breaks.some((at) => from.start < at && at < to.end)) continue
        const terms = { ...this.#options, least: Math.max(min, MIN_OF_WHOLE * whole) }
        if (findSupport(this.#units.slice(first, first + width), terms, claim, weigh) !== undefined)
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
