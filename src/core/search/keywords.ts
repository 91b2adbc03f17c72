/** Words that express a request and not its topic: "tell me what people think of …". */
const SCAFFOLDING: ReadonlySet<string> = new Set(
  `anything describe discuss discussed everything explain feel feels felt find give gives happen happened happens kind know
  knows learn learned learnt list many mention mentioned much people please regarding concerning said say says see show
  shows something sort tell tells thing things think thinks thought told want wants way ways`.split(/\s+/),
)

/** In UTF-16 units. PostgreSQL reads a word such as `x_x_x_x` in time by the square of its length. */
const MAX_WORD_LENGTH = 200

/** Removes the words that find nothing. Returns the whole question if no other words remain. */
export const selectKeywords = (asked: string): string => {
  const words = asked.split(/\s+/).map((word) => word.slice(0, MAX_WORD_LENGTH).toWellFormed())
  const question = words.join(" ")
  const kept = words.filter((word) => !SCAFFOLDING.has(word.toLowerCase().replaceAll(/[^\p{L}]/gu, "")))
  return kept.some((word) => /[\p{L}\p{N}]/u.test(word)) ? kept.join(" ") : question
}
