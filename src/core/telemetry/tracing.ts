import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { w3c } from "effect/http/HttpTraceContext"
import * as Headers from "effect/http/Headers"

/** Whether spans go anywhere. */
export const isTraced = (context: Context.Context<never>) => Context.get(context, Tracer.Tracer) !== Tracer.nativeTracer

/** Like `Effect.withSpan`, but free without a tracer. `options` is called only with one. */
export const span =
  (name: string | (() => string), options?: () => Tracer.SpanOptions) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) =>
      isTraced(fiber.context)
        ? (Effect.withSpan(effect, typeof name === "string" ? name : name(), options?.()) as Effect.Effect<A, E, R>)
        : effect,
    )

/** A span of background work, which `inBackground` hides otherwise: polling would fill the traces. */
export const entrySpan =
  (name: string | (() => string), options?: () => Tracer.SpanOptions) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withTracerEnabled(span(name, options)(effect), true)

/** The span of a W3C `traceparent`, which another process or an earlier request began. */
export const remoteSpan = (traceparent: string | null | undefined): Tracer.ExternalSpan | undefined =>
  traceparent == null ? undefined : Option.getOrUndefined(w3c(Headers.fromInput({ traceparent })))

/** The `traceparent` of the current span, to continue its trace elsewhere; undefined without a tracer. */
export const currentTraceparent: Effect.Effect<string | undefined> = Effect.withFiber((fiber) => {
  const current = Option.getOrUndefined(Context.getOption(fiber.context, Tracer.ParentSpan))
  if (current === undefined || !isTraced(fiber.context)) return Effect.undefined
  const { traceId, spanId, sampled } = current
  return Effect.succeed(`00-${traceId}-${spanId}-${sampled ? "01" : "00"}`)
})
