import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { dayAt } from "../../common/zone.ts"
import { earlierPeriod } from "../../reports/earlierPeriod.ts"
import { answeredBy } from "./reply/answered.ts"
import { readConversation, type Reading, saysNumber, type Turn } from "./turns/conversation.ts"
import { type Corrected, correctQuestion } from "./plan/correct.ts"
import { predictor } from "../reader/predictor.ts"
import { completeTurn } from "../reader/readBoth.ts"
import { putInEnglish, translate } from "./languages/translate.ts"
import { findValues } from "./parse/findValues.ts"
import { Effort } from "./names/Effort.ts"
import { loadNames } from "./names/loadNames.ts"
import type { WorkspaceNames } from "./words/names.ts"
import { parse } from "./parse/parse.ts"
import { calendar, type Period, type Today } from "./words/periods.ts"
import { makePlans, type Plan } from "./plan/plan.ts"
import { dropReplaced } from "./turns/replaced.ts"
import { type Answered, findReference, mayRefer, type Reference, splitQuestion } from "./turns/references.ts"

const NEIGHBOUR =
  /\bthe (?:(?:(week|month|quarter|half|year) (before|after)(?: (?:that|it))?)|(?:(next|following|preceding) (week|month|quarter|half|year)))(?=\W*$)/i

/** Puts days in the place of "the quarter before" and "the quarter after that", counted from the period of the question before. */
const nameNeighbour = (question: string, periodOf: () => Period | undefined): string => {
  const found = NEIGHBOUR.exec(question)
  const from = found === null ? undefined : periodOf()?.from
  if (found === null || from === undefined) return question
  const unit = (found[1] ?? found[4] ?? "").toLowerCase()
  const offset = /^(?:before|preceding)$/i.test(found[2] ?? found[3] ?? "") ? -1 : 1
  const { from: begin, to: end } = calendar(unit, offset, {
    now: new Date(from),
    fiscalStart: Number(from.slice(5, 7)),
  })
  return question.replace(found[0], `from ${begin} to ${end}`)
}

const THAT_BEFORE =
  /^\W*(?:(?:and|what about|how about|und|et|y)\W+)*(?:(?:the )?(?:(?:one|period|time) )?before(?: (?:that|then|it))?|previously|davor|zuvor|avant(?: cela| ça)?|antes)\W*$/iu

/** Puts days in the place of "and before that?", as many as the question before has. */
const nameBefore = (question: string, periodOf: () => Period | undefined): string => {
  const { from, to } = (THAT_BEFORE.test(question) ? periodOf() : undefined) ?? {}
  if (from === undefined || to === undefined) return question
  const earlier = earlierPeriod({ from, to }, "previous_period")
  return `from ${earlier.from} to ${earlier.to}`
}

const YEAR_BEFORE =
  /\b(?:the )?same (?:day|week|month|quarter|half|period|time|days) (?:of )?(?:last year|a year (?:ago|before|earlier)|(?:in )?the (?:previous )?year(?: before)?|the previous year)(?=\W*$)/i

/** Puts days in the place of "same month last year", counted from the period of the question before. */
const nameYearBefore = (question: string, periodOf: () => Period | undefined): string => {
  const found = YEAR_BEFORE.exec(question)
  const { from, to } = (found === null ? undefined : periodOf()) ?? {}
  if (found === null || from === undefined || to === undefined) return question
  const [begin, end] = [from, to].map((day) =>
    `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`.replace(/-02-29$/, "-02-28"),
  )
  return question.replace(found[0], `from ${begin} to ${end}`)
}

/** The first plan of what was read whole. */
const planOf = (reading: Reading | undefined): Plan | undefined =>
  reading === undefined || reading.slots.unknown.length > 0 ? undefined : makePlans(reading.slots)[0]

const isRefused = ({ slots }: Reading) => slots.unknown.length > 0 || makePlans(slots).length === 0

/** "As a share of the amount": a part of a sentence that the question before begins. */
const IS_PART = /^\W*(?:as|by|per|in|for|with|without|to|vs\.?|versus|and|or|only|just|excl(?:uding|\.)?)(?!\p{L})/iu

/** Whether a question only changes the one before it, or says nothing of numbers and names. */
const isFragment = ({ isFollowUp }: Reading, { question }: Turn, names: WorkspaceNames, today: Today): boolean => {
  if (isFollowUp || IS_PART.test(question)) return true
  const slots = parse(question, names, today)
  return !saysNumber(slots) && slots.names.length === 0
}

/** The rows that a question refers to; those before if it refers to none. */
const focusOn = (
  reference: Reference | undefined,
  answered: Answered | undefined,
  before: Answered | undefined,
): Answered | undefined => {
  if (reference?.kind === "rows" || reference?.kind === "deals")
    return { rows: reference.rows, isSingular: reference.rows.length === 1, isWhole: false }
  if (reference?.kind !== "row") return before
  const row = answered?.rows[reference.row]
  return row === undefined ? undefined : { rows: [row], isSingular: true, isWhole: false }
}

