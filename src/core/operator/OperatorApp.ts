import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import { toResponse, Unauthorized } from "../http/errors.ts"

/** Everything below `/operator`, for requests whose key was checked. */
export class OperatorApp extends Context.Service<
  OperatorApp,
  {
    readonly answer: () => Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, HttpServerRequest | Scope>
  }
>()("sightline/operator/OperatorApp") {}

/** Opens `/operator`; undefined: nothing does. */
export const OperatorKey = Context.Reference<Redacted.Redacted | undefined>("sightline/operator/OperatorKey", {
  defaultValue: () => undefined,
})

export const isOperatorPath = (url: string): boolean => /^\/operator(?:[/?]|$)/.test(url)

/**
 * Lets requests with the operator key by. Every other request is refused alike, before anything is known of its path. The
 * operator's replies are read by no other origin and kept by no cache.
 */
export const guarded = Effect.fnUntraced(function* (
  operatorKey: Redacted.Redacted | undefined,
  answer: OperatorApp["Service"]["answer"],
) {
  const isKey = operatorKey === undefined ? () => Effect.succeed(false) : yield* comparedWith(operatorKey)
  return Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest
    const given = /^bearer +(\S+)$/i.exec(headers["authorization"] ?? "")?.[1]
    if (given === undefined || !(yield* isKey(given))) return unauthorized
    // What the services record of the act names the operator.
    Fiber.getCurrent()!.getRef(CurrentRequest).actor = { operator: true }
    return HttpServerResponse.setHeader(yield* answer(), "cache-control", "no-store")
  })
})

/** WebCrypto verifies a tag in constant time. */
const comparedWith = Effect.fnUntraced(function* (secret: Redacted.Redacted) {
  const key = yield* Effect.promise(
    () => crypto.subtle.generateKey(HMAC, false, ["sign", "verify"]) as Promise<CryptoKey>,
  )
  const tag = yield* Effect.promise(() => crypto.subtle.sign("HMAC", key, utf8(Redacted.value(secret))))
  return (given: string) => Effect.promise(() => crypto.subtle.verify("HMAC", key, tag, utf8(given)))
})

const HMAC = { name: "HMAC", hash: "SHA-256" } as const

const utf8 = (text: string) => new TextEncoder().encode(text)

const unauthorized = toResponse(
  new Unauthorized({ message: "send 'Authorization: Bearer <key>' with the operator key of this server" }),
  { "www-authenticate": "Bearer", "cache-control": "no-store" },
)
