import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Deals } from "../../deals/Deals.ts"
import { ViewerLinks } from "../../library/viewer/ViewerLinks.ts"
import { Reports } from "../../reports/Reports.ts"
import { DealRecords } from "../../search/DealRecords.ts"
import { Database } from "../../storage/Database.ts"
import { type AnswerEvent, AnswerFailed, type Message, text } from "../Answerer.ts"
import type { Citation } from "../citation.ts"
import { asText } from "../citations/markdown.ts"
import { type DealAnswer, DealQuestions } from "../DealQuestions.ts"
import { FigureLinks } from "../figures/FigureLinks.ts"
import { answerRow, askWhichRow } from "./reply/answered.ts"
import { answerOneDeal } from "./reply/answerOneDeal.ts"
import type { Reading } from "./turns/conversation.ts"
import type { Corrected } from "./plan/correct.ts"
import { answerPlans, askWhich, interpret, MAX_LENGTH, settleChoices, findTurns } from "./choices.ts"
import { findCourtesy, describeWorkspace } from "./reply/holdings.ts"
import { briefOn, listRivals } from "./reply/brief.ts"
import { briefedName, nameInFull } from "./reply/briefedName.ts"
import { citeDeals, selectDeals } from "./reply/listedDeals.ts"
import type { Unknown } from "./names/foundNames.ts"
import { DEAL, phrase } from "./words/lexicon.ts"
import { loadNames } from "./names/loadNames.ts"
import type { WorkspaceNames } from "./words/names.ts"
import type { Plan } from "./plan/plan.ts"
import { asksRivals } from "./turns/ofList.ts"
import { clientOfDeal } from "./reply/oneDeal.ts"
import { readQuestions } from "./readQuestions.ts"
import type { AnsweredRow } from "./turns/references.ts"
import { explainDoubt, explainUnknown, NOT_COMBINABLE } from "./reply/refusal.ts"
import { translate } from "./languages/translate.ts"
import { sayReading } from "../reader/wording.ts"
import type { Slots } from "./parse/slots.ts"
import { writeDealLine } from "./reply/writeDeals.ts"

/** A short question about ourselves that no text answers is refused by the word that is not understood. */
const OURS = /\b(?:[Ww]e|[Oo]ur|us|[Ww]ho)\b/
const MAX_SHORT_WORDS = 8

type Asked = Effect.Success<ReturnType<typeof readQuestions>>

