import { CLAIM_STOP_WORDS, hasWord } from "../words.ts"
import { DATE_PATTERN } from "./dates.ts"
import { NUMBER_WORDS_PATTERN } from "./numberWords.ts"
import { findValues } from "./values.ts"
import { isStopWord, negates } from "./vocabulary.ts"

/** A part of a text: `text.slice(start, end)`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A piece of evidence that states one thing: a cell, the value of a label, a clause. */
export interface Fact extends Span {
  /** Other words of the text about it: the head of the column, the first cell of the row, the label, the speaker. */
  readonly context: string
  /** Whom it is about, if the text says so outside the piece: the first cell of the row, the speaker. */
  readonly subject?: string | undefined
  /** Part of a sentence, of what a person says, the value of a label, or a cell. Adjacent properties describe one thing. */
  readonly kind: "clause" | "speech" | "property" | "cell"
}

/** In UTF-16 units. A longer label is a sentence with a colon. */
const MAX_LABEL_LENGTH = 60

/** Splits one unit of evidence, a line or sentence, into facts. */
export const splitFacts = (text: string, units: ReadonlyArray<Span>): ReadonlyArray<ReadonlyArray<Fact>> => {
  let header: ReadonlyArray<string> | undefined
  let label = ""
  let question = ""
  return units.map(({ start, end }) => {
    const line = text.slice(start, end)
    const asked = question
    question = line.endsWith("?") && !VALUE.test(line) ? line.replace(LABEL, "") : ""
    const cells = line.split(" | ")
    if (cells.length > 1) {
      const first = header === undefined || header.length !== cells.length
      if (first) header = cells
      return labelCells(start, cells, first ? [] : header!)
    }
    header = undefined
    const labelled = splitLabelledCells(start, line)
    if (labelled.length > 1) return labelled
    const beginsLine = start === 0 || /\n\s*$/.test(text.slice(Math.max(0, start - 4), start))
    const found = LABEL.exec(line)
    if (beginsLine) label = ""
    if (beginsLine && found !== null && found[0].length <= MAX_LABEL_LENGTH && hasWord(line.slice(found[0].length))) {
      label = found[1] ?? ""
      const facts = spoken(splitClauses(text, start + found[0].length, end, label), label, asked)
      return SPEAKER.test(label) || !PROPERTY.test(label)
        ? facts
        : facts.map((fact) => ({ ...fact, kind: "property" as const }))
    }
    return spoken(splitClauses(text, start, end, label), label)
  })
}

/** A label, after a bullet or a time of speech: "Close date: ", "[00:02:10] Julia Stern: ". */
const LABEL = /^(?:[-*•]\s*(?!\s))?(?:\[[\d:.]+\]\s*(?!\s))?([^:.!?]+):\s+/u

/** A label of several capitalised words is a person who speaks, perhaps to answer a question. */
const spoken = (facts: ReadonlyArray<Fact>, label: string, asked = ""): ReadonlyArray<Fact> =>
  SPEAKER.test(label)
    ? facts.map((fact) => ({
        ...fact,
        kind: "speech" as const,
        subject: label,
        context: asked === "" ? fact.context : `${fact.context}\n${asked}`,
      }))
    : facts

const SPEAKER = /^\p{Lu}[\p{L}'’.-]*(?:\s\p{Lu}[\p{L}'’.-]*)+$/u

/** "Close date"; a reason, "Price, commercial (negative)", has a sentence of its own. */
const PROPERTY = /^[\p{L}\s-]+$/u

const labelCells = (
  start: number,
  cells: ReadonlyArray<string>,
  header: ReadonlyArray<string>,
): ReadonlyArray<Fact> => {
  let at = start
  return cells.map((cell, n) => {
    const from = at
    at += cell.length + " | ".length
    return {
      start: from,
      end: from + cell.length,
      context: n === 0 ? (header[0] ?? "") : `${header[n] ?? ""}\n${cells[0]}`,
      subject: n === 0 ? undefined : cells[0],
      kind: "cell" as const,
    }
  })
}

/** The cells of a row that was read under the labels of its columns: "Plan: Team; Price: $39". */
const splitLabelledCells = (start: number, line: string): ReadonlyArray<Fact> => {
  const cells = line.split("; ")
  const labels = cells.map((cell) => /^([^:]{1,60}): (?=\S)/.exec(cell))
  if (cells.length < 2 || labels.includes(null)) return []
  const subject = cells[0]?.slice(labels[0]?.[0].length) ?? ""
  let at = start
  return cells.map((cell, n) => {
    const [{ length } = "", label = ""] = labels[n] ?? []
    const from = at + length
    at += cell.length + "; ".length
    return {
      start: from,
      end: from + cell.length - length,
      context: n === 0 ? label : `${label}\n${subject}`,
      kind: "cell" as const,
    }
  })
}

