import type { CanonicalFilters } from "../../deals/filters.ts"
import { QuestionReader } from "../QuestionReader.ts"
import { takeAmount, takeScores } from "./amounts.ts"
import { stepOf, takeComparison, takeGrain, takeTrend } from "./comparisons.ts"
import { takeConditions, takeDate, takeOutcomes, takeSide } from "./conditions.ts"
import { takeGroups, takeHead, takeRank, takeRest } from "./heads.ts"
import { AGGREGATES, type Aggregate, type Base, BASES, DEAL, phrase } from "./lexicon.ts"
import { findDoubtful, type FoundName, takeNames } from "./foundNames.ts"
import type { WorkspaceNames } from "./names.ts"
import { takeMetrics } from "./metricNames.ts"
import { takePeriods, type Today } from "./periods.ts"
import { takeProperties } from "./properties.ts"
import type { Slots } from "./slots.ts"
import { findUnfit } from "./unfit.ts"
import { describeUnread, takeJoins } from "./unread.ts"

/** "What share of X is Y": X is between the first pattern and the second. */
const LIKES =
  /(?<!\p{L})(?:what|which) (?:features? )?(?:do|did) (?:our |the )?(?:customers|clients|buyers|prospects|people|they) (?:really |mostly |usually |often )?(?=like|love|dislike|hate|complain|praise)/u

const SHARE = phrase(
  String.raw`(?:(?:what(?:'s| is| are)?|which|the|how (?:much|big|large|high|many)) )*(?:an? |the )?(?:share|percentage|percent|proportion|part|fraction|portion|%|pct)s? of|how (?:much|many) of`,
)
/** "Revenue mix by product": the share of each group. */
const MIX = phrase(String.raw`(?:mix|distribution|in percent)(?= (?:by|per|across|of) )`)
const ACCOUNTS_FOR = phrase("accounts? for|makes? up|contributes?(?: to)?|represents?")
/** "When did we lose the most?" */
const WHEN = /^[^\p{L}]*(?:(?:and|but|so) )?when (?:did|do|have|was|were)(?!\p{L})/u
const TOGETHER = phrase("(?:taken |put |all |both )?together|combined|added up|jointly")
const joinByOr = (name: FoundName): FoundName => (name.joined === "and" ? { ...name, joined: "or" } : name)
/** "Won against lost" compares; "won or lost" means both. */
const WON_OR_LOST =
  /(?<!\p{L})(?:won|wins?)(?: deals| ones)?,? (?:against|versus|vs\.?|compared (?:to|with)) (?:the )?(?:lost|loss|losses)(?!\p{L})|(?<!\p{L})(?:lost|loss|losses)(?: deals| ones)?,? (?:against|versus|vs\.?|compared (?:to|with)) (?:the )?(?:won|wins?)(?!\p{L})/u
const IN_PERCENT = phrase("in percent|percent(?:age)?|pct")
/** "What do customers ask for most?" */
const WISHES = phrase(
  String.raw`(?:what|which) (?:features? )?(?:do|did|are|have) (?:our |the )?(?:customers|clients|buyers|prospects|accounts|people|they) (?:mostly |usually |often )?(?:ask(?:ed|ing)?(?: us)? for|want|request(?:ed|ing)?|wish for|demand)`,
)
/** "An overview of the pipeline", "summarize last quarter": what the numbers are about follows. */
const SUMMARY = phrase(
  String.raw`(?:(?:(?:give|show|get|send) (?:me|us) )?(?:an? |the )?(?:(?:quick|short|brief|high[- ]level|executive) )*(?:overview|summary|run-?down|recap|snapshot)|summari[sz]e|(?:brief|update) (?:me|us))(?: (?:of|on|about|for)(?!\p{L}))?`,
)
const OF_WHICH = phrase(
  String.raw`is|are|was|were|involves?|involved|includes?|included|comes? from|came from|go(?:es)? to|went to|have|has|had|names?|mentions?|do|did|belongs? to|sits? in|lies in|against|with|ends? up|(?:got )?lost|won`,
)

const MAX_PARSED = 64
const parsed = new WeakMap<WorkspaceNames, Map<string, Slots>>()

/**
 * Reads a question slot by slot. Each step takes the words that it understands; `unknown` has the words that no step took. Remembers the last
 * questions with these names, because a turn of a conversation is read several times.
 */
export const parse = (question: string, names: WorkspaceNames, today: Today): Slots => {
  const known = parsed.get(names) ?? new Map<string, Slots>()
  parsed.set(names, known)
  const key = [today.now.getTime(), today.fiscalStart, today.near, question].join(" ")
  const found = known.get(key) ?? parseAnew(question, names, today)
  if (known.size >= MAX_PARSED) known.clear()
  known.set(key, found)
  return found
}

