import type { FoundName } from "../questions/names/foundNames.ts"
import type { Base, Dimension, Order } from "../questions/words/lexicon.ts"
import { type Kind, KINDS, type Outcome } from "../questions/words/names.ts"
import type { Rank, Slots } from "../questions/parse/slots.ts"
import { closesAhead } from "../questions/words/periods.ts"
import { hasSeveral } from "./cues.ts"
import type { Prediction } from "./predict.ts"

/** Notes a part about which the network and the fixed rules disagree. */
export type Doubt = (if_: boolean, part: string) => void

interface Measure {
  readonly bases: ReadonlyArray<Base>
  readonly aggregate?: Slots["aggregate"]
  readonly counts?: "deal" | "client"
  readonly isOverdue?: boolean
}

export const MEASURES: Readonly<Record<string, Measure>> = {
  count: { bases: [], counts: "deal" },
  clients: { bases: [], counts: "client" },
  overdue: { bases: [], counts: "deal", isOverdue: true },
  overdue_amt: { bases: ["amount"], isOverdue: true },
  sum: { bases: ["amount"] },
  avg: { bases: ["amount"], aggregate: "average" },
  median: { bases: ["amount"], aggregate: "median" },
  max: { bases: ["amount"], aggregate: "max" },
  rate: { bases: ["win_rate"] },
  rate_amt: { bases: ["win_rate_by_amount"] },
  loss_rate: { bases: ["loss_rate"] },
  cycle: { bases: ["cycle"], aggregate: "average" },
  cycle_med: { bases: ["cycle"], aggregate: "median" },
  age: { bases: ["age"] },
  mentions: { bases: ["mentions"] },
  fit: { bases: ["wl_product_fit_score"] },
  exec: { bases: ["wl_sales_execution_score"] },
}

/** Bases that the grammar reads from words which mean nothing else. */
const EXACT =
  /^(?:win_rate|win_rate_by_amount|loss_rate|cycle|age|new_clients|stage_entered|stage_left|wl_.*|custom_metric_.*)$/

const OUTCOMES: Readonly<Record<string, ReadonlyArray<Outcome>>> = {
  open: ["open"],
  won: ["won"],
  lost: ["lost"],
  decided: ["won", "lost"],
}

/** Words for the amounts of deals with one outcome. */
const IMPLIED: Partial<Readonly<Record<Base, ReadonlyArray<Outcome>>>> = { revenue: ["won"], pipeline: ["open"] }

const ORDERS: Readonly<Record<string, readonly [Order, string]>> = {
  high: ["high", "highest"],
  low: ["low", "lowest"],
  big: ["high", "biggest"],
  small: ["low", "smallest"],
  new: ["new", "newest"],
  old: ["old", "oldest"],
}

/** The noun of a name behind it, and before it. */
const BESIDE = /(?<!by )<(region|industry)> (?:vertical|sector|industry|space|market|region|area|territory)(?!\p{L})/u

const BEFORE =
  /(?<!(?:by|per|each|every|which|what) )(?:type|stage|product|region|industry|competitor)(?: (?:is|was))? <(deal_type|stage|product|region|industry|competitor)>/u

export const isNumber = ({ kind }: Prediction) => kind === "-" || kind === "share"

const OPEN = /(?<!\p{L})(?:open|undecided|unclosed)(?!\p{L})/u

export const findOutcomes = (read: Prediction, rules: Slots, said: string, doubt: Doubt): ReadonlyArray<Outcome> => {
  const implied = read.base === "sum" ? rules.bases.flatMap((base) => IMPLIED[base] ?? []) : []
  const isOfAny = /^(?:avg|median|max|cycle|cycle_med|fit|exec)$/.test(read.base)
  // The network takes any pipeline for what is open.
  const isCreated = rules.bases.includes("pipeline") && rules.date === "created_at"
  // Deals that close in a period that is not over are open: no word says so.
  const isComing = !/rate/.test(read.base) && closesAhead(said, rules.periods, rules.today) && !OPEN.test(said)
  const found = OUTCOMES[read.outcome] ?? (isOfAny || isComing ? rules.outcomes : implied)
  const outcomes = isCreated ? rules.outcomes : found
  doubt(/rate/.test(read.base) && outcomes.length > 0, "outcome")
  doubt(rules.outcomes.length > 0 && !agree(rules.outcomes, outcomes, read), "outcome")
  // "The average won amount of each rep" is of won deals.
  const isOfAmount = /^(?:avg|median|max)$/.test(read.base)
  doubt(rules.bases.includes("revenue") && isOfAmount && !outcomes.includes("won"), "outcome")
  // "What share of open deals is overdue" is of open deals.
  doubt(rules.whole?.outcomes.some((each) => !outcomes.includes(each)) === true, "outcome")
  return outcomes
}