/** The ids of the deals that a question is about. */
const dealsOf = (reference: Reference | undefined): Turn["deals"] =>
  reference?.kind === "deals" ? reference.rows.flatMap(({ id }) => id ?? []) : undefined

/** A turn as those after it continue it: without a fragment that was refused, they continue the answer before it, if there is one. */
const keepTurn = (
  turn: Turn,
  hasAnswer: boolean,
  reading: Reading | undefined,
  names: WorkspaceNames,
  today: Today,
): ReadonlyArray<Turn> => {
  if (reading === undefined || !isRefused(reading)) return [turn]
  return hasAnswer && isFragment(reading, turn, names, today) ? [] : [{ ...turn, isRefused: true }]
}

const refer = (question: string, { slots }: Reading, answers: ReadonlyArray<Answered | undefined>) =>
  findReference(
    question,
    answers.flatMap((each) => each ?? []),
    new Set(slots.names.map(({ kind }) => kind)),
  )

const dropIn = (question: string, names: WorkspaceNames, today: Today) =>
  dropReplaced(question, (part) => parse(translate(part, names.names), names, today))

/** In a conversation, what a question replaces is a part of the one before, so it continues that one. */
const continueWith = (question: string, names: WorkspaceNames, today: Today) => {
  const kept = dropIn(question, names, today)
  return kept === question ? question : `instead, ${kept}`
}

/** Reads the questions of a conversation, oldest first, each with what it refers to in the answers before it. */
export const readQuestions = Effect.fn("DealQuestions.read")(function* (org: string, said: ReadonlyArray<string>) {
  const questions = said.flatMap((question, index) => (index === 0 ? [question] : splitQuestion(question)))
  const loaded = yield* loadNames(org, questions.join(" \n"))
  const effort = new Effort()
  const { fiscalStart, timezone } = loaded
  const today: Today = { now: new Date(dayAt(yield* Clock.currentTimeMillis, timezone)), fiscalStart }
  let names: WorkspaceNames = loaded
  let last: Corrected | undefined
  let reference: Reference | undefined
  /** The last question in the words that the network reads: as asked, and with corrected spelling. */
  let english: ReadonlyArray<string> = []
  /** The rows that the last question of the conversation referred to. */
  let focus: Answered | undefined
  const turns: Array<Turn> = []
  let asked = ""
  const readTurns = () => readConversation(turns, names, today)
  const periodBefore = () => readTurns()?.slots.periods[0]
  let before: Plan | undefined
  for (const [index, question] of questions.entries()) {
    // Reading one may take milliseconds.
    yield* Effect.yieldNow
    const reading = turns.length === 0 || !mayRefer(question) ? undefined : readTurns()
    before = planOf(reading)
    const answered = reading === undefined ? undefined : yield* answeredBy(org, before, reading.slots)
    const answers = reference?.kind === "row" ? [focus, answered] : [answered, focus]
    reference = reading === undefined ? undefined : refer(question, reading, answers)
    // A reference with several meanings is asked back, and says nothing to the questions after it.
    if (reference?.kind === "unclear" && index + 1 < questions.length) continue
    focus = focusOn(reference, answered, focus)
    if (reference?.kind === "row") continue
    const named = reference?.kind === "rows" ? reference.question : question
    asked =
      turns.length === 0
        ? dropIn(named, loaded, today)
        : continueWith(
            nameYearBefore(nameNeighbour(nameBefore(named, periodBefore), periodBefore), periodBefore),
            loaded,
            today,
          )
    const translated = translate(asked, names.names)
    names = yield* findValues(org, translated, names, today)
    last = yield* correctQuestion(org, translated, names, today, effort)
    names = last.names
    const respelt = last.replaced.reduce((text, { said, meant }) => text.replace(said, () => meant), asked)
    english = [...new Set([asked, respelt].map((each) => putInEnglish(each, loaded.names)))]
    turns.push({ question: last.question, namesRows: reference?.kind === "rows", deals: dealsOf(reference) })
    if (questions.length === 1) continue
    const predict = yield* predictor
    const read = { ambiguous: last.ambiguous, asked, english, names, today, predict }
    const isLast = index + 1 === questions.length
    const completed = completeTurn(turns, read, !isLast)
    turns.splice(-1, 1, completed)
    if (!isLast)
      turns.splice(
        -1,
        1,
        ...keepTurn(
          completed,
          turns.slice(0, -1).some(({ isRefused }) => isRefused !== true),
          readTurns(),
          names,
          today,
        ),
      )
  }
  yield* Effect.yieldNow
  return { names, today, reading: readTurns(), turns, asked, last, english, reference, before, effort }
})
