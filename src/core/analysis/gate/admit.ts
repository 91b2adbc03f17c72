import { splitSentences } from "../../common/sentences.ts"
import { METRICS } from "../../deals/columns/metrics.ts"
import { type Catalogue } from "../extracted/extract.ts"
import { TOPICS } from "../extracted/topics.ts"
import type { Found, Target } from "../finding.ts"
import { NameFinder } from "../find/names.ts"
import { splitWords } from "../find/words.ts"
import { placeIn, type Utterance } from "../inputs/utterances.ts"
import type { Proposal } from "../model/forms.ts"
import type { Question } from "../questions/questions.ts"
import { locate } from "./gate.ts"

/**
 * Why a proposal is no finding. `form`: it does not fit the form; `quote`: its quote does not stand in the document; `side`: another side
 * says it; `target`: the catalogue has no such name, or the text does not name the competitor; `repeated`: the same was found before.
 */
const DROP_REASONS = ["form", "quote", "side", "target", "repeated"] as const
export type DropReason = (typeof DROP_REASONS)[number]

/** In words and UTF-16 units. A shorter quote proves nothing; a longer one is no quote. */
const MIN_QUOTE_WORDS = 3
const MAX_QUOTE_LENGTH = 800

const fold = (name: string) =>
  name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ")
    .trim()

/** Finds the entry that a model names, by its name or an alias. */
const makeTargets = (catalogue: Catalogue, questions: ReadonlyArray<Question>) => {
  const indexNames = (entries: Catalogue["competitors"]) => {
    const index = new Map<string, Target>()
    for (const { id, name, aliases } of entries)
      for (const each of [...aliases, name]) index.set(fold(each), { id, name })
    return index
  }
  const byName = (names: ReadonlyArray<string>, toTarget: (name: string) => Target) =>
    new Map(names.map((name) => [fold(name), toTarget(name)] as const))
  const asked = (wanted: Question["kind"]) =>
    questions.flatMap(({ kind, id, name }) => (kind === wanted ? [[fold(name), { id, name }] as const] : []))
  const indexes = {
    competitor: indexNames(catalogue.competitors),
    feature: indexNames(catalogue.features),
    driver: indexNames(catalogue.reasons),
    quote: byName(Object.keys(TOPICS), (name) => ({ id: null, name })),
    metric: new Map([
      ...asked("metric"),
      ...byName(METRICS, (name): Target => ({ id: name, name: name.replaceAll("_", " ") })),
    ]),
    answer: new Map(asked("answer")),
  } as const satisfies Record<Proposal["kind"], ReadonlyMap<string, Target>>
  return (kind: Proposal["kind"], name: string) => indexes[kind].get(fold(name))
}

/** Finds a quote in an utterance and widens it to whole sentences, so that a cut cannot reverse its meaning. */
const quoteIn = (utterance: Utterance, quote: string, body: string) => {
  const at = locate(utterance.text, quote)
  if (at === undefined) return undefined
  const sentences = splitSentences(utterance.text).filter(({ start, end }) => start < at.end && end > at.start)
  const start = Math.min(at.start, ...sentences.map((each) => each.start))
  const end = Math.max(at.end, ...sentences.map((each) => each.end))
  const from = placeIn(utterance, start)
  const text = body.slice(from.offset, placeIn(utterance, end - 1).offset + 1)
  // Between two parts of an utterance, the document may have a label that is no part of what is said.
  const isWhole = locate(text, utterance.text.slice(start, end))?.end === text.length
  if (!isWhole || text.length > MAX_QUOTE_LENGTH) return undefined
  return { quote: text, start: from.offset, end: from.offset + text.length, startSecond: from.second ?? null }
}

/**
 * The gate between a model and the findings of a document: a proposal passes only if its quote stands in the text of that side, and its
 * target has a name of the catalogue. The side is that of the speaker, whatever the model says.
 */
export const makeGate = (catalogue: Catalogue, questions: ReadonlyArray<Question> = []) => {
  const targetOf = makeTargets(catalogue, questions)
  const competitors = new NameFinder(catalogue.competitors, false)

  const namesIt = (utterances: ReadonlyArray<Utterance>, id: string | null) =>
    utterances.some(({ text }) => competitors.find(splitWords(text), true).some(({ entry }) => entry.id === id))

  /** `named` are the utterances whose numbers the model gives; `all` those of the window. */
  return (
    proposal: Proposal,
    named: ReadonlyArray<Utterance>,
    all: ReadonlyArray<Utterance>,
    body: string,
  ): Found | DropReason => {
    const { kind, effect, side, quote } = proposal
    if (splitWords(quote).length < MIN_QUOTE_WORDS) return "quote"
    for (const utterance of [...named, ...all]) {
      const place = quoteIn(utterance, quote, body)
      if (place === undefined) continue
      if (side !== "unknown" && utterance.side !== "unknown" && side !== utterance.side) return "side"
      if (utterance.side === "seller" && kind === "driver") return "side"
      if (utterance.side !== "buyer" && kind === "quote") return "side"
      const target = targetOf(kind, proposal.target)
      if (target === undefined || (kind === "competitor" && !namesIt(all, target.id))) return "target"
      return { kind, target, effect, side: utterance.side, speaker: utterance.speaker ?? null, ...place }
    }
    return "quote"
  }
}
