import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { MaxBodySize } from "effect/http/HttpIncomingMessage"
import { HttpServerError } from "effect/http/HttpServerError"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import { BasePath } from "../http/addresses/basePath.ts"
import { bodyTooLarge, encodedBody, MAX_BODY, wrongContentType } from "../http/bodies/bodies.ts"
import { clientAddress, PeerAddress, TrustedProxies } from "../http/addresses/client.ts"
import { CurrentRequest, type RequestState } from "../http/CurrentRequest.ts"
import { BadRequest, InternalError, isApiError, MethodNotAllowed, toResponse } from "../http/errors/errors.ts"
import { noSuchPath } from "../http/addresses/noSuchPath.ts"
import { unavailableReply } from "../http/replies/unavailable.ts"
import { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { WhenDiskFull } from "../storage/Database.ts"
import { Closing } from "./Closing.ts"
import { encodeEvents } from "./eventStream.ts"
import { endpointAt, endpointsLike, methodsAt, pathOf } from "./methods.ts"
import { observeRequest } from "./observe.ts"
import { badRequest, notJson } from "../http/validation/validation.ts"
import { notUtf8InAddress } from "../http/validation/utf8.ts"
import { shorten } from "../common/shorten.ts"

const CALLER_ID = /^[A-Za-z0-9._-]{1,128}$/

/**
 * The outermost layer of every reply. It adds the request id, the rate-limit headers and the error envelope. Replies belong
 * to one tenant, so it adds `no-store` if a reply has no `Cache-Control` of its own.
 */
export const envelope = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.withFiber<HttpServerResponse.HttpServerResponse, never, R | HttpServerRequest>((fiber) => {
    const request = Context.getUnsafe(fiber.context, HttpServerRequest)
    const given = request.headers["x-request-id"]
    const state: RequestState = {
      id: given !== undefined && CALLER_ID.test(given) ? given : crypto.randomUUID(),
      received: true,
      address: clientAddress(request, fiber.getRef(PeerAddress), fiber.getRef(TrustedProxies)),
      origin: () => originOf(request),
      actor: undefined,
      keyId: undefined,
      expires: undefined,
      rateLimit: undefined,
      retryAfter: undefined,
      route: undefined,
      organization: undefined,
      refusal: undefined,
    }
    const problem = findProblem(request.url)
    const answered =
      problem !== undefined
        ? Effect.succeed(toResponse(new BadRequest({ message: problem })))
        : Effect.catchCause(app, (cause) => toErrorReply(cause, request, state))
    const whenFull = NEEDS_NO_SPACE.has(request.method) ? "proceed" : "refuse"
    // One effect: three of `provideService` would be three on every request.
    const answering = Effect.updateContext(answered, (context: Context.Context<R | HttpServerRequest>) =>
      context.pipe(
        Context.add(CurrentRequest, state),
        Context.add(MaxBodySize, MAX_BODY),
        Context.add(WhenDiskFull, whenFull),
      ),
    )
    const reply = Effect.map(answering, (response) =>
      withHeaders(
        encodeEvents(
          response.status === 415 || response.status === 413 ? inEnvelope(response, request) : response,
          fiber.getRef(Closing),
        ),
        state,
      ),
    )
    return observeRequest(fiber, request, state, reply)
  })

const findProblem = (url: string): string | undefined => {
  if (url.includes("%00")) return "the address must not contain a NUL character (%00)"
  const encoded = notUtf8InAddress(url)
  return encoded === undefined ? undefined : `the address must be UTF-8, unlike '${shorten(encoded)}'`
}

/** A web handler's request has an absolute URL, a server's has a path and a `Host` header. */
const originOf = ({ originalUrl, headers: { host } }: HttpServerRequest) => {
  const text = /^https?:\/\//.test(originalUrl) ? originalUrl : host === undefined ? "" : `http://${host}`
  return URL.canParse(text) ? new URL(text).origin : undefined
}

/** Methods that read or delete: they work while the disk is full. */
const NEEDS_NO_SPACE: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE"])

/** The router refuses some bodies itself, in plain text; this replaces its reply. */
const inEnvelope = (response: HttpServerResponse.HttpServerResponse, request: HttpServerRequest) => {
  if (response.body._tag !== "Empty" && response.body.contentType === "application/json") return response
  return toResponse(
    response.status === 413
      ? bodyTooLarge(findEndpoint(request))
      : wrongContentType(findEndpoint(request), request.headers["content-type"]),
  )
}

const findEndpoint = (request: HttpServerRequest) => endpointAt(request.method, pathOf(request))

const withHeaders = (response: HttpServerResponse.HttpServerResponse, { id, rateLimit, retryAfter }: RequestState) => {
  const headers: Record<string, string> = { "x-request-id": id, "x-content-type-options": "nosniff" }
  if (response.headers["cache-control"] === undefined) headers["cache-control"] = "no-store"
  if (rateLimit !== undefined) {
    headers["x-ratelimit-limit"] = String(rateLimit.limit)
    headers["x-ratelimit-remaining"] = String(rateLimit.remaining)
    headers["x-ratelimit-reset"] = String(rateLimit.resetAt)
  }
  // The router encodes an endpoint's declared errors itself, without headers.
  const wait = response.status === 503 && retryAfter === undefined ? RETRY_AFTER_SECONDS : retryAfter
  if (wait !== undefined && wait !== null) headers["retry-after"] = String(wait)
  return HttpServerResponse.setHeaders(response, headers)
}

/** `Retry-After` of a 503. */
const RETRY_AFTER_SECONDS = 5

/** The part of the request that failed to decode, for problems without a field. A reply that does not encode is our own fault. */
const REQUEST_PARTS: Record<string, string> = { Params: "path", Query: "query", Headers: "headers", Payload: "body" }

const toErrorReply = (
  cause: Cause.Cause<unknown>,
  request: HttpServerRequest,
  state: RequestState,
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
  const error = Cause.squash(cause)
  if (error instanceof DatabaseUnavailable)
    return Effect.map(Clock.currentTimeMillis, (nowMs) => unavailableReply(error, state, nowMs))
  if (isApiError(error)) return Effect.succeed(toResponse(error))
  if (HttpApiSchemaError.is(error) && error.kind in REQUEST_PARTS) {
    const { issue } = error.cause
    return issue._tag === "InvalidValue" && error.kind === "Payload"
      ? Effect.map(Effect.orDie(request.text), (text) =>
          toResponse(encodedBody(request.headers["content-encoding"]) ?? notJson(text)),
        )
      : Effect.succeed(toResponse(badRequest({ issue }, REQUEST_PARTS[error.kind])))
  }
  if (error instanceof HttpServerError && error.reason._tag === "RouteNotFound") {
    const methods = methodsAt(pathOf(request))
    if (methods.length > 0) return Effect.map(BasePath, (basePath) => toUnroutedReply(request, methods, basePath))
    return Effect.flatMap(BasePath, (basePath) =>
      Effect.map(Effect.flip(noSuchPath(meant(request, basePath))), toResponse),
    )
  }
  if (error instanceof HttpServerError && error.reason._tag === "RequestParseError") {
    if (error.reason.reason === "BodyTooLarge") return Effect.succeed(toResponse(bodyTooLarge(findEndpoint(request))))
    return Effect.succeed(toResponse(new BadRequest({ message: "the request's body could not be read" })))
  }
  const response = toResponse(
    new InternalError({
      message: "the server failed; quote the request id when you report it",
      details: { request_id: state.id },
    }),
  )
  return Effect.as(Effect.annotateLogs(Effect.logError("request failed", cause), { request_id: state.id }), response)
}

/** A question that names what the request may mean, or nothing. */
const meant = (request: HttpServerRequest, basePath: string) => {
  const like = endpointsLike(request.method, pathOf(request)).map((each) => each.replace(" ", ` ${basePath}`))
  return like.length === 0 ? "" : `Did you mean ${like.join(" or ")}?`
}

const isWellFormed = (path: string): boolean => {
  try {
    return decodeURIComponent(path) !== ""
  } catch {
    return false
  }
}

const toUnroutedReply = (request: HttpServerRequest, methods: ReadonlyArray<string>, basePath: string) => {
  const { method } = request
  if (methods.includes(method)) {
    const problem = isWellFormed(pathOf(request)) ? "has too long a part" : "is not well-formed: write % as %25"
    return toResponse(new BadRequest({ message: `the path ${problem}` }))
  }
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ")
  return method === "OPTIONS"
    ? HttpServerResponse.empty({ status: 204, headers: { allow } })
    : toResponse(
        new MethodNotAllowed({
          message: [`this path does not accept ${method}, only ${allow}`, meant(request, basePath)]
            .filter((part) => part !== "")
            .join(". "),
        }),
        { allow },
      )
}
