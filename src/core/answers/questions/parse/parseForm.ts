import type { CanonicalFilters } from "../../../deals/filters/filters.ts"
import type { QuestionReader } from "../../QuestionReader.ts"
import type { takeAmount } from "../words/amounts.ts"
import { type takeComparison, takeGrain, takeTrend } from "./comparisons.ts"
import { takeDate, takeOutcomes, takeSide } from "./conditions.ts"
import { findMovement } from "./makeFilters.ts"
import type { Unknown, FoundName } from "../names/foundNames.ts"
import { takeGroups, takeHead, takeRank, takeRest } from "./heads.ts"
import { AGGREGATES, type Aggregate, type Base, BASES, DEAL, type Grain, phrase } from "../words/lexicon.ts"
import { takeMetrics } from "./metricNames.ts"
import type { WorkspaceNames } from "../words/names.ts"
import type { Period } from "../words/periods.ts"
import type { Slots } from "./slots.ts"
import { COUNT_WORDS } from "../../words.ts"

/** The parts of a question that mean the same in any question. */
interface Facts {
  readonly found: ReadonlyArray<FoundName>
  readonly isOfRenewals: boolean
  readonly asksForFeatures: boolean
  readonly summarizes: boolean
  readonly periods: ReadonlyArray<Period>
  readonly isOpen: boolean
  readonly step: Grain | undefined
  readonly comparison: ReturnType<typeof takeComparison>
  readonly propertyGroups: ReturnType<typeof takeGroups>
  readonly filters: CanonicalFilters
}

const OF_UNITS = new RegExp(
  String.raw`(?<!\p{L})(?:last|past|previous) (?:\d{1,2}|${COUNT_WORDS}) (week|month|quarter|year)s(?!\p{L})`,
  "u",
)
/** "When did we lose the most?" */
const WHEN = /^[^\p{L}]*(?:(?:and|but|so) )?when (?:did|do|have|was|were)(?!\p{L})/u
/** "Won against lost" compares; "won or lost" means both. */
const WON_OR_LOST =
  /(?<!\p{L})(?:won|wins?)(?: deals| ones)?,? (?:against|versus|vs\.?|compared (?:to|with)) (?:the )?(?:lost|loss|losses)(?!\p{L})|(?<!\p{L})(?:lost|loss|losses)(?: deals| ones)?,? (?:against|versus|vs\.?|compared (?:to|with)) (?:the )?(?:won|wins?)(?!\p{L})/u
/** "Won and lost together" is one number. */
const TOGETHER = /(?<!\p{L})(?:together|combined|alike)(?!\p{L})/iu
/** "Where Audit trail came up", "with Audit trail requested": the deals of the feature or the reason, and no count of its mentions. */
const CAME_UP =
  /(?<!\p{L})(?:(?:where|when|in which)[\s|]+|(?:with|had|having)[\s|]*\|[\s|]*)(?:(?:is|are|was|were|has been|had been|also) )*(?:mentioned|requested|asked for|raised|brought up|c[ao]mes? up)(?!\p{L})/u
/** Takes the words for measures, grains and ranks. */
export const takeMeasured = (reader: QuestionReader, names: WorkspaceNames, facts: Facts) => {
  const { periods, comparison } = facts
  const metric = takeMetrics(reader, names)
  // Before the measures, for "by pipeline stage" and "by feature request" name groups.
  const grouped = [...facts.propertyGroups, ...takeGroups(reader)]
  const stages = [
    ...facts.found.filter(({ kind }) => kind === "stage").map(({ start }) => start),
    ...grouped.filter(({ dimension }) => dimension === "status").map(({ index }) => index),
  ]
  if (facts.found.some(({ kind }) => kind === "feature" || kind === "reason")) reader.take(CAME_UP)
  const bases = takeBases(reader, facts, stages)
  if (metric !== undefined) bases.unshift(metric)
  if (facts.asksForFeatures) bases.push("mentions")
  // "Better" compares how often we win.
  if (bases.length === 0 && /(?<!\p{L})(?:better|worse) (?:at|in|with|against)(?!\p{L})/u.test(reader.text))
    bases.push("win_rate")
  const aggregate = takeAggregate(reader)
  const isTrend = takeTrend(reader, bases.length > 0)
  const grain = takeGrain(reader) ?? facts.step
  const rank = takeRank(reader)
  const trend = isTrend ? readTrend(reader, periods, comparison !== undefined) : undefined
  const ranksTimes = rank !== undefined && WHEN.test(reader.text)
  return {
    grouped,
    bases,
    aggregate,
    rank,
    grain: grain ?? trend?.grain ?? (ranksTimes ? ("month" as const) : undefined),
    // Each quarter of a trend is beside the one before it already.
    compare: grain === undefined ? trend?.compare : undefined,
  }
}

