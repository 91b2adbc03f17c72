import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { HostPrincipals } from "../access/askHost.ts"
import { Authentication } from "../access/Authentication.ts"
import { identityToken } from "../access/enrol.ts"
import type { Caller } from "../access/permissions.ts"
import { isSessionToken } from "../access/secret.ts"
import { sessionIn } from "../console/cookies.ts"

/** Somebody who is signed in, and the secret that says so: a grant ends with it. */
export interface Person {
  readonly caller: Caller
  readonly credential: string
}

/** The cookie of a sign-in with a key to connect an assistant. It opens these pages alone and is deleted when the person has decided. */
const COOKIE = "sightline_connect"
const COOKIE_SECONDS = 600

export const connectCookie = (
  token: string,
  { path, isSecure }: { readonly path: string; readonly isSecure: boolean },
): string =>
  [
    `${COOKIE}=${token}`,
    `Path=${path}`,
    `Max-Age=${token === "" ? 0 : COOKIE_SECONDS}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(isSecure ? ["Secure"] : []),
  ].join("; ")

export const connectSession = ({ headers }: HttpServerRequest): string | undefined =>
  new RegExp(`(?:^|;)\\s*${COOKIE}=(sl_session_\\w+)`).exec(headers["cookie"] ?? "")?.[1]

/**
 * Finds who is signed in: the sender that the host names, a sign-in to connect an assistant, and a session of the console. Several are of
 * several organizations, or of several keys.
 */
export const findPeople = Effect.fnUntraced(function* (request: HttpServerRequest) {
  const { authenticate } = yield* Authentication
  const people: Array<Person> = []
  const ask = (token: string) =>
    // A host that does not know its visitor says so by an error, too.
    Effect.catchTags(authenticate(request, token), {
      Forbidden: () => Effect.undefined,
      InternalError: () => Effect.undefined,
    })
  const add = (caller: Effect.Success<ReturnType<typeof ask>>, credential: (caller: Caller) => string) => {
    if (caller === undefined || HttpServerResponse.isHttpServerResponse(caller)) return
    if (caller.isOperator || people.some((person) => person.caller.keyId === caller.keyId)) return
    people.push({ caller, credential: credential(caller) })
  }
  if ((yield* HostPrincipals) !== undefined)
    add(yield* ask(""), ({ organizationId, identity }) => credentialOf(organizationId, identity))
  for (const token of [connectSession(request), sessionIn(request.headers["cookie"])])
    if (token !== undefined && isSessionToken(token)) add(yield* ask(token), () => token)
  return people
})

const credentialOf = (organization: string, identity: Caller["identity"]) =>
  identity === undefined ? "" : identityToken({ organization, identity })
