import { CLAIM_STOP_WORDS, hasWord } from "../words.ts"
import type { Span } from "./verifier.ts"

/** A piece of evidence that states one thing: a cell, the value of a label, a clause. */
export interface Fact extends Span {
  /** Other words of the text about it: the head of the column, the first cell of the row, the label, the speaker. */
  readonly context: string
  /** Whom it is about, if the text says so outside the piece: the first cell of the row, the speaker. */
  readonly subject?: string | undefined
}

/** In UTF-16 units. A longer label is a sentence with a colon. */
const MAX_LABEL_LENGTH = 60

/** Splits one unit of evidence, a line or sentence, into facts. */
export const factsOf = (text: string, units: ReadonlyArray<Span>): ReadonlyArray<ReadonlyArray<Fact>> => {
  let header: ReadonlyArray<string> | undefined
  let label = ""
  return units.map(({ start, end }) => {
    const line = text.slice(start, end)
    const cells = line.split(" | ")
    if (cells.length > 1) {
      const first = header === undefined || header.length !== cells.length
      if (first) header = cells
      return cellsOf(start, cells, first ? [] : header!)
    }
    header = undefined
    const labelled = labelledCellsOf(start, line)
    if (labelled.length > 1) return labelled
    const beginsLine = start === 0 || /\n\s*$/.test(text.slice(Math.max(0, start - 4), start))
    const found = LABEL.exec(line)
    if (beginsLine) label = ""
    if (beginsLine && found !== null && found[0].length <= MAX_LABEL_LENGTH && hasWord(line.slice(found[0].length))) {
      label = found[1] ?? ""
      return spoken(clausesOf(text, start + found[0].length, end, label), label)
    }
    return spoken(clausesOf(text, start, end, label), label)
  })
}

/** A label, after a bullet or a time of speech: "Close date: ", "[00:02:10] Julia Stern: ". */
const LABEL = /^(?:[-*•]\s*)?(?:\[[\d:.]+\]\s*)?([^:.!?]+):\s+/u

/** A label of several capitalised words is a person who speaks. */
const spoken = (facts: ReadonlyArray<Fact>, label: string): ReadonlyArray<Fact> =>
  SPEAKER.test(label) ? facts.map((fact) => ({ ...fact, subject: label })) : facts

const SPEAKER = /^\p{Lu}[\p{L}'’.-]*(?:\s\p{Lu}[\p{L}'’.-]*)+$/u

const cellsOf = (start: number, cells: ReadonlyArray<string>, header: ReadonlyArray<string>): ReadonlyArray<Fact> => {
  let at = start
  return cells.map((cell, n) => {
    const from = at
    at += cell.length + " | ".length
    return {
      start: from,
      end: from + cell.length,
      context: n === 0 ? (header[0] ?? "") : `${header[n] ?? ""}\n${cells[0]}`,
      subject: n === 0 ? undefined : cells[0],
    }
  })
}

/** The cells of a row that was read under the labels of its columns: "Plan: Team; Price: $39". */
const labelledCellsOf = (start: number, line: string): ReadonlyArray<Fact> => {
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
    }
  })
}

/** Where a sentence can fall into clauses. */
const STRONG =
  /;\s+|,\s+(?:while|whereas|but|though|although|während|aber|doch|sondern)\s+|\s+(?:while|whereas|während)\s+/giu
const WEAK = /,\s+(?:and\s+|und\s+)?|\s+(?:and|und)\s+/giu
const SUBORDINATE = /^(?:when|which|who|where|that|because|as|if|after|before|since|als|wenn|weil|nachdem|bevor)\b/iu
const NEW_VERB = /^(?:was|were|is|are|has|had|will|wurde|wurden|wird|ist|hat|hatte)\s/iu
/** A second subject that the rest of the sentence is about: ", our lawyer prefers Dublin." */
const NEW_SUBJECT = /^(?:we|our|they|their|he|his|she|her|it|its|the|der|die|das|wir|unser\p{Ll}*)\s+[^,;]+\s[^,;]+$/iu
const VALUE =
  /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)\b/iu
const CONTENT = /\p{L}{3,}/gu

const cutsOf = (sentence: string): ReadonlyArray<number> => {
  const cuts = [...sentence.matchAll(STRONG)].map(({ 0: word, index }) => index + word.length)
  for (const { 0: word, index } of sentence.matchAll(WEAK)) {
    const at = index + word.length
    const from = Math.max(0, ...cuts.filter((cut) => cut <= index))
    const to = Math.min(sentence.length, ...cuts.filter((cut) => cut > at))
    const [left, right] = [sentence.slice(from, index), sentence.slice(at, to)]
    if (SUBORDINATE.test(right)) continue
    const next = right.split(WEAK)[0]?.toLowerCase().match(CONTENT) ?? []
    const hasValues = VALUE.test(left) && VALUE.test(right) && next.some((content) => !CLAIM_STOP_WORDS.has(content))
    const isNew = word.startsWith(",") ? NEW_SUBJECT.test(right) : NEW_VERB.test(right)
    if (hasValues || isNew) cuts.push(at)
  }
  return cuts.toSorted((a, b) => a - b)
}

/** A clause that begins so lacks a subject and perhaps a verb; the clause before has them. */
const ELLIPTIC = /^(?:\d|in\s|at\s|on\s|for\s|from\s|bei\s|im\s|am\s|für\s|ab\s)/iu
const OWN_SUBJECT =
  /^(?:\p{Lu}|(?:we|our|they|their|he|his|she|her|it|its|the|a|an|who|when|which|where|der|die|das|ein|eine|wir|unser\p{Ll}*|seine?|ihre?)\s)/u
const NAMES = /(?<!\p{L})\p{Lu}[\p{L}\p{N}'’-]*/gu

/** Splits a sentence where it passes to another statement. */
export const clausesOf = (text: string, start: number, end: number, context = ""): ReadonlyArray<Fact> => {
  const cuts = [0, ...cutsOf(text.slice(start, end)), end - start]
  let subject = ""
  return cuts.slice(1).flatMap((cut, n) => {
    const from = cuts[n] ?? 0
    if (cut <= from) return []
    const clause = text.slice(start + from, start + cut)
    const inherited = n === 0 || OWN_SUBJECT.test(clause) ? "" : ELLIPTIC.test(clause) ? subject : namesOf(subject)
    if (inherited === "") subject = withoutValues(clause)
    return [
      {
        start: start + from,
        end: start + cut,
        context: inherited === "" ? context : `${context}\n${inherited}`,
      },
    ]
  })
}

const namesOf = (clause: string) => (clause.match(NAMES) ?? []).join(" ")

/** The subject and verb of a clause, for the clauses that leave them out: what comes before its first value, and lower-case words after it. */
const withoutValues = (clause: string): string => {
  const at = VALUE.exec(clause)?.index ?? clause.length
  const rest = clause
    .slice(at)
    .replaceAll(/\S*\d\S*/g, "")
    .replaceAll(NAMES, "")
  return `${PLACE.test(clause.slice(0, at)) ? clause.slice(0, at).replace(PLACE, " ") : clause.slice(0, at)} ${rest}`
}

/** "in Lyon", which the next clause replaces. */
const PLACE = /\s(?:in|at|for|from|bei|für|aus)\s+\p{Lu}[\p{L}-]*(?:\s\p{Lu}[\p{L}-]*)*/gu
