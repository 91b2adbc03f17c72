import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { MaxBodySize } from "effect/http/HttpIncomingMessage"
import { HttpServerError, RequestParseError } from "effect/http/HttpServerError"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { encodedBody } from "../http/bodies/bodies.ts"
import { BadRequest, InternalError } from "../http/errors/errors.ts"
import { utf8Problem } from "../http/validation/utf8.ts"

/**
 * Refuses a text whose `Content-Length` is above the limit before any of it arrives. Refuses a text that is not UTF-8: decoding puts U+FFFD in the place of what it cannot read, which would be stored. And refuses a body that the host has read before it called the handler, such as by `express.json()`. The body is then empty or
 * locked, and an error about its fields would send the caller looking in the wrong place.
 */
export const withWholeBody = <E, R>(app: Effect.Effect<HttpServerResponse, E, R>) =>
  Effect.withFiber<HttpServerResponse, E, R | HttpServerRequest>((fiber) => {
    const request = Context.getUnsafe(fiber.context, HttpServerRequest)
    if (HAS_NO_BODY.has(request.method)) return app
    // Only web requests pass through a host. A request of `node:http` has no `body`.
    const whole = "body" in request.source ? requireBody(request, request.source as Request) : request
    return Effect.provideService(app, HttpServerRequest, requireText(whole))
  })

const HAS_NO_BODY: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

/** Asks for the state of the body only when the body is read: to some hosts it costs a stream. */
const requireBody = (request: HttpServerRequest, source: Request): HttpServerRequest => {
  const declared = Number(request.headers["content-length"] ?? 0)
  const isDeclared = declared > 0
  const isConsumed = () => source.bodyUsed || source.body?.locked === true || (isDeclared && source.body === null)
  const text = Effect.suspend(() =>
    isConsumed() ? consumed : Effect.tap(request.text, (text) => (isDeclared && text === "" ? consumed : Effect.void)),
  ).pipe(Effect.cached, Effect.runSync)
  const stream = Stream.suspend(() =>
    isConsumed()
      ? Stream.fromEffect(consumed)
      : isDeclared
        ? Stream.orElseIfEmpty(request.stream, () => Stream.fromEffect(consumed))
        : request.stream,
  )
  return Object.create(request, { text: { value: text }, stream: { value: stream } }) as HttpServerRequest
}

/** A defect, because no caller of `text` or `stream` can handle it. `envelope` replies with it. */
const consumed = Effect.suspend(() => {
  const error = new InternalError({
    message:
      "the host read the body of this request before Sightline could; mount Sightline before body parsers such as express.json()",
  })
  return Effect.andThen(Effect.logError(error.message), Effect.die(error))
})

const requireText = (request: HttpServerRequest): HttpServerRequest => {
  const declared = Number(request.headers["content-length"] ?? 0)
  const text = Effect.withFiber<string, HttpServerError>((fiber) =>
    // Before anything looks at `body`: `@hono/node-server` closes the connection if much of it is left then.
    declared > Number(fiber.getRef(MaxBodySize) ?? Infinity)
      ? Effect.fail(new HttpServerError({ reason: new RequestParseError({ request, reason: "BodyTooLarge" }) }))
      : Effect.tap(request.text, (text) => requireUtf8(request, text)),
  )
  return Object.create(request, { text: { value: text } }) as HttpServerRequest
}

/** Looks at the bytes only of a text that has U+FFFD, which a caller may also send. */
const requireUtf8 = (request: HttpServerRequest, text: string) =>
  text.includes("\uFFFD")
    ? Effect.flatMap(request.arrayBuffer, (bytes) => {
        const problem = utf8Problem(new Uint8Array(bytes), text)
        if (problem === undefined) return Effect.void
        const encoded = encodedBody(request.headers["content-encoding"])
        return Effect.die(encoded ?? new BadRequest({ message: `the body ${problem}` }))
      })
    : Effect.void
