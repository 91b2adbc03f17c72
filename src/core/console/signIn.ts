import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Headers from "effect/http/Headers"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Authentication } from "../access/Authentication.ts"
import { RefusedSignIns } from "../access/RefusedSignIns.ts"
import { isKey, Sessions } from "../sessions/Sessions.ts"
import { BasePath } from "../http/addresses/basePath.ts"
import { shortText } from "../http/bodies/shortText.ts"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import { BadRequest, Forbidden, Unauthorized } from "../http/errors/errors.ts"
import { isLoopback } from "../http/addresses/loopback.ts"
import { Settings } from "../http/Settings.ts"
import { sessionCookie } from "./cookies.ts"
import { makeEndPresent } from "./endPresent.ts"
import { CONSOLE_SESSION } from "./pages.ts"
import { isFromConsole } from "./withSession.ts"

const MAX_BODY_CHARACTERS = 4096

/** A key, or the token of a one-time link. */
const SignIn = Schema.Union([Schema.Struct({ key: Schema.String }), Schema.Struct({ link: Schema.String })])
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(SignIn))

/** Starts and ends the browser's session. A sign-in makes a new session and ends the one before; the client never chooses its token. */
export const signIn = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { authenticate } = yield* Authentication
    const sessions = yield* Sessions
    const endPresent = yield* makeEndPresent
    const { publicUrl } = yield* Settings
    const refusedSignIns = yield* RefusedSignIns
    const countRefused = (reason: string) =>
      Effect.map(CurrentRequest, (state) => refusedSignIns.countAt("console", reason, state))

    const reply = Effect.fnUntraced(function* (token: string) {
      const origin = (yield* CurrentRequest).origin()
      const isSecure = (publicUrl ?? origin ?? "").startsWith("https:")
      return HttpServerResponse.empty({
        status: 204,
        headers: { "set-cookie": sessionCookie(token, { path: yield* BasePath, isSecure }) },
      })
    })

    const start = Effect.gen(function* () {
      const request = yield* HttpServerRequest
      if (!isFromConsole(request)) return yield* notFromConsole
      const text = yield* shortText(request, MAX_BODY_CHARACTERS)
      if (text === undefined) return yield* invalid
      const given = yield* Effect.mapError(decode(text), () => invalid)
      const browser = request.headers["user-agent"]
      if ("link" in given) {
        const isLocal = isLoopback(request.headers["host"])
        const token = yield* sessions.open(given.link, { isLocal, browser })
        if (token === undefined) return yield* Effect.andThen(countRefused("link"), usedLink)
        yield* endPresent(request)
        return yield* reply(token)
      }
      if (!isKey(given.key)) return yield* Effect.andThen(countRefused("not_a_key"), needsKey)
      const authorization = `Bearer ${given.key}`
      const withKey = request.modify({ headers: Headers.set(request.headers, "authorization", authorization) })
      const caller = yield* authenticate(withKey, given.key)
      if (HttpServerResponse.isHttpServerResponse(caller)) {
        const { refusal } = yield* CurrentRequest
        if (refusal !== undefined && "key" in refusal) yield* countRefused(refusal.key)
        return caller
      }
      const token = yield* sessions.start(caller, given.key, browser)
      yield* endPresent(request)
      return yield* reply(token)
    })

    const end = Effect.gen(function* () {
      const request = yield* HttpServerRequest
      if (!isFromConsole(request)) return yield* notFromConsole
      yield* endPresent(request)
      return yield* reply("")
    })

    yield* router.add("POST", CONSOLE_SESSION, start)
    yield* router.add("DELETE", CONSOLE_SESSION, end)
  }),
)

const notFromConsole = new Forbidden({ message: "only the console's own page may sign in or out" })
const invalid = new BadRequest({ message: 'the body must be {"key": "sl_live_…"} or {"link": "sl_link_…"}' })
const needsKey = new Unauthorized({ message: "this is not an API key; paste a key such as sl_live_…" })
const usedLink = new Unauthorized({
  message: "this link was used before or is older than 15 minutes; request another one, or paste an API key",
})
