import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { Deals } from "../../deals/Deals.ts"
import { expiredPage, notFoundPage, page, revokedPage, unavailablePage } from "../../library/viewer/shell.ts"
import { Reports } from "../../reports/Reports.ts"
import { Database } from "../../storage/Database.ts"
import { FigureLinks } from "./FigureLinks.ts"

const REFUSAL_PAGES = { unknown: notFoundPage, expired: expiredPage, revoked: revokedPage }

/** Serves `/r/{token}`: the report that an answer cites, computed again, and the deals behind the cited row. */
export const figures = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const links = yield* FigureLinks
    const context = yield* Effect.context<Database | Deals | Reports>()
    yield* router.add(
      "GET",
      "/r/:token",
      Effect.gen(function* () {
        const { token = "" } = yield* HttpRouter.params
        const opened = yield* links.open(token)
        if (typeof opened === "string") return yield* REFUSAL_PAGES[opened]
        const { showFigure } = yield* Effect.promise(() => import("./page.ts"))
        const { title, body } = yield* Effect.provide(showFigure(opened.org, opened.figure), context)
        return yield* page(200, title, body)
      }).pipe(Effect.catch(({ _tag }) => (_tag === "BadRequest" ? notFoundPage : unavailablePage))),
    )
  }),
)
