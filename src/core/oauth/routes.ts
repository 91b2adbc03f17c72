import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { HostPrincipals } from "../access/askHost.ts"
import type { Authentication } from "../access/Authentication.ts"
import type { RefusedSignIns } from "../access/RefusedSignIns.ts"
import { BaseUrl } from "../http/addresses/BaseUrl.ts"
import { noSuchPath } from "../http/addresses/noSuchPath.ts"
import { OpenIdProvider } from "../ports/IdentityProvider.ts"
import type { Sessions } from "../sessions/Sessions.ts"
import type { SealedCursors } from "../signing/SealedCursors.ts"
import type { Clients } from "./Clients.ts"
import type { Grants } from "./Grants.ts"
import { isOwnSuffix, resourceMetadata, resourceOf, serverMetadata } from "./metadata.ts"
import {
  AUTHORIZE,
  REGISTER,
  RESOURCE_METADATA,
  REVOKE,
  SERVER_METADATA,
  SIGN_IN,
  SigningIn,
  TOKEN,
} from "./SigningIn.ts"

type Needs = Authentication | BaseUrl | Clients | Grants | RefusedSignIns | SealedCursors | Sessions

/** Signing in to `/mcp` by OAuth 2.1: this service is its own authorization server. */
export const oauth = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const signingIn = yield* SigningIn
    const principals = yield* HostPrincipals
    const provider = yield* OpenIdProvider
    const context = yield* Effect.context<Needs>()
    const baseUrl = yield* BaseUrl

    if (signingIn === undefined) {
      for (const path of [AUTHORIZE, `${RESOURCE_METADATA}/*`, `${SERVER_METADATA}/*`] as const)
        yield* router.add("GET", path, noSuchPath())
      for (const path of [AUTHORIZE, SIGN_IN, TOKEN, REVOKE, REGISTER] as const)
        yield* router.add("POST", path, noSuchPath())
      return
    }
    /** Loads the code of a page with its first request. */
    const later = <E>(
      load: () => Promise<Effect.Effect<HttpServerResponse.HttpServerResponse, E, Needs | HttpServerRequest>>,
    ) =>
      Effect.flatMap(Effect.promise(load), (answer) =>
        answer.pipe(
          Effect.provide(context),
          Effect.provideService(SigningIn, signingIn),
          Effect.provideService(HostPrincipals, principals),
          Effect.provideService(OpenIdProvider, provider),
        ),
      )

    yield* router.add(
      "GET",
      AUTHORIZE,
      later(async () => (await import("./authorize.ts")).authorize),
    )
    yield* router.add(
      "POST",
      AUTHORIZE,
      later(async () => (await import("./authorize.ts")).decide),
    )
    yield* router.add(
      "POST",
      SIGN_IN,
      later(async () => (await import("./authorize.ts")).signIn),
    )
    yield* router.add(
      "POST",
      TOKEN,
      later(async () => (await import("./tokens.ts")).token),
    )
    yield* router.add(
      "POST",
      REVOKE,
      later(async () => (await import("./tokens.ts")).revoke),
    )
    yield* router.add(
      "POST",
      REGISTER,
      later(async () => (await import("./tokens.ts")).register),
    )

    const document = (prefix: string, subject: (base: string) => string, render: (base: string) => object) =>
      Effect.gen(function* () {
        const { url } = yield* HttpServerRequest
        const base = yield* baseUrl.get
        const [path = ""] = url.split("?", 1)
        if (!isOwnSuffix(path.slice(prefix.length), subject(base))) return yield* noSuchPath()
        return HttpServerResponse.jsonUnsafe(render(base), { headers: { "cache-control": "public, max-age=300" } })
      })
    const resource = document(RESOURCE_METADATA, resourceOf, resourceMetadata)
    const server = document(SERVER_METADATA, (base) => base, serverMetadata)
    // The pattern also covers the path without its end.
    yield* router.add("GET", `${RESOURCE_METADATA}/*`, resource)
    yield* router.add("GET", `${SERVER_METADATA}/*`, server)
  }),
)
