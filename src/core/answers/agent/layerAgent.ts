import * as LanguageModel from "effect/ai/LanguageModel"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { dayAt } from "../../common/zone.ts"
import { ViewerLinks } from "../../library/viewer/ViewerLinks.ts"
import { SearchIndex } from "../../search/SearchIndex.ts"
import type { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import { Database } from "../../storage/Database.ts"
import { readZone } from "../../storage/timeZone.ts"
import { type AnswerEvent, Answerer, AnswerFailed, type Message } from "../Answerer.ts"
import { type Asker, readsDeals } from "../Asker.ts"
import { DealQuestions } from "../DealQuestions.ts"
import { FigureLinks } from "../figures/FigureLinks.ts"
import { readStages } from "../stages.ts"
import { layerTools } from "../tools/layerTools.ts"
import { converse, failModel } from "./converse.ts"

/** The limit for a whole answer. */
const DEADLINE_SECONDS = 60

/** Events that wait for a slow caller; beyond them the model waits. */
const MAX_BUFFERED_EVENTS = 16

/**
 * Answers with a language model and tools that read the workspace. Verifies and links what the model cites. The model sees
 * no addresses, and those that it writes are removed.
 */
export const layerAgent = Layer.effect(
  Answerer,
  Effect.gen(function* () {
    const context = yield* Effect.context<Needs>()

    const run = Effect.fn("Agent.answer")(function* (
      asker: Asker,
      messages: ReadonlyArray<Message>,
      emit: (event: AnswerEvent) => Effect.Effect<unknown>,
    ) {
      const stages = readsDeals(asker) ? yield* readStages(asker.organizationId) : []
      const now = yield* Clock.currentTimeMillis
      const timezone = yield* readZone(asker.organizationId)
      const today = dayAt(now, timezone)
      const deadlineMs = now + DEADLINE_SECONDS * 1000
      yield* converse({ asker, messages, stages, today, timezone, deadlineMs }, emit).pipe(
        Effect.timeoutOrElse({ duration: `${DEADLINE_SECONDS} seconds`, orElse: () => Effect.fail(tooLate) }),
      )
    }, Effect.provide(context))

    return Answerer.of({
      kind: "agent",
      answer: (asker, messages) =>
        Stream.callback<AnswerEvent, AnswerFailed>(
          (queue) =>
            run(asker, messages, (event) => Queue.offer(queue, event)).pipe(
              Effect.catchTags({ AiError: failModel, DatabaseUnavailable: databaseFailed, NotFound: Effect.die }),
              Effect.matchCauseEffect({
                onFailure: (cause) => Queue.failCause(queue, cause),
                onSuccess: () => Queue.end(queue),
              }),
            ),
          { bufferSize: MAX_BUFFERED_EVENTS, strategy: "suspend" },
        ),
    })
  }),
).pipe(Layer.provide(layerTools))

type Needs =
  | Database
  | DealQuestions
  | FigureLinks
  | LanguageModel.LanguageModel
  | SearchIndex
  | ViewerLinks
  | Layer.Success<typeof layerTools>

const tooLate = new AnswerFailed({
  reason: "unavailable",
  message: "the model did not answer in time; ask again, or ask a narrower question",
})

const databaseFailed = (error: DatabaseUnavailable) => Effect.fail(AnswerFailed.by(error))
