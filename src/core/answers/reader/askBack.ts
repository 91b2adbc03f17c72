import { capitalize } from "../../common/capitalize.ts"
import type { AnswerEvent } from "../Answerer.ts"
import type { Citation } from "../citation.ts"
import { asText } from "../citations/markdown.ts"
import { ASKS } from "../offers.ts"
import { writeQuestions } from "../questions/reply/refusal.ts"
import type { Alternative } from "./alternatives.ts"

interface Answered extends Pick<Alternative, "label" | "question"> {
  /** The answer to this reading. */
  readonly events: ReadonlyArray<AnswerEvent>
}

const textOf = (events: ReadonlyArray<AnswerEvent>) =>
  events.map((event) => (event.type === "content_delta" ? event.content : "")).join("")

/** The text of an answer without its filters and the addresses of its links. */
const readClaim = (events: ReadonlyArray<AnswerEvent>) =>
  textOf(events)
    .replaceAll(/\]\([^)\s]*\)/g, "]")
    .replaceAll(/^Filter: .*$/gm, "")

/** The first statement of an answer, and whether that is one number or name. */
const readResult = (events: ReadonlyArray<AnswerEvent>) => {
  const claim = readClaim(events)
  const line = claim
    .split("\n")[0]!
    .replaceAll(/ \[\d+\]/g, "")
    .replace(/[.:]$/, "")
  const [value, ...more] = line.match(/\*\*[^*]+\*\*/g) ?? []
  const isOne = value !== undefined && more.length === 0 && !/\n(?:\||- \[)/.test(claim)
  return isOne ? { isOne, said: value } : { isOne, said: line }
}

/** The page of the report behind an answer. */
const findPage = (events: ReadonlyArray<AnswerEvent>): Citation | undefined =>
  events
    .flatMap((event) => (event.type === "citation" ? [event.citation] : []))
    .findLast(({ document_id }) => document_id.startsWith("rpt_"))

/** Asks which reading is meant, with the result of each. If all have the same, answers the first one, and says so. */
export const askBack = (answers: ReadonlyArray<Answered>): ReadonlyArray<AnswerEvent> => {
  const results = answers.map(({ events }) => readResult(events))
  const areShort = results.every(({ isOne }) => isOne)
  const isTold = new Set(results.map(({ said }) => said)).size > 1
  const isSame = areShort ? !isTold : new Set(answers.map(({ events }) => readClaim(events))).size === 1
  if (isSame) {
    const said = new Set(answers.map(({ label }) => asText(label)))
    if (said.size === 1) return answers[0]!.events
    const labels = capitalize([...said].join(" and "))
    return [...answers[0]!.events, { type: "content_delta", content: `\n${labels}, the answer is the same.\n` }]
  }
  const pages = answers.map(({ events }) => findPage(events))
  const parts = answers.map(({ label }, n) => {
    const page = pages[n]
    const link = page === undefined ? "" : ` [show as table](${page.url})`
    const said = results[n]!.said
    if (!isTold) return `${asText(label)}${link}`
    // "1,096 deals" says "as deals" itself.
    const isSaid = said.endsWith(` ${label.replace(/^as /, "")}**`)
    if (areShort) return isSaid ? `${said}${link}` : `${said} ${asText(label)}${link}`
    return `${capitalize(asText(label))}: ${said}${link}.`
  })
  const isList = areShort || !isTold
  const which = isList ? `${parts.join(", ")}: which ${ASKS}` : `${parts.join(" ")} Which ${ASKS}`
  return [
    ...answers.flatMap(({ events }) => events.filter(({ type }) => type === "tool_call" || type === "tool_result")),
    ...pages.flatMap((citation) => (citation === undefined ? [] : [{ type: "citation", citation } as const])),
    {
      type: "content_delta",
      content: `${which}\n\n${writeQuestions(answers.map(({ question }) => question))}`,
    },
  ]
}
