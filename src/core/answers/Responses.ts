import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import * as Stream from "effect/Stream"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Answerer, AnswerFailed, type Message } from "./Answerer.ts"
import { type Asker, omission, scopeOf } from "./Asker.ts"
import type { Includable, Response, ResponseEvent } from "./events.ts"
import { Fold } from "./Fold.ts"

/** The whole of an answer takes no longer. */
export const DEADLINE_SECONDS = 120

/** How long an answer's first event is waited for before the reply begins without it, and what fails then is told in it. */
const PATIENCE = "10 seconds"

/** Answers as callers see them: whole, or as the events that make up the same. */
export class Responses extends Context.Service<
  Responses,
  {
    readonly reply: (asker: Asker, messages: ReadonlyArray<Message>) => Effect.Effect<Response, DatabaseUnavailable>
    /** Begins when its first event is there: what fails before is a failure here. Ends in `done` or `error`. */
    readonly stream: (
      asker: Asker,
      messages: ReadonlyArray<Message>,
      include: ReadonlyArray<Includable>,
    ) => Effect.Effect<Stream.Stream<ResponseEvent>, DatabaseUnavailable, Scope>
  }
>()("sightline/answers/Responses") {
  static readonly layer = Layer.effect(
    Responses,
    Effect.gen(function* () {
      const answerer = yield* Answerer

      const events = (asker: Asker, messages: ReadonlyArray<Message>, include: ReadonlyArray<Includable>) =>
        Stream.suspend(() => {
          const fold = new Fold(include)
          const answer =
            scopeOf(asker) === undefined
              ? Stream.succeed({ type: "content_delta", content: omission(asker) } as const)
              : answerer.answer(asker, messages)
          return answer.pipe(
            Stream.mapAccum(
              () => fold,
              (_, event) => [fold, fold.add(event)],
            ),
            Stream.concat(Stream.suspend(() => Stream.fromIterable(fold.end()))),
          )
        }).pipe(Stream.interruptWhen(Effect.delay(tooLate, `${DEADLINE_SECONDS} seconds`)))

      return Responses.of({
        reply: Effect.fn("Responses.reply")(function* (asker, messages) {
          const last = yield* Stream.runFold(
            events(asker, messages, []),
            (): ResponseEvent | undefined => undefined,
            (_, event) => event,
          ).pipe(Effect.catch(failed))
          if (last?.type !== "done") return yield* Effect.die("the answer had no end")
          const { type: _, ...response } = last
          return response
        }),

        stream: Effect.fn("Responses.stream")(function* (asker, messages, include) {
          // Whoever pulls: links are those of the request that asks.
          const request = yield* CurrentRequest
          const pull = yield* Stream.toPull(
            Stream.provideService(events(asker, messages, include), CurrentRequest, request),
          )
          const first = yield* Effect.forkScoped(pull)
          const begun = yield* Effect.timeoutOption(Fiber.await(first), PATIENCE)
          if (begun._tag === "Some" && Exit.isFailure(begun.value)) {
            const { cause } = begun.value
            const failure = cause.reasons.find(Cause.isFailReason)?.error
            return yield* failure instanceof AnswerFailed ? failed(failure) : Effect.die(Cause.squash(cause))
          }
          let next = begun._tag === "Some" ? begun.value : Fiber.join(first)
          const rest = Effect.suspend(() => {
            const now = next
            next = pull
            return now
          })
          return Stream.fromPull(Effect.succeed(rest)).pipe(
            Stream.catchCause((cause) =>
              Cause.hasInterruptsOnly(cause) ? Stream.fromEffect(Effect.interrupt) : told(cause),
            ),
          )
        }),
      })
    }),
  )
}

const tooLate = Effect.fail(
  new AnswerFailed({
    reason: "unavailable",
    message: "the answer took too long; ask again, or ask a narrower question",
  }),
)

/** Before anything is sent it is an HTTP error. */
const failed = (failure: AnswerFailed) =>
  failure.reason === "unavailable"
    ? Effect.fail(new DatabaseUnavailable({ message: failure.message }))
    : Effect.die(failure)

/** Afterwards it is the stream's last event. A fault of ours is logged, and told without its inside. */
const told = (cause: Cause.Cause<AnswerFailed>): Stream.Stream<ResponseEvent> => {
  const failure = cause.reasons.find(Cause.isFailReason)?.error
  const code = failure?.reason === "unavailable" ? "service_unavailable" : "internal_error"
  const event: ResponseEvent = {
    type: "error",
    error: { code, message: failure?.message ?? "the server failed" },
  }
  const log = code === "internal_error" ? Effect.logError("answer failed", cause) : Effect.void
  return Stream.fromEffect(Effect.as(log, event))
}
