import { splitSentences } from "../../common/sentences.ts"
import { type Statement, divideStatements } from "../../search/rows.ts"
import type { Passage } from "../../search/SearchIndex.ts"
import { numberIn, orderByNumber } from "../across/compare.ts"
import type { Quote } from "../citations/References.ts"
import { isInstruction, isQuestion } from "../quotes/instructions.ts"
import { nameTokens, findStem } from "../words.ts"
import { type Detail, isNarrow } from "./topics.ts"

/** Statements that one detail quotes. */
const MAX_STATEMENTS = 3

/** "Business: $71 per seat". */
const LABEL = /^[^\p{L}\p{N}]*([^:\n]{1,40}?)[*_\s]*:/u

const listStems = (text: string) => nameTokens(text.toLowerCase()).map((token) => findStem(token.text))

/** Quotes the statements of the sections that say what the question asks, a bullet or row by its label. Empty if none says it. */
export const quoteDetail = (detail: Detail, sections: ReadonlyArray<Passage>): ReadonlyArray<Quote> => {
  const { said, sought, parts, order, fact } = detail
  const all = sections.flatMap((passage) =>
    divideStatements(passage, splitSentences)
      .filter(({ text }) => !isInstruction(text) && !isQuestion(text) && !passage.headings.includes(text))
      .map((statement) => ({ passage, statement }))
      .filter(({ statement: { text } }) => fact === undefined || fact.statement.test(text))
      .filter(({ statement: { text } }) => parts.every(({ isIn }) => isIn([...passage.headings, text].join(" ")))),
  )
  const isSaid = (label: string) => /\p{L}/u.test(label) && listStems(label).every((stem) => said.has(stem))
  const labelled = all.filter(({ passage, statement }) => findLabels(passage, statement).some(isSaid))
  const containing = all.filter(({ passage, statement }) => {
    const has = new Set(listStems([statement.text, ...passage.headings].join(" ")))
    return sought.every((stem) => has.has(stem))
  })
  const found = labelled.length > 0 ? labelled : isNarrow(detail) ? containing : []
  const stating = found.map((each) => ({ ...each, stated: numberIn(each.statement.text, "money") }))
  const chosen = order === undefined ? found : orderByNumber(stating, order).slice(0, 1)
  return chosen.slice(0, MAX_STATEMENTS).map(({ passage, statement: { start, end } }) => ({ passage, start, end }))
}

/** The names of a bullet or row: the text before its colon, or a short cell. */
const findLabels = ({ text }: Passage, { start, end, text: statement, isRow }: Statement): ReadonlyArray<string> =>
  isRow === true ? text.slice(start, end).split("\t") : (LABEL.exec(statement)?.slice(1) ?? [])
