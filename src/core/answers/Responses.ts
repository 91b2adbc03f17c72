import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import * as Stream from "effect/Stream"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import type { NotFound } from "../http/errors/errors.ts"
import { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { startTimer } from "../telemetry/family.ts"
import { answerSeconds } from "../telemetry/metrics.ts"
import { Answerer, type AnswerEvent, AnswerFailed, type Message } from "./Answerer.ts"
import { type Asker, describeOmission, scopeOf } from "./Asker.ts"
import type { CitationStyle, Includable, Response as Answer, ResponseEvent } from "./events.ts"
import { removeMarks } from "./citations/MarkWriter.ts"
import { ResponseAssembler } from "./ResponseAssembler.ts"
import { CurrentClass } from "../storage/CurrentClass.ts"
import { inOrganization } from "../storage/inOrganization.ts"

/** The limit for a whole answer. */
export const DEADLINE_SECONDS = 120

/** The wait for the first event. Afterwards the reply begins, and a failure becomes an event of it. */
const FIRST_EVENT_TIMEOUT_MS = 10_000

/** Answers as callers see them: whole, or as a stream of events. `style` is `links` by default. */
export class Responses extends Context.Service<
  Responses,
  {
    readonly reply: (
      asker: Asker,
      messages: ReadonlyArray<Message>,
      style?: CitationStyle,
    ) => Effect.Effect<Answer, NotFound | DatabaseUnavailable>
    /** Returns once the first event is there, and fails if the answer fails before it. The stream ends in `done` or `error`. */
    readonly stream: (
      asker: Asker,
      messages: ReadonlyArray<Message>,
      include: ReadonlyArray<Includable>,
      style?: CitationStyle,
    ) => Effect.Effect<Stream.Stream<ResponseEvent>, NotFound | DatabaseUnavailable, Scope>
  }
>()("sightline/answers/Responses") {
  static readonly layer = Layer.effect(
    Responses,
    Effect.gen(function* () {
      const answerer = yield* Answerer

      const events = (
        asker: Asker,
        messages: ReadonlyArray<Message>,
        include: ReadonlyArray<Includable>,
        style: CitationStyle,
      ) =>
        Stream.suspend(() => {
          const assembler = new ResponseAssembler(include, style)
          const answer: Stream.Stream<AnswerEvent, AnswerFailed> =
            scopeOf(asker) === undefined
              ? Stream.succeed({ type: "content_delta", content: describeOmission(asker) })
              : answerer.answer(asker, style === "marks" ? messages.map(withoutMarks) : messages)
          return measured(answer, answerer.kind).pipe(
            Stream.mapAccum(
              () => assembler,
              (_, event) => [assembler, assembler.add(event)],
            ),
            Stream.concat(Stream.suspend(() => Stream.fromIterable(assembler.end()))),
          )
        }).pipe(
          Stream.interruptWhen(Effect.delay(tooLate, `${DEADLINE_SECONDS} seconds`)),
          Stream.provideService(CurrentClass, "heavy"),
        )

      return Responses.of({
        reply: Effect.fn("Responses.reply")(function* (asker, messages, style = "links") {
          const last = yield* Stream.runFold(
            events(asker, messages, [], style),
            (): ResponseEvent | undefined => undefined,
            (_, event) => event,
          ).pipe(Effect.catch(toHttpFailure))
          if (last?.type !== "done") return yield* Effect.die("the answer had no end")
          const { type: _, ...response } = last
          return response
        }),

        stream: Effect.fn("Responses.stream")(function* (asker, messages, include, style = "links") {
          // Links use the base URL of this request, whichever fiber pulls the stream.
          const request = yield* CurrentRequest
          const pull = yield* Stream.toPull(
            Stream.provideService(events(asker, messages, include, style), CurrentRequest, request),
          )
          const first = yield* Effect.forkScoped(pull)
          const firstExit = yield* Effect.timeoutOption(Fiber.await(first), FIRST_EVENT_TIMEOUT_MS)
          if (firstExit._tag === "Some" && Exit.isFailure(firstExit.value)) {
            const { cause } = firstExit.value
            const failure = cause.reasons.find(Cause.isFailReason)?.error
            return yield* failure instanceof AnswerFailed ? toHttpFailure(failure) : Effect.die(Cause.squash(cause))
          }
          let next = firstExit._tag === "Some" ? firstExit.value : Fiber.join(first)
          const rest = Effect.suspend(() => {
            const now = next
            next = pull
            return now
          })
          return Stream.fromPull(Effect.succeed(rest)).pipe(
            Stream.catchCause((cause) =>
              Cause.hasInterruptsOnly(cause) ? Stream.fromEffect(Effect.interrupt) : errorEvent(cause),
            ),
          )
        }),
      })
    }).pipe(inOrganization),
  )
}

/** A model would copy the marks of its earlier answers. */
const withoutMarks = (message: Message): Message =>
  message.role === "assistant" ? { ...message, content: removeMarks(message.content) } : message

/** Measures an answer from its first pull to its end. */
const measured = <A, E>(answer: Stream.Stream<A, E>, kind: string): Stream.Stream<A, E> =>
  Stream.unwrap(
    Effect.contextWith((context: Context.Context<never>) => {
      const elapsed = startTimer(context)
      const record = (exit: Exit.Exit<unknown, unknown>) =>
        Effect.sync(() => {
          const outcome = Exit.isSuccess(exit)
            ? "completed"
            : Cause.hasInterruptsOnly(exit.cause)
              ? "interrupted"
              : "failed"
          answerSeconds({ kind, outcome }).updateUnsafe(elapsed(), context)
        })
      return Effect.succeed(Stream.onExit(answer, record))
    }),
  )

const tooLate = Effect.fail(
  new AnswerFailed({
    reason: "unavailable",
    message: "the answer took too long; ask again, or ask a narrower question",
  }),
)

/** Before the first event, a failure is an HTTP error. */
const toHttpFailure = (failure: AnswerFailed) =>
  failure.reason === "unavailable"
    ? Effect.fail(failure.source ?? new DatabaseUnavailable({ message: failure.message }))
    : Effect.die(failure)

/** After it, a failure is the last event. Logs a defect and reveals no internals. */
const errorEvent = (cause: Cause.Cause<AnswerFailed>): Stream.Stream<ResponseEvent> => {
  const failure = cause.reasons.find(Cause.isFailReason)?.error
  const code = failure?.reason === "unavailable" ? "service_unavailable" : "internal_error"
  const event: ResponseEvent = {
    type: "error",
    error: { code, message: failure?.message ?? "the server failed" },
  }
  const log = code === "internal_error" ? Effect.logError("answer failed", cause) : Effect.void
  return Stream.fromEffect(Effect.as(log, event))
}