/** Reads the rows of a trend: each unit of its period, months since a day, quarters without a period, else a period beside the one before. */
const readTrend = (
  { original }: QuestionReader,
  periods: ReadonlyArray<Period>,
  isCompared: boolean,
): { readonly grain?: Grain; readonly compare?: "previous_period" } => {
  const [period, ...others] = periods
  // "How did it develop in the last four quarters?"
  const unit = OF_UNITS.exec(original.toLowerCase())?.[1]
  if (unit !== undefined) return { grain: unit as Grain }
  if (period === undefined) return isCompared ? {} : { grain: "quarter" }
  if (others.length > 0) return {}
  return period.to === undefined ? { grain: "month" } : { compare: "previous_period" }
}

type Measured = ReturnType<typeof takeMeasured>

const OPEN_PIPELINE = /(?<!\p{L})(?:open|in|current|active|remaining) (?:(?:sales|the|our|total) )*pipe/u
/** "Pipeline created in May" is every deal of it, "open pipeline created in May" is what is left. */
const saysOpenPipeline = (
  { original }: QuestionReader,
  bases: ReadonlyArray<Base>,
  date: ReturnType<typeof takeDate>,
): boolean => bases.includes("pipeline") && date?.field === "created_at" && OPEN_PIPELINE.test(original.toLowerCase())

/** "Every deal, any outcome" asks for no groups. */
const ANY_OUTCOME = phrase("(?:of |with |in )?(?:any|whatever|whichever) (?:the )?(?:outcome|status)(?:es|s)?")
/** A rate is of the number of deals, where nothing says otherwise. */
const BY_COUNT = phrase(
  String.raw`(?:(?:(?:measured )?by|based on|on|in) (?:the )?|(?<=\([\s|]*))(?:(?:number|count) of (?:${DEAL})|how many (?:${DEAL})|(?:deal )?(?:count|number)(?=[\s|]*(?:$|[?.,;:!])))`,
)

/** Takes the words that say what the answer is: a count, a list, groups, a side, or a comparison. */
export const takeForm = (
  reader: QuestionReader,
  { found, periods, comparison, isOpen }: Facts,
  { bases, rank, grouped }: Measured,
) => {
  reader.take(ANY_OUTCOME)
  const isOfRate = bases.some((base) => base.endsWith("rate") || base === "win_rate_by_amount")
  if (isOfRate) reader.take(BY_COUNT)
  const side = takeSide(reader, found)
  const isOfEach = hasTwo(found, [], []) && reader.take(EACH) !== undefined
  const { head: taken, counts, isSingular, lists, group } = takeHead(reader, rank !== undefined)
  if (group !== undefined) grouped.push({ dimension: group, index: 0 })
  if (found.some(({ kind }) => kind === "owner")) reader.take(phrase("my"))
  if (isOfRate) reader.take(phrase("(?:in |as an? )?(?:percent(?:age)?|%)"))
  const comparesOutcomes = WON_OR_LOST.test(reader.text)
  const { outcomes: said, isBoth, isNegated } = takeOutcomes(reader)
  const date = takeDate(reader)
  const outcomes = said.length > 0 || !(isOpen || saysOpenPipeline(reader, bases, date)) ? said : (["open"] as const)
  // "Did it help us more than it hurt us?"
  if (side.isBoth && found.some(({ kind }) => kind === "reason")) {
    grouped.push({ dimension: "driver_effect", index: 0 })
    while (reader.take(MARKER) !== undefined);
  }
  const { head, groups } = takeRest(reader, taken, grouped)
  const isNamed =
    comparison === undefined &&
    hasTwo(found, periods, outcomes) &&
    (takeMarker(reader, found) ||
      isOfEach ||
      comparesOutcomes ||
      periods.length === 2 ||
      (isBoth && counts && !TOGETHER.test(reader.original)))
  return { side, head, counts, isSingular, lists, groups, outcomes, date, isNamed, isNegated }
}

type Form = ReturnType<typeof takeForm>

/** The thing that the question counts, lists or ranks. */
export const parseHead = (
  { found, asksForFeatures }: Facts,
  { bases, rank, grain }: Measured,
  { head, groups, counts, lists, outcomes }: Form,
): Slots["head"] => {
  const saysNothingElse =
    head === undefined && groups.length === 0 && grain === undefined && bases.length === 0 && !asksForFeatures
  // "The biggest renewals we lost", "biggest win last quarter" and "list our wins" are deals.
  const isOfOutcome = outcomes.length > 0 || (rank !== undefined && found.some(({ kind }) => kind === "deal_type"))
  if (saysNothingElse && isOfOutcome && (rank !== undefined || (lists && !counts))) return "deal"
  // "Top feature requests in lost deals" ranks the features, not the deals.
  const isOfRequests = rank !== undefined && bases.includes("mentions") && head === "deal" && !counts
  // "Top blockers" are the features with this tag.
  const isOfTag = rank !== undefined && saysNothingElse && found.some(({ kind }) => kind === "tag")
  return asksForFeatures || isOfRequests || isOfTag ? "feature" : head
}