const parseAnew = (question: string, names: WorkspaceNames, today: Today): Slots => {
  const reader = new QuestionReader(question)
  const properties = takeProperties(reader, names.properties)
  // A name can contain any word, so names are taken before words.
  const taken = takeNames(reader, names)
  reader.keepCountry()
  // "Flow and Ledger together" adds both up; "Flow and Ledger" means deals with both.
  const found = reader.take(TOGETHER) === undefined ? taken : taken.map(joinByOr)
  const asksForFeatures = reader.take(WISHES) !== undefined || reader.take(LIKES) !== undefined
  const summarizes =
    !found.some(({ kind }) => kind === "competitor" || kind === "client") && reader.take(SUMMARY) !== undefined
  const share = takeShare(reader, names, today)
  const { having, ...conditions } = takeConditions(reader, today)
  const scores = takeScores(reader)
  const compared = takeComparison(reader, today)
  const periods = takePeriods(reader, today)
  const step = stepOf(compared, periods)
  const comparison = step === undefined ? compared : undefined
  const amount = takeAmount(reader)
  const metric = takeMetrics(reader, names)
  // Before the measures, for "by pipeline stage" and "by feature request" name groups.
  const grouped = [...properties.groups, ...takeGroups(reader)]
  const bases = takeBases(reader)
  if (metric !== undefined) bases.unshift(metric)
  if (asksForFeatures) bases.push("mentions")
  // "Better" compares how often we win.
  if (bases.length === 0 && /(?<!\p{L})(?:better|worse) (?:at|in|with|against)(?!\p{L})/u.test(reader.text))
    bases.push("win_rate")
  const aggregate = takeAggregate(reader)
  const trend = takeTrend(reader, bases.length > 0)
  const saidGrain = takeGrain(reader)
  const rank = takeRank(reader)
  const isSince = periods.length === 1 && periods[0]?.to === undefined
  const grain =
    saidGrain ??
    step ??
    (trend && comparison === undefined && periods.length === 0
      ? "quarter"
      : (trend && isSince) || (rank !== undefined && WHEN.test(reader.text))
        ? "month"
        : undefined)
  const side = takeSide(reader)
  const head = takeHead(reader, rank !== undefined)
  if (found.some(({ kind }) => kind === "owner")) reader.take(phrase("my"))
  if (bases.some((base) => base.endsWith("rate") || base === "win_rate_by_amount"))
    reader.take(phrase("(?:in |as an? )?(?:percent(?:age)?|%)"))
  const comparesOutcomes = WON_OR_LOST.test(reader.text)
  const { outcomes, isBoth } = takeOutcomes(reader)
  const date = takeDate(reader)
  // "Did it help us more than it hurt us?"
  if (side.isBoth && found.some(({ kind }) => kind === "reason")) {
    grouped.push({ dimension: "driver_effect", index: 0 })
    while (reader.take(MARKER) !== undefined);
  }
  const rest = takeRest(reader, head.head, grouped)
  const isNamed =
    comparison === undefined &&
    hasTwo(found, periods, outcomes) &&
    (takeMarker(reader, found) || comparesOutcomes || periods.length === 2 || (isBoth && head.counts))
  // "Top feature requests in lost deals" ranks the features, not the deals.
  const isOfRequests = rank !== undefined && bases.includes("mentions") && rest.head === "deal" && !head.counts
  // "The biggest renewals we lost" and "biggest win last quarter" are deals.
  const isOfDeals =
    rank !== undefined &&
    rest.head === undefined &&
    rest.groups.length === 0 &&
    grain === undefined &&
    bases.length === 0 &&
    !asksForFeatures &&
    (outcomes.length > 0 || found.some(({ kind }) => kind === "deal_type"))
  takeJoins(reader)
  const unread = describeUnread(reader)
  if (summarizes && bases.length === 0 && outcomes.length === 0 && unread.length === 0) bases.push("performance")
  // "Orvanta vs Nimbrel" compares how we do.
  if (
    isNamed &&
    bases.length === 0 &&
    !head.counts &&
    rest.head === undefined &&
    outcomes.length === 0 &&
    !side.asksWhy
  )
    bases.push("performance")
  const filters: CanonicalFilters = {
    ...conditions.filters,
    ...scores,
    ...(amount !== undefined && { amount }),
    ...properties.filters,
  }
  const unfit = findUnfit({
    bases,
    found,
    aggregate,
    groups: rest.groups,
    head: rest.head,
    rank,
    outcomes,
    names,
    periods,
    conditions: conditions.filters,
    isShare: share !== undefined,
    side: side.side,
    question: reader.original.toLowerCase(),
    today,
  })
  return {
    bases,
    aggregate,
    counts: head.counts,
    head: isOfDeals ? "deal" : asksForFeatures || isOfRequests ? "feature" : rest.head,
    isSingular: head.isSingular,
    lists: head.lists,
    groups: rest.groups,
    grain,
    rank,
    outcomes: share?.outcomes ?? outcomes,
    names: found,
    conditions: filters,
    having,
    date: date?.field,
    periods: periods.length > 0 ? periods : (comparison?.periods ?? []),
    compare: isNamed
      ? "named"
      : (comparison?.compare ?? (trend && periods.length === 1 && !isSince ? "previous_period" : undefined)),
    asksWhy: side.asksWhy,
    side: side.side,
    whole: share?.whole,
    isShare: share !== undefined,
    unknown: [
      ...findDoubtful(found, conditions.filters, outcomes, names),
      ...(date !== undefined && periods.length === 0 && grain === undefined && !isOutcomeWord(date.said)
        ? [{ said: date.said, as: "other" } as const]
        : []),
      ...(amount?.min !== undefined && amount.max !== undefined && amount.min > amount.max
        ? [{ said: "two amounts", as: "conflict" } as const]
        : []),
      ...(periods.length > 2 ? [{ said: "several periods", as: "other" } as const] : []),
      ...unfit,
      ...(/(?<!\p{L})with (?:and|or|vs\.?|versus) without(?!\p{L})/u.test(question.toLowerCase())
        ? [{ said: "with and without", as: "other" } as const]
        : []),
      ...(outcomes.includes("open") && bases.some((base) => base.endsWith("rate"))
        ? [{ said: "open", as: "conflict" } as const]
        : []),
      // A word of a part that is explained as a whole is not explained again.
      ...unread.filter(({ said }) => !unfit.some((part) => part.said.includes(said.toLowerCase()))),
    ],
    today,
  }
}

