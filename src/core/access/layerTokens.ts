import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { InvalidOptions } from "../common/InvalidOptions.ts"
import { isOrigin } from "../http/addresses/origin.ts"
import { Settings } from "../http/Settings.ts"
import { isSigned, SigningKeys } from "../signing/SigningKeys.ts"
import { seal, unseal } from "../signing/token.ts"
import { Database } from "../storage/Database.ts"
import { unknownOrganization } from "../storage/inOrganization.ts"
import { hashOfOrigin } from "./crossSite.ts"
import { enrol, identityToken } from "./enrol.ts"
import { problemsOfPrincipal } from "./principal.ts"
import { hash } from "./secret.ts"
import { type NewToken, Tokens } from "./Tokens.ts"
import { isTokenText, packToken, TOKEN_PREFIX, unpackToken } from "./tokenContent.ts"

const DEFAULT_SECONDS = 900
const MAX_SECONDS = 3600

export const layerTokens = Layer.effect(
  Tokens,
  Effect.gen(function* () {
    const database = yield* Database
    const { signingSecret } = yield* Settings
    const { current, accepted } = yield* SigningKeys
    return Tokens.of({
      create: Effect.fn("Tokens.create")(function* (token) {
        const problems = problemsOf(token, signingSecret !== undefined)
        if (problems.length > 0) return yield* InvalidOptions.of(problems)
        const { seconds = DEFAULT_SECONDS, origin, ...principal } = token
        const row = yield* enrol(database, principal)
        if (row === undefined) return yield* unknownOrganization(principal.organization)
        const content = packToken({
          role: principal.role,
          permissions: principal.permissions ?? null,
          expires: Math.floor((yield* Clock.currentTimeMillis) / 1000) + seconds,
          identityHash: yield* hash(identityToken(principal)),
          originHash: origin === undefined ? undefined : yield* hashOfOrigin(origin),
          row,
        })
        return TOKEN_PREFIX + seal(content, yield* Effect.promise(() => current.sign("tokens", content)))
      }),
      open: Effect.fnUntraced(function* (text) {
        const parts = isTokenText(text) ? unseal(text.slice(TOKEN_PREFIX.length)) : undefined
        if (parts === undefined) return "malformed"
        if (!(yield* Effect.promise(() => isSigned(accepted, "tokens", parts)))) return "malformed"
        const token = unpackToken(parts.content)
        if (token === undefined) return "malformed"
        return token.expires * 1000 <= (yield* Clock.currentTimeMillis) ? "expired" : token
      }),
    })
  }),
)

/** Every problem of a token's options. Types do not hold for a host in JavaScript. */
const problemsOf = ({ seconds, origin, ...principal }: NewToken, hasSecret: boolean) => [
  ...(hasSecret
    ? []
    : [{ option: "signingSecret", reason: "of `open` is missing: it signs tokens, on every instance the same" }]),
  ...problemsOfPrincipal(principal).map(({ field, reason }) => ({ option: field, reason })),
  ...(seconds === undefined || (Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_SECONDS)
    ? []
    : [{ option: "seconds", reason: `must be a whole number from 1 to ${MAX_SECONDS}, not ${String(seconds)}` }]),
  ...(origin === undefined || isOrigin(origin)
    ? []
    : [
        {
          option: "origin",
          reason: `must be an origin, such as "https://app.example.com", not ${JSON.stringify(origin)}`,
        },
      ]),
]
