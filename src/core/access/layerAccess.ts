import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type { Caller, Permission } from "./permissions.ts"
import { allows, explainRefusal } from "./permissions.ts"
import { AnswersBytes } from "../http/api/annotations.ts"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import { Forbidden, NotAcceptable, toResponse } from "../http/errors/errors.ts"
import { badRequest } from "../http/validation/validation.ts"
import { unavailableReply } from "../http/replies/unavailable.ts"
import { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Access, Principal } from "./Access.ts"
import { Authentication } from "./Authentication.ts"
import { makeRefundRefused } from "./refundRefused.ts"

/**
 * Runs before each handler: identifies the caller, charges its limits, and checks its permissions. `permissions` maps
 * `group.endpoint` to a permission, or to several, one of which suffices; an empty list admits any valid key. Refusals
 * return prepared responses, because they must be the cheapest replies.
 */
export const layerAccess = (permissions: Readonly<Record<string, Permission | ReadonlyArray<Permission>>>) =>
  Layer.effect(
    Access,
    Effect.gen(function* () {
      const { authenticate } = yield* Authentication
      const refundRefused = yield* makeRefundRefused
      const replyUnavailable = Effect.fnUntraced(function* (error: DatabaseUnavailable, caller: Caller) {
        yield* refundRefused(caller, error)
        return unavailableReply(error, yield* CurrentRequest, yield* Clock.currentTimeMillis)
      })
      return Access.of({
        bearer: Effect.fnUntraced(function* (handler, { credential, endpoint, group }) {
          const required = permissions[`${group.identifier}.${endpoint.identifier}`]
          if (required === undefined)
            return yield* Effect.die(`no permission for ${group.identifier}.${endpoint.identifier}`)
          const [permission, ...others] = [required].flat()
          const token = Redacted.value(credential)
          const fiber = Fiber.getCurrent()!
          fiber.getRef(CurrentRequest).route = endpoint.path
          const request = Context.getUnsafe(fiber.context, HttpServerRequest)
          const caller = yield* authenticate(request, token)
          if (HttpServerResponse.isHttpServerResponse(caller)) return caller
          if (
            permission !== undefined &&
            !allows(caller, permission) &&
            !others.some((other) => allows(caller, other))
          ) {
            return toResponse(new Forbidden({ message: explainRefusal(caller, permission) }))
          }
          const invalid = rejectInvalid(request, endpoint)
          if (invalid !== undefined) return invalid
          return yield* Effect.catch(Effect.provideService(handler, Principal, caller), (error) => {
            const unavailable = unavailableIn(error)
            return unavailable === undefined ? Effect.fail(error) : replyUnavailable(unavailable, caller)
          })
        }),
      })
    }),
  )

/** Effect wraps the error of a handler, so that a middleware does not take it for its own. */
const unavailableIn = (error: unknown): DatabaseUnavailable | undefined => {
  const inner = Predicate.hasProperty(error, "error") ? error.error : error
  return inner instanceof DatabaseUnavailable ? inner : undefined
}

/** Returns the error reply to a request that must not reach its handler. */
const rejectInvalid = ({ url, headers: { accept } }: HttpServerRequest, endpoint: HttpApiEndpoint.Top) => {
  if (endpoint.query === undefined && url.includes("?")) {
    const unknown = [...new URLSearchParams(url.slice(url.indexOf("?"))).keys()]
    if (unknown.length > 0)
      return toResponse(badRequest({ unknown: unknown.map((field) => ({ field, accepted: [] })) }))
  }
  if (accept !== undefined && !ACCEPTS_JSON.test(accept) && !Context.get(endpoint.annotations, AnswersBytes))
    return notAcceptable
  return undefined
}

const ACCEPTS_JSON = /\*\/\*|application\/(\*|json)/

const notAcceptable = toResponse(
  new NotAcceptable({ message: "this path replies with application/json; accept it, or omit the Accept header" }),
)