/** "Closed" without a period means won or lost. */
const isOutcomeWord = (said: string) => said.startsWith("clos")

const MONEY: ReadonlySet<Base> = new Set(["revenue", "pipeline", "size", "amount"])

/** Takes the bases in order. "How much revenue" has one: the more exact. */
const takeBases = (reader: QuestionReader): Array<Base> => {
  const taken = BASES.flatMap(([base, pattern]) => {
    const first = reader.take(pattern)
    while (reader.take(pattern) !== undefined);
    return first === undefined ? [] : [{ base, index: first.index }]
  })
  const money = taken.find(({ base }) => MONEY.has(base))?.base
  return taken
    .filter(({ base }) => base !== "amount" || money === "amount")
    .toSorted((a, b) => a.index - b.index)
    .map(({ base }) => base)
}

const takeAggregate = (reader: QuestionReader): Aggregate | undefined => {
  const taken = AGGREGATES.flatMap(([aggregate, pattern]) => (reader.take(pattern) === undefined ? [] : [aggregate]))
  return taken[0]
}

const takeShare = (reader: QuestionReader, names: WorkspaceNames, today: Today) => {
  const share = reader.take(SHARE)
  if (share === undefined) return reader.take(MIX) === undefined ? undefined : { whole: undefined, outcomes: undefined }
  reader.take(ACCOUNTS_FOR)
  reader.take(IN_PERCENT)
  const from = share.index + share[0].length
  const among = /(?<!\p{L})(?:among|amongst|within|out of)(?: (?:the|our|all))*(?!\p{L})/u.exec(reader.text.slice(from))
  if (among !== null) {
    reader.takeRange(from + among.index, from + among.index + among[0].length)
    return {
      whole: parse(reader.original.slice(from + among.index + among[0].length), names, today),
      outcomes: undefined,
    }
  }
  const verb = findVerb(reader.text.slice(from))
  if (verb === undefined) return { whole: undefined, outcomes: undefined }
  // In "what percentage of decided deals do we win" the part is the wins, of which "decided" says nothing.
  const { outcomes } = takeOutcomes(new QuestionReader(reader.original.slice(from + verb)))
  return {
    whole: parse(reader.original.slice(from, from + verb), names, today),
    outcomes: outcomes.length > 0 ? outcomes : undefined,
  }
}

/** Words for the whole that a share can be of. */
const WHOLES = phrase(
  `${DEAL}|pipe(?:line)?|revenues?|arr|bookings?|loss(?:es)?|wins?|business|amounts?|values?|customers?|clients?|accounts?|mentions|requests`,
)

/** Where the verb after the whole begins: in "won deals had Orvanta" it is "had". */
const findVerb = (text: string): number | undefined => {
  const whole = WHOLES.exec(text)
  const from = whole === null ? 0 : whole.index + whole[0].length
  const verb = OF_WHICH.exec(text.slice(from))
  return verb === null ? undefined : from + verb.index
}

const MARKER = phrase(
  String.raw`(?:is|are|do|does|did)? ?(?:more|less|fewer|better|worse|higher|lower|bigger|smaller|larger|faster|slower|longer|shorter|differ\p{L}*|compar\p{L}*|versus|vs\.?|stacks? up)(?: often| frequently)?|than`,
)

/** Takes the words that compare: "more", "versus", "than". */
const takeMarker = (reader: QuestionReader, found: ReadonlyArray<{ readonly joined?: string | undefined }>) => {
  let isMarked = found.some(({ joined }) => joined === "against")
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
