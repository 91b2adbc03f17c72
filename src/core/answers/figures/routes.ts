import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { makeRefundRefused } from "../../access/refundRefused.ts"
import { HostPrincipals } from "../../access/askHost.ts"
import { Authentication } from "../../access/Authentication.ts"
import { allows, type Caller } from "../../access/permissions.ts"
import { sessionIn } from "../../console/cookies.ts"
import { CurrentRequest } from "../../http/CurrentRequest.ts"
import { busyPage, notFoundPage, REFUSAL_PAGES, unavailablePage } from "../../library/viewer/shell.ts"
import { LoadConsole } from "../../ports/ConsoleFiles.ts"
import { FigureLinks, type OpenedFigure } from "./FigureLinks.ts"
import { FigurePages } from "./FigurePages.ts"
import { FigureViews } from "./FigureViews.ts"

interface Viewer {
  readonly caller?: Caller
  readonly seesDeals: boolean
}
const NOBODY: Viewer = { seesDeals: false }
const ANYBODY: Viewer = { seesDeals: true }

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

    const refundRefused = yield* makeRefundRefused

    /** Who asks, if they say so, and whether they see the deals; the reply if the key of the request is refused, or a limit is used up. */
    const recognize = Effect.fnUntraced(function* ({ org, shows }: OpenedFigure) {
      if (shows === "deals") return ANYBODY
      const request = yield* HttpServerRequest
      const { authorization = "", cookie } = request.headers
      const key = /^bearer\s+(\S+)$/i.exec(authorization)?.[1]
      const token = key ?? sessionIn(cookie) ?? ""
      // An operator has no token.
      if (token === "" && !hasPrincipals && (yield* CurrentRequest).actor === undefined) return NOBODY
      const caller = yield* Effect.catchTags(authenticate(request, token), {
        // The host does not give this visitor access to an organization, or could not say.
        Forbidden: () => Effect.undefined,
        InternalError: () => Effect.undefined,
      })
      if (caller === undefined) return NOBODY
      if (!HttpServerResponse.isHttpServerResponse(caller)) {
        const seesDeals = caller.organizationId === org && allows(caller, "deals.read")
        return { caller, seesDeals } satisfies Viewer
      }
      // A session may have ended, and a visitor of the host may not have signed in.
      return caller.status === 401 && key === undefined ? NOBODY : caller
    })

    yield* router.add(
      "GET",
      "/r/:token",
      Effect.gen(function* () {
        const { token = "" } = yield* HttpRouter.params
        const opened = yield* links.open(token)
        if (typeof opened === "string") return yield* REFUSAL_PAGES[opened]
        const viewer = yield* recognize(opened)
        if (HttpServerResponse.isHttpServerResponse(viewer)) return viewer
        const { caller, seesDeals } = viewer
        const shown = yield* Effect.tapError(
          pages.show(opened, token, { seesDeals, hasConsole: yield* hasConsole }),
          (error) => (caller === undefined ? Effect.void : refundRefused(caller, error)),
        )
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
