import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { Authentication } from "../access/Authentication.ts"
import type { RefusedSignIns } from "../access/RefusedSignIns.ts"
import type { BaseUrl } from "../http/addresses/BaseUrl.ts"
import { noSuchPath } from "../http/addresses/noSuchPath.ts"
import type { Members } from "../members/Members.ts"
import { OpenIdProvider } from "../ports/IdentityProvider.ts"
import type { Sessions } from "../sessions/Sessions.ts"
import type { SealedCursors } from "../signing/SealedCursors.ts"
import { OPENID, OPENID_CALLBACK, OPENID_CHOICE } from "./pages.ts"

type Needs = Authentication | BaseUrl | Members | RefusedSignIns | SealedCursors | Sessions
type Page<E> = Effect.Effect<HttpServerResponse, E, Needs | HttpServerRequest>

/** Signing in to the console through an OpenID provider, if the server has one. The code loads with the first request. */
export const openId = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const provider = yield* OpenIdProvider
    const context = yield* Effect.context<Needs>()
    if (provider === undefined) {
      for (const path of [OPENID, OPENID_CALLBACK, OPENID_CHOICE] as const) yield* router.add("GET", path, noSuchPath())
      return yield* router.add("POST", OPENID_CHOICE, noSuchPath())
    }
    const later = <E>(load: () => Promise<Page<E>>) =>
      Effect.flatMap(Effect.promise(load), (answer) => Effect.provide(answer, context))
    yield* router.add(
      "GET",
      OPENID,
      later(async () => (await import("./openId.ts")).begin(provider)),
    )
    yield* router.add(
      "GET",
      OPENID_CALLBACK,
      later(async () => (await import("./openId.ts")).comeBack(provider)),
    )
    yield* router.add(
      "GET",
      OPENID_CHOICE,
      later(async () => (await import("./openId.ts")).offer),
    )
    yield* router.add(
      "POST",
      OPENID_CHOICE,
      later(async () => (await import("./openId.ts")).enter),
    )
  }),
)
