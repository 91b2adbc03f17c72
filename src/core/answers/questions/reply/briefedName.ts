import { QuestionReader } from "../../QuestionReader.ts"
import { FILLER_WORDS, WHOLE } from "../../subjects/vocabulary.ts"
import { nameTokens } from "../../words.ts"
import type { BriefSubject } from "./brief.ts"
import type { Corrected } from "../plan/correct.ts"
import type { FoundName } from "../names/foundNames.ts"
import { findNoun, phrase } from "../words/lexicon.ts"
import { makeFilters } from "../parse/makeFilters.ts"
import { KINDS } from "../words/names.ts"
import type { Slots } from "../parse/slots.ts"

/** The kinds of subjects: of several names, the first here is what the brief is about, and the others narrow it. */
const SUBJECTS = [
  "competitor",
  "client",
  "product",
  "feature",
  "owner",
  "region",
  "industry",
  "segment",
  "deal_type",
] as const

/**
 * The owner, region or other group that a question asks a brief about, and names that narrow it: "tell me about DACH", "brief me on Orvanta in
 * DACH". A competitor or client alone has texts as well.
 */
export const briefedName = (question: string, slots: Slots): BriefSubject | undefined => {
  const subjects = SUBJECTS.flatMap((kind) =>
    slots.names.filter((name) => name.kind === kind).map((name) => ({ ...name, kind })),
  )
  const [subject, ...others] = subjects
  const isPlain = ({ negated, others }: FoundName) => !negated && others.length === 0
  if (subject === undefined || subjects.length < slots.names.length || !subjects.every(isPlain)) return undefined
  if (new Set(subjects.map(({ kind }) => kind)).size < subjects.length) return undefined
  if (others.length === 0 && (subject.kind === "competitor" || subject.kind === "client")) return undefined
  if (!asksBrief(question, subjects)) return undefined
  const { kind, value: id, name } = subject
  if (others.length === 0) return { kind, id, name, deals: [] }
  const filters = makeFilters(
    { ...slots, names: others, outcomes: [], conditions: {}, periods: [], bases: [], groups: [], head: undefined },
    "deals",
  )
  return { kind, id, name, deals: [], within: { filters, names: others.map((each) => each.name) } }
}

/** Whether a question asks about names as a whole, and for nothing else. */
const asksBrief = (question: string, names: ReadonlyArray<FoundName>): boolean => {
  const reader = new QuestionReader(question)
  for (const { said, name, kind } of names) {
    const at = reader.find(said) ?? reader.find(name)
    if (at === undefined) return false
    reader.takeRange(at.start, at.end)
    reader.take(phrase(findNoun(KINDS[kind])?.words ?? kind))
  }
  let asks = false
  while (reader.take(WHOLE.deal.question) !== undefined) asks = true
  return asks && nameTokens(reader.text).every(({ text }) => FILLER_WORDS.competitor.has(text))
}

/** The kinds whose texts are sought by their names. A text is read for the words of the question, not for the region or industry that they may mean. */
const COMPANIES: ReadonlySet<FoundName["kind"]> = new Set(["competitor", "client"])

/** The question with names of companies in full in the place of parts of names and misspellings; undefined if it has none of them. */
export const nameInFull = (question: string, { replaced }: Corrected, { names }: Slots): string | undefined => {
  const companies = names.filter(({ kind }) => COMPANIES.has(kind))
  const misspelt = replaced.filter(({ meant }) => companies.some(({ name }) => name === meant))
  const parts = companies.flatMap(({ said, name, others }) =>
    others.length > 0 || name.toLowerCase() === said.toLowerCase() || !name.toLowerCase().includes(said.toLowerCase())
      ? []
      : [{ said, meant: name }],
  )
  let named = question
  for (const { said, meant } of [...misspelt, ...parts])
    if (!named.toLowerCase().includes(meant.toLowerCase())) named = named.replace(said, meant)
  return named === question ? undefined : named
}
