import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Tracer from "effect/Tracer"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"

/** The context of a span, as `trace.getSpanContext(context.active())` of `@opentelemetry/api` returns it. */
export interface SpanContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** The lowest bit says whether the span is sampled. */
  readonly traceFlags: number
  readonly isRemote?: boolean | undefined
}

/** Names the host's span that a request belongs to; undefined if there is none. */
export type FindParent = (request: Request) => SpanContext | undefined

interface Answer {
  readonly parent?: Tracer.ExternalSpan
  /** Logs what is wrong with the host's function. */
  readonly warning?: Effect.Effect<void>
}

/** Asks the embedding host for the parent of a request's span. Undefined: the host has no such function. */
export const HostParent = Context.Reference<((request: HttpServerRequest) => Answer) | undefined>(
  "sightline/telemetry/HostParent",
  { defaultValue: () => undefined },
)

/** A mistake of the host would repeat in every request. Its messages may have ids, so their number has a limit, too. */
const MAX_WARNINGS = 20

/** A failure of the host's function never fails the request: its span then has the parent that it has without the function. */
export const askParent = (find: FindParent) => {
  const warned = new Set<string>()
  const warn = (message: string, ...log: ReadonlyArray<unknown>): Answer => {
    if (warned.has(message) || warned.size === MAX_WARNINGS) return {}
    warned.add(message)
    return { warning: Effect.logWarning(...log) }
  }
  return ({ source }: HttpServerRequest): Answer => {
    // `open` makes each request from a web request.
    const asked = Result.try(() => parse(find(source as Request)))
    if (Result.isSuccess(asked))
      return typeof asked.success === "string" ? warn(asked.success, asked.success) : asked.success
    const { failure } = asked
    return warn(failure instanceof Error ? failure.message : typeof failure, "`parent` failed", failure)
  }
}

const TRACE_ID = /^[0-9a-f]{32}$/
const SPAN_ID = /^[0-9a-f]{16}$/
/** OpenTelemetry's context of no span. */
const ZEROS = /^0+$/
/** Characters of a returned value in the log. */
const MAX_SHOWN = 200

/** Returns a sentence that says what is wrong with a value that is neither a context nor nothing. */
const parse = (value: unknown): Answer | string => {
  if (value === undefined || value === null) return {}
  const context = value as { readonly [key in keyof SpanContext]: unknown }
  const traceId = String(context.traceId).toLowerCase()
  const spanId = String(context.spanId).toLowerCase()
  const flags = Number(context.traceFlags)
  if (!TRACE_ID.test(traceId) || !SPAN_ID.test(spanId) || !Number.isInteger(flags)) {
    // Nothing else would catch what an asynchronous function throws.
    if (value instanceof Promise) value.catch(() => undefined)
    const returned =
      context.traceId === undefined ? String(value) : `the ids ${traceId} and ${spanId} with the flags ${flags}`
    return `\`parent\` must return the context of a span, such as trace.getSpanContext(context.active()), or undefined, but returned ${returned.slice(0, MAX_SHOWN)}`
  }
  return ZEROS.test(traceId) || ZEROS.test(spanId)
    ? {}
    : { parent: Tracer.externalSpan({ traceId, spanId, sampled: (flags & 1) === 1 }) }
}
