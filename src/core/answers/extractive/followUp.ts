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
  /^\W*(?:as|by|per|only|just|in|for|with|without|add|same|sort|everywhere|instead|excluding|what changed|show me (?:\w+ )?(?:lost|won|open) ones)\b/

const isContinuing = (question: string): boolean => {
  const lower = question.trim().toLowerCase()
  const words = lower.split(/\s+/).length
  return words <= MAX_BARE || (words <= MAX_FRAGMENT && (CONTINUES.test(lower) || FRAGMENT.test(lower)))
}

/** The queries to try, in order. A question that depends on the previous one is first tried together with it. */
export const findQuestions = (messages: ReadonlyArray<Message>): ReadonlyArray<string> => {
  const questions = messages.flatMap(({ role, content }) => (role === "user" ? [content.trim()] : []))
  const question = questions.at(-1) ?? ""
  const before = questions.at(-2)
  const lower = question.toLowerCase()
  const isFollowUp = REFERS.test(lower) || CONTINUES.test(lower) || question.split(/\s+/).length <= 3
  return before !== undefined && isFollowUp ? [`${before} ${question}`, question] : [question]
}
