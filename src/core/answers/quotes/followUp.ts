import type { Message } from "../Answerer.ts"

/** Pronouns that refer to an earlier message, and openings that continue one. */
const REFERS =
  /\b(?:it|its|they|them|their|theirs|that|those|these|this|he|him|his|she|her|hers|there|ones?|same|former|latter)\b/
const CONTINUES =
  /^\W*(?:and|but|or|so|also|then|what about|how about|what else|why(?: not| so)?\W*$|more|else|which ones?)\b/

/** Begins lines of answers from reports, and of refusals. */
const NUMBERS = /^(?:Filter: |You can ask:|Nothing in this workspace)/mu

/** Whether the last question only continues one about numbers: no text answers "as absolute numbers please". */
export const continuesNumbers = (messages: ReadonlyArray<Message>): boolean => {
  const last = messages.findLastIndex(({ role }) => role === "user")
  const before = messages.slice(0, Math.max(last, 0)).findLast(({ role }) => role === "assistant")
  return before !== undefined && NUMBERS.test(before.content) && isContinuing(messages[last]?.content ?? "")
}

/** In words. A longer question says enough for a search. */
const MAX_FRAGMENT = 8
const MAX_BARE = 3
const FRAGMENT =
  /^\W*(?:as|by|per|only|just|in|for|with|without|add|same|sort|which of (?:those|these|them)|everywhere|instead|excluding|what changed|show me (?:\w+ )?(?:lost|won|open) ones)\b/

const isContinuing = (question: string): boolean => {
  const lower = question.trim().toLowerCase()
  const words = lower.split(/\s+/).length
  return words <= MAX_BARE || (words <= MAX_FRAGMENT && (CONTINUES.test(lower) || FRAGMENT.test(lower)))
}

const CAPITALIZED = String.raw`\p{Lu}[\p{L}\p{N}&.-]*(?: \p{Lu}[\p{L}\p{N}&.-]*){0,3}`
/** "And Sparrowdesk?" */
const ANOTHER = new RegExp(
  String.raw`^\W*(?:(?:[Aa]nd|[Bb]ut|[Ww]hat about|[Hh]ow about|(?:for|of|with))\W+)+(?<name>${CAPITALIZED})\W*$`,
  "u",
)
/** Names behind the first words of a question. */
const NAMES = new RegExp(String.raw`(?<=\p{Ll} )(?!I(?!\p{L}))${CAPITALIZED}`, "gu")
/** "Which one is cheaper?" */
const WHICH_OF_TWO =
  /^\W*(?:(?:and|so)\W+)?(?:which|who)(?: one| of (?:the two|them|these|those))? (?:is|has|does|charges|costs|offers)\b[^\p{Lu}]*$/u

const onlyName = (question: string): string | undefined => {
  const [name, ...others] = question.match(NAMES) ?? []
  return others.length > 0 ? undefined : name
}

/** The questions of a conversation, each in the place of "and Sparrowdesk?" as the one before it with that name. */
const completeNames = (questions: ReadonlyArray<string>): ReadonlyArray<string> => {
  const whole: Array<string> = []
  for (const question of questions) {
    const [first, second] = [whole.at(-2), whole.at(-1)]
    const another = ANOTHER.exec(question)?.groups?.["name"]
    const name = second === undefined ? undefined : onlyName(second)
    const other = first === undefined ? undefined : onlyName(first)
    if (another !== undefined && name !== undefined) whole.push(second!.replace(name, () => another))
    else if (name !== undefined && other !== undefined && second === first?.replace(other, () => name))
      whole.push(
        WHICH_OF_TWO.test(question.toLowerCase())
          ? `${question.replace(/(?<!\W)\W+$/, "")}, ${other} or ${name}?`
          : question,
      )
    else whole.push(question)
  }
  return whole
}

/** The queries to try, in order. A question that depends on the previous one is first tried together with it. */
export const findQuestions = (messages: ReadonlyArray<Message>): ReadonlyArray<string> => {
  const asked = messages.flatMap(({ role, content }) => (role === "user" ? [content.trim()] : []))
  const questions = completeNames(asked)
  const question = questions.at(-1) ?? ""
  if (asked.length > 0 && question !== asked.at(-1)) return [question]
  const before = questions.at(-2)
  const lower = question.toLowerCase()
  const isFollowUp = REFERS.test(lower) || CONTINUES.test(lower) || question.split(/\s+/).length <= 3
  return before !== undefined && isFollowUp ? [`${before} ${question}`, question] : [question]
}

/** "Does Orvanta support X?": the verb. "Does Orvanta support answer at night?" asks about the noun. */
const SUPPORTS =
  /^(?<does>\W*(?:(?:and|but|so|also)\W+)?(?:does|do|did|can|will)(?: [\p{L}\p{N}'’.&-]+){1,4}) support(?= (?!(?:answers?|responds?|repl(?:y|ies)|works?|costs?|hours?|teams?|staff|people|tickets?|plans?|include|exist|speak|come|run|at|on|in|during|over)(?!\p{L})))/iu

/** The question with "have" for the verb "support", which shares its form with what answers tickets. */
export const readSupport = (question: string): string => question.replace(SUPPORTS, "$<does> have")
