import { findUncounted, findUnused } from "../src/core/answers/questions/plan/account.ts"
import { Effort } from "../src/core/answers/questions/names/Effort.ts"
import { isEnglish, putInEnglish, translate } from "../src/core/answers/questions/languages/translate.ts"
import { parse } from "../src/core/answers/questions/parse/parse.ts"
import type { Period } from "../src/core/answers/questions/words/periods.ts"
import { makePlans } from "../src/core/answers/questions/plan/plan.ts"
import { correctSpelling } from "../src/core/answers/questions/names/spelling.ts"
import type { Slots } from "../src/core/answers/questions/parse/slots.ts"
import { learnedSlots } from "../src/core/answers/reader/learnedSlots.ts"
import { planKey } from "../src/core/answers/reader/planKey.ts"
import type { Prediction } from "../src/core/answers/reader/predict.ts"
import { readAgain } from "../src/core/answers/reader/readAgain.ts"
import { tokenize } from "../src/core/answers/reader/tokens.ts"
import { labelsOf, type Task } from "./labels.ts"
import { TODAY, WORKSPACE } from "./workspace.ts"

/** The days that a task means, by its name for them. Years and quarters are fiscal and begin in February. */
const PERIODS: Readonly<Record<string, Period>> = {
  this_month: { from: "2026-11-01", to: "2026-11-30" },
  last_month: { from: "2026-10-01", to: "2026-10-31" },
  this_quarter: { from: "2026-11-01", to: "2027-01-31" },
  last_quarter: { from: "2026-08-01", to: "2026-10-31" },
  this_year: { from: "2026-02-01", to: "2027-01-31" },
  last_year: { from: "2025-02-01", to: "2026-01-31" },
  last_30: { from: "2026-10-28", to: "2026-11-26" },
  last_90: { from: "2026-08-29", to: "2026-11-26" },
  last_12m: { from: "2025-11-26", to: "2026-11-26" },
  q2_2026: { from: "2025-05-01", to: "2025-07-31" },
  fy26: { from: "2025-02-01", to: "2026-01-31" },
  march: { from: "2026-03-01", to: "2026-03-31" },
  since_january: { from: "2026-01-01" },
  h1: { from: "2026-02-01", to: "2026-07-31" },
  next_month_close: { from: "2026-12-01", to: "2026-12-31" },
  since_date: { from: "2026-09-01" },
  between: { from: "2026-04-01", to: "2026-06-15" },
}
/** "This year so far" and "since September" end today as well. */
const RUNNING = /^(?:this|since)_/

/** Conditions of tasks that are names of the workspace. */
const NAMED =
  /^(?:owner|competitor|region|industry|stage|deal_type|product|reason_for|reason_against|feature|not_competitor|as_primary)$/

const conditionsOf = ({ frame: { filters, part } }: Task) => filters ?? part ?? []

/** Whether the fixed rules read the names, days and amounts of the task, and no others. */
export const readsFacts = (task: Task, slots: Slots): boolean => {
  const conditions = conditionsOf(task)
  const named = conditions.flatMap(([kind, value]) =>
    NAMED.test(kind) ? [String(value)] : kind === "multi_region" ? String(value).split(" or ") : [],
  )
  const names = new Set([...named, ...(task.frame.names ?? [])])
  const read = new Set(slots.names.map(({ name }) => name))
  for (const kind of task.frame.by ?? []) {
    const all = WORKSPACE.names.flatMap((each) => (each.kind === kind ? [each.name] : []))
    // "By deal type, new, renewal and expansion" lists all that there are.
    if (all.every((name) => read.has(name))) for (const name of all) names.add(name)
  }
  if (read.size !== names.size || [...names].some((name) => !read.has(name))) return false
  const { min, max } = slots.conditions.amount ?? {}
  for (const [kind, value] of conditions) {
    if (kind === "amount_above" && (min === undefined || Math.floor(min) !== value)) return false
    if (kind === "amount_below" && (max === undefined || Math.ceil(max) !== value)) return false
    if (kind === "crm_lead_source" && slots.conditions.crm_filters === undefined) return false
  }
  return readsPeriod(task, slots)
}

const readsPeriod = ({ frame: { period, compare } }: Task, { periods, today }: Slots): boolean => {
  if (compare === "periods") return periods.length === 2
  if (period === undefined || period === null) return periods.length === 0 || compare !== undefined
  const meant = PERIODS[period]
  const untilToday = (said: Period) => said.to === today.now.toISOString().slice(0, 10)
  const isMeant = (said: Period) =>
    said.from === meant?.from && (said.to === meant?.to || (RUNNING.test(period) && untilToday(said)))
  // "March against last March" names the earlier period too.
  return compare === undefined ? periods.length === 1 && periods.every(isMeant) : periods.some(isMeant)
}

/** A comparison with an earlier period has one: the later. */
export const withLaterPeriod = ({ frame: { compare } }: Task, rules: Slots): Slots =>
  compare?.startsWith("previous") === true
    ? { ...rules, periods: rules.periods.toSorted((a, b) => ((a.from ?? "") < (b.from ?? "") ? 1 : -1)).slice(0, 1) }
    : rules

