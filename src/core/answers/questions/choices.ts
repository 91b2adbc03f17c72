import * as Effect from "effect/Effect"
import { type AnswerEvent, type Message, text } from "../Answerer.ts"
import { type Alternative, readChoice, choose, findAlternatives, YEAR_KIND } from "../reader/alternatives.ts"
import { askBack } from "../reader/askBack.ts"
import { ASKS } from "../offers.ts"
import { predictor } from "../reader/predictor.ts"
import { answerPlan } from "./reply/answerPlan.ts"
import type { Reading } from "./turns/conversation.ts"
import type { Corrected } from "./plan/correct.ts"
import type { WorkspaceNames } from "./words/names.ts"
import type { Plan } from "./plan/plan.ts"
import { readQuestions } from "./readQuestions.ts"
import { NOT_COMBINABLE } from "./reply/refusal.ts"
import { type Both, readBoth, readContinued } from "../reader/readBoth.ts"
import type { Slots } from "./parse/slots.ts"

/** In UTF-16 units. Longer texts are not questions about numbers. */
export const MAX_LENGTH = 500
/** Questions of a conversation that are read, with the last one. */
const MAX_QUESTIONS = 6

interface Asked {
  readonly question: string
  /** The answer before it, as the caller sent it; empty if the caller sent none. */
  readonly before: string
}

/** The last questions of a conversation, oldest first. */
export const findTurns = (messages: ReadonlyArray<Message>): ReadonlyArray<Asked> => {
  const turns: Array<Asked> = []
  let before = ""
  for (const { role, content } of messages) {
    if (role === "assistant") before = content
    if (role !== "user") continue
    turns.push({ question: content.trim(), before })
    before = ""
  }
  return turns.slice(-MAX_QUESTIONS).filter(({ question }) => question.length <= MAX_LENGTH)
}

type Read = Effect.Success<ReturnType<typeof readQuestions>>

/** Reads the last question with both readers, and finds its readings if it has several. */
export const interpret = Effect.fnUntraced(function* (
  { slots, isFollowUp, isLearned }: Reading,
  { ambiguous, isCorrected, question }: Corrected,
  { english, turns, asked, names, today }: Read,
) {
  const predict = yield* predictor
  const { plans, unknown, second }: Both = isFollowUp
    ? readContinued(slots, ambiguous, asked, isLearned)
    : readBoth({ slots, ambiguous, asked, english, names, today, predict })
  return {
    plans,
    unknown,
    second,
    predict,
    // A question that is misspelt has its readings once it is corrected.
    alternatives: findAlternatives(
      { turns, asked: isCorrected ? question : asked, names, today, predict },
      unknown,
      second,
    ),
  }
})

const alternativesTo = Effect.fnUntraced(function* (org: string, questions: ReadonlyArray<string>) {
  const read = yield* readQuestions(org, questions)
  const { reading, last } = read
  const { fiscalStart } = read.today
  if (reading === undefined || last === undefined) return { alternatives: [], fiscalStart }
  return { alternatives: (yield* interpret(reading, last, read)).alternatives, fiscalStart }
})

/** Puts the reading that a turn chooses in the place of the question that was asked back: "calendar", "the first", "1". */
export const settleChoices = Effect.fn("DealQuestions.settleChoices")(function* (
  org: string,
  turns: ReadonlyArray<Asked>,
) {
  const settled: Array<string> = []
  for (const { question, before } of turns) {
    const corrected = inOtherYear(settled.at(-1) ?? "", question)
    if (corrected !== undefined) {
      settled.splice(-1, 1, corrected)
      continue
    }
    const words = settled.length > 0 && (before === "" || before.includes(ASKS)) ? readChoice(question) : []
    const chosen = words.length === 0 ? undefined : choose(words, (yield* alternativesTo(org, settled)).alternatives)
    if (chosen !== undefined) settled.splice(-1, 1, chosen.question)
    else settled.push(yield* settleYear(org, settled, question))
  }
  return settled
})

const OTHER_YEAR =
  /^\W*(?:(?:no|nope|not|sorry|wait|oops|actually|rather|i|we|mean|meant|want|wanted|need|use|by|in|as|for|the|a|make|it|that|please|and|what|about)[\s,;:.!–—-]+)*(?<kind>calendar|fiscal|financial)(?: (?:years?|quarters?|halves|half|ones?|dates?|time))?(?:,? (?:please|instead|not (?:fiscal|calendar|financial)))*\W*$/iu
const OF_YEAR =
  /(?<!\p{L})(this|last|previous|prior|next|current) (?:(?:fiscal|financial|calendar) )?(?=(?:quarter|half|year)(?!\p{L}))/iu

/** "No, I meant the calendar quarter" after "win rate last quarter": the question before with its periods in the other year. */
const inOtherYear = (before: string, question: string): string | undefined => {
  const kind = OTHER_YEAR.exec(question)?.groups?.["kind"]
  return kind === undefined || !OF_YEAR.test(before)
    ? undefined
    : before.replaceAll(new RegExp(OF_YEAR, "giu"), `$1 ${kind.toLowerCase()} `)
}

/** "Calendar Q3" is one of the two readings of "Q3". */
const settleYear = Effect.fnUntraced(function* (org: string, before: ReadonlyArray<string>, question: string) {
  const found = YEAR_KIND.exec(question)
  if (found === null) return question
  const bare = question.replace(found[0], "")
  const kind = found.groups?.["kind"]?.toLowerCase() ?? ""
  const { alternatives, fiscalStart } = yield* alternativesTo(org, [...before, bare])
  if (fiscalStart === 1) return bare
  return alternatives.find(({ label }) => label.startsWith(`by ${kind}`))?.question ?? question
})

export const answerPlans = Effect.fnUntraced(function* (
  org: string,
  plans: ReadonlyArray<Plan>,
  slots: Slots,
  names: WorkspaceNames,
  /** Plans of the same answer before these. */
  before = 0,
) {
  const events: Array<AnswerEvent> = []
  for (const [index, plan] of plans.entries()) {
    if (index > 0) events.push(text("\n"))
    const answered = yield* Effect.catchTag(answerPlan(org, plan, slots, names, before + index), "BadRequest", () =>
      Effect.succeed([text(NOT_COMBINABLE)]),
    )
    events.push(...answered)
  }
  return events
})

/** Answers a question with several readings: asks which one is meant, or answers where all give the same. */
export const askWhich = Effect.fn("DealQuestions.askWhich")(function* (
  org: string,
  alternatives: ReadonlyArray<Alternative>,
  names: WorkspaceNames,
) {
  const answers: Array<{ readonly label: string; readonly question: string; readonly events: typeof events }> = []
  let events: ReadonlyArray<AnswerEvent> = []
  for (const { label, question, plans, slots } of alternatives) {
    events = yield* answerPlans(org, plans, slots, names, answers.length)
    answers.push({ label, question, events })
  }
  return askBack(answers)
})