/** The places at which a sentence may split into clauses. */
const JOIN = "and|und|et|y|e"
const STRONG = new RegExp(
  [
    String.raw`;\s+|(?<=\)),\s+`,
    String.raw`,\s+(?:while|whereas|but|though|although|während|aber|doch|sondern|mais|tandis que|alors que|pero|mientras que)\s+`,
    String.raw`\s+(?:while|whereas|während|tandis que|alors que|mientras que)\s+`,
    String.raw`(?<!sich|uns|se|y|et),?\s+(?:${JOIN}|but|aber|mais|pero)\s+(?=(?:not|nicht|kein\p{L}*|pas|non|no)\s)`,
  ].join("|"),
  "giu",
)
const WEAK = new RegExp(String.raw`,\s+(?:(?:${JOIN})\s+)?|\s+(?:${JOIN}|contre|against|versus)\s+`, "giu")
const SUBORDINATE =
  /^(?:when|which|who|where|that|because|as|if|after|before|since|als|wenn|weil|nachdem|bevor|qui|que|où|car|quien|cuando|porque)\b/iu
const NEW_VERB =
  /^(?:was|were|is|are|has|had|will|wurde|wurden|wird|ist|hat|hatte|est|sont|a|ont|compte|emploie|es|son|tiene|está|su|sa|son|exige|dura|cuesta)\s/iu
/** A second subject that the rest of the sentence is about: ", our lawyer prefers Dublin." */
const NEW_SUBJECT =
  /^(?:we|our|they|their|he|his|she|her|it|its|the|der|die|das|wir|sie|er|es|man|unser\p{Ll}*|il|elle|ils|elles|on|le|la|les|notre|el|los|las|nuestr\p{Ll}+|its?)\s+[^,;]+\s[^,;]+$/iu
/** ", and Aiko Tanaka collaborates": a name and a verb. */
const NEW_NAME =
  /^\p{Lu}[\p{L}-]+(?:\s\p{Lu}[\p{L}-]+)*\s(?!(?:for|in|of|at|to|from|by|on|as|and|with|für|in|de|en|et|y|por|para|pour|und)\s)\p{Ll}/u
const VALUE = new RegExp(String.raw`\d|${NUMBER_WORDS_PATTERN}`, "iu")
const CONTENT = /\p{L}{3,}/gu

/** In UTF-16 units. The work on a sentence grows with the square of its length, so that a longer one is cut between words. */
const MAX_SENTENCE_LENGTH = 2000

const findCuts = (sentence: string): ReadonlyArray<number> => {
  const cuts: Array<number> = []
  for (let from = 0, to = 0; from < sentence.length; from = to) {
    const blank = sentence.lastIndexOf(" ", from + MAX_SENTENCE_LENGTH)
    const end = blank > from ? blank + 1 : from + MAX_SENTENCE_LENGTH
    to = sentence.length - from <= MAX_SENTENCE_LENGTH ? sentence.length : end
    if (from > 0) cuts.push(from)
    for (const cut of findShortCuts(sentence.slice(from, to))) cuts.push(from + cut)
  }
  return cuts
}

const findShortCuts = (sentence: string): ReadonlyArray<number> => {
  const cuts = [...sentence.matchAll(STRONG)].map(({ 0: word, index }) => index + word.length)
  // "Price was not the reason, she said: they had …"
  const denial = [...sentence.matchAll(/\S+/g)].find(([text]) => negates(text.replace(/:$/, "").toLowerCase()))
  for (const { 0: colon, index } of denial === undefined ? [] : sentence.slice(denial.index).matchAll(/:\s+/g))
    cuts.push(denial!.index + index + colon.length)
  for (const { 0: word, index } of sentence.matchAll(WEAK)) {
    const at = index + word.length
    const from = Math.max(0, ...cuts.filter((cut) => cut <= index))
    const to = Math.min(sentence.length, ...cuts.filter((cut) => cut > at))
    const [left, right] = [sentence.slice(from, index), sentence.slice(at, to)]
    if (SUBORDINATE.test(right)) continue
    const next = right.split(WEAK, 1)[0]?.toLowerCase().match(CONTENT) ?? []
    const hasValues = VALUE.test(left) && VALUE.test(right) && next.some((content) => !CLAIM_STOP_WORDS.has(content))
    const isNew =
      word.trim() !== "," && NEW_NAME.test(right) && /\s.*\s/.test(left.trim())
        ? true
        : word.startsWith(",")
          ? NEW_SUBJECT.test(right)
          : NEW_VERB.test(right)
    if ((hasValues && !isOnlyTime(left)) || isNew) cuts.push(at)
  }
  const values = findValues(sentence)
  return cuts.filter((cut) => !values.some(({ start, end }) => cut > start && cut < end)).toSorted((a, b) => a - b)
}

