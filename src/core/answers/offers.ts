/** The line before the questions that an answer offers. Pages draw the list below it for clicks. */
export const OFFERS = "You can ask:"

/** By these words of an answer the next turn knows that it may choose. */
export const ASKS = "do you mean?"

/** The questions that an answer offers, as they are asked. */
export const offersIn = (content: string): ReadonlyArray<string> =>
  [...(content.split(OFFERS)[1] ?? "").matchAll(/^- (.+)$/gm)].map(([, question = ""]) => asPlain(question))

/** Removes the escapes of Markdown. */
const asPlain = (text: string) => text.replaceAll(/\\([^\p{L}\p{N}\s])/gu, "$1")

/** The words and the questions of an answer that asks back, without Markdown; undefined for every other answer. */
export const readAskedBack = (
  content: string,
): { readonly said: string; readonly questions: ReadonlyArray<string> } | undefined => {
  const questions = content.includes(ASKS) ? offersIn(content) : []
  if (questions.length === 0) return undefined
  const said = content.slice(0, content.indexOf(OFFERS)).replaceAll(/ ?\[[^\]]*\]\([^)\s]*\)/g, "")
  return { said: asPlain(said.replaceAll("**", "")).trim(), questions }
}