export const findBases = (read: Prediction, rules: Slots, doubt: Doubt): ReadonlyArray<Base> => {
  const exact = rules.bases.filter((base) => EXACT.test(base))
  const metric = exact.find((base) => base.startsWith("wl_"))
  const isMetric = metric !== undefined && (read.base === "fit" || read.base === "exec")
  const bases = isMetric ? [metric] : (MEASURES[read.base]?.bases ?? [])
  doubt(
    exact.some((base) => !bases.includes(base)),
    "measure",
  )
  return bases
}

export const doubtAggregate = (read: Prediction, { aggregate }: Slots, doubt: Doubt) => {
  const measure = MEASURES[read.base]
  const isExact = measure?.bases.some((base) => EXACT.test(base)) === true
  const isSaid = aggregate !== undefined && aggregate !== "total"
  doubt(isSaid && isNumber(read) && !isExact && aggregate !== measure?.aggregate, "aggregate")
}

export const findConditions = (
  read: Prediction,
  rules: Slots,
  takeNumber: () => number | undefined,
  doubt: Doubt,
): Slots["conditions"] => {
  const has = (flag: string) => read.flags.has(flag)
  const conditions: Record<string, unknown> = { ...rules.conditions }
  if (has("uncontested")) conditions["competitors_filter_type"] = "is empty"
  if (has("without_owner")) conditions["owner_filter_type"] = "is empty"
  if (MEASURES[read.base]?.isOverdue === true) conditions["overdue"] = true
  else doubt(rules.conditions.overdue === true, "overdue")
  if (has("older") && rules.conditions.open_days === undefined) {
    const days = takeNumber()
    doubt(days === undefined, "age")
    if (days !== undefined) conditions["open_days"] = { min: days + 1 }
  }
  doubt((has("amount_above") || has("amount_below")) && rules.conditions.amount === undefined, "amount")
  return conditions
}

export const findGroups = (read: Prediction, rules: Slots, said: string, doubt: Doubt): ReadonlyArray<Dimension> => {
  const groups = [...read.flags].flatMap((flag): ReadonlyArray<Dimension> => {
    if (!flag.startsWith("by:")) return []
    const dimension = flag.slice("by:".length)
    // "By customer segment" has no group for each client.
    if (dimension === "client" && rules.groups.includes("segment") && ![rules.head, ...rules.groups].includes("client"))
      return []
    // "In the Energy vertical" asks for no groups.
    if (BESIDE.exec(said)?.[1] === dimension) return []
    // "Deals of type Renewal".
    const named = BEFORE.exec(said)?.[1]
    if (named !== undefined && KINDS[named as Kind] === dimension) return []
    if (dimension !== "property") return [dimension as Dimension]
    const properties = rules.groups.filter((each) => each.startsWith("crm_"))
    doubt(properties.length !== 1, "property")
    return properties
  })
  doubt(
    rules.groups.some((each) => !groups.includes(each)),
    "group",
  )
  doubt(groups.length > 2, "group")
  return groups
}

export const doubtGrain = (read: Prediction, rules: Slots, doubt: Doubt) => {
  doubt(!isNumber(read) && read.kind !== "list" && read.grain !== "-", "grain")
  // The rules read a grain into "trend" too, so the network decides which.
  doubt(rules.grain !== undefined && read.grain === "-", "grain")
}

/** "Our win rate versus Nimbrel" compares nothing if it names nothing else. */
const AGAINST = /(?<!\p{L})(?:versus|vs|v)(?: \.)? <competitor>/u

