import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Protocol from "oauth4webapi"
import { type IdentityProvider, type PendingSignIn, SignInFailed } from "../../core/ports/IdentityProvider.ts"

/** An OpenID provider, and this service as its client. */
export interface OpenIdChoice {
  /** Without a trailing slash, unless the provider's own issuer has one. */
  readonly issuer: string
  readonly clientId: string
  /** Undefined: a public client, which PKCE alone protects. */
  readonly clientSecret: Redacted.Redacted | undefined
  readonly scopes: string
  /** Whether an address counts as verified if the provider says nothing about it, as Microsoft Entra does. */
  readonly trustEmail: boolean
}

/** Bounds each request to the provider. */
const TIMEOUT_MS = 10_000
/** The provider's description is read anew after this time. */
const KNOWN_FOR_MS = 600_000
/** As OpenID Connect bounds it. */
const SUBJECT = /^\P{Cc}{1,255}$/u
const MAX_NAME_CHARACTERS = 1_000
/** As RFC 5321 bounds it. */
const EMAIL = /^[^\s\p{Cc}]{1,254}$/u

type Library = typeof Protocol

/** The authorization code flow with PKCE, state, nonce and the ID token's signature, by `oauth4webapi`: see `docs/decisions/sign-in.md`. */
export const openIdProvider = (choice: OpenIdChoice): IdentityProvider => {
  const issuer = new URL(choice.issuer)
  const client: Protocol.Client = { client_id: choice.clientId }
  let known: { readonly server: Protocol.AuthorizationServer; readonly untilMs: number } | undefined
  const keys: Protocol.JWKSCacheInput = {}

  const load = Effect.promise(() => import("oauth4webapi"))
  const optionsOf = (protocol: Library) => ({
    signal: () => AbortSignal.timeout(TIMEOUT_MS),
    // Only a provider on this machine: the configuration refuses others without TLS.
    [protocol.allowInsecureRequests]: issuer.protocol === "http:",
  })

  const discover = Effect.fnUntraced(function* (protocol: Library) {
    const nowMs = yield* Clock.currentTimeMillis
    if (known !== undefined && nowMs < known.untilMs) return known.server
    const server = yield* Effect.tryPromise({
      try: async () =>
        protocol.processDiscoveryResponse(
          issuer,
          await protocol.discoveryRequest(issuer, { algorithm: "oidc", ...optionsOf(protocol) }),
        ),
      catch: (cause) =>
        new SignInFailed({ reason: "unreachable", message: `cannot read its description: ${say(cause)}` }),
    })
    known = { server, untilMs: nowMs + KNOWN_FOR_MS }
    return server
  })

  /** Exchanges the code, and checks everything that the provider says. */
  const exchange = async (
    protocol: Library,
    server: Protocol.AuthorizationServer,
    redirectUri: string,
    query: URLSearchParams,
    { state, nonce, verifier }: PendingSignIn,
  ) => {
    const options = optionsOf(protocol)
    const parameters = protocol.validateAuthResponse(server, client, query, state)
    const authentication = authenticationOf(protocol, server, choice.clientSecret)
    const reply = await protocol.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      redirectUri,
      verifier,
      options,
    )
    const tokens = await protocol.processAuthorizationCodeResponse(server, client, reply, {
      expectedNonce: nonce,
      requireIdToken: true,
    })
    await protocol.validateApplicationLevelSignature(server, reply, { ...options, [protocol.jwksCache]: keys })
    const claims = protocol.getValidatedIdTokenClaims(tokens)!
    if (server.userinfo_endpoint === undefined) return claims
    // Many providers give addresses and groups here alone.
    const more = await protocol.processUserInfoResponse(
      server,
      client,
      claims.sub,
      await protocol.userInfoRequest(server, client, tokens.access_token, options),
    )
    return { ...more, ...claims }
  }

  return {
    name: issuer.host,
    begin: Effect.fnUntraced(function* (redirectUri) {
      const protocol = yield* load
      const server = yield* discover(protocol)
      if (server.authorization_endpoint === undefined)
        return yield* new SignInFailed({ reason: "unreachable", message: "has no authorization_endpoint" })
      const pending = {
        state: protocol.generateRandomState(),
        nonce: protocol.generateRandomNonce(),
        verifier: protocol.generateRandomCodeVerifier(),
      }
      const url = new URL(server.authorization_endpoint)
      const parameters = {
        client_id: choice.clientId,
        redirect_uri: redirectUri,
        response_type: "code",
        scope: choice.scopes,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: yield* Effect.promise(() => protocol.calculatePKCECodeChallenge(pending.verifier)),
        code_challenge_method: "S256",
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return { url: url.href, pending }
    }),
    finish: Effect.fnUntraced(function* (redirectUri, query, pending) {
      const protocol = yield* load
      const server = yield* discover(protocol)
      const claims = yield* Effect.tryPromise({
        try: () => exchange(protocol, server, redirectUri, query, pending),
        catch: (cause) => failureOf(protocol, cause),
      })
      if (!SUBJECT.test(claims.sub))
        return yield* new SignInFailed({
          reason: "mismatch",
          message: "gives a subject that is no text of 255 characters",
        })
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: verifiedEmail(claims, choice.trustEmail),
        name: textOf(claims["name"]) ?? textOf(claims["preferred_username"]),
        claims,
      }
    }),
  }
}

/** The way in which the provider accepts the secret; `client_secret_basic`, as its specification says, if it names none. */
const authenticationOf = (
  protocol: Library,
  server: Protocol.AuthorizationServer,
  secret: Redacted.Redacted | undefined,
) => {
  if (secret === undefined) return protocol.None()
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
  return methods.includes("client_secret_basic")
    ? protocol.ClientSecretBasic(Redacted.value(secret))
    : protocol.ClientSecretPost(Redacted.value(secret))
}

const failureOf = (protocol: Library, cause: unknown) => {
  if (cause instanceof protocol.AuthorizationResponseError) {
    const reason = cause.error === "access_denied" ? "cancelled" : "mismatch"
    return new SignInFailed({
      reason,
      message: `replied ${cause.error}: ${cause.error_description ?? "no reason given"}`,
    })
  }
  const isReply = cause instanceof protocol.OperationProcessingError || cause instanceof protocol.ResponseBodyError
  return new SignInFailed({ reason: isReply ? "mismatch" : "unreachable", message: say(cause) })
}

const say = (cause: unknown) => {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause instanceof Error ? `${cause.message} (${cause.cause.message})` : cause.message
}

const textOf = (value: unknown) =>
  typeof value === "string" && value.trim() !== "" ? value.slice(0, MAX_NAME_CHARACTERS) : undefined

/** Some providers write booleans as text. */
const verifiedEmail = (claims: Readonly<Record<string, unknown>>, trustEmail: boolean) => {
  const { email, email_verified: verified = trustEmail } = claims
  const isVerified = verified === true || verified === "true"
  return isVerified && typeof email === "string" && EMAIL.test(email) ? email : undefined
}
