import type { CanonicalFilters } from "../../deals/filters.ts"
import { QuestionReader } from "../QuestionReader.ts"
import { takeAmount, takeScores } from "./amounts.ts"
import { takeComparison, takeGrain, takeTrend } from "./comparisons.ts"
import { takeConditions, takeDate, takeOutcomes, takeSide } from "./conditions.ts"
import { takeGroups, takeHead, takeRank, takeRest } from "./heads.ts"
import { AGGREGATES, type Aggregate, type Base, BASES, DEAL, phrase } from "./lexicon.ts"
import { findDoubtful, takeNames, type WorkspaceNames } from "./names.ts"
import { takeMetrics } from "./metricNames.ts"
import { takePeriods, type Today } from "./periods.ts"
import { takeProperties } from "./properties.ts"
import type { Slots } from "./slots.ts"
import { describeUnread } from "./unread.ts"

/** "What share of X is Y": X is between the first pattern and the second. */
const LIKES =
  /(?<!\p{L})what (?:features? )?(?:do|did) (?:our |the )?(?:customers|clients|buyers|prospects|people|they) (?:really |mostly )?(?=like|love|dislike|hate|complain|praise)/u

const SHARE = phrase(
  String.raw`(?:(?:what(?:'s| is| are)?|which|the|how (?:much|big|large|high|many)) )*(?:an? |the )?(?:share|percentage|percent|proportion|part|fraction|portion|%|pct)s? of|how (?:much|many) of`,
)
/** "Revenue mix by product": the share of each group. */
const MIX = phrase(String.raw`(?:mix|distribution|in percent)(?= (?:by|per|across|of) )`)
const ACCOUNTS_FOR = phrase("accounts? for|makes? up|contributes?(?: to)?|represents?")
const IN_PERCENT = phrase("in percent|percent(?:age)?|pct")
/** "What do customers ask for most?" */
const WISHES = phrase(
  String.raw`what (?:features? )?(?:do|did|are|have) (?:our |the )?(?:customers|clients|buyers|prospects|accounts|people|they) (?:mostly |usually |often )?(?:ask(?:ed|ing)?(?: us)? for|want|request(?:ed|ing)?|wish for|demand)`,
)
const OF_WHICH = phrase(
  String.raw`is|are|was|were|involves?|involved|includes?|included|comes? from|came from|go(?:es)? to|went to|have|has|had|names?|mentions?|do|did|belongs? to|sits? in|lies in|against|with|ends? up|(?:got )?lost|won`,
)

/** Reads a question slot by slot. Each step takes the words that it understands; `unknown` has the words that no step took. */
export const parse = (question: string, names: WorkspaceNames, today: Today): Slots => {
  const reader = new QuestionReader(question)
  const properties = takeProperties(reader, names.properties)
  // A name can contain any word, so names are taken before words.
  const found = takeNames(reader, names)
  const asksForFeatures = reader.take(WISHES) !== undefined || reader.take(LIKES) !== undefined
  const share = takeShare(reader, names, today)
  const { having, ...conditions } = takeConditions(reader)
  const scores = takeScores(reader)
  const comparison = takeComparison(reader, today)
  const periods = takePeriods(reader, today)
  const amount = takeAmount(reader)
  const metric = takeMetrics(reader, names)
  const bases = takeBases(reader)
  if (metric !== undefined) bases.unshift(metric)
  if (asksForFeatures) bases.push("mentions")
  // "Better" compares how often we win.
  if (bases.length === 0 && /(?<!\p{L})(?:better|worse) (?:at|in|with|against)(?!\p{L})/u.test(reader.text))
    bases.push("win_rate")
  const aggregate = takeAggregate(reader)
  const trend = takeTrend(reader, bases.length > 0)
  const grouped = [...properties.groups, ...takeGroups(reader)]
  const grain = takeGrain(reader) ?? (trend && comparison === undefined && periods.length === 0 ? "quarter" : undefined)
  const rank = takeRank(reader)
  const side = takeSide(reader)
  const head = takeHead(reader, rank !== undefined)
  const { outcomes, isBoth } = takeOutcomes(reader)
  const date = takeDate(reader)
  const rest = takeRest(reader, head.head, grouped)
  const isNamed =
    comparison === undefined &&
    hasTwo(found, periods, outcomes) &&
    (takeMarker(reader, found) || periods.length === 2 || (isBoth && head.counts))
  const filters: CanonicalFilters = {
    ...conditions.filters,
    ...scores,
    ...(amount !== undefined && { amount }),
    ...(properties.filters.length > 0 && { crm_filters: properties.filters }),
  }
  return {
    bases,
    aggregate,
    counts: head.counts,
    head: asksForFeatures ? "feature" : rest.head,
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
      : (comparison?.compare ?? (trend && periods.length === 1 ? "previous_period" : undefined)),
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
      ...(outcomes.includes("open") && bases.some((base) => base.endsWith("rate"))
        ? [{ said: "open", as: "conflict" } as const]
        : []),
      ...describeUnread(reader),
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

/** What a share can be of. */
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
