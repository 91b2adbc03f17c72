import type * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { ViewerLinks } from "../../library/viewer/ViewerLinks.ts"
import { SearchIndex } from "../../search/SearchIndex.ts"
import type { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import { Database } from "../../storage/Database.ts"
import { type AnswerEvent, Answerer, AnswerFailed, type Message } from "../Answerer.ts"
import { type Asker, readsDeals } from "../Asker.ts"
import { stagesOf } from "../stages.ts"
import { TOOLS } from "../tools/contract.ts"
import { layerTools } from "../tools/layerTools.ts"
import { converse, type Services } from "./converse.ts"

/** For the whole of an answer, in seconds. */
const DEADLINE_SECONDS = 60

/** Events that wait for a caller who reads slowly; the model waits with them. */
const BUFFER = 16

/**
 * A language model answers, with tools that read the workspace. What it cites is checked and linked here; it never sees an
 * address, and none that it writes is passed on.
 */
export const layerAgent = Layer.effect(
  Answerer,
  Effect.gen(function* () {
    const database = yield* Database
    const services: Services = {
      model: yield* LanguageModel.LanguageModel,
      toolkit: yield* TOOLS,
      index: yield* SearchIndex,
      links: yield* ViewerLinks,
    }

    const run = Effect.fn("Agent.answer")(function* (
      asker: Asker,
      messages: ReadonlyArray<Message>,
      emit: (event: AnswerEvent) => Effect.Effect<unknown>,
    ) {
      const stages = readsDeals(asker) ? yield* stagesOf(database, asker.organizationId) : []
      const today = DateTime.formatIsoDateUtc(yield* DateTime.now)
      const until = (yield* Clock.currentTimeMillis) + DEADLINE_SECONDS * 1000
      yield* converse(services, { asker, messages, stages, today, until }, emit).pipe(
        Effect.timeoutOrElse({ duration: `${DEADLINE_SECONDS} seconds`, orElse: () => Effect.fail(tooLate) }),
      )
    })

    return Answerer.of({
      kind: "agent",
      answer: (asker, messages) =>
        Stream.callback<AnswerEvent, AnswerFailed>(
          (queue) =>
            run(asker, messages, (event) => Queue.offer(queue, event)).pipe(
              Effect.catchTags({ AiError: modelFailed, DatabaseUnavailable: databaseFailed }),
              Effect.matchCauseEffect({
                onFailure: (cause) => Queue.failCause(queue, cause),
                onSuccess: () => Queue.end(queue),
              }),
            ),
          { bufferSize: BUFFER, strategy: "suspend" },
        ),
    })
  }),
).pipe(Layer.provide(layerTools))

const tooLate = new AnswerFailed({
  reason: "unavailable",
  message: "the model did not answer in time; ask again, or ask a narrower question",
})

/** Why is for whoever runs the server. */
const modelFailed = (error: AiError.AiError) =>
  Effect.andThen(
    Effect.logWarning(`the model failed: ${error.message}`),
    Effect.fail(new AnswerFailed({ reason: "unavailable", message: "the language model is unreachable; try again" })),
  )

const databaseFailed = ({ message }: DatabaseUnavailable) =>
  Effect.fail(new AnswerFailed({ reason: "unavailable", message }))
