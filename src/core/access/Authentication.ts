import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { CurrentRequest, type RequestState } from "../http/CurrentRequest.ts"
import { Forbidden, type InternalError } from "../http/errors/errors.ts"
import { Settings } from "../http/Settings.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { span } from "../telemetry/tracing.ts"
import { Admission, type Holder } from "./Admission.ts"
import { askHost, HostPrincipals, unrecognized } from "./askHost.ts"
import { isCrossSite, isFrom } from "./crossSite.ts"
import { actorOf, type Caller, operatorOf } from "./permissions.ts"
import type { FindPrincipal } from "./principal.ts"
import { refuse, refuseGrant, refuseToken, replyLimited } from "./refusals.ts"
import { RefusedSignIns } from "./RefusedSignIns.ts"
import { isGrantSecret, isOurs } from "./secret.ts"
import { isTokenText } from "./tokenContent.ts"
import { Tokens } from "./Tokens.ts"

/**
 * Recognizes the caller of a request and charges its limits. A bearer token of ours decides; otherwise the embedding host's `principal`,
 * which may read a bearer token of its own; otherwise the token is an older key, without our prefix. The operator of an organization is
 * recognized already, and has no limits.
 */
export class Authentication extends Context.Service<
  Authentication,
  {
    /** `token` is the bearer token, or empty. Returns the reply instead of a caller if the request is refused. */
    readonly authenticate: (
      request: HttpServerRequest,
      token: string,
    ) => Effect.Effect<Caller | HttpServerResponse, Forbidden | InternalError | DatabaseUnavailable>
    /** Charges the limits of the key or identity behind an application's token. Undefined if that has ended. */
    readonly authenticateHolder: (
      holder: Holder,
    ) => Effect.Effect<Caller | HttpServerResponse | undefined, DatabaseUnavailable>
    /**
     * The reply of `authenticate` to a request whose key is refused without a question to the database or the host: it is malformed or
     * missing, or was refused moments ago.
     */
    readonly findRefusal: (request: HttpServerRequest, state: RequestState) => HttpServerResponse | undefined
  }
>()("sightline/access/Authentication") {
  static readonly layer = Layer.effect(
    Authentication,
    Effect.gen(function* () {
      const admission = yield* Admission
      const tokens = yield* Tokens
      const refusedSignIns = yield* RefusedSignIns
      const find = yield* HostPrincipals
      const { publicUrl, corsOrigins } = yield* Settings
      const origins = new Set([...corsOrigins, ...(publicUrl === undefined ? [] : [new URL(publicUrl).origin])])

      const authenticateKey = Effect.fnUntraced(function* (request: HttpServerRequest, token: string) {
        const state = yield* CurrentRequest
        const decision = yield* admit(admission.admit(token))
        return decision.outcome === "admitted"
          ? recognize(state, decision)
          : refuse(decision, { authorization: request.headers["authorization"], token }, state, refusedSignIns)
      })

      const authenticateToken = Effect.fnUntraced(function* (request: HttpServerRequest, text: string) {
        const state = yield* CurrentRequest
        const token = yield* tokens.open(text)
        if (typeof token === "string") return refuseToken(token, state)
        if (token.originHash !== undefined && !(yield* isFrom(token.originHash, request)))
          return yield* wrongOrigin(request.headers["origin"])
        const decision = yield* admit(admission.admitToken(token))
        if (decision.outcome === "limited") return replyLimited(decision, state)
        if (decision.outcome !== "admitted") return refuseToken("ended", state)
        state.expires = token.expires
        return recognize(state, decision)
      })

      const authenticateHolder = Effect.fnUntraced(function* (holder: Holder) {
        const state = yield* CurrentRequest
        const decision = yield* admit(admission.admitHolder(holder))
        if (decision.outcome === "limited") return replyLimited(decision, state)
        return decision.outcome === "admitted" ? recognize(state, decision) : undefined
      })

      const authenticateAt = (find: FindPrincipal) =>
        Effect.fnUntraced(function* (request: HttpServerRequest, token: string) {
          const state = yield* CurrentRequest
          const principal = yield* askHost(find, request, state)
          if (principal === undefined) return yield* authenticateKey(request, token)
          if (isCrossSite(request, state.origin(), origins)) return yield* crossSite
          const decision = yield* admit(admission.admitPrincipal(principal))
          if (decision.outcome === "admitted") return recognize(state, decision)
          if (decision.outcome === "limited") return replyLimited(decision, state)
          yield* Effect.logError(`\`principal\` returned an unknown organization: ${principal.organization}`)
          return yield* unrecognized
        })

      const authenticateOther = find === undefined ? authenticateKey : authenticateAt(find)
      const authenticate = (request: HttpServerRequest, token: string) =>
        isGrantSecret(token)
          ? Effect.map(CurrentRequest, refuseGrant)
          : isTokenText(token)
            ? authenticateToken(request, token)
            : isOurs(token)
              ? authenticateKey(request, token)
              : authenticateOther(request, token)
      /** Whether `authenticateKey` decides about a token. */
      const isKey = (token: string) =>
        isOurs(token) ? !isTokenText(token) && !isGrantSecret(token) : find === undefined
      return Authentication.of({
        authenticateHolder,
        findRefusal: ({ headers: { authorization } }, state) => {
          const token = bearerOf(authorization)
          if (!isKey(token) || isOperator(state)) return undefined
          const decision = admission.findRefusal(token)
          return decision && refuse(decision, { authorization, token }, state, refusedSignIns)
        },
        authenticate: (request, token) =>
          Effect.flatMap(CurrentRequest, (state) =>
            isOperator(state) ? Effect.succeed(operatorOf(state.organization)) : authenticate(request, token),
          ),
      })
    }),
  )
}

const admit = span("Access.admit")

/** The bearer token as Effect's `HttpApiSecurity.bearer` reads it: empty if there is none. */
const bearerOf = (authorization: string | undefined) => BEARER.exec(authorization ?? "")?.[1] ?? ""
const BEARER = /^bearer +([^ ].*)$/is

/** Whether the request has the operator key, which was checked before routing, and is about an organization. */
const isOperator = (state: RequestState): state is RequestState & { readonly organization: string } =>
  state.actor !== undefined && "operator" in state.actor && state.organization !== undefined

const recognize = (state: RequestState, { caller, window }: { caller: Caller; window: RequestState["rateLimit"] }) => {
  state.rateLimit = window
  state.keyId = caller.keyId
  state.actor = actorOf(caller.keyId, caller.identity)
  state.organization = caller.organizationId
  return caller
}

const wrongOrigin = (origin: string | undefined) =>
  new Forbidden({
    message: `this token is for the pages of one origin, and ${origin === undefined ? "no page of it" : `'${origin.slice(0, 200)}', another one,`} sent this request`,
  })

const crossSite = new Forbidden({
  message: "a page of another site sent this request; send it from this site, or add the origin to `corsOrigins`",
})
