import type { CanonicalFilters } from "../../../deals/filters/filters.ts"
import { isAboutSlips, findMovement } from "./makeFilters.ts"
import type { Unknown, FoundName } from "../names/foundNames.ts"
import type { Aggregate, Base, Dimension } from "../words/lexicon.ts"
import { NOUNS, findNoun } from "../words/lexicon.ts"
import type { Outcome, WorkspaceNames } from "../words/names.ts"
import type { Period, Today } from "../words/periods.ts"
import { findOtherRival, findOwner } from "./rivals.ts"
import type { DateField, Rank } from "./slots.ts"
import { findUnfitGroups } from "./unfitGroups.ts"

interface Parts {
  readonly bases: ReadonlyArray<Base>
  readonly found: ReadonlyArray<FoundName>
  readonly aggregate: Aggregate | undefined
  readonly groups: ReadonlyArray<Dimension>
  readonly head: "deal" | Dimension | undefined
  readonly rank: Rank | undefined
  readonly outcomes: ReadonlyArray<Outcome>
  readonly names: WorkspaceNames
  readonly periods: ReadonlyArray<Period>
  readonly date: DateField | undefined
  readonly conditions: CanonicalFilters
  readonly isShare: boolean
  readonly side: "positive" | "negative" | undefined
  /** In lower case. */
  readonly question: string
  readonly today: Today
}

/** "Which deals will close": a forecast, unless a period bounds the close date. */
const FORECAST =
  /(?<!\p{L})(?:will|going to|gonna|likely to|could|might) (?:we |they )?(?:close|win|lose|be won|be lost|sign|buy)(?!\p{L})/u
/** "The forecast for next quarter". A forecast category is a property, and a forecast view a feature. */
const OWN_FORECAST = /(?<!\p{L})(?:forecasts?|predictions?|projections?)(?! (?:category|categories|view))(?!\p{L})/u
/** Deals move into or out of a stage, and nothing else. */
const MOVED = /(?<!\p{L})(?:moved (?:(?:in)?to|out of)|(?:advanced|progressed) (?:in)?to)(?!\p{L})/iu
/** "When we are up against the incumbent": no filter selects deals that have any. */
const AN_INCUMBENT =
  /(?<=(?:against|with|versus|vs|beat|beating|to|where|when|if|over|having) (?:\p{L}+ ){0,3}?)(?:an|the|any) incumbent(?: (?:vendor|supplier|competitor|there|involved))?(?!\p{L})|(?<!\p{L})(?:competitor|rival|vendor) (?:is|was) (?:the |an )?incumbent(?!\p{L})/u
