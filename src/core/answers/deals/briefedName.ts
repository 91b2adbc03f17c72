import { QuestionReader } from "../QuestionReader.ts"
import { FILLER_WORDS, WHOLE } from "../subjects/vocabulary.ts"
import { nameTokens } from "../words.ts"
import { BRIEFED_KINDS, type BriefSubject } from "./brief.ts"
import type { Corrected } from "./correct.ts"
import { findNoun, phrase } from "./lexicon.ts"
import { KINDS } from "./names.ts"
import type { Slots } from "./slots.ts"

/** The owner, region or other group that a question asks a brief about: "tell me about DACH". Other subjects have texts. */
export const briefedName = (question: string, { names }: Slots): BriefSubject | undefined => {
  const [name, ...others] = names
  if (name === undefined || others.length > 0 || name.others.length > 0 || name.negated) return undefined
  const kind = BRIEFED_KINDS.find((each) => each === name.kind)
  if (kind === undefined) return undefined
  const reader = new QuestionReader(question)
  const at = reader.find(name.said) ?? reader.find(name.name)
  if (at === undefined) return undefined
  reader.takeRange(at.start, at.end)
  let asks = false
  while (reader.take(WHOLE.deal.question) !== undefined) asks = true
  reader.take(phrase(findNoun(KINDS[kind])?.words ?? kind))
  const rest = nameTokens(reader.text).filter(({ text }) => !FILLER_WORDS.competitor.has(text))
  return asks && rest.length === 0 ? { kind, id: name.value, name: name.name, deals: [] } : undefined
}

/** The question with names in full in the place of parts of names and misspellings; undefined if it has none of them. */
export const nameInFull = (question: string, { replaced }: Corrected, { names }: Slots): string | undefined => {
  const parts = names.flatMap(({ said, name, others }) =>
    others.length > 0 || name.toLowerCase() === said.toLowerCase() || !name.toLowerCase().includes(said.toLowerCase())
      ? []
      : [{ said, meant: name }],
  )
  let named = question
  for (const { said, meant } of [...replaced, ...parts])
    if (!named.toLowerCase().includes(meant.toLowerCase())) named = named.replace(said, meant)
  return named === question ? undefined : named
}
