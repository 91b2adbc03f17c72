/** Words that express a request and not its topic: "tell me what people think of …". */
const SCAFFOLDING: ReadonlySet<string> = new Set(
  `anything describe discuss discussed everything explain feel feels felt find give gives happen happened happens kind know
  knows learn learned learnt list many mention mentioned much people please regarding concerning said say says see show
  shows something sort tell tells thing things think thinks thought told want wants way ways`.split(/\s+/),
)

/** Removes the words that find nothing. Returns the whole question if no other words remain. */
export const selectKeywords = (question: string): string => {
  const words = question.split(/\s+/)
  const kept = words.filter((word) => !SCAFFOLDING.has(word.toLowerCase().replaceAll(/[^\p{L}]/gu, "")))
  return kept.some((word) => /[\p{L}\p{N}]/u.test(word)) ? kept.join(" ") : question
}
