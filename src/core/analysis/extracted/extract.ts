import type { LaidElement } from "../../ports/document.ts"
import type { Effect, Found, FindingKind, Target } from "../finding.ts"
import { isCased, type Named, NameFinder } from "../find/names.ts"
import { splitWords } from "../find/words.ts"
import { readTurns } from "../inputs/turns.ts"
import type { SideOf } from "../side/sides.ts"
import { effectOfCompetitor, effectOn } from "./effects.ts"
import { type NextStep, findNextSteps, type Sentence, sentencesOfTurn, type Talk, measureTalk } from "./speech.ts"
import { findSpan, type Topic, findTopic, findTopics } from "./topics.ts"

/** The names that texts are searched for. */
export interface Catalogue {
  readonly competitors: ReadonlyArray<Named>
  readonly features: ReadonlyArray<Named>
  readonly reasons: ReadonlyArray<Named>
}

/** The findings of one document. */
export interface Extract {
  readonly findings: ReadonlyArray<Found>
  readonly talk: Talk | undefined
  readonly nextSteps: ReadonlyArray<NextStep>
}

/** Changes whenever the same texts can have other findings. */
export const EXTRACTION_VERSION = "extracted-3"

/** Findings of one document. */
const MAX_FINDINGS = 400
const MAX_NEXT_STEPS = 40
const MAX_QUOTES_PER_TOPIC = 3
/** In UTF-16 units. A key quote is neither a fragment nor a speech; a longer sentence is no sentence. */
const QUOTE_LENGTH = { min: 25, max: 400 }
const MAX_SENTENCE = 2000

/** Sentences between two pauses. */
const SENTENCES_PER_STEP = 40

/**
 * Makes the extractor of a catalogue. It reads no model, no clock and no database, so the same input has the same findings. It works
 * in steps of a few milliseconds, so that the caller can answer requests in between.
 */
export const makeExtractor = (catalogue: Catalogue) => {
  const read = makeSentenceReader(catalogue)
  return function* (elements: Iterable<LaidElement>, sideOf: SideOf): Generator<void, Extract> {
    const turns = readTurns(elements)
    const cased = isCased(turns.map(({ text }) => text).join(" "))
    const sentences: Array<Sentence> = []
    const findings: Array<Found> = []
    const quotes = new Map<Topic, Array<Opinion>>()
    let done = 0
    for (const turn of turns) {
      for (const sentence of sentencesOfTurn(turn, sideOf)) {
        if (sentence.text.length > MAX_SENTENCE) continue
        sentences.push(sentence)
        const { found, rest } = read(sentence, cased)
        if (findings.length < MAX_FINDINGS) findings.push(...found)
        if (sentence.side === "buyer" && !namesRival(found))
          for (const each of findOpinions(sentence, rest)) addTo(quotes, each.topic, each)
        if (++done % SENTENCES_PER_STEP === 0) yield
      }
    }
    for (const opinions of quotes.values()) {
      const best = opinions.toSorted((a, b) => b.sentence.text.length - a.sentence.text.length)
      for (const { sentence, topic, effect } of best.slice(0, MAX_QUOTES_PER_TOPIC))
        findings.push(toFound(sentence, "quote", { id: null, name: topic }, effect))
    }
    return {
      findings: findings.toSorted((a, b) => a.start - b.start),
      talk: measureTalk(turns, sentences, sideOf),
      nextSteps: findNextSteps(sentences.filter(({ side }) => side !== "unknown")).slice(0, MAX_NEXT_STEPS),
    }
  }
}

export type Extractor = ReturnType<typeof makeExtractor>

/** Runs an extraction to its end without pauses. */
export const runSteps = <A>(steps: Generator<void, A>): A => {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** In a sentence about a competitor, price and support are theirs, or a comparison: no reason for or against us. */
const namesRival = (found: ReadonlyArray<Found>) => found.some(({ kind }) => kind === "competitor")

const addTo = <K, V>(groups: Map<K, Array<V>>, key: K, value: V) => {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [value])
  else group.push(value)
}

