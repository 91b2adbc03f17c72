import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { shortText } from "../http/bodies/shortText.ts"
import { readMetadata } from "./clientDocument.ts"
import { Clients } from "./Clients.ts"
import { ACCESS_SECONDS, Grants, type IssuedTokens } from "./Grants.ts"
import { readForm } from "./request.ts"

const MAX_REGISTRATION_CHARACTERS = 16_384

/** An error as OAuth words it, which is what clients read. */
const refuse = (error: string, description: string, status = 400, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.jsonUnsafe({ error, error_description: description }, { status, headers })

const fields = Effect.gen(function* () {
  return yield* readForm(yield* HttpServerRequest)
})

const repeated = refuse("invalid_request", "send each parameter once, as application/x-www-form-urlencoded")

/** `POST /oauth/token`. */
export const token = Effect.gen(function* () {
  const form = yield* fields
  if (form === undefined) return repeated
  const { grant_type, client_id, resource, code, code_verifier, redirect_uri, refresh_token } = form
  if (client_id === undefined)
    return refuse("invalid_client", "client_id is missing; send it in a body of application/x-www-form-urlencoded", 401)
  const grants = yield* Grants
  switch (grant_type) {
    case "authorization_code": {
      if (code === undefined || code_verifier === undefined || !VERIFIER.test(code_verifier))
        return refuse("invalid_request", "code must be given, and code_verifier with 43 to 128 of A-Z a-z 0-9 - . _ ~")
      const proof = { clientId: client_id, resource, redirectUri: redirect_uri, verifier: code_verifier }
      return answer(
        yield* grants.exchange({ secret: code, ...proof }),
        "code",
        "client_id, redirect_uri or code_verifier",
      )
    }
    case "refresh_token":
      if (refresh_token === undefined) return refuse("invalid_request", "refresh_token must be given")
      return answer(
        yield* grants.refresh({ secret: refresh_token, clientId: client_id, resource }),
        "refresh token",
        "client_id",
      )
    default:
      return refuse("unsupported_grant_type", "grant_type must be authorization_code or refresh_token")
  }
})

/** RFC 7636. */
const VERIFIER = /^[\w.~-]{43,128}$/

/** `proofs` names the parameters that had to match `credential`. The reply does not say which one differs. */
const answer = (issued: IssuedTokens | "invalid_grant" | "invalid_target", credential: string, proofs: string) => {
  if (issued === "invalid_grant")
    return refuse(
      "invalid_grant",
      `this ${credential} has ended, was used before, or is of another ${proofs}; connect again`,
    )
  if (issued === "invalid_target") return refuse("invalid_target", `this ${credential} is for another resource`)
  return HttpServerResponse.jsonUnsafe(
    {
      access_token: issued.access,
      token_type: "Bearer",
      expires_in: ACCESS_SECONDS,
      refresh_token: issued.refresh,
      scope: issued.scopes.join(" "),
    },
    { headers: { "cache-control": "no-store" } },
  )
}

/** `POST /oauth/revoke` (RFC 7009): the reply does not say whether the token existed. */
export const revoke = Effect.gen(function* () {
  const form = yield* fields
  if (form === undefined) return repeated
  const { token, client_id } = form
  if (token === undefined || client_id === undefined)
    return refuse("invalid_request", "token and client_id must be given")
  yield* (yield* Grants).revoke(token, client_id)
  return HttpServerResponse.empty({ status: 200 })
})

/** `POST /oauth/register` (RFC 7591), for clients that have no description at an address of their own. */
export const register = Effect.gen(function* () {
  const text = yield* shortText(yield* HttpServerRequest, MAX_REGISTRATION_CHARACTERS)
  const metadata = text === undefined ? "not_metadata" : readMetadata(text)
  if (metadata === "not_metadata")
    return refuse("invalid_client_metadata", "send JSON with redirect_uris and client_name")
  if (metadata === "bad_redirect")
    return refuse(
      "invalid_redirect_uri",
      "redirect_uris must have 1 to 20 addresses of https, a loopback host or an app",
    )
  const made = yield* (yield* Clients).register(metadata.name ?? "", metadata.redirectUris)
  if (made === undefined)
    return refuse("temporarily_unavailable", "too many clients register; try again in an hour", 429, {
      "retry-after": "3600",
    })
  return HttpServerResponse.jsonUnsafe(
    {
      client_id: made.id,
      client_id_issued_at: Math.floor((yield* Clock.currentTimeMillis) / 1000),
      ...(made.name !== "" && { client_name: made.name }),
      redirect_uris: made.redirect_uris,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    { status: 201 },
  )
})
