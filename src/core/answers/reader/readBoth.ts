import { findUncounted, findUnused } from "../questions/plan/account.ts"
import { readConversation, type Turn } from "../questions/turns/conversation.ts"
import type { Unknown } from "../questions/names/foundNames.ts"
import { isEnglish } from "../questions/languages/translate.ts"
import type { WorkspaceNames } from "../questions/words/names.ts"
import type { Today } from "../questions/words/periods.ts"
import { makePlans, type Plan } from "../questions/plan/plan.ts"
import type { Slots } from "../questions/parse/slots.ts"
import type { Prediction } from "./predict.ts"
import { readAgain, type Second } from "./readAgain.ts"
import { readFollowUp } from "./readFollowUp.ts"

/** A question that continues no other, as the grammar read it. */
interface First {
  readonly slots: Slots
  /** Parts that can mean several names. */
  readonly ambiguous: ReadonlyArray<Unknown>
  readonly asked: string
  /** The question in the words that the network reads. */
  readonly english: ReadonlyArray<string>
  readonly names: WorkspaceNames
  readonly today: Today
  readonly predict: (words: ReadonlyArray<string>) => Prediction
}

/** The readings of a question by both readers. */
export interface Both {
  readonly plans: ReadonlyArray<Plan>
  readonly unknown: ReadonlyArray<Unknown>
  readonly second: Second
}

/** The plans of the grammar, and the parts that they leave unread. */
const accountFor = (slots: Slots, ambiguous: ReadonlyArray<Unknown>, asked: string): Omit<Both, "second"> => {
  const plans = makePlans(slots)
  const unknown =
    ambiguous.length > 0
      ? ambiguous
      : [
          ...slots.unknown,
          // A word of a part that is explained as a whole is not explained again.
          ...findUnused(slots, plans).filter(
            ({ said }) => !slots.unknown.some((part) => part.as === "unfit" && part.said.includes(said)),
          ),
          ...findUncounted(asked, plans),
        ]
  return { plans, unknown }
}

/** Reads a question with the network beside the grammar. */
export const readBoth = ({ slots, ambiguous, asked, english, names, today, predict }: First): Both => {
  const { plans, unknown } = accountFor(slots, ambiguous, asked)
  const grammar = { slots, plans, isRead: unknown.length === 0 && plans.length > 0, isTranslated: !isEnglish(asked) }
  const second: Second = ambiguous.length > 0 ? { kind: "stands" } : readAgain(english, grammar, names, today, predict)
  return { plans, unknown, second }
}

/** The readings of a question that continues another. `isLearned`: the network read what it changes. */
export const readContinued = (
  slots: Slots,
  ambiguous: ReadonlyArray<Unknown>,
  asked: string,
  isLearned: boolean,
): Both => {
  const { plans, unknown } = accountFor(slots, ambiguous, asked)
  const isRead = isLearned && unknown.length === 0 && plans.length > 0
  return { plans, unknown, second: isRead ? { kind: "read", slots, plans } : { kind: "stands" } }
}

/** The slots of the answer to a question, for a question that continues it. */
const slotsOfAnswer = (first: First): Slots => {
  const { second } = readBoth(first)
  switch (second.kind) {
    case "read":
      return second.slots
    case "differs":
      return { ...first.slots, unknown: [{ said: first.asked, as: "unanswered" }] }
    case "stands":
      return first.slots
  }
}

/**
 * The last turn with what the network reads of it: what it changes of the turn before, if the grammar does not read that, and, for
 * turns after it, what was answered.
 */
export const completeTurn = (turns: ReadonlyArray<Turn>, asked: Omit<First, "slots">, isContinued: boolean): Turn => {
  const turn = turns.at(-1)!
  const { slots, isFollowUp } = readConversation(turns, asked.names, asked.today)!
  const { plans, unknown } = accountFor(slots, asked.ambiguous, asked.asked)
  if (
    turns.length > 1 &&
    !turn.namesRows &&
    asked.ambiguous.length === 0 &&
    (unknown.length > 0 || plans.length === 0)
  ) {
    const change = readFollowUp(asked.english, asked.names, asked.today, asked.predict)
    if (change !== undefined) return { ...turn, change }
  }
  return isFollowUp || !isContinued ? turn : { ...turn, answer: slotsOfAnswer({ ...asked, slots }) }
}