/** "Since 1 September 2025", which belongs to what follows. */
const isOnlyTime = (text: string) =>
  (
    text
      .replaceAll(DATE_PATTERN, " ")
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  ).every((word) => isStopWord(word))

/** A clause that begins so lacks a subject and perhaps a verb; the clause before has them. */
const ELLIPTIC =
  /^(?:[$€£]?\d|in\s|at\s|on\s|for\s|from\s|bei\s|im\s|am\s|für\s|ab\s|à\s|en\s|dans\s|pour\s|avec\s|con\s|hasta\s|(?:l[ae]s?|el|los)\sn|with\s|mit\s)/iu
const OWN_SUBJECT =
  /^(?:\p{Lu}|(?:we|our|they|their|he|his|she|her|it|its|the|a|an|who|when|which|where|der|die|das|ein|eine|wir|unser\p{Ll}*|seine?|ihre?|son|sa|ses|leur|notre|il|elle|su|sus|nuestr[ao]s?)\s|(?:l[ae]s?|el|los)\s(?!nôtre|nuestr))/u
const NAMES = /(?<!\p{L})\p{Lu}[\p{L}\p{N}'’-]*/gu

/** Splits a sentence where it passes to another statement. */
export const splitClauses = (text: string, start: number, end: number, context = ""): ReadonlyArray<Fact> => {
  const cuts = [0, ...findCuts(text.slice(start, end)), end - start]
  let subject = ""
  return cuts.slice(1).flatMap((cut, n) => {
    const from = cuts[n] ?? 0
    if (cut <= from) return []
    const clause = text.slice(start + from, start + cut)
    const before = text.slice(Math.max(start, start + from - CONTRAST_LENGTH), start + from)
    const predicate =
      /^\p{Lu}/u.test(clause) && CONTRAST.test(before) && VALUE.test(clause) ? subject.replaceAll(NAMES, "") : ""
    const inherited = n === 0 || OWN_SUBJECT.test(clause) ? "" : ELLIPTIC.test(clause) ? subject : findNames(subject)
    if (inherited === "") subject = withoutValues(clause)
    return [
      {
        start: start + from,
        end: start + cut,
        context: [context, inherited, predicate].filter((part) => part.trim() !== "").join("\n"),
        kind: "clause" as const,
      },
    ]
  })
}

/** ", whereas Solvane reaches 17 %" compares one thing of two. */
const CONTRAST = /(?:while|whereas|but|während|aber|tandis que|alors que|mais|mientras que|pero)\s+$/iu
const CONTRAST_LENGTH = 16

const findNames = (clause: string) => (clause.match(NAMES) ?? []).join(" ")

/** The subject and verb of a clause, for the clauses that leave them out: what comes before its first value, and lower-case words after it. */
const withoutValues = (clause: string): string => {
  const at = VALUE.exec(clause)?.index ?? clause.length
  // A German noun has a capital, too.
  const counted = /^\S+\s(\p{Lu}\p{Ll}+)/u.exec(clause.slice(at))?.[1] ?? ""
  const rest = `${counted} ${clause
    .slice(at)
    .replaceAll(/(?<!\S)\S*\d\S*/g, "")
    .replaceAll(NAMES, "")}`
  return `${PLACE.test(clause.slice(0, at)) ? clause.slice(0, at).replace(PLACE, " ") : clause.slice(0, at)} ${rest}`
}

/** "in Lyon", which the next clause replaces. */
const PLACE =
  /\s(?:in|at|for|from|bei|für|aus|im|en|dans|chez)\s+(?:(?:Tarif|plan)\s+)?\p{Lu}[\p{L}-]*(?:\s\p{Lu}[\p{L}-]*)*/gu
