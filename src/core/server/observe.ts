import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Fiber } from "effect/Fiber"
import * as References from "effect/References"
import type * as Tracer from "effect/Tracer"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { CurrentRequest, type RequestState } from "../http/CurrentRequest.ts"
import { isOperatorPath } from "../operator/OperatorApp.ts"
import { startTimer } from "../telemetry/family.ts"
import { keyRefusals, limitRefusals, requests, requestSeconds } from "../telemetry/metrics.ts"
import { HostParent } from "../telemetry/hostParent.ts"
import { isTraced, remoteSpan, span } from "../telemetry/tracing.ts"
import { isMetricsPath } from "./metricsRoute.ts"
import { pathOf, routeAt } from "./methods.ts"

/** Replies that take longer are logged. Answers and uploads often do; their time says so. */
const SLOW_SECONDS = 2

const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])

const methodOf = ({ method }: HttpServerRequest) => (METHODS.has(method) ? method : "OTHER")

/** The route's path with names for its parameters: raw paths hold ids and signed links. */
const findRoute = (request: HttpServerRequest, { route }: Pick<RequestState, "route">) =>
  route ??
  routeAt(pathOf(request)) ??
  (isOperatorPath(request.url) ? "/operator" : isMetricsPath(request.url) ? "/metrics" : "unknown")

/**
 * Records a request's reply: its metrics; a log line if it failed or was slow, or for each request at the level Debug; and a
 * span, whose parent is the host's span or else the caller's. Nothing recorded holds a path, a query, a header or a body.
 */
export const observeRequest = <R>(
  fiber: Fiber<unknown, unknown>,
  request: HttpServerRequest,
  state: RequestState,
  answering: Effect.Effect<HttpServerResponse, never, R>,
): Effect.Effect<HttpServerResponse, never, R> => {
  const { context } = fiber
  const elapsed = startTimer(context)
  const recorded = Effect.flatMap(answering, (response) => {
    const { status } = response
    const seconds = elapsed()
    const labels = { method: methodOf(request), route: findRoute(request, state) }
    requests({ ...labels, status: STATUS_CLASSES[Math.floor(status / 100)] ?? "5xx" }).updateUnsafe(1, context)
    requestSeconds(labels).updateUnsafe(seconds, context)
    const { refusal } = state
    if (refusal !== undefined) {
      if ("limit" in refusal) limitRefusals({ scope: refusal.limit }).updateUnsafe(1, context)
      else keyRefusals({ reason: refusal.key }).updateUnsafe(1, context)
    }
    const level = status >= 500 ? "Warn" : seconds > SLOW_SECONDS ? "Info" : isDebugging(context) ? "Debug" : undefined
    if (level === undefined) return Effect.succeed(response)
    return Effect.logWithLevel(level)("replied").pipe(
      // A host's logger does not know the current request.
      Effect.annotateLogs({ request_id: state.id, ...labels, status, seconds: Number(seconds.toFixed(4)) }),
      Effect.provideService(CurrentRequest, state),
      Effect.as(response),
    )
  })
  return isTraced(context) ? traced(fiber, request, recorded) : recorded
}

const STATUS_CLASSES = ["", "1xx", "2xx", "3xx", "4xx", "5xx"]

const isDebugging = (context: Context.Context<never>) => DEBUGGING.has(Context.get(context, References.MinimumLogLevel))

const DEBUGGING: ReadonlySet<string> = new Set(["Debug", "Trace", "All"])

const traced = <R>(
  fiber: Fiber<unknown, unknown>,
  request: HttpServerRequest,
  answering: Effect.Effect<HttpServerResponse, never, R>,
) => {
  // Here no fiber has waited yet, so the host's function finds its active span.
  const { parent, warning } = fiber.getRef(HostParent)?.(request) ?? {}
  const answered = Effect.tap(answering, ({ status }) =>
    Effect.annotateCurrentSpan("http.response.status_code", status),
  )
  return span(`${methodOf(request)} ${routeAt(pathOf(request)) ?? "unknown"}`, (): Tracer.SpanOptions => ({
    kind: "server",
    parent: parent ?? remoteSpan(request.headers["traceparent"]),
    attributes: { "http.request.method": methodOf(request) },
  }))(warning === undefined ? answered : Effect.andThen(warning, answered))
}
