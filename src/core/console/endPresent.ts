import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Authentication } from "../access/Authentication.ts"
import { isKey, Sessions } from "../sessions/Sessions.ts"
import { sessionIn } from "./cookies.ts"

/** Makes the function that ends the session of a request's cookie, if it has one that works. */
export const makeEndPresent = Effect.gen(function* () {
  const { authenticate } = yield* Authentication
  const sessions = yield* Sessions
  return Effect.fnUntraced(function* (request: HttpServerRequest) {
    const token = sessionIn(request.headers["cookie"])
    if (token === undefined || isKey(token)) return
    const caller = yield* authenticate(request, token)
    if (HttpServerResponse.isHttpServerResponse(caller) || caller.sessionId === undefined) return
    yield* Effect.catchTag(sessions.end(caller, caller.sessionId), "NotFound", () => Effect.void)
  })
})
