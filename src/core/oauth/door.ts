import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Authentication } from "../access/Authentication.ts"
import type { Caller } from "../access/permissions.ts"
import { isGrantSecret } from "../access/secret.ts"
import { BaseUrl } from "../http/addresses/BaseUrl.ts"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import { Forbidden, toResponse, Unauthorized } from "../http/errors/errors.ts"
import { Grants } from "./Grants.ts"
import { challenge, resourceOf } from "./metadata.ts"
import { DEFAULT_SCOPE } from "./scopes.ts"
import { SigningIn } from "./SigningIn.ts"

/** Makes the door of `/mcp`: it opens for keys and for tokens of connected applications, and says how to get one. */
export const makeDoor = Effect.gen(function* () {
  const { authenticate, authenticateHolder } = yield* Authentication
  const isOpen = (yield* SigningIn) !== undefined
  const grants = yield* Grants
  const baseUrl = yield* BaseUrl

  const admitGrant = Effect.fnUntraced(function* (token: string) {
    const state = yield* CurrentRequest
    const found = yield* grants.find(token)
    if (found === undefined || found.resource !== resourceOf(yield* baseUrl.get)) {
      state.refusal = { key: "token_ended" }
      return ended
    }
    const { id, key_hash, identity, name, permissions, scopes } = found
    const caller = yield* authenticateHolder({
      grant: id,
      hash: key_hash,
      identity: identity === null ? undefined : { id: identity, name },
      permissions,
      scopes,
    })
    return caller ?? ended
  })

  return {
    enter: Effect.fnUntraced(function* (request: HttpServerRequest, token: string) {
      if (!isOpen) return yield* authenticate(request, token)
      const caller = yield* isGrantSecret(token) ? admitGrant(token) : authenticate(request, token)
      if (!HttpServerResponse.isHttpServerResponse(caller) || caller.status !== 401) return caller
      const error = token === "" ? undefined : "invalid_token"
      return HttpServerResponse.setHeader(caller, "www-authenticate", challenge(yield* baseUrl.get, error))
    }),
    /** The reply to a call whose permission the caller lacks. A person can grant more if the application asked for little. */
    forbid: Effect.fnUntraced(function* (caller: Caller, error: Forbidden) {
      if (caller.scopes === undefined || caller.scopes.includes(DEFAULT_SCOPE)) return yield* error
      return toResponse(error, { "www-authenticate": challenge(yield* baseUrl.get, "insufficient_scope") })
    }),
  }
})

const ended = toResponse(
  new Unauthorized({
    message: "this token has ended or is for another address; connect the application again",
    details: { reason: "token_ended" },
  }),
  { "www-authenticate": "Bearer" },
)
