import type { Message } from "../Answerer.ts"

/** Words that stand for what was said before, and beginnings that go on from it. */
const REFERS =
  /\b(?:it|its|they|them|their|theirs|that|those|these|this|he|him|his|she|her|hers|there|ones?|same|former|latter)\b/
const GOES_ON =
  /^\W*(?:and|but|or|so|also|then|what about|how about|what else|why(?: not| so)?\W*$|more|else|which ones?)\b/

/** The question to be answered, and before it, where it leans on the one asked before, that one too. */
export const questionsOf = (messages: ReadonlyArray<Message>): ReadonlyArray<string> => {
  const asked = messages.flatMap(({ role, content }) => (role === "user" ? [content.trim()] : []))
  const question = asked.at(-1) ?? ""
  const before = asked.at(-2)
  const lower = question.toLowerCase()
  const leans = REFERS.test(lower) || GOES_ON.test(lower) || question.split(/\s+/).length <= 3
  return before !== undefined && leans ? [`${before} ${question}`, question] : [question]
}
