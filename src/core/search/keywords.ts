/** Words of a question that say what is to be done with the answer, or nothing: "tell me what people think of …". */
const SCAFFOLDING: ReadonlySet<string> = new Set(
  `anything describe discuss discussed everything explain feel feels felt find give gives happen happened happens kind know
  knows learn learned learnt list many mention mentioned much people please regarding concerning said say says see show
  shows something sort tell tells thing things think thinks thought told want wants way ways`.split(/\s+/),
)

/** A question without the words that nothing is found by; all of it, where nothing else is left. */
export const keywords = (question: string): string => {
  const words = question.split(/\s+/)
  const kept = words.filter((word) => !SCAFFOLDING.has(word.toLowerCase().replaceAll(/[^\p{L}]/gu, "")))
  return kept.some((word) => /[\p{L}\p{N}]/u.test(word)) ? kept.join(" ") : question
}
