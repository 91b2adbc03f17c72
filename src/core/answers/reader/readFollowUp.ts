import { findUncounted } from "../questions/plan/account.ts"
import type { WorkspaceNames } from "../questions/words/names.ts"
import { parse } from "../questions/parse/parse.ts"
import type { Today } from "../questions/words/periods.ts"
import { makePlans } from "../questions/plan/plan.ts"
import type { Slots } from "../questions/parse/slots.ts"
import { learnedSlots } from "./learnedSlots.ts"
import type { Prediction } from "./predict.ts"
import { hasUnknownName } from "./readAgain.ts"
import { tokenize } from "./tokens.ts"

/** From this confidence on, a change is read. The question before bounds what it can mean, so less is needed than for a question of its own. */
const SURE = 0.2
/** The probability that it asks for something that nothing records. */
const MAX_OUTSIDE = 0.1

type Change = (said: Slots, read: Prediction) => Partial<Slots> | undefined

/** "This year alone" and "only the Nordics". */
const narrow: Change = ({ names, conditions, outcomes, periods }) =>
  names.length + Object.keys(conditions).length + outcomes.length > 0 || periods.length === 1 ? { outcomes } : undefined

/** The slots that each kind of follow-up says itself; undefined if it lacks what it must say. */
const CHANGES: Readonly<Record<string, Change>> = {
  "f-period": narrow,
  "f-filter": narrow,
  "f-group": ({ groups, grain }) => (groups.length > 0 || grain !== undefined ? { groups, grain } : undefined),
  "f-measure": ({ bases, aggregate, counts, head, outcomes }, { base }) =>
    base === "-" ? undefined : { bases, aggregate, counts, head, outcomes },
  "f-list": () => ({ lists: true, head: "deal" }),
  "f-why": ({ outcomes }) => ({ asksWhy: true, outcomes }),
}

/** Reads what a question changes of the one before it: with the network, where the grammar does not. Of several spellings, the first that it reads counts. */
export const readFollowUp = (
  spellings: ReadonlyArray<string>,
  names: WorkspaceNames,
  today: Today,
  predict: (words: ReadonlyArray<string>) => Prediction,
): Slots | undefined => {
  for (const question of spellings) {
    const tokens = tokenize(question, names, today)
    const read = predict(tokens.words)
    const rules = parse(question, names, today)
    const change = CHANGES[read.kind]
    if (
      change === undefined ||
      read.confidence < SURE ||
      read.outside > MAX_OUTSIDE ||
      read.strange.length > 0 ||
      hasUnknownName(question, rules)
    )
      continue
    const base = read.base === "-" ? "count" : read.base
    const learned = learnedSlots({ ...read, kind: "-", base }, tokens, rules)
    if (learned === undefined || learned.doubts.length > 0) continue
    if (findUncounted(question, makePlans(learned.slots)).length > 0) continue
    const changed = change(learned.slots, read)
    if (changed !== undefined) return { ...neutral(learned.slots), ...changed }
  }
  return undefined
}

/** The conditions and periods alone. */
const neutral = (slots: Slots): Slots => ({
  ...slots,
  bases: [],
  aggregate: undefined,
  counts: false,
  head: undefined,
  isSingular: false,
  lists: false,
  groups: [],
  grain: undefined,
  rank: undefined,
  outcomes: [],
  asksWhy: false,
  isShare: false,
  whole: undefined,
})
