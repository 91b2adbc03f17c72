import { numbersIn } from "./numbers.ts"
import type { Language, Question, Truth } from "./question.ts"
import { contains, type Read, read } from "./reading.ts"
import { isRefusal } from "./refusal.ts"
import { type Compared, gradeAnywhere, gradeRanking, gradeRows } from "./gradeRows.ts"

export type Verdict = "right" | "partly" | "refused" | "wrong"

/** From best to worst, for a truth that has several readings. */
const ORDER: ReadonlyArray<Verdict> = ["right", "partly", "refused", "wrong"]

/** An answer as a client gets it from the stream. */
export interface Answer {
  readonly content: string
  readonly citations: ReadonlyArray<{ readonly excerpt: string; readonly url: string }>
}

export type Row = Readonly<Record<string, string | number | null>>

/** The rows of a truth's SQL: one list for each reading of it. Truths without SQL have none. */
export type Facts = ReadonlyArray<ReadonlyArray<Row>>

/** Judges the answer to the last turn of a question. */
export const grade = (question: Question, facts: Facts, answer: Answer): Verdict => {
  const answered = read(answer.content)
  const asked = question.turns.at(-1) ?? ""
  const refused = isRefusal(answered, asked, question.language)
  const { truth, language } = question
  const compared: Compared = { read: answered, language, refused }
  switch (truth.kind) {
    case "rows":
      return best(facts.map((rows) => gradeFacts(truth.first, rows, compared)))
    case "tells":
      return best(facts.map((rows) => gradeAnywhere(rows, compared)))
    case "says":
      return gradePhrases(truth.phrases, answer, answered, refused)
    case "refuses":
      if (!refused) return "wrong"
      return truth.names.every((name) => contains(answered.text, name)) ? "right" : "partly"
    case "asks":
      return gradeCandidates(truth.candidates, answered, refused)
    case "asksOf":
      return best(
        facts.map((rows) => gradeCandidates([...new Set(rows.map(({ name }) => String(name)))], answered, refused)),
      )
    case "introduces":
      return gradeIntroduction(answered, language)
  }
}

const best = (verdicts: ReadonlyArray<Verdict>): Verdict =>
  ORDER.find((verdict) => verdicts.includes(verdict)) ?? "wrong"

const gradeFacts = (first: number | undefined, rows: ReadonlyArray<Row>, compared: Compared): Verdict =>
  first === undefined ? gradeRows(rows, compared) : gradeRanking(rows, first, compared)

/** A fact from a text also needs a citation. */
const gradePhrases = (
  phrases: (Truth & { readonly kind: "says" })["phrases"],
  answer: Answer,
  answered: Read,
  refused: boolean,
): Verdict => {
  const said = phrases.filter((phrase) => contains(answered.text, phrase)).length
  if (said === phrases.length && !refused) return answer.citations.length > 0 ? "right" : "partly"
  if (refused) return "refused"
  return said > 0 ? "partly" : "wrong"
}

/** An answer that asks back, or lists the candidates, shows at least this many of them, if there are as many. */
const MIN_CANDIDATES = 3

const gradeCandidates = (candidates: ReadonlyArray<string>, answered: Read, refused: boolean): Verdict => {
  const wanted = Math.min(candidates.length, MIN_CANDIDATES)
  const shown = candidates.filter((name) => contains(answered.text, name)).length
  const listed = answered.rows.filter((row) => contains(row, candidates)).length
  const asksBack = refused || /\?(?:\s|$)/.test(answered.headline) || listed >= wanted
  if (!asksBack) return "wrong"
  if (shown >= wanted) return "right"
  return refused && shown === 0 ? "refused" : "partly"
}

const PROPOSED_QUESTIONS = 3

const gradeIntroduction = ({ text, rows }: Read, language: Language): Verdict => {
  const proposals = Math.max(text.split("?").length - 1, (text.match(/“[^”]+”|"[^"]+"/g) ?? []).length, rows.length)
  const isProposed = proposals >= PROPOSED_QUESTIONS
  const isDescribed = numbersIn(text, language).length > 0 && contains(text, DEAL_WORDS)
  const isQuote = /^\s*(?:[-*]\s+)?[“"]/.test(text)
  if (isProposed && isDescribed && !isQuote) return "right"
  if ((isProposed || isDescribed) && !isQuote) return "partly"
  return /\b(?:nothing|nichts|nada|rien)\b/i.test(text) ? "refused" : "wrong"
}

const DEAL_WORDS = [
  "deal",
  "opportunity",
  "opportunities",
  "negocio",
  "oportunidad",
  "oportunidades",
  "affaire",
  "Geschäfte",
]
