import { offersIn } from "../../src/core/answers/offers.ts"
import { isNumber, numbersIn } from "./numbers.ts"
import { read } from "./reading.ts"
import type { Several } from "./several.ts"
import type { Workspaces } from "./workspaces.ts"

export type AskedVerdict = "asked" | "same" | "refused" | "wrong"

const isAskedBack = (content: string) => content.includes("do you mean?")

const asQuestion = (text: string, sql: ReadonlyArray<string> = []) =>
  ({
    id: text,
    type: "ambiguous",
    workspace: "demo",
    language: "en",
    turns: [text],
    truth: { kind: "rows", sql },
  }) as const

const shows = (text: string, [column, value]: readonly [string, string | number | null]) =>
  value === null || value === 0
    ? /\b(?:no|0)\b/i.test(text)
    : numbersIn(text, "en").some((number) => isNumber(number, Number(value), column))

/** Judges the answer to a question with several readings: it shows the number of each, and asks. */
export const gradeSeveral = async (workspaces: Workspaces, { question, sql }: Several) => {
  const asked = asQuestion(question, sql)
  const [{ content }, facts] = await Promise.all([workspaces.answer(asked), workspaces.facts(asked)])
  const values = [...new Map(facts.flat().map((row) => [JSON.stringify(row), row])).values()]
  const { headline } = read(content)
  const isShown = values.flatMap(Object.entries).every((value) => shows(headline, value))
  const verdict: AskedVerdict = isAskedBack(content)
    ? values.length > 1 && isShown
      ? "asked"
      : "wrong"
    : values.length === 1 && isShown
      ? "same"
      : /\*\*\d/.test(content)
        ? "wrong"
        : "refused"
  return { verdict, content, values }
}

/** Asks each offered question alone. Returns its answer and the result that this begins with, which the offer must show. */
export const runOffers = async (workspaces: Workspaces, content: string) => {
  const answers: Array<{ readonly question: string; readonly result: string | undefined }> = []
  for (const question of offersIn(content)) {
    const { content: answered } = await workspaces.answer(asQuestion(question))
    answers.push({ question, result: /\*\*[^*]+\*\*/.exec(answered)?.[0] })
  }
  return answers
}
