import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { RefusedSignIns } from "../access/RefusedSignIns.ts"
import { BasePath } from "../http/addresses/basePath.ts"
import { shortText } from "../http/bodies/shortText.ts"
import { BaseUrl } from "../http/addresses/BaseUrl.ts"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import { BadRequest, Forbidden, Unauthorized } from "../http/errors/errors.ts"
import { type KnownPerson, Members } from "../members/Members.ts"
import type { NotAdmitted } from "../members/rules.ts"
import type { IdentityProvider, PendingSignIn } from "../ports/IdentityProvider.ts"
import { SealedCursors } from "../signing/SealedCursors.ts"
import { OPENID_COOKIE, OPENID_SECONDS, openIdCookie, openIdIn, sessionCookie } from "./cookies.ts"
import { makeEndPresent } from "./endPresent.ts"
import { OPENID, OPENID_CALLBACK } from "./pages.ts"
import { isFromConsole } from "./withSession.ts"

/** The content of the cookie until the provider sends the browser back, and then until the person has entered an organization. */
interface Stages {
  readonly pending: PendingSignIn
  readonly choice: KnownPerson
}

/** Why nobody is signed in, as the console's page explains it. */
type Refusal = NotAdmitted | "expired" | "cancelled" | "failed"

const place = Effect.gen(function* () {
  const isSecure = (yield* (yield* BaseUrl).get).startsWith("https:")
  return { path: `${yield* BasePath}${OPENID}`, isSecure }
})

/** The cookie that keeps the state of a stage. */
const keep = Effect.fnUntraced(function* <Stage extends keyof Stages>(stage: Stage, content: Stages[Stage]) {
  const untilMs = (yield* Clock.currentTimeMillis) + OPENID_SECONDS * 1000
  const sealed = yield* (yield* SealedCursors).seal("", `openid ${stage}`, JSON.stringify({ content, untilMs }))
  return openIdCookie(sealed, yield* place)
})

const kept = Effect.fnUntraced(function* <Stage extends keyof Stages>(stage: Stage, request: HttpServerRequest) {
  const sealed = openIdIn(request.headers["cookie"])
  const text = sealed === undefined ? undefined : yield* (yield* SealedCursors).open("", `openid ${stage}`, sealed)
  if (text === undefined) return undefined
  const { content, untilMs } = JSON.parse(text) as { readonly content: Stages[Stage]; readonly untilMs: number }
  return untilMs > (yield* Clock.currentTimeMillis) ? content : undefined
})

const redirectUri = Effect.flatMap(BaseUrl, ({ get }) => Effect.map(get, (base) => base + OPENID_CALLBACK))

const toSignInPage = Effect.fnUntraced(function* (query: string, cookie: string) {
  const location = `${yield* BasePath}/sign-in?${query}`
  return HttpServerResponse.empty({
    status: 303,
    headers: { location, "set-cookie": cookie, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  })
})

const refuse = Effect.fnUntraced(function* (reason: Refusal) {
  ;(yield* RefusedSignIns).countAt("console", reason, yield* CurrentRequest)
  return yield* toSignInPage(`refused=${reason}`, openIdCookie("", yield* place))
})

const NO_STORE = { "cache-control": "no-store" }

/** Says in the query that the browser has been sent to the public address. */
const MOVED = "moved"

/**
 * The provider sends the browser back to the public address, so a browser at another name of this server goes there first:
 * the cookie stays with the name. Once only: a proxy may hide the name that the browser shows.
 */
const toPublicAddress = Effect.gen(function* () {
  const base = yield* (yield* BaseUrl).get
  const origin = (yield* CurrentRequest).origin()
  const { searchParams } = new URL((yield* HttpServerRequest).url, base)
  if (origin === undefined || new URL(origin).host === new URL(base).host || searchParams.has(MOVED)) return undefined
  return HttpServerResponse.empty({ status: 302, headers: { ...NO_STORE, location: `${base}${OPENID}?${MOVED}` } })
})

/** `GET /console/openid`: sends the browser to the provider. */
export const begin = (provider: IdentityProvider) =>
  Effect.gen(function* () {
    const moved = yield* toPublicAddress
    if (moved !== undefined) return moved
    const { url, pending } = yield* provider.begin(yield* redirectUri)
    const headers = { ...NO_STORE, location: url, "set-cookie": yield* keep("pending", pending) }
    return HttpServerResponse.empty({ status: 302, headers })
  }).pipe(
    Effect.catchTag("SignInFailed", ({ message }) =>
      Effect.andThen(Effect.logError(`the OpenID provider ${provider.name}: ${message}`), refuse("failed")),
    ),
  )

/**
 * `GET /console/openid/callback`: the provider sends the browser here. The request comes from another site, so it carries no session and
 * starts none: our own page does, in `enter`.
 */
export const comeBack = (provider: IdentityProvider) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest
    const pending = yield* kept("pending", request)
    if (pending === undefined) return yield* refuse("expired")
    const query = new URL(request.url, "http://localhost").searchParams
    const person = yield* provider.finish(yield* redirectUri, query, pending)
    const problem = yield* (yield* Members).admit(person)
    if (problem !== undefined) return yield* refuse(problem)
    const { issuer, subject, email, name } = person
    return yield* toSignInPage("openid", yield* keep("choice", { issuer, subject, email, name }))
  }).pipe(
    Effect.catchTag("SignInFailed", ({ reason, message }) =>
      Effect.andThen(
        Effect.logWarning(`the OpenID provider ${provider.name}: ${message}`),
        refuse(reason === "cancelled" ? "cancelled" : "failed"),
      ),
    ),
  )

/** `GET /console/openid/choice`: the organizations that the person may enter. */
export const offer = Effect.gen(function* () {
  const request = yield* HttpServerRequest
  if (!isFromConsole(request)) return yield* notFromConsole
  const person = yield* kept("choice", request)
  const memberships = person === undefined ? [] : yield* (yield* Members).find(person)
  const organizations = memberships.map(({ organization, name }) => ({ id: organization, name }))
  return HttpServerResponse.jsonUnsafe({ organizations }, { headers: NO_STORE })
})

const MAX_BODY_CHARACTERS = 4096
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Struct({ organization: Schema.String })))

/** `POST /console/openid/choice`: enters an organization. The session replaces the one before. */
export const enter = Effect.gen(function* () {
  const request = yield* HttpServerRequest
  if (!isFromConsole(request)) return yield* notFromConsole
  const text = yield* shortText(request, MAX_BODY_CHARACTERS)
  if (text === undefined) return yield* invalid
  const { organization } = yield* Effect.mapError(decode(text), () => invalid)
  const person = yield* kept("choice", request)
  if (person === undefined) return yield* late
  const members = yield* Members
  const membership = (yield* members.find(person)).find((each) => each.organization === organization)
  const token =
    membership === undefined ? undefined : yield* members.enter(person, membership, request.headers["user-agent"])
  if (token === undefined) return yield* late
  yield* (yield* makeEndPresent)(request)
  const at = yield* place
  const cookie = sessionCookie(token, { ...at, path: yield* BasePath })
  const done = HttpServerResponse.empty({ status: 204, headers: { ...NO_STORE, "set-cookie": cookie } })
  // The state must not sign in again after a sign-out.
  return HttpServerResponse.expireCookieUnsafe(done, OPENID_COOKIE, { path: at.path })
})

const notFromConsole = new Forbidden({ message: "only the console's own page may sign in" })
const invalid = new BadRequest({ message: 'the body must be {"organization": "…"}' })
const late = new Unauthorized({ message: "this sign-in is older than ten minutes or has ended; sign in again" })