/** "Which reps have never lost to Orvanta": groups without any such deal, which no filter of deals selects. */
const NEVER = /(?<!\p{L})(?:never|not once|not a single time)(?: \p{L}+)?/u
const COUNT = String.raw`(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten)`
/** "Won deals with at least two competitors": reports bound the deals of a group, and count nothing else in a deal. */
const BOUNDED_GROUPS = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:at least|at most|more than|fewer than|less than|no more than|no less than|exactly|only) ${COUNT}|(?<!(?:top|best|biggest|largest|first) )${COUNT} or (?:more|fewer|less)|multiple|several) (?:different |distinct |other |of our )?(?:${NOUNS.map(({ words }) => words).join("|")})(?!\p{L})`,
  "u",
)
/** "Accounts with both an open renewal and an open expansion": each deal has one type and one outcome. */
const BOTH_DEALS =
  /(?<!\p{L})both (?=[^?.]*(?<!\p{L})and(?!\p{L}))|(?<!\p{L})an? (?:\p{L}+ ){0,2}(?:open|won|lost)(?: \p{L}+){1,2},? and an? (?:\p{L}+ ){0,2}(?:open|won|lost) \p{L}+/u
const HAVING_DEALS =
  /(?<!\p{L})(?:accounts|clients|customers|companies|reps|owners|sellers) (?:with|that|who|which|having)(?!\p{L})/u
/** A ranking by change: reports rank by the number itself. */
const CHANGED_MOST =
  /(?<!\p{L})(?:improv|declin|grew|grow|increas|decreas|dropp|chang|ris(?:e|ing)|rose|f[ae]ll)\p{L}* (?:(?:\p{L}+ ){1,5}the (?:most|least|fastest|quickest)(?= *(?:[?.!,;|]|$)| (?:vs|versus|compared|against|since|over|from|between|than|in|this|last|year|quarter|month)(?!\p{L}))|(?:the )?(?:most|least|fastest|quickest)(?!\p{L}))|(?<!\p{L})(?:most|fastest|biggest|largest)[ -](?:improv|declin|grow|increas|decreas|drop|chang|rise|fall)\p{L}*/u
/** A mean over periods: reports average deals. */
const PERIOD_AVERAGE = /(?<!\p{L})(?:daily|weekly|monthly|quarterly|yearly|annual) averages?(?!\p{L})/u
/** How long deals were in a stage, which reports do not measure. */
const TIME_IN_STAGE =
  /(?<!\p{L})(?:(?:from|between)|(?:stays?|stayed|spends?|spent) in|how long .*(?<!\p{L})(?:in|at))(?: the)?\s*(?:stage )?$/u

/** "In Negotiation for more than 60 days". */
const FOR_LONG =
  /^(?: stage)?[,\s]+(?:for|since|longer than)(?: (?:more|longer|over|less|at) ?(?:than|least)?)? ?(?:\d+|a|two|three|four|six) ?\+?(?:days?|weeks?|months?|d)(?!\p{L})/u
/** "No movement for more than 60 days": reports know how old a deal is, and not what it lacked since a day. */
const UNMOVED =
  /(?<!\p{L})(?:(?:no|without|zero|lack of) (?:\p{L}+ )?(?:movement|progress|activity|changes?)|(?:not|never|n't) (?:been )?(?:moved?|progressed|advanced|changed|touched)|stuck|stalled|stagnant)(?!\p{L})/u
/** "That entered before March": with a stage, its entry. */
const ENTERED = /(?<!\p{L})entered(?!\p{L})/u
/** "What changed since last week?": reports know when a deal was changed, and not what. */
const WHAT_CHANGED = /(?<!\p{L})what(?:'s|s| has| have| is)? (?:changed|new|different)(?!\p{L})/u

/** "The sum of average deal sizes", "the total and average size": a report has one aggregate of a measure. */
const TWO_AGGREGATES =
  /(?<!\p{L})(?:sums?|totals?) (?:of|and) (?:the |our )*(?:averages?|avg|means?|medians?)(?!\p{L})|(?<!\p{L})(?:averages?|avg|means?|medians?) (?:of (?:the |our )*|and )(?:sums?|totals?)(?!\p{L})/u

/** Measures that divide by a quota. Elsewhere "coverage" is a word of documents. */
const QUOTA =
  /(?<!\p{L})(?:(?:quota|target|goal) (?:attainment|coverage|achievement)|attainment|(?:(?:our|my|their|his|her|against|to|on|under|over|above|below|hit|hits|hitting|made|make|makes|meet|met|miss|missed|reach|reached) )(?:the |our |my |their |his |her )?quotas?|(?:pipeline|sales) coverage|coverage ratio|coverage of (?:the |our )?pipeline)(?!\p{L})/u

/** Losses in which no competitor won, in words that name no measure. A reason of the workspace may have this name. */
const NO_DECISION = /(?<!\p{L})(?:no[ -]decisions?|indecision)(?!\p{L})/u
/** Measures of won deals. */
const WON_MEASURES: ReadonlySet<Base> = new Set(["new_clients", "revenue", "amount", "size"])
const CUSTOMERS_HINT =
  "The won deals and the revenue of new clients are known, and those of clients that had won before."
/** The pipelines that are known instead of one of the past. */
export const PIPELINE_HINT =
  "Deals are known as they are now: ask for the pipeline that was created in that time, or for the open pipeline."

const isOther = (said: string): Unknown => ({ said, as: "other" })
const isOfPast = ({ outcomes, bases }: Parts): boolean =>
  outcomes.some((outcome) => outcome !== "open") ||
  bases.some((base) => /^(?:revenue|win_rate|loss_rate|cycle|performance)/.test(base))

const findFuture = ({ periods, today }: Parts): Period | undefined =>
  periods.find(({ from }) => from !== undefined && from > today.now.toISOString().slice(0, 10))

/** The parts of mentions and of reasons are no shares of deals. */
const isShareOfOther = ({ isShare, side, head, groups, found, bases }: Parts): boolean =>
  isShare &&
  (side !== undefined ||
    ((head === "driver" || groups.includes("driver")) && found.some(({ kind }) => kind === "reason")) ||
    bases.some((base) => base === "mentions" || base === "sentiment"))

/** "Average revenue per customer" divides sums; the mean amount by customer is another number. */
const isQuotient = ({ aggregate, groups: [group], bases }: Parts): boolean =>
  aggregate === "average" &&
  group !== undefined &&
  /^(?:client|owner|competitor|feature)$/.test(group) &&
  bases.some((base) => base === "revenue" || base === "pipeline")

const isByDuration = ({ head, rank, bases, outcomes }: Parts): boolean =>
  head === "deal" &&
  (rank?.order === "short" || rank?.order === "long") &&
  bases.length === 0 &&
  !(outcomes.length === 1 && outcomes[0] === "open")

/** Each finds one combination that no report has, and names the part that is in the way. */
const CHECKS: ReadonlyArray<(parts: Parts) => Unknown | undefined> = [
  findUnfitGroups,
  findOtherRival,
  ({ question }) => {
    const changed = CHANGED_MOST.exec(question)
    return changed === null ? undefined : isOther(changed[0])
  },
  ({ question, bases }) => {
    const perPeriod = PERIOD_AVERAGE.exec(question)
    return perPeriod === null || bases.length > 0 ? undefined : isOther(perPeriod[0])
  },
  ({ question, date }) => {
    const changed = date === "updated_at" ? WHAT_CHANGED.exec(question) : null
    return changed === null ? undefined : { said: changed[0], as: "unfit" }
  },
  ({ question, conditions }) => {
    const unmoved = conditions.open_days === undefined ? null : UNMOVED.exec(question)
    return unmoved === null ? undefined : isOther(unmoved[0])
  },
  ({ question, found, date }) =>
    date === "created_at" && ENTERED.test(question) && found.some(({ kind }) => kind === "stage")
      ? { said: "entered", as: "unfit" }
      : undefined,
  ({ question }) => {
    const both = TWO_AGGREGATES.exec(question)
    return both === null ? undefined : { said: both[0], as: "unfit" }
  },
  ({ question, found }) => {
    const stage = found.find(
      ({ kind, start, end }) =>
        kind === "stage" && (TIME_IN_STAGE.test(question.slice(0, start)) || FOR_LONG.test(question.slice(end))),
    )
    return stage === undefined ? undefined : isOther(`the time in ${stage.name}`)
  },
  (parts) => {
    const future = findFuture(parts)
    return future === undefined || !isOfPast(parts) ? undefined : { said: `${future.from} and later`, as: "future" }
  },
  (parts) => {
    const forecast = FORECAST.exec(parts.question)
    return forecast === null || (parts.periods.length > 0 && !isOfPast(parts))
      ? undefined
      : { said: forecast[0], as: "future" }
  },
  ({ question, found }) => {
    const quota = QUOTA.exec(question)
    return quota === null || found.some(({ kind, said }) => kind === "competitor" || QUOTA.test(said.toLowerCase()))
      ? undefined
      : { said: quota[0], as: "quota" }
  },
  // Reports count the losses to no decision, and have no amount of them.
  ({ question, found, bases }) => {
    const undecided = bases.length === 1 && bases[0] === "lost_no_decision" ? null : NO_DECISION.exec(question)
    return undecided === null || found.some(({ said }) => NO_DECISION.test(said.toLowerCase()))
      ? undefined
      : { said: undecided[0], as: "unfit" }
  },
  // A new client has won its first deal.
  ({ bases, conditions, outcomes, date }) =>
    (bases.includes("new_clients") || conditions.first_won === true) &&
    (outcomes.some((outcome) => outcome !== "won") || (date !== undefined && date !== "close_date"))
      ? { said: "new clients", as: "unfit" }
      : undefined,
  // The first won deal of a client is known among won deals, and not what a client was when a deal was lost.
  ({ conditions: { first_won: isFirst }, outcomes, bases }) => {
    const isOfWon = outcomes.join(" ") === "won" || (outcomes.length === 0 && bases.includes("revenue"))
    const isOfOther = isFirst === true && bases.some((base) => !WON_MEASURES.has(base))
    return (isFirst !== false || isOfWon) && !isOfOther
      ? undefined
      : { said: isFirst === true ? "new customers" : "existing customers", as: "unfit", hint: CUSTOMERS_HINT }
  },
  // The open deals that should have closed then are overdue, and no pipeline of that time.
  ({ bases, periods, date, outcomes, conditions, today }) => {
    const day = today.now.toISOString().slice(0, 10)
    const isOver = periods.length > 0 && periods.every(({ to }) => to !== undefined && to < day)
    const isOpen = outcomes.every((outcome) => outcome === "open") && conditions.overdue === undefined
    return isOver && isOpen && date === undefined && bases.includes("pipeline")
      ? { said: "the pipeline of a time that is over", as: "unfit", hint: PIPELINE_HINT }
      : undefined
  },
  // A question about deals that entered or left a stage names one stage, or groups by stages.
  ({ bases, found, groups, head }) => {
    const stages = found.filter(({ kind }) => kind === "stage")
    const isGrouped = [head, ...groups].includes("status")
    const isClear = stages.length === 1 ? !stages[0]!.negated && !isGrouped : stages.length === 0 && isGrouped
    const movement = findMovement(bases)
    return movement === undefined || (isClear && bases.length === 1)
      ? undefined
      : { said: movement === "stage_entered" ? "entered" : "left", as: "unfit" }
  },
  // Close dates of some quarters are unknown, so a share or a comparison of two periods can be wrong.
  (parts) =>
    isAboutSlips(parts) && (parts.periods.length > 1 || parts.isShare) ? { said: "slipped", as: "unfit" } : undefined,
  ({ bases, head, question }) => {
    const moved = head === "deal" && findMovement(bases) === undefined ? MOVED.exec(question) : null
    return moved === null ? undefined : { said: moved[0], as: "unfit" }
  },
  ({ question, found }) => {
    const incumbent = found.some(({ role }) => role === "incumbent") ? null : AN_INCUMBENT.exec(question)
    return incumbent === null
      ? undefined
      : { said: incumbent[0], as: "unfit", hint: "Ask for one by name, or for numbers by incumbent." }
  },
  ({ question, head }) => {
    const never = head === undefined || head === "deal" ? null : NEVER.exec(question)
    return never === null ? undefined : { said: never[0], as: "unfit" }
  },
  ({ question, found, outcomes, head }) => {
    const isOfGroups = (head !== undefined && head !== "deal") || HAVING_DEALS.test(question)
    const both = isOfGroups ? BOTH_DEALS.exec(question) : null
    const isOfTwo = outcomes.length > 1 || found.filter(({ kind }) => kind === "deal_type").length > 1
    return both === null || !isOfTwo ? undefined : { said: both[0].trim(), as: "unfit" }
  },
  ({ question }) => {
    const bounded = BOUNDED_GROUPS.exec(question)
    return bounded === null
      ? undefined
      : {
          said: bounded[0],
          as: "unfit",
          ...(/competitor|rival/u.test(bounded[0]) && {
            hint: "Ask for deals with a competitor, or without competitors.",
          }),
        }
  },
  (parts) => {
    const { question, found } = parts
    if (found.some(({ said }) => OWN_FORECAST.test(said.toLowerCase())) || FORECAST.test(question)) return undefined
    const predicted = OWN_FORECAST.exec(question)
    const isKnown = parts.bases.includes("amount_weighted") || parts.conditions.crm_filters !== undefined
    return predicted === null || (isKnown && findFuture(parts) === undefined)
      ? undefined
      : { said: predicted[0], as: "future" }
  },
  ({ question, head, bases, found }) => {
    const isAdvice = head !== undefined && ADVISED.has(head) && bases.length === 0 && found.length === 0
    const advice = isAdvice ? ADVICE.exec(question) : null
    return advice === null ? undefined : { said: advice[0], as: "unfit" }
  },
  // "The ten biggest lost deals, with the competitor": the lines of a list say none.
  ({ question, head, rank }) => {
    const beside = head === "deal" && rank !== undefined ? BESIDE.exec(question) : null
    return beside === null ? undefined : { said: beside[0], as: "unfit" }
  },
  // A number of deals says no day.
  ({ question, head, rank }) =>
    head === undefined && rank === undefined && ASKS_WHEN.test(question) ? { said: "when", as: "unfit" } : undefined,
  // The share of the ten largest together is no row of a report.
  ({ isShare, rank }) =>
    isShare && (rank?.limit ?? 1) > 1 ? { said: `share of the ${rank?.word} ${rank?.limit}`, as: "unfit" } : undefined,
  (parts) => (isShareOfOther(parts) ? isOther("share") : undefined),
  ({ found, question }) => {
    const rival = findOwner(found, question)
    return rival === undefined ? undefined : { said: rival.name, as: "foreign" }
  },
  ({ bases, found, names }) => {
    if (!bases.some((base) => /^(?:win|loss|renewal)_rate/.test(base))) return undefined
    const open = new Set(names.stages.flatMap(({ name, category }) => (category === "open" ? [name] : [])))
    const stage = found.find(({ kind, name }) => kind === "stage" && open.has(name))
    return stage === undefined ? undefined : { said: stage.name, as: "conflict" }
  },
  (parts) => {
    const [group = ""] = parts.groups
    return isQuotient(parts) ? isOther(`average … per ${findNoun(group)?.one ?? group}`) : undefined
  },
  (parts) => (isByDuration(parts) ? isOther(parts.rank!.word) : undefined),
  ({ conditions, periods }) =>
    "close_date" in conditions && periods.length > 0 ? { said: "two periods", as: "conflict" } : undefined,
]

const ASKS_WHEN =
  /^\W*(?:(?:and|so|but)\W+)*when (?:did (?:we|they) (?:lose|win|close|sign)|(?:do|will|are|should) (?:\p{L}+ ){1,4}(?:close|closing|due))(?!\p{L})/u
const BESIDE =
  /(?<![\p{L}\p{N}])(?:and|with|along with|together with|plus|including) (?:the|their|its|each|each deal's) (?:main |primary )?(?:competitors?|rivals?|reasons?|features?|regions?|industr(?:y|ies)|products?)(?=\W*$)/u
const ADVISED: ReadonlySet<string> = new Set(["region", "industry", "segment", "deal_type", "product_label", "owner"])
/** "Which industries should we get out of?" asks for advice, which no count gives. */
const ADVICE = /(?<!\p{L})(?:should|shall|ought) (?:we|i)(?: to)?(?: \p{L}+)?/u

/** Parts that are understood one by one, but that no report combines: answering without one of them would be wrong. */
export const findUnfit = (parts: Parts): ReadonlyArray<Unknown> => CHECKS.flatMap((check) => check(parts) ?? [])