export type Verdict = "right" | "asked" | "refused" | "wrong"

/** What an answer to a sentence is worth: by the grammar alone, and with the network beside it. */
export interface Judged {
  readonly grammar: Verdict
  readonly both: Verdict
}

/** A sentence without an answer: a question for texts, or a condition that the workspace does not know. */
const isUnanswerable = ({ kind }: Task) => kind === "other" || kind === "foreign"

/** Names that a question misspells. */
const MAX_CORRECTIONS = 4

/** A sentence, and the question that the grammar reads of it, with the names that they misspell corrected as the product does. */
const respell = (text: string): { readonly question: string; readonly asked: string } => {
  const effort = new Effort()
  let [question, asked] = [translate(text, WORKSPACE.names), text]
  for (let round = 0; round < MAX_CORRECTIONS; round++) {
    const { unknown } = parse(question, WORKSPACE, TODAY)
    const found = unknown
      .filter(({ said, several }) => several === undefined && question.includes(said))
      .map(({ said }) => correctSpelling(said, WORKSPACE.names, effort))
      .find(({ meant }) => meant !== undefined)
    if (found?.meant === undefined) break
    question = question.replace(found.said, found.meant)
    if (found.isName === true) asked = asked.replace(found.said, found.meant)
  }
  return { question, asked }
}

/** The key of the plans that a task asks for; undefined if it has no answer, or the fixed rules do not read its facts in this spelling. */
const findRight = (task: Task, question: string): string | undefined => {
  if (isUnanswerable(task)) return undefined
  const rules = parse(question, WORKSPACE, TODAY)
  if (!readsFacts(task, rules)) return undefined
  const tokens = tokenize(question, WORKSPACE, TODAY)
  const meant = learnedSlots(perfect(task), tokens, withLaterPeriod(task, rules))
  return meant && planKey(makePlans(meant.slots))
}

/** Judges one sentence; undefined for a follow-up, which says nothing alone. */
export const judge = (
  task: Task,
  text: string,
  predict: (words: ReadonlyArray<string>) => Prediction,
): Judged | undefined => {
  if (task.kind === "follow-up") return undefined
  const english = putInEnglish(text, WORKSPACE.names)
  const { question, asked } = respell(text)
  const spelt = putInEnglish(asked, WORKSPACE.names)
  // "Woran" is no misspelt "Goran": the names of the task say which spelling is meant.
  const right = [english, spelt].map((each) => findRight(task, each)).find((each) => each !== undefined)
  const slots = parse(question, WORKSPACE, TODAY)
  const plans = makePlans(slots)
  const isRead =
    plans.length > 0 && [...slots.unknown, ...findUnused(slots, plans), ...findUncounted(text, plans)].length === 0
  const verdictOf = (key: string | undefined): Verdict =>
    key === undefined ? (isUnanswerable(task) ? "right" : "refused") : key === right ? "right" : "wrong"
  const grammar = isRead ? planKey(plans) : undefined
  const read = { slots, plans, isRead, isTranslated: !isEnglish(text) }
  const second = readAgain([...new Set([english, spelt])], read, WORKSPACE, TODAY, predict)
  return {
    grammar: verdictOf(grammar),
    both:
      second.kind === "differs"
        ? isUnanswerable(task)
          ? "right"
          : "asked"
        : verdictOf(second.kind === "read" ? planKey(second.plans) : grammar),
  }
}

/** The prediction of a network that errs in nothing. */
export const perfect = (task: Task): Prediction => {
  const { heads, flags } = labelsOf(task)
  return { ...heads, flags, outside: 0, confidence: 1, strange: [] }
}

const VERDICTS = ["right", "asked", "refused", "wrong"] as const

/** Judges the sentences of a voice. `sample`: every how many sentences one is judged. */
export const judgeVoice = (
  { tasks, texts }: { readonly tasks: ReadonlyArray<Task>; readonly texts: ReadonlyArray<readonly [string, string]> },
  predict: (words: ReadonlyArray<string>) => Prediction,
  sample = 1,
) => {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const judged = texts
    .filter((_, index) => index % sample === 0)
    .flatMap(([id, text]) => {
      const task = byId.get(id)!
      const verdicts = judge(task, text, predict)
      return verdicts === undefined ? [] : [{ ...verdicts, isUnanswerable: isUnanswerable(task) }]
    })
  const sharesOf = (reader: keyof Judged, isOf: (each: (typeof judged)[number]) => boolean) => {
    const group = judged.filter(isOf)
    return Object.fromEntries(
      VERDICTS.map((verdict) => [verdict, group.filter((each) => each[reader] === verdict).length / group.length]),
    ) as Readonly<Record<Verdict, number>>
  }
  const isAnswerable = (each: (typeof judged)[number]) => !each.isUnanswerable
  return {
    grammar: sharesOf("grammar", isAnswerable),
    both: sharesOf("both", isAnswerable),
    /** Shares of the sentences that have no answer. */
    unanswerable: sharesOf("both", (each) => each.isUnanswerable),
  }
}
