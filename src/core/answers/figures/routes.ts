import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { HostPrincipals } from "../../access/askHost.ts"
import { Authentication } from "../../access/Authentication.ts"
import { allows } from "../../access/permissions.ts"
import { sessionIn } from "../../console/cookies.ts"
import { CurrentRequest } from "../../http/CurrentRequest.ts"
import { busyPage, expiredPage, notFoundPage, revokedPage, unavailablePage } from "../../library/viewer/shell.ts"
import { LoadConsole } from "../../ports/ConsoleFiles.ts"
import { FigureLinks, type OpenedFigure } from "./FigureLinks.ts"
import { FigurePages } from "./FigurePages.ts"
import { FigureViews } from "./FigureViews.ts"

const REFUSAL_PAGES = { unknown: notFoundPage, expired: expiredPage, revoked: revokedPage }

/** Serves `/r/{token}`: the report that an answer cites, computed again, and what is behind the cited row. */
export const figures = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const links = yield* FigureLinks
    const pages = yield* FigurePages
    const views = yield* FigureViews
    const { authenticate } = yield* Authentication
    const loadConsole = yield* LoadConsole
    const hasConsole = yield* Effect.cached(
      Effect.map(Effect.promise(loadConsole), (files) => files?.["index.html"] !== undefined),
    )
    const hasPrincipals = (yield* HostPrincipals) !== undefined

    /** Whether the caller sees the deals; the reply if the key of the request is refused, or a limit is used up. */
    const recognize = Effect.fnUntraced(function* ({ org, shows }: OpenedFigure) {
      if (shows === "deals") return true
      const request = yield* HttpServerRequest
      const { authorization = "", cookie } = request.headers
      const key = /^bearer\s+(\S+)$/i.exec(authorization)?.[1]
      const token = key ?? sessionIn(cookie) ?? ""
      // An operator has no token.
      if (token === "" && !hasPrincipals && (yield* CurrentRequest).actor === undefined) return false
      const caller = yield* Effect.catchTags(authenticate(request, token), {
        // The host does not give this visitor access to an organization, or could not say.
        Forbidden: () => Effect.undefined,
        InternalError: () => Effect.undefined,
      })
      if (caller === undefined) return false
      if (!HttpServerResponse.isHttpServerResponse(caller))
        return caller.organizationId === org && allows(caller, "deals.read")
      // A session may have ended, and a visitor of the host may not have signed in.
      return caller.status === 401 && key === undefined ? false : caller
    })

    yield* router.add(
      "GET",
      "/r/:token",
      Effect.gen(function* () {
        const { token = "" } = yield* HttpRouter.params
        const opened = yield* links.open(token)
        if (typeof opened === "string") return yield* REFUSAL_PAGES[opened]
        const seesDeals = yield* recognize(opened)
        if (typeof seesDeals !== "boolean") return seesDeals
        const shown = yield* pages.show(opened, token, { seesDeals, hasConsole: yield* hasConsole })
        if (shown === undefined) return yield* notFoundPage
        yield* views.count(opened, shown.title)
        return shown.response
      }).pipe(
        Effect.catch((error) => {
          if (error._tag === "RateLimitExceeded") return busyPage
          if (error._tag !== "DatabaseUnavailable") return notFoundPage
          return error.reason === "concurrency" ? busyPage : unavailablePage
        }),
      ),
    )
  }),
)
