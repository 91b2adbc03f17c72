import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { HostPrincipals } from "../access/askHost.ts"
import { Authentication } from "../access/Authentication.ts"
import { RefusedSignIns } from "../access/RefusedSignIns.ts"
import { BasePath } from "../http/addresses/basePath.ts"
import { BaseUrl } from "../http/addresses/BaseUrl.ts"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import { OpenIdProvider } from "../ports/IdentityProvider.ts"
import { SealedCursors } from "../signing/SealedCursors.ts"
import { isKey, Sessions } from "../sessions/Sessions.ts"
import { looksLikeOurs } from "./clientName.ts"
import { Clients, type Client, type UnknownClient } from "./Clients.ts"
import { Grants } from "./Grants.ts"
import { resourceOf } from "./metadata.ts"
import { againPage, consentPage, problemPage, signInPage } from "./pages.ts"
import { connectCookie, connectSession, findPeople, type Person } from "./people.ts"
import { type Destination, destinationOf, matchesRedirect, withParameters } from "./redirects.ts"
import { type Asked, comesFromElsewhere, isOwnForm, queryOf, readAsked, readForm } from "./request.ts"
import { parseScopes, permissionsOf, SCOPES } from "./scopes.ts"
import { AUTHORIZE, SIGN_IN, SigningIn, type SigningInOptions } from "./SigningIn.ts"

/** The form of a page that was open for longer is refused. */
const MAX_PAGE_AGE_MS = 600_000

interface Sealed {
  readonly asked: Asked
  readonly untilMs: number
  /** The people whom a consent page offered. */
  readonly people?: ReadonlyArray<string>
}

/** Seals what a client asked for into a page of ours, so that the form brings back what the person saw. */
const seal = Effect.fnUntraced(function* (stage: "request" | "consent", content: Omit<Sealed, "untilMs">) {
  const { seal } = yield* SealedCursors
  const untilMs = (yield* Clock.currentTimeMillis) + MAX_PAGE_AGE_MS
  return yield* seal("", `oauth ${stage}`, JSON.stringify({ ...content, untilMs } satisfies Sealed))
})

const unseal = Effect.fnUntraced(function* (stage: "request" | "consent", text: string | undefined) {
  const opened = text === undefined ? undefined : yield* (yield* SealedCursors).open("", `oauth ${stage}`, text)
  if (opened === undefined) return undefined
  const sealed = JSON.parse(opened) as Sealed
  return sealed.untilMs > (yield* Clock.currentTimeMillis) ? sealed : undefined
})

/** `GET /oauth/authorize`: finds out who is there, and asks that person. */
export const authorize = Effect.gen(function* () {
  const request = yield* HttpServerRequest
  const query = queryOf(request)
  const sealed = query.get("request")
  const isReturning = sealed !== null
  const asked = sealed === null ? readAsked(query) : (yield* unseal("request", sealed))?.asked
  if (asked === undefined) return yield* isReturning ? latePage : repeatedPage
  if (!isReturning && comesFromElsewhere(request)) return yield* againPage(yield* returnAddress(asked))
  const people = yield* findPeople(request)
  return people.length === 0 ? yield* askToSignIn(asked, isReturning) : yield* askForConsent(asked, people)
})

/** Our own address, which goes on with what the client asked for. */
const returnAddress = Effect.fnUntraced(function* (asked: Asked) {
  return `${yield* (yield* BaseUrl).get}${AUTHORIZE}?request=${yield* seal("request", { asked })}`
})

const acceptsKeys = Effect.gen(function* () {
  const { keySignIn = (yield* HostPrincipals) === undefined } = (yield* SigningIn) ?? {}
  return keySignIn
})

const askToSignIn = Effect.fnUntraced(function* (asked: Asked, isReturning: boolean) {
  const { loginUrl } = (yield* SigningIn) ?? {}
  if (loginUrl !== undefined && !isReturning) return yield* sendToHost(loginUrl, yield* returnAddress(asked))
  // The console's page signs in with the provider or a key, and goes on here.
  if ((yield* OpenIdProvider) !== undefined && !isReturning) return yield* sendToConsole(yield* returnAddress(asked))
  if (!(yield* acceptsKeys)) return yield* noAccessPage
  return yield* signInPage(yield* ownPath(SIGN_IN), yield* seal("request", { asked }))
})

const sendToHost = (loginUrl: NonNullable<SigningInOptions["loginUrl"]>, returnTo: string) =>
  Effect.try(() => new URL(loginUrl(returnTo)).href).pipe(
    Effect.map((location) => HttpServerResponse.empty({ status: 302, headers: { location } })),
    Effect.catch((error) =>
      Effect.andThen(Effect.logError("`oauth.loginUrl` returned no address", error.cause), brokenLoginPage),
    ),
  )

