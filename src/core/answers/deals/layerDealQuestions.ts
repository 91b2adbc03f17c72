import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Deals } from "../../deals/Deals.ts"
import { ViewerLinks } from "../../library/viewer/ViewerLinks.ts"
import { Reports } from "../../reports/Reports.ts"
import { DealRecords } from "../../search/DealRecords.ts"
import { Database } from "../../storage/Database.ts"
import { type AnswerEvent, AnswerFailed, type Message } from "../Answerer.ts"
import { asText } from "../citations/markdown.ts"
import { type DealAnswer, DealQuestions } from "../DealQuestions.ts"
import { FigureLinks } from "../figures/FigureLinks.ts"
import { answerPlan } from "./answerPlan.ts"
import { readConversation } from "./conversation.ts"
import { correctQuestion } from "./correct.ts"
import { courtesyOf, describeWorkspace } from "./holdings.ts"
import { translate } from "./languages/translate.ts"
import { loadNames, type WorkspaceNames } from "./names.ts"
import type { Today } from "./periods.ts"
import { makePlans, type Plan } from "./plan.ts"
import { explainUnknown, NOT_COMBINABLE } from "./refusal.ts"
import type { Slots } from "./slots.ts"

/** In UTF-16 units. Longer texts are not questions about numbers. */
const MAX_LENGTH = 500
/** Questions of a conversation that are read, with the last one. */
const MAX_QUESTIONS = 6

/** A short question about ourselves that no text answers is refused by the word that is not understood. */
const OURS = /\b(?:we|our|us|who)\b/i
const MAX_SHORT_WORDS = 8

const text = (content: string): AnswerEvent => ({ type: "content_delta", content })

/** Answers questions about numbers by reports, and lists deals. Refuses a question that it understands only in part. */
export const layerDealQuestions = Layer.effect(
  DealQuestions,
  Effect.gen(function* () {
    const context = yield* Effect.context<Database | Deals | DealRecords | FigureLinks | Reports | ViewerLinks>()

    const read = Effect.fnUntraced(function* (org: string, questions: ReadonlyArray<string>) {
      const loaded = yield* loadNames(org, questions.join(" \n"))
      const today: Today = { now: new Date(yield* Clock.currentTimeMillis), fiscalStart: loaded.fiscalStart }
      let names: WorkspaceNames = loaded
      const corrected = []
      for (const question of questions) {
        const each = yield* correctQuestion(org, translate(question, names.names), names, today)
        names = each.names
        corrected.push(each)
      }
      const reading = readConversation(
        corrected.map(({ question }) => question),
        names,
        today,
      )
      return { names, today, reading, last: corrected.at(-1) }
    })

    const answer = Effect.fnUntraced(function* (org: string, messages: ReadonlyArray<Message>) {
      const questions = messages.flatMap(({ role, content }) => (role === "user" ? [content.trim()] : []))
      const question = questions.at(-1) ?? ""
      if (question.length > MAX_LENGTH) return Option.none()
      const recent = questions.slice(-MAX_QUESTIONS).filter((each) => each.length <= MAX_LENGTH)
      const courtesy = courtesyOf(question)
      if (courtesy !== undefined) {
        const names = yield* loadNames(org, question)
        return reply("certain", [text(yield* describeWorkspace(org, names, courtesy))])
      }
      const { names, today, reading, last } = yield* read(org, recent)
      if (reading === undefined || last === undefined) return Option.none()
      const plans = makePlans(reading.slots)
      const unknown = last.ambiguous.length > 0 ? last.ambiguous : reading.slots.unknown
      if (unknown.length > 0) {
        const asksAboutUs = OURS.test(question) && question.split(/\s+/).length <= MAX_SHORT_WORDS
        const isAmbiguous = last.ambiguous.length > 0
        if (!asksForNumbers(reading.slots) && !asksAboutUs && !isAmbiguous) return Option.none()
        const explained = explainUnknown(last.question, unknown, names, today)
        return reply(isAmbiguous ? "certain" : isAboutNumbers(reading.slots) ? "understood" : "refused", [
          text(explained),
        ])
      }
      if (plans.length === 0) return Option.none()
      const events: Array<AnswerEvent> = []
      for (const [index, plan] of plans.entries()) {
        if (index > 0) events.push(text("\n"))
        const answered = yield* Effect.catchTag(answerPlan(org, plan, reading.slots, names, index), "BadRequest", () =>
          Effect.succeed([text(NOT_COMBINABLE)]),
        )
        events.push(...answered)
      }
      const corrections = last.read.map(({ said, meant }) => `I read “${asText(said)}” as ${asText(meant)}.`)
      if (corrections.length > 0) events.push(text(`\n${corrections.join(" ")}\n`))
      // The texts about one client's deal say more about why than its recorded reasons.
      if (isWhyOfClient(reading.slots)) return reply("refused", events)
      return reply(isCertain(reading.slots, plans) ? "certain" : "understood", events)
    })

    return DealQuestions.of({
      answer: Effect.fn("DealQuestions.answer")(
        (org, messages) => answer(org, messages),
        Effect.catchTag("DatabaseUnavailable", ({ message }) => new AnswerFailed({ reason: "unavailable", message })),
        Effect.provide(context),
      ),
    })
  }),
)

const reply = (certainty: DealAnswer["certainty"], events: ReadonlyArray<AnswerEvent>): Option.Option<DealAnswer> =>
  Option.some({ certainty, events })

/** Whether the question names a measure, so that texts cannot answer it better. */
const isAboutNumbers = ({ bases, isShare, counts, outcomes, groups, grain }: Slots): boolean =>
  bases.some((base) => base !== "amount" && base !== "mentions" && base !== "performance") ||
  isShare ||
  grain !== undefined ||
  groups.length > 0 ||
  (counts && outcomes.length > 0)

/** Whether the question may ask for a number, so that a refusal explains more than silence. */
const asksForNumbers = (slots: Slots): boolean =>
  isAboutNumbers(slots) ||
  slots.bases.length > 0 ||
  slots.counts ||
  slots.rank !== undefined ||
  (slots.head === "deal" && slots.outcomes.length > 0)

const isWhyOfClient = ({ asksWhy, counts, names }: Slots) =>
  asksWhy && !counts && names.some(({ kind }) => kind === "client")

/** A bare list of deals can also be a question about one of them, which texts answer. */
const isCertain = (
  { bases, counts, rank, asksWhy, outcomes, names, head, groups, isShare }: Slots,
  plans: ReadonlyArray<Plan>,
): boolean => {
  const isOfClient = names.some(({ kind }) => kind === "client")
  if (bases.length > 0 || counts || rank !== undefined || isShare) return true
  if (asksWhy) return outcomes.length > 0 && !isOfClient
  return plans.every(({ kind }) => kind !== "list") && (head !== undefined || groups.length > 0)
}