/** Blanks the names in a text: the audit trail is no audit. */
const withoutNames = (text: string, spans: ReadonlyArray<{ readonly start: number; readonly end: number }>) =>
  spans.reduce((rest, { start, end }) => rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end), text)

/** Finds the competitors, features and reasons that a sentence names. `rest` is the sentence with blanks for the names of the first two. */
const makeSentenceReader = (catalogue: Catalogue) => {
  const competitors = new NameFinder(catalogue.competitors, true)
  const features = new NameFinder(catalogue.features, false)
  const reasonNames = new NameFinder(catalogue.reasons, false)
  const reasons = catalogue.reasons.map((reason) => ({ reason, topic: findTopic([reason.name, ...reason.aliases]) }))

  return (sentence: Sentence, cased: boolean): { readonly found: ReadonlyArray<Found>; readonly rest: string } => {
    const words = splitWords(sentence.text)
    const targets = new Map<string, Found>()
    const add = (kind: FindingKind, target: Target, effect: Effect | null) => {
      const key = `${kind} ${target.id}`
      if (!targets.has(key)) targets.set(key, toFound(sentence, kind, target, effect))
    }
    const spanOfWords = (at: number, count: number) => ({ start: words[at]!.start, end: words[at + count - 1]!.end })
    const names: Array<{ readonly start: number; readonly end: number }> = []
    for (const { entry, at, count } of competitors.find(words, cased)) {
      names.push(spanOfWords(at, count))
      add("competitor", entry, effectOfCompetitor(sentence.text, spanOfWords(at, count)))
    }
    for (const { entry, at, count } of features.find(words, cased)) {
      names.push(spanOfWords(at, count))
      add("feature", entry, effectOn(sentence.text, spanOfWords(at, count)))
    }
    const rest = withoutNames(sentence.text, names)
    if (sentence.side === "seller" || namesRival([...targets.values()])) return { found: [...targets.values()], rest }
    const topics = findTopics(rest)
    // "The support portal" is no word on support; a feature with the whole name of a reason is one on both.
    const isPart = (each: { readonly at: number; readonly count: number }) => {
      const { start, end } = spanOfWords(each.at, each.count)
      return names.some((name) => name.start <= start && end <= name.end && name.end - name.start > end - start)
    }
    const named = new Set(reasonNames.find(words, cased).flatMap((each) => (isPart(each) ? [] : [each.entry.id])))
    for (const { reason, topic } of reasons) {
      const isMeant = named.has(reason.id) || (topic !== undefined && topics.includes(topic))
      if (!isMeant) continue
      const effect = effectOn(sentence.text, (topic && findSpan(rest, topic)) ?? NOWHERE)
      // A driver speaks for us or against us; a question about it does neither.
      if (effect === "positive" || effect === "negative") add("driver", reason, effect)
    }
    return { found: [...targets.values()], rest }
  }
}

/** A sentence of the buyer that judges a topic. */
interface Opinion {
  readonly sentence: Sentence
  readonly topic: Topic
  readonly effect: Effect
}

const findOpinions = (sentence: Sentence, rest: string): ReadonlyArray<Opinion> => {
  const { text } = sentence
  if (text.length < QUOTE_LENGTH.min || text.length > QUOTE_LENGTH.max) return []
  return findTopics(rest).flatMap((topic) => {
    const effect = effectOn(text, findSpan(rest, topic) ?? NOWHERE)
    return effect === null || effect === "neutral" ? [] : [{ sentence, topic, effect }]
  })
}

const NOWHERE = { start: 0, end: 0 }

const toFound = (
  { text, start, end, side, speaker, second }: Sentence,
  kind: FindingKind,
  { id, name }: Target,
  effect: Effect | null,
): Found => ({
  kind,
  target: { id, name },
  effect,
  side,
  speaker: speaker ?? null,
  quote: text,
  start,
  end,
  startSecond: second ?? null,
})