const sendToConsole = Effect.fnUntraced(function* (returnTo: string) {
  const to = returnTo.slice((yield* (yield* BaseUrl).get).length + 1)
  const location = `${yield* ownPath("/sign-in")}?to=${encodeURIComponent(to)}`
  return HttpServerResponse.empty({ status: 302, headers: { location } })
})

const ownPath = (path: string) => Effect.map(BasePath, (base) => base + path)

/** The client and the address of its own to which replies go; a page if either is not known, because no reply may then leave us. */
const checkClient = Effect.fnUntraced(function* ({ client_id, redirect_uri }: Asked) {
  const client = client_id === undefined ? "unknown" : yield* (yield* Clients).find(client_id)
  if (typeof client === "string") return yield* unknownClientPage(client)
  const destination = redirect_uri === undefined ? undefined : destinationOf(redirect_uri)
  const isRegistered = client.redirectUris.some((known) => matchesRedirect(known, redirect_uri ?? ""))
  if (redirect_uri === undefined || destination === undefined || !isRegistered) return yield* wrongRedirectPage
  return { client, destination, redirectUri: redirect_uri }
})

/** The error that goes back to the client; undefined if the request is in order. */
const problemOf = (asked: Asked, resource: string): readonly [error: string, description: string] | undefined => {
  if (asked.response_type !== "code") return ["unsupported_response_type", "response_type must be code"]
  if (asked.code_challenge_method !== "S256" || !/^[\w-]{43}$/.test(asked.code_challenge ?? ""))
    return ["invalid_request", "code_challenge must be a SHA-256 in base64url, and code_challenge_method S256"]
  if (asked.resource !== undefined && asked.resource !== resource)
    return ["invalid_target", `resource must be ${resource}`]
  if (parseScopes(asked.scope) === undefined)
    return ["invalid_scope", `scope must have some of ${Object.keys(SCOPES).join(", ")}`]
  return undefined
}

const reply = Effect.fnUntraced(function* (
  redirectUri: string,
  parameters: Readonly<Record<string, string | undefined>>,
  cookie?: string,
) {
  const location = withParameters(redirectUri, { ...parameters, iss: yield* (yield* BaseUrl).get })
  const headers = { location, "referrer-policy": "no-referrer", ...(cookie !== undefined && { "set-cookie": cookie }) }
  return HttpServerResponse.empty({ status: 303, headers })
})

const askForConsent = Effect.fnUntraced(function* (asked: Asked, people: ReadonlyArray<Person>) {
  const checked = yield* checkClient(asked)
  if (HttpServerResponse.isHttpServerResponse(checked)) return checked
  const { client, destination, redirectUri } = checked
  const problem = problemOf(asked, resourceOf(yield* (yield* BaseUrl).get))
  if (problem !== undefined)
    return yield* reply(redirectUri, { error: problem[0], error_description: problem[1], state: asked.state })
  const { describe } = yield* Grants
  const scopes = parseScopes(asked.scope) ?? []
  const able = people
    .map(({ caller }) => ({ caller, permissions: permissionsOf(scopes, caller) }))
    .filter(({ permissions }) => permissions.length > 0)
  if (able.length === 0) return yield* readsNothingPage
  const choices = yield* Effect.forEach(able, ({ caller, permissions }) =>
    Effect.map(describe(caller), ({ organization, name }) => ({
      keyId: caller.keyId,
      organization,
      person: caller.identity?.name ?? `the key “${name}”`,
      permissions,
    })),
  )
  return yield* consentPage({
    action: yield* ownPath(AUTHORIZE),
    sealed: yield* seal("consent", { asked, people: choices.map(({ keyId }) => keyId) }),
    redirectUri,
    destination,
    client: shown(client, destination),
    choices,
  })
})

/** The name of a client as the page shows it. A stranger that takes the name of this service is shown by its address. */
const shown = ({ id, name, source }: Client, destination: Destination) => {
  const host = source === "document" ? new URL(id).host : undefined
  const isTaken = name === undefined || (source !== "operator" && looksLikeOurs(name))
  return { name: isTaken ? (host ?? destination.name) : name, isVouched: source === "operator", host }
}

/** `POST /oauth/authorize`: the person's decision. Only our own page can send it, for what that page said and for who saw it. */
export const decide = Effect.gen(function* () {
  const request = yield* HttpServerRequest
  if (!isOwnForm(request, new URL(yield* (yield* BaseUrl).get).origin)) return yield* forgedPage
  // A host's `principal` gets the request before its body is read.
  const people = yield* findPeople(request)
  const form = yield* readForm(request)
  const sealed = yield* unseal("consent", form?.["consent"])
  if (form === undefined || sealed === undefined) return yield* latePage
  const { asked } = sealed
  const checked = yield* checkClient(asked)
  if (HttpServerResponse.isHttpServerResponse(checked)) return checked
  const { client, destination, redirectUri } = checked
  const person = people.find(({ caller }) => caller.keyId === form["as"])
  if (person === undefined || !sealed.people?.includes(person.caller.keyId)) return yield* anotherPersonPage
  if (form["decision"] !== "allow")
    return yield* reply(redirectUri, { error: "access_denied", state: asked.state }, yield* endSignIn)
  const scopes = parseScopes(asked.scope) ?? []
  const code = yield* (yield* Grants).create(person.caller, person.credential, {
    client: { id: client.id, name: shown(client, destination).name },
    redirectUri,
    challenge: asked.code_challenge ?? "",
    scopes,
    permissions: permissionsOf(scopes, person.caller),
    resource: resourceOf(yield* (yield* BaseUrl).get),
  })
  if (code === undefined) return yield* anotherPersonPage
  return yield* reply(redirectUri, { code, state: asked.state }, yield* endSignIn)
})

