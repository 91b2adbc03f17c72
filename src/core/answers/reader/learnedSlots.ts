import type { Dimension, Grain } from "../questions/words/lexicon.ts"
import type { Slots } from "../questions/parse/slots.ts"
import {
  type Doubt,
  doubtAggregate,
  doubtGrain,
  findBases,
  findConditions,
  findGroups,
  findNames,
  findOutcomes,
  findSide,
  isNumber,
  makeComparison,
  makeRank,
  MEASURES,
} from "./learnedParts.ts"
import type { Prediction } from "./predict.ts"
import type { Tokens } from "./tokens.ts"

/** A reading, and the parts about which the network and the fixed rules disagree. Any such part refutes the reading. */
export interface Learned {
  readonly slots: Slots
  readonly doubts: ReadonlyArray<string>
}

/**
 * Joins what the network reads with what fixed rules read: names, periods, amounts and conditions come from the rules, the
 * measure, the groups and the form of the answer from the network. Undefined if the question asks for nothing that a report has.
 */
export const learnedSlots = (read: Prediction, { words, numbers }: Tokens, rules: Slots): Learned | undefined => {
  if (!FORMS.has(read.kind)) return undefined
  const doubts = new Set<string>()
  const doubt: Doubt = (if_, part) => {
    if (if_) doubts.add(part)
  }
  const said = words.join(" ")
  const measure = MEASURES[read.base]
  doubt(isNumber(read) && measure === undefined, "measure")
  const outcomes = findOutcomes(read, rules, said, doubt)
  const bases = findBases(read, rules, doubt)
  doubtAggregate(read, rules, doubt)

  const rest = [...numbers]
  const takeNumber = (): number | undefined => (rest.length === 1 ? rest.pop() : undefined)
  const rank = makeRank(read, rules, said, takeNumber)
  doubt(read.order === "closing_first", "order")
  const conditions = findConditions(read, rules, takeNumber, doubt)
  doubt(rest.length > 0, "number")

  const names = findNames(read, rules, doubt)
  const groups = findGroups(read, rules, said, doubt)
  doubtGrain(read, rules, doubt)
  const { compare, periods } = makeComparison(read, rules, names, said, doubt)

  const empty: Slots = {
    bases: [],
    counts: false,
    isSingular: false,
    lists: false,
    groups: [],
    outcomes,
    names,
    conditions,
    having: rules.having,
    date: rules.date,
    periods,
    compare,
    asksWhy: false,
    side: findSide(read, names, doubt),
    isShare: false,
    unknown: [],
    today: rules.today,
  }
  const grain = read.grain === "-" ? undefined : (read.grain as Grain)
  const numbered: Slots = {
    ...empty,
    bases,
    aggregate: bases.includes("cycle") ? rules.aggregate : measure?.aggregate,
    counts: measure?.counts !== undefined,
    head: measure?.counts,
    groups,
    grain,
    rank,
    isSingular: rank?.limit === 1,
  }
  doubt(bases.includes("mentions") && names.length > 0 && !groups.some(isOfFeatures), "mentions")
  doubt(rank !== undefined && read.kind === "-" && groups.length === 0 && grain === undefined, "order")
  return { slots: formed(read, numbered, empty), doubts: [...doubts] }
}

const FORMS: ReadonlySet<string> = new Set(["-", "list", "share", "why", "side"])

const isOfFeatures = (dimension: Dimension) => dimension === "feature" || dimension === "product_area"

/** The form of the answer: a number or a table, a list of deals, a share, or reasons. */
const formed = (read: Prediction, numbered: Slots, empty: Slots): Slots => {
  switch (read.kind) {
    case "list":
      return { ...empty, head: "deal", lists: true, rank: numbered.rank, isSingular: numbered.isSingular }
    case "share": {
      const whole: Slots = {
        ...empty,
        bases: numbered.bases,
        names: [],
        conditions: {},
        having: undefined,
        side: undefined,
      }
      return { ...numbered, counts: false, head: undefined, isShare: true, whole }
    }
    case "why":
      return { ...empty, asksWhy: true }
    case "side":
      return {
        ...empty,
        // The side of reasons says the outcome, that of mentions does not.
        outcomes: read.flags.has("by:feature") ? empty.outcomes : [],
        head: read.flags.has("by:feature") ? "feature" : "driver",
        side: read.side === "negative" ? "negative" : "positive",
      }
    default:
      return numbered
  }
}
