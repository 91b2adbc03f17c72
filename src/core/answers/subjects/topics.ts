import type { Words } from "../deals/Words.ts"
import type { Named, SubjectDeal } from "./subject.ts"
import { INTENTS, SAYS_NOTHING, type Intent, type Topic, WHOLE } from "./vocabulary.ts"

/** What a question asks of its subject. */
export interface Asked {
  readonly topics: ReadonlyArray<Topic>
  /** The deals that are meant, of those of the subject: by how they ended, and by words of their names. */
  readonly deals: ReadonlyArray<SubjectDeal>
}

/** Undefined where the question asks for anything that is no topic: then its words decide, and not its subject alone. */
export const askedOf = ({ subject, words }: Named): Asked | undefined => {
  const kind = subject.kind === "competitor" ? "competitor" : "deal"
  const outcome = outcomeOf(words.text)
  const narrow = INTENTS[kind].filter((intent) => takes(words, intent))
  const whole = takes(words, WHOLE[kind]) || !/[\p{L}\p{N}]/u.test(words.text)
  if (narrow.length === 0 && !whole) return undefined
  const rest = wordsOf(words.text).filter((word) => !SAYS_NOTHING[kind].has(word))
  const deals = subject.deals.filter(
    ({ name, outcome: ended }) =>
      (outcome === undefined || ended === outcome) && rest.every((word) => wordsOf(name.toLowerCase()).includes(word)),
  )
  if (kind === "competitor" ? rest.length > 0 : deals.length === 0) return undefined
  const intents = narrow.length > 0 ? narrow : [WHOLE[kind]]
  return { topics: [...new Set(intents.flatMap(({ topics }) => topics))], deals }
}

const takes = (words: Words, { asked }: Intent) => {
  let taken = false
  while (words.take(asked) !== undefined) taken = true
  return taken
}

const wordsOf = (text: string): ReadonlyArray<string> => text.match(/[\p{L}\p{N}][\p{L}\p{N}'&-]*/gu) ?? []

const outcomeOf = (text: string): SubjectDeal["outcome"] | undefined =>
  /(?<!\p{L})(?:lose|lost|losing|loss)(?!\p{L})/u.test(text)
    ? "lost"
    : /(?<!\p{L})(?:win|won|winning)(?!\p{L})/u.test(text)
      ? "won"
      : undefined
