import type { Message } from "../Answerer.ts"

/** Pronouns that refer to an earlier message, and openings that continue one. */
const REFERS =
  /\b(?:it|its|they|them|their|theirs|that|those|these|this|he|him|his|she|her|hers|there|ones?|same|former|latter)\b/
const CONTINUES =
  /^\W*(?:and|but|or|so|also|then|what about|how about|what else|why(?: not| so)?\W*$|more|else|which ones?)\b/

/** The queries to try, in order. A question that depends on the previous one is first tried together with it. */
export const findQuestions = (messages: ReadonlyArray<Message>): ReadonlyArray<string> => {
  const questions = messages.flatMap(({ role, content }) => (role === "user" ? [content.trim()] : []))
  const question = questions.at(-1) ?? ""
  const before = questions.at(-2)
  const lower = question.toLowerCase()
  const isFollowUp = REFERS.test(lower) || CONTINUES.test(lower) || question.split(/\s+/).length <= 3
  return before !== undefined && isFollowUp ? [`${before} ${question}`, question] : [question]
}
