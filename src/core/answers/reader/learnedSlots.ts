import type { FoundName } from "../deals/foundNames.ts"
import type { Base, Dimension, Grain, Order } from "../deals/lexicon.ts"
import type { Rank, Slots } from "../deals/slots.ts"
import type { Outcome } from "../deals/names.ts"
import { hasSeveral } from "./cues.ts"
import type { Prediction } from "./predict.ts"
import type { Tokens } from "./tokens.ts"

interface Measure {
  readonly bases: ReadonlyArray<Base>
  readonly aggregate?: Slots["aggregate"]
  readonly counts?: "deal" | "client"
  readonly isOverdue?: boolean
}

const MEASURES: Readonly<Record<string, Measure>> = {
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
  const measure = MEASURES[read.base]
  const doubts = new Set<string>()
  const doubt = (if_: boolean, part: string) => {
    if (if_) doubts.add(part)
  }
  const has = (flag: string) => read.flags.has(flag)
  const isNumber = read.kind === "-" || read.kind === "share"
  doubt(isNumber && measure === undefined, "measure")
  doubt(!isNumber && read.kind !== "list" && read.grain !== "-", "grain")

  const implied = read.base === "sum" ? rules.bases.flatMap((base) => IMPLIED[base] ?? []) : []
  const isOfAny = /^(?:avg|median|max|cycle|cycle_med|fit|exec)$/.test(read.base)
  const outcomes = OUTCOMES[read.outcome] ?? (isOfAny ? rules.outcomes : implied)
  const isRated = measure !== undefined && measure.bases.some((base) => EXACT.test(base))
  doubt(/rate/.test(read.base) && outcomes.length > 0, "outcome")
  doubt(rules.outcomes.length > 0 && !agree(rules.outcomes, outcomes, read), "outcome")

  // "What share of open deals is overdue" is of open deals.
  doubt(rules.whole?.outcomes.some((each) => !outcomes.includes(each)) === true, "outcome")

  const exact = rules.bases.filter((base) => EXACT.test(base))
  const metric = exact.find((base) => base.startsWith("wl_"))
  const isMetric = metric !== undefined && (read.base === "fit" || read.base === "exec")
  const bases = isMetric ? [metric] : (measure?.bases ?? [])
  doubt(
    exact.some((base) => !bases.includes(base)),
    "measure",
  )
  const isCycle = bases.includes("cycle")
  doubt(
    rules.aggregate !== undefined &&
      rules.aggregate !== "total" &&
      isNumber &&
      !isRated &&
      rules.aggregate !== measure?.aggregate,
    "aggregate",
  )

  const rest = [...numbers]
  const takeNumber = (): number | undefined => (rest.length === 1 ? rest.pop() : undefined)
  const rank = makeRank(read, rules, takeNumber)
  doubt(read.order === "closing_first", "order")

  const conditions: Record<string, unknown> = { ...rules.conditions }
  if (has("uncontested")) conditions["competitors_filter_type"] = "is empty"
  if (has("without_owner")) conditions["owner_filter_type"] = "is empty"
  if (measure?.isOverdue === true) conditions["overdue"] = true
  else doubt(rules.conditions.overdue === true, "overdue")
  if (has("older") && rules.conditions.open_days === undefined) {
    const days = takeNumber()
    doubt(days === undefined, "age")
    if (days !== undefined) conditions["open_days"] = { min: days + 1 }
  }
  doubt((has("amount_above") || has("amount_below")) && rules.conditions.amount === undefined, "amount")
  doubt(rest.length > 0, "number")

  const names = findNames(read, rules, doubt)
  doubt(has("uncontested") && names.some(({ kind }) => kind === "competitor"), "competitor")
  doubt(has("without_owner") && names.some(({ kind }) => kind === "owner"), "owner")

  const groups = [...read.flags].flatMap((flag): ReadonlyArray<Dimension> => {
    if (!flag.startsWith("by:")) return []
    const dimension = flag.slice("by:".length)
    // "By customer segment" has no group for each client.
    if (dimension === "client" && rules.groups.includes("segment") && ![rules.head, ...rules.groups].includes("client"))
      return []
    // "In the Energy vertical" asks for no groups.
    if (BESIDE.exec(words.join(" "))?.[1] === dimension) return []
    if (dimension !== "property") return [dimension as Dimension]
    const properties = rules.groups.filter((each) => each.startsWith("crm_"))
    doubt(properties.length !== 1, "property")
    return properties
  })
  doubt(
    rules.groups.some((each) => !groups.includes(each)),
    "group",
  )
  // The rules read a grain into "trend" too, so the network decides which.
  doubt(rules.grain !== undefined && read.grain === "-", "grain")
  doubt(groups.length > 2, "group")

  const isAgainst = read.compare === "names" && !hasSeveral({ names }) && AGAINST.test(words.join(" "))
  const { compare, periods } = makeComparison(isAgainst ? { ...read, compare: "-" } : read, rules, names, doubt)
  const isSideOfReasons = has("reason_for") !== has("reason_against")
  doubt(has("reason_for") && has("reason_against"), "side")
  doubt(isSideOfReasons && (read.kind === "why" || !names.some(({ kind }) => kind === "reason")), "side")

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
    side: isSideOfReasons ? (has("reason_for") ? "positive" : "negative") : undefined,
    isShare: false,
    unknown: [],
    today: rules.today,
  }
  const grain = read.grain === "-" ? undefined : (read.grain as Grain)
  const numbered: Slots = {
    ...empty,
    bases,
    aggregate: isCycle ? rules.aggregate : measure?.aggregate,
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

/** "Our win rate versus Nimbrel" compares nothing if it names nothing else. */
const AGAINST = /(?<!\p{L})(?:versus|vs|v)(?: \.)? <competitor>/u

/** The noun of a name beside it. */
const BESIDE = /(?<!by )<(region|industry)> (?:vertical|sector|industry|space|market|region|area|territory)(?!\p{L})/u

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
        outcomes: [],
        head: read.flags.has("by:feature") ? "feature" : "driver",
        side: read.side === "negative" ? "negative" : "positive",
      }
    default:
      return numbered
  }
}

const makeRank = (read: Prediction, rules: Slots, takeNumber: () => number | undefined): Rank | undefined => {
  const [order, word] = ORDERS[read.order] ?? []
  if (order === undefined || word === undefined) return undefined
  const said = takeNumber()
  const limit = read.limit === "1" ? 1 : (said ?? rules.rank?.limit)
  return { order, word, limit }
}

/** Whether the outcomes that words name fit those of the network. "Closed" may mean won. */
const agree = (said: ReadonlyArray<Outcome>, outcomes: ReadonlyArray<Outcome>, { kind, base }: Prediction) =>
  outcomes.length > 0 ? outcomes.every((each) => said.includes(each)) : kind === "side" || /rate|age|overdue/.test(base)

const findNames = (
  { flags }: Prediction,
  { names }: Slots,
  doubt: (if_: boolean, part: string) => void,
): ReadonlyArray<FoundName> => {
  const rivals = names.filter(({ kind }) => kind === "competitor")
  const change = (flag: string, isSo: (name: FoundName) => boolean, so: (name: FoundName) => FoundName) => {
    if (!flags.has(flag) || rivals.some(isSo)) return (name: FoundName) => name
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

const makeComparison = (
  { compare }: Prediction,
  rules: Slots,
  names: ReadonlyArray<FoundName>,
  doubt: (if_: boolean, part: string) => void,
): Pick<Slots, "compare" | "periods"> => {
  const { periods } = rules
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
