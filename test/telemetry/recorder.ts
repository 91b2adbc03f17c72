import * as Cause from "effect/Cause"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"

/** A host's logger and tracer that keep what they get. */
export const makeRecorder = () => {
  const lines: Array<string> = []
  const spans: Array<Tracer.Span> = []
  const logger = Logger.make(({ message, cause, fiber }) => {
    const span = Option.getOrUndefined(Option.fromNullishOr(fiber.cache.span))
    const text = [message].flat().map(String).join(" ")
    const reasons = cause.reasons.length === 0 ? "" : ` ${Cause.pretty(cause)}`
    lines.push(`${text}${reasons}${span === undefined ? "" : ` in ${span.traceId}`}`)
  })
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    },
  })
  return {
    lines,
    spans,
    named: (name: string) => spans.filter((span) => span.name === name),
    layer: Layer.merge(Logger.layer([logger]), Layer.succeed(Tracer.Tracer, tracer)),
  }
}

export const parentOf = (span: Tracer.Span | undefined) => Option.getOrUndefined(span?.parent ?? Option.none())