/** Answers questions about numbers by reports, and lists deals. Refuses a question that it understands only in part. */
export const layerDealQuestions = Layer.effect(
  DealQuestions,
  Effect.gen(function* () {
    const context = yield* Effect.context<Database | Deals | DealRecords | FigureLinks | Reports | ViewerLinks>()
    const { together } = yield* FigureLinks

    const answer = Effect.fnUntraced(function* (org: string, messages: ReadonlyArray<Message>) {
      const said = lastQuestion(messages)
      if (said.length > MAX_LENGTH) return Option.none()
      const courtesy = findCourtesy(said)
      if (courtesy !== undefined) {
        const names = yield* loadNames(org, said)
        return reply("certain", [text(yield* describeWorkspace(org, names, courtesy))])
      }
      const recent = yield* settleChoices(org, findTurns(messages))
      const question = recent.at(-1) ?? ""
      const asked = yield* readQuestions(org, recent)
      const { names, reading, last, reference, before } = asked
      if (reading === undefined || last === undefined) return Option.none()
      if (reference?.kind === "unclear") return reply("certain", [text(askWhichRow(reference.said, reference.rows))])
      if (reference?.kind === "row")
        return before === undefined ? Option.none() : yield* answerReferred(org, before, reference.row, names)
      const meant = reference?.kind === "rows" ? reference : undefined
      const deal = findDeal(meant)
      if (deal !== undefined)
        return yield* answerAboutDeal(org, translate(question, names.names), meant!.question, deal, names)
      const briefed = briefedName(last.question, reading.slots)
      const named =
        briefed === undefined
          ? yield* answerReading(org, question, reading, last, asked)
          : reply("certain", yield* briefOn(org, briefed))
      const isChosen = question !== said
      const sought = meant?.question ?? nameInFull(question, last, reading.slots) ?? (isChosen ? question : undefined)
      return sought === undefined ? named : withQuestion(named, sought)
    })

    const answerReading = Effect.fnUntraced(function* (
      org: string,
      question: string,
      reading: Reading,
      last: Corrected,
      read: Asked,
    ) {
      const { names, today, effort } = read
      const client = clientOfDeal(last.question, reading.slots)
      if (client !== undefined && reading.slots.unknown.length === 0)
        return reply("certain", yield* answerOneDeal(org, client.said, reading.slots, names))
      const { plans, unknown, second, alternatives, predict } = yield* interpret(reading, last, read)
      if (alternatives.length > 1 && !isWhyOfClient(reading.slots)) {
        const isForTexts = second.kind === "differs" && second.isForTexts
        const isSettled = unknown.length > 0 || isCertain(alternatives[0]!.slots, alternatives[0]!.plans)
        const events = [...(yield* askWhich(org, alternatives, names)), ...corrected(last)]
        return reply(isForTexts ? "refused" : isSettled ? "certain" : "understood", events)
      }
      if (second.kind === "read") {
        const events = yield* answerPlans(org, second.plans, second.slots, names)
        return reply(isCertain(second.slots, second.plans) ? "certain" : "understood", [
          ...events,
          ...corrected(last),
          text(`\n${sayReading(second.plans)}\n`),
        ])
      }
      if (second.kind === "differs") {
        const certainty = second.isForTexts ? "refused" : isCertain(reading.slots, plans) ? "certain" : "understood"
        return reply(certainty, [text(explainDoubt(last.question, alternatives, names, today, predict))])
      }
      if (unknown.length > 0) {
        yield* Effect.yieldNow
        const foreign = unknown.filter(({ as }) => as === "foreign")
        if (foreign.length > 0)
          return reply("foreign", [text(explainUnknown(last.question, foreign, names, today, effort, predict))])
        const isAmbiguous = last.ambiguous.length > 0 || unknown.some(({ several }) => several !== undefined)
        const explained = explainUnknown(last.question, unknown, names, today, effort, predict)
        return reply(judgeUnknown(question, reading.slots, unknown, isAmbiguous), [text(explained)])
      }
      if (plans.length === 0)
        return reply("unclear", [text(explainUnknown(last.question, [], names, today, effort, predict))])
      const events = [...(yield* answerPlans(org, plans, reading.slots, names)), ...corrected(last)]
      // The texts about one client's deal say more about why than its recorded reasons.
      if (isWhyOfClient(reading.slots)) return reply("refused", events)
      return reply(isCertain(reading.slots, plans) ? "certain" : "understood", events)
    })

    return DealQuestions.of({
      answer: Effect.fn("DealQuestions.answer")(
        (org, messages) => together(org, answer(org, messages)),
        Effect.catchTag("BadRequest", () => Effect.succeed(reply("certain", [text(NOT_COMBINABLE)]))),
        Effect.catchTag("DatabaseUnavailable", AnswerFailed.by),
        Effect.catchTag("NotFound", Effect.die),
        Effect.provide(context),
      ),
      brief: Effect.fn("DealQuestions.brief")(
        (org, subject) => together(org, briefOn(org, subject)),
        Effect.catchTag("DatabaseUnavailable", AnswerFailed.by),
        Effect.catchTags({ BadRequest: Effect.die, NotFound: Effect.die }),
        Effect.provide(context),
      ),
    })
  }),
)

const lastQuestion = (messages: ReadonlyArray<Message>) =>
  messages.findLast(({ role }) => role === "user")?.content.trim() ?? ""

const withQuestion = (answer: Option.Option<DealAnswer>, question: string) =>
  Option.some({ ...Option.getOrElse(answer, () => NO_ANSWER), question })

const DEALS = phrase(DEAL)