/** Adds the measure that a summary or a bare comparison means: "Orvanta vs Nimbrel" compares how we do. */
export const withPerformance = (
  bases: ReadonlyArray<Base>,
  { summarizes, found, filters }: Pick<Facts, "summarizes" | "found" | "filters">,
  { outcomes, isNamed, counts, head, side }: Form,
  isWhollyRead: boolean,
): ReadonlyArray<Base> => {
  if (bases.length > 0 || outcomes.length > 0) return bases
  // "Is Audit trail a plus or a minus for us?"
  if (side.isBoth && found.some(({ kind }) => kind === "feature")) return ["sentiment"]
  // Overdue deals are open, and have no rate.
  const compares = filters.overdue === undefined && isNamed && !counts && head === undefined && !side.asksWhy
  return (summarizes && isWhollyRead) || compares ? ["performance"] : bases
}

/** Parts that contradict each other, or that nothing uses. */
export const findConflicts = (
  { periods, grain }: Pick<Slots, "periods" | "grain">,
  date: string | undefined,
  amount: ReturnType<typeof takeAmount>,
): ReadonlyArray<Unknown> => [
  ...(date !== undefined && periods.length === 0 && grain === undefined && !isOutcomeWord(date)
    ? [{ said: date, as: "other" } as const]
    : []),
  ...(amount?.min !== undefined && amount.max !== undefined && amount.min > amount.max
    ? [{ said: "two amounts", as: "conflict" } as const]
    : []),
  ...(periods.length > 2 ? [{ said: "several periods", as: "other" } as const] : []),
]

/** "Closed" without a period means won or lost. */
const isOutcomeWord = (said: string) => said.startsWith("clos")

const MONEY: ReadonlySet<Base> = new Set(["revenue", "pipeline", "size", "amount"])

/** Takes the bases in order. "How much revenue" has one: the more exact. A base of stage changes stands before one of `stages`, which start there. */
const takeBases = (reader: QuestionReader, { isOfRenewals }: Facts, stages: ReadonlyArray<number>): Array<Base> => {
  const precedesStage = (match: RegExpExecArray | null): boolean => {
    const end = match === null ? Infinity : match.index + match[0].length
    return stages.some((start) => start >= end && /^[\s|]*(?:the )?(?:stage )?$/.test(reader.text.slice(end, start)))
  }
  const taken = BASES.flatMap(([base, pattern]) => {
    if (findMovement([base]) !== undefined && !precedesStage(pattern.exec(reader.text))) return []
    const first = reader.take(pattern)
    while (reader.take(pattern) !== undefined);
    return first === undefined ? [] : [{ base, index: first.index }]
  })
  const money = taken.find(({ base }) => MONEY.has(base))?.base
  const bases = taken
    .filter(({ base }) => base !== "amount" || money === "amount")
    // The weighted pipeline is shown with the open pipeline beside it.
    .filter(({ base }, _, all) => base !== "pipeline" || !all.some((each) => each.base === "amount_weighted"))
    .toSorted((a, b) => a.index - b.index)
    .map(({ base }) => base)
  return [...new Set([...(isOfRenewals ? (["renewal_rate"] as const) : []), ...bases])]
}

/** "Averages instead of medians". */
const NOT_AGGREGATE = phrase(
  "(?:instead of|rather than|and not|not) (?:the )?(?:medians?|averages?|means?|totals?|sums?)",
)

const takeAggregate = (reader: QuestionReader): Aggregate | undefined => {
  reader.take(NOT_AGGREGATE)
  const taken = AGGREGATES.flatMap(([aggregate, pattern]) => (reader.take(pattern) === undefined ? [] : [aggregate]))
  return taken[0]
}

const MARKER = phrase(
  String.raw`(?:is|are|do|does|did)? ?(?:more|less|fewer|better|worse|higher|lower|bigger|smaller|larger|faster|slower|longer|shorter|differ\p{L}*|compar\p{L}*|versus|vs\.?|stacks? up)(?: often| frequently)?|than`,
)

/** "How many in Nordics and how many in DACH?" asks for two numbers, as does "losses in DACH and those in Nordics". */
const ASKS_TWICE =
  /(?<!\p{L})(how (?:many|much|often|long))(?!\p{L}).*(?<!\p{L})\1(?!\p{L})|(?<!\p{L})(?:and|against|to) (?:the ones?|those|that) (?:against|at|for|from|in|of|on|to|with)(?!\p{L})/u

/** "Flow and Ledger, how many deals in each?" */
const EACH =
  /(?<!\p{L})(?:each(?: of (?:them|those|these)| one)?(?=[^\p{L}|]*$|\s*[,;:?]| (?:have|has|had|got|do|did|bring|brought|win|won|lose|lost|close|closed|this|last|since)(?!\p{L}))|separately|individually|respectively)/u

/** Takes the words that compare: "more", "versus", "than". */
const takeMarker = (reader: QuestionReader, found: ReadonlyArray<{ readonly joined?: string | undefined }>) => {
  let isMarked = found.some(({ joined }) => joined === "against") || ASKS_TWICE.test(reader.original.toLowerCase())
  while (reader.take(MARKER) !== undefined) isMarked = true
  return isMarked
}

const hasTwo = (
  found: ReadonlyArray<{ readonly kind: string }>,
  periods: ReadonlyArray<unknown>,
  outcomes: ReadonlyArray<unknown>,
) =>
  periods.length === 2 ||
  outcomes.length > 1 ||
  [...Map.groupBy(found, ({ kind }) => kind).values()].some((each) => each.length > 1)
