import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { RefusedSignIns } from "../access/RefusedSignIns.ts"
import { makeComparer } from "../access/makeComparer.ts"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import { toResponse, Unauthorized } from "../http/errors/errors.ts"

/** Answers requests to `/operator` after their key was checked. */
export class OperatorApp extends Context.Service<
  OperatorApp,
  {
    readonly answer: () => Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, HttpServerRequest | Scope>
  }
>()("sightline/operator/OperatorApp") {}

/** The key that opens `/operator`. Without one, `/operator` refuses every request. */
export const OperatorKey = Context.Reference<Redacted.Redacted | undefined>("sightline/operator/OperatorKey", {
  defaultValue: () => undefined,
})

export const isOperatorPath = (url: string): boolean => /^\/operator(?:[/?]|$)/.test(url)

/**
 * Passes on requests with the operator key. Refuses all others alike, before routing, so that a refusal says nothing about
 * paths. No other origin can read the replies, and no cache keeps them.
 */
export const requireOperatorKey = Effect.fnUntraced(function* (
  operatorKey: Redacted.Redacted | undefined,
  refusedSignIns: RefusedSignIns["Service"],
) {
  const isKey = operatorKey === undefined ? () => Effect.succeed(false) : yield* makeComparer(operatorKey)
  return <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function* () {
      const { headers } = yield* HttpServerRequest
      const given = /^bearer +(\S+)$/i.exec(headers["authorization"] ?? "")?.[1]
      if (given === undefined) return unauthorized
      const state = Fiber.getCurrent()!.getRef(CurrentRequest)
      if (!(yield* isKey(given))) {
        if (operatorKey !== undefined) refusedSignIns.countAt("operator", "wrong_key", state)
        return unauthorized
      }
      // The audit log names the operator as the actor.
      state.actor = { operator: true }
      return HttpServerResponse.setHeader(yield* app, "cache-control", "no-store")
    })
})

const unauthorized = toResponse(
  new Unauthorized({ message: "send 'Authorization: Bearer <key>' with the operator key of this server" }),
  { "www-authenticate": "Bearer", "cache-control": "no-store" },
)