/** Parts with which no text helps either. */
const SETTLED: ReadonlySet<Unknown["as"]> = new Set(["future", "unfit", "quota", "unanswered"])

/** "How many leads do we have?": what nothing here counts is in no text either. */
const COUNTS_OURS =
  /^\W*how many (?:\p{L}+ )?(?:leads|contacts|prospects|tasks|activities|tickets|campaigns|visitors|trials|mqls|sqls) (?:do|did|have|are) (?:we|i|there)(?!\p{L})/iu

const WRITTEN_OUT =
  /(?<!\p{L})(?:what|why|how|who|whose|which|when|where|do|does|did|is|are|was|has|have|had|the|we|our|us|they|their|any|tell|quotes?|because)(?!\p{L})/iu

const IS_MEASURE = /(?<!\p{L})(?:scores?|rates?|ratios?|values?|margins?|index|average|satisfaction)$/iu

const WE_DID = /^\W*how (?:much|many) (?:[\p{L}-]+ ){0,4}(?:did|have|do) we(?!\p{L})/iu

/** Whether only the table of deals can answer, whatever part of the question is unknown. */
const isOfTable = (question: string, slots: Slots, unknown: ReadonlyArray<Unknown>, isShort: boolean): boolean =>
  // Close dates stand in no text.
  unknown.some(({ said, as }) => said === "when" && as === "unfit") ||
  COUNTS_OURS.test(question) ||
  // "Lost Tallowmark LY": deals are asked for in so few words.
  (isShort &&
    slots.outcomes.length > 0 &&
    slots.names.length > 0 &&
    !isOfClient(slots) &&
    !WRITTEN_OUT.test(question)) ||
  // "The health score of our clients": a text of one of them says nothing of all.
  (slots.names.length === 0 && unknown.some(({ said }) => IS_MEASURE.test(said))) ||
  // "How much did we lose to Orvanta on price": amounts stand in no text.
  (slots.outcomes.length > 0 && (slots.counts || slots.bases.includes("amount")) && WE_DID.test(question)) ||
  (isOfDeals(slots, isShort) &&
    (slots.counts || slots.rank !== undefined || slots.head === "driver" || DEALS.test(question.toLowerCase())))

/** How certain it is that the question is one about deals although parts of it are unknown. */
const judgeUnknown = (
  question: string,
  slots: Slots,
  unknown: ReadonlyArray<Unknown>,
  isAmbiguous: boolean,
): DealAnswer["certainty"] => {
  const isShort = question.split(/\s+/).length <= MAX_SHORT_WORDS
  // A text may have words of a number that nobody records; the refusal stays.
  const isSettled = unknown.some(({ as }) => SETTLED.has(as)) && !isOfClient(slots)
  if (isAmbiguous || isSettled || isOfTable(question, slots, unknown, isShort)) return "certain"
  const asksAboutUs = OURS.test(question) && isShort
  // "What does Orvanta charge per day?": a period or group beside one competitor asks for no number of ours, and its texts may have the other words.
  const isOfRival = slots.head !== "deal" && isOfOneCompetitor(slots)
  if (isAboutNumbers(isOfRival ? { ...slots, grain: undefined, groups: [] } : slots)) return "understood"
  return isOfRival || !(asksForNumbers(slots) || asksAboutUs) ? "unclear" : "refused"
}

const isOfOneCompetitor = ({ names }: Slots) =>
  names.filter(({ kind }) => kind === "competitor").length === 1 && !names.some(({ kind }) => kind === "client")

/** Says which misspelt parts were read as which names. */
const corrected = ({ read }: Corrected): ReadonlyArray<AnswerEvent> =>
  read.length === 0
    ? []
    : [text(`\n${read.map(({ said, meant }) => `I read “${asText(said)}” as ${asText(meant)}.`).join(" ")}\n`)]

const NO_ANSWER: DealAnswer = { certainty: "refused", events: [] }

const citationOf = ({ citation }: { readonly citation: Citation | undefined }): ReadonlyArray<AnswerEvent> =>
  citation === undefined ? [] : [{ type: "citation", citation }]

