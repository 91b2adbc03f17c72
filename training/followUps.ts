import { putInEnglish, translate } from "../src/core/answers/questions/languages/translate.ts"
import { readConversation, type Turn } from "../src/core/answers/questions/turns/conversation.ts"
import { parse } from "../src/core/answers/questions/parse/parse.ts"
import { makePlans } from "../src/core/answers/questions/plan/plan.ts"
import type { Slots } from "../src/core/answers/questions/parse/slots.ts"
import { learnedSlots } from "../src/core/answers/reader/learnedSlots.ts"
import { planKey } from "../src/core/answers/reader/planKey.ts"
import type { Prediction } from "../src/core/answers/reader/predict.ts"
import { completeTurn, readBoth, readContinued } from "../src/core/answers/reader/readBoth.ts"
import { tokenize } from "../src/core/answers/reader/tokens.ts"
import { judge, perfect, readsFacts, type Verdict } from "./judge.ts"
import type { Frame, Task } from "./labels.ts"
import { TODAY, WORKSPACE } from "./workspace.ts"

type Predict = (words: ReadonlyArray<string>) => Prediction

/** What a follow-up asks for with the question before it; undefined where that may mean several things ("sort them the other way"). */
const continued = ({ kind, frame }: Task, { change, period, filter, by, measure }: Frame): Task | undefined => {
  const isTable = kind === "value" || kind === "grouped"
  const filters = frame.filters ?? []
  const as = (more: Frame): Task => ({ id: "", kind, frame: { ...frame, ...more } })
  if (!isTable && kind !== "ranked") return undefined
  if (change === "period" && period) return as({ period })
  if (change === "filter" && filter)
    return as({ filters: [...filters.filter(([name]) => kindOf(name) !== kindOf(filter[0])), filter] })
  if (!isTable) return undefined
  if (change === "group" && by !== undefined) return as({ by })
  // "And how many different customers?" after won deals means theirs, or all.
  const isPlain = outcomeOf(frame.measure) === "" || outcomeOf(measure) !== ""
  return change === "measure" && measure !== undefined && isPlain ? as({ measure }) : undefined
}

const kindOf = (condition: string) => condition.replace("multi_", "")
const outcomeOf = (measure = "") => /(?:open|won|lost|decided|rate|overdue|age_).*/.exec(measure)?.[0] ?? ""

/** The facts that fixed rules read in both sentences. */
const join = (before: Slots, next: Slots): Slots => {
  const kinds = new Set(next.names.map(({ kind }) => kind))
  return {
    ...next,
    names: [...before.names.filter(({ kind }) => !kinds.has(kind)), ...next.names],
    conditions: { ...before.conditions, ...next.conditions },
    periods: next.periods.length > 0 ? next.periods : before.periods,
    bases: [],
    aggregate: undefined,
    outcomes: [],
    groups: [...before.groups, ...next.groups].filter((each) => each.startsWith("crm_")),
  }
}

/** Judges a follow-up with the sentence that it continues. */
const judgeFollowUp = (task: Task, first: string, next: string, predict: Predict): Verdict => {
  const english = [first, next].map((text) => putInEnglish(text, WORKSPACE.names)) as [string, string]
  const rules = join(parse(english[0], WORKSPACE, TODAY), parse(english[1], WORKSPACE, TODAY))
  const meant = learnedSlots(perfect(task), tokenize(english[0], WORKSPACE, TODAY), rules)
  const right = meant === undefined || !readsFacts(task, rules) ? undefined : planKey(makePlans(meant.slots))
  const [before, question] = [first, next].map((text) => translate(text, WORKSPACE.names)) as [string, string]
  const read = { ambiguous: [], names: WORKSPACE, today: TODAY, predict }
  const turns: Array<Turn> = []
  for (const [index, translated] of [before, question].entries()) {
    turns.push({ question: translated, namesRows: false })
    const asked = { ...read, asked: index === 0 ? first : next, english: [english[index]!] }
    turns.splice(-1, 1, completeTurn(turns, asked, index === 0))
  }
  const { slots, isFollowUp, isLearned } = readConversation(turns, WORKSPACE, TODAY)!
  const { plans, unknown, second } = isFollowUp
    ? readContinued(slots, [], next, isLearned)
    : readBoth({ ...read, slots, asked: next, english: [english[1]] })
  if (second.kind === "differs") return "asked"
  if (second.kind === "stands" && (unknown.length > 0 || plans.length === 0)) return "refused"
  return planKey(second.kind === "read" ? second.plans : plans) === right ? "right" : "wrong"
}

/** Counts the verdicts on the follow-ups whose meaning is plain: of all, and of those whose first question is read right. */
export const judgeFollowUps = (voices: ReadonlyArray<Voice>, predict: Predict) => {
  const judged = voices.flatMap((voice) => judgeEach(voice, predict))
  const count = (all: typeof judged) =>
    Object.fromEntries(
      (["right", "asked", "refused", "wrong"] as const).map((verdict) => [
        verdict,
        all.filter((each) => each.verdict === verdict).length,
      ]),
    ) as Readonly<Record<Verdict, number>>
  return { all: count(judged), continuing: count(judged.filter(({ isRead }) => isRead)) }
}

interface Voice {
  readonly tasks: ReadonlyArray<Task>
  readonly texts: ReadonlyArray<readonly [string, string]>
}

const judgeEach = ({ tasks, texts }: Voice, predict: Predict) => {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const textOf = new Map(texts)
  return texts.flatMap(([id, text]) => {
    const { kind, frame } = byId.get(id)!
    const before = kind === "follow-up" ? byId.get(frame.after ?? "") : undefined
    const task = before && continued(before, frame)
    if (before === undefined || task === undefined) return []
    const first = textOf.get(before.id)!
    const isRead = judge(before, first, predict)?.both === "right"
    return [{ verdict: judgeFollowUp(task, first, text, predict), isRead }]
  })
}