/** "Who are my best reps" asks for several. */
const SEVERAL =
  /(?<!\p{L})(?:who|which|what) are (?:\p{L}+ ){0,4}(?:reps|sellers|owners|people|competitors|rivals|customers|clients|accounts|regions|industries|products|features|reasons)(?!\p{L})/u

export const makeRank = (
  read: Prediction,
  rules: Slots,
  said: string,
  takeNumber: () => number | undefined,
): Rank | undefined => {
  const [order, word] = ORDERS[read.order] ?? []
  if (order === undefined || word === undefined) return undefined
  const number = takeNumber()
  const limit = read.limit === "1" && !SEVERAL.test(said) ? 1 : (number ?? rules.rank?.limit)
  return { order, word, limit }
}

/** Whether the outcomes that words name fit those of the network. "Closed" may mean won. */
const agree = (said: ReadonlyArray<Outcome>, outcomes: ReadonlyArray<Outcome>, { kind, base }: Prediction) =>
  outcomes.length > 0 ? outcomes.every((each) => said.includes(each)) : kind === "side" || /rate|age|overdue/.test(base)

export const findNames = ({ flags }: Prediction, { names }: Slots, doubt: Doubt): ReadonlyArray<FoundName> => {
  const rivals = names.filter(({ kind }) => kind === "competitor")
  doubt(flags.has("uncontested") && rivals.length > 0, "competitor")
  doubt(flags.has("without_owner") && names.some(({ kind }) => kind === "owner"), "owner")
  const change = (flag: string, isSo: (name: FoundName) => boolean, so: (name: FoundName) => FoundName) => {
    // "Against Nimbrel, renewals excluded" excludes no rival.
    if (!flags.has(flag) || names.some(isSo)) return (name: FoundName) => name
    doubt(rivals.length !== 1, flag)
    return (name: FoundName) => (name.kind === "competitor" ? so(name) : name)
  }
  const excluded = change(
    "excludes",
    ({ negated }) => negated,
    (name) => ({ ...name, negated: true }),
  )
  const primary = change(
    "primary",
    ({ role }) => role === "primary",
    (name) => ({ ...name, role: "primary" }),
  )
  doubt(!flags.has("excludes") && rivals.some(({ negated }) => negated), "excludes")
  return names.map((name) => primary(excluded(name)))
}

export const makeComparison = (
  read: Prediction,
  rules: Slots,
  names: ReadonlyArray<FoundName>,
  said: string,
  doubt: Doubt,
): Pick<Slots, "compare" | "periods"> => {
  const { periods } = rules
  const isAgainst = read.compare === "names" && !hasSeveral({ names }) && AGAINST.test(said)
  const compare = isAgainst ? "-" : read.compare
  switch (compare) {
    case "previous_period":
    case "previous_year": {
      doubt(rules.compare !== undefined && rules.compare !== compare, "comparison")
      doubt(periods.length !== 1, "period")
      return { compare, periods }
    }
    case "names":
      doubt(!hasSeveral({ names }), "names")
      doubt(periods.length > 1, "period")
      return { compare: "named", periods }
    case "periods":
      doubt(periods.length !== 2 || overlap(periods), "period")
      return { compare: "named", periods }
    default:
      doubt(periods.length > 1 || rules.compare !== undefined, "comparison")
      return { compare: undefined, periods }
  }
}

/** "In March, this year against last" compares no month with its year. */
const overlap = ([one, other]: Slots["periods"]): boolean =>
  (one?.from ?? "") <= (other?.to ?? "9999") && (other?.from ?? "") <= (one?.to ?? "9999")

/** The side of the reasons that the question names. */
export const findSide = ({ kind, flags }: Prediction, names: ReadonlyArray<FoundName>, doubt: Doubt): Slots["side"] => {
  const [isFor, isAgainst] = [flags.has("reason_for"), flags.has("reason_against")]
  doubt(isFor && isAgainst, "side")
  if (isFor === isAgainst) return undefined
  doubt(kind === "why" || !names.some((each) => each.kind === "reason"), "side")
  return isFor ? "positive" : "negative"
}