const findDeal = (meant: { readonly rows: ReadonlyArray<AnsweredRow> } | undefined) => {
  const [first] = meant?.rows ?? []
  return first?.kind === "deal" ? first : undefined
}

/** Answers for a row of the answer before. */
const answerReferred = Effect.fnUntraced(function* (org: string, before: Plan, at: number, names: WorkspaceNames) {
  const row = yield* answerRow(org, before, at, names)
  return row === undefined ? Option.none() : reply("certain", [...citationOf(row), text(row.content)])
})

/** Asks for what the line of a deal says. */
const FACTS =
  /\b(?:who(?:se)? (?:owns?|is the owner|has|rep|is on)|who's on|owner|own(?:s|ed)|stage|status|amount|worth|value|how (?:big|much|large)|(?:close|closing) date|overdue|when (?:does|did|will|is|was)|where does)\b/i

/** Answers a question about the facts of one deal. Other questions about it are left to its texts. */
const answerAboutDeal = Effect.fnUntraced(function* (
  org: string,
  asked: string,
  question: string,
  { id = "" }: AnsweredRow,
  names: WorkspaceNames,
) {
  if (asksRivals(asked)) return reply("certain", yield* listRivals(org, id, names))
  if (!FACTS.test(asked)) return Option.some({ ...NO_ANSWER, question })
  const filters = { deal_ids: [id] }
  const deals = yield* citeDeals(
    org,
    yield* selectDeals(org, { filters, sort: "amount", ascending: false, limit: 1 }),
    false,
  )
  return reply(
    "certain",
    deals.flatMap((deal) => [...citationOf(deal), text(writeDealLine(deal, names, undefined))]),
  )
})

const reply = (certainty: DealAnswer["certainty"], events: ReadonlyArray<AnswerEvent>): Option.Option<DealAnswer> =>
  Option.some({ certainty, events })

/** Whether the question names a measure, so that texts cannot answer it better. */
const isAboutNumbers = ({ bases, isShare, counts, outcomes, groups, grain }: Slots): boolean =>
  bases.some((base) => base !== "amount" && base !== "mentions" && base !== "performance") ||
  isShare ||
  grain !== undefined ||
  groups.length > 0 ||
  (counts && outcomes.length > 0)

/** Whether only the table of deals can answer: a count, a ranking, or a list of deals of several clients. No text can, whatever its words. */
const isOfDeals = (
  { counts, head, rank, outcomes, lists, isSingular, names, asksWhy }: Slots,
  isShort: boolean,
): boolean => {
  if (asksWhy || head === undefined) return false
  // No text ranks what won or lost deals have, nor counts their reasons.
  if ((rank !== undefined || head === "driver") && outcomes.length > 0 && !isOfClient({ names })) return true
  if (counts || (rank !== undefined && head === "deal")) return true
  return head === "deal" && !isSingular && !isOfClient({ names }) && (lists || outcomes.length > 0 || isShort)
}

const isOfClient = ({ names }: Pick<Slots, "names">) => names.some(({ kind }) => kind === "client")

/** Whether the question may ask for a number, so that a refusal explains more than silence. */
const asksForNumbers = (slots: Slots): boolean =>
  isAboutNumbers(slots) ||
  slots.bases.length > 0 ||
  slots.counts ||
  slots.rank !== undefined ||
  (slots.head === "deal" && slots.outcomes.length > 0)

const isWhyOfClient = ({ asksWhy, counts, names }: Slots) => asksWhy && !counts && isOfClient({ names })

/** A bare list of deals can also be a question about one of them, which texts answer. */
const isCertain = (
  { bases, counts, rank, asksWhy, outcomes, names, head, groups, isShare }: Slots,
  plans: ReadonlyArray<Plan>,
): boolean => {
  if (bases.length > 0 || counts || rank !== undefined || isShare) return true
  if (asksWhy) return outcomes.length > 0 && !isOfClient({ names })
  return plans.every(({ kind }) => kind !== "list") && (head !== undefined || groups.length > 0)
}