const connectCookieFor = Effect.fnUntraced(function* (token: string) {
  const isSecure = (yield* (yield* BaseUrl).get).startsWith("https:")
  return connectCookie(token, { path: yield* ownPath("/oauth"), isSecure })
})

/** Deletes the cookie of a sign-in with a key. A grant needs the key alone, so its session ends. */
const endSignIn = Effect.gen(function* () {
  const request = yield* HttpServerRequest
  const token = connectSession(request)
  if (token === undefined) return undefined
  const caller = yield* (yield* Authentication).authenticate(request, token)
  if (!HttpServerResponse.isHttpServerResponse(caller) && caller.sessionId !== undefined)
    yield* Effect.ignore((yield* Sessions).end(caller, caller.sessionId))
  return yield* connectCookieFor("")
})

/** `POST /oauth/sign-in`: a pasted key. */
export const signIn = Effect.gen(function* () {
  const request = yield* HttpServerRequest
  if (!isOwnForm(request, new URL(yield* (yield* BaseUrl).get).origin)) return yield* forgedPage
  if (!(yield* acceptsKeys)) return yield* noAccessPage
  const form = yield* readForm(request)
  const sealed = yield* unseal("request", form?.["request"])
  if (form === undefined || sealed === undefined) return yield* latePage
  const refused = yield* RefusedSignIns
  const refuse = Effect.fnUntraced(function* (reason: string, problem: string) {
    refused.countAt("console", reason, yield* CurrentRequest)
    return yield* signInPage(yield* ownPath(SIGN_IN), yield* seal("request", sealed), problem)
  })
  const key = form["key"]?.trim() ?? ""
  if (key === "" || !isKey(key))
    return yield* refuse("not_a_key", "This is not an API key. Paste one such as sl_live_…")
  const withKey = request.modify({ headers: Headers.set(request.headers, "authorization", `Bearer ${key}`) })
  const caller = yield* (yield* Authentication).authenticate(withKey, key)
  if (HttpServerResponse.isHttpServerResponse(caller)) {
    if (caller.status === 429) return yield* busyPage
    return yield* refuse("key", "This key does not work. It may be incomplete, expired or revoked.")
  }
  // A host may read a bearer token of its own, whose person the host's login knows.
  if (caller.identity !== undefined) return yield* refuse("not_a_key", "This is not an API key.")
  const token = yield* (yield* Sessions).start(caller, key, request.headers["user-agent"])
  return HttpServerResponse.empty({
    status: 303,
    headers: { location: yield* returnAddress(sealed.asked), "set-cookie": yield* connectCookieFor(token) },
  })
})

const START_AGAIN = "Go back to the application and connect again."
const latePage = problemPage(400, "This page was open too long", START_AGAIN)
const repeatedPage = problemPage(400, "This request is not in order", "A parameter is repeated or too long.")
const forgedPage = problemPage(403, "Another page sent this form", `Nothing was granted. ${START_AGAIN}`)
const anotherPersonPage = problemPage(
  403,
  "You are signed in as somebody else now",
  `Nothing was granted. ${START_AGAIN}`,
)
const busyPage = problemPage(
  429,
  "Too many requests",
  "This key has used up its requests for now. Try again in a minute.",
)
const noAccessPage = problemPage(
  403,
  "You have no access here",
  "This application does not give you access to a workspace. Sign in to it first, or ask its administrator.",
)
const brokenLoginPage = problemPage(
  500,
  "The sign-in does not work",
  "The application's login could not be opened. Tell its administrator.",
)
const readsNothingPage = problemPage(
  403,
  "There is nothing to read",
  "You are signed in with a key that may read nothing of what the application asks for. Use another key.",
)
const wrongRedirectPage = problemPage(
  400,
  "The application gave a wrong address",
  "It asks to return to an address that it has not registered, so nothing was sent there. Tell its maker.",
)
const unknownClientPage = (why: UnknownClient) => problemPage(400, "This application is not known", UNKNOWN[why])
const UNKNOWN: Readonly<Record<UnknownClient, string>> = {
  unknown:
    "It has not registered here, or its registration has expired. Remove it from your assistant and add it again.",
  unreachable: "Its description could not be read: the address is not public, or does not reply. Try again later.",
  not_its_own: "The description at its address is incomplete, or of another application.",
}
