import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { BadRequest, NotFound, RateLimitExceeded } from "../../http/errors/errors.ts"
import type { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import type { OpenedFigure } from "./FigureLinks.ts"

export interface FigurePage {
  readonly response: HttpServerResponse
  /** The title of the report. */
  readonly title: string
}

export interface Viewer {
  readonly seesDeals: boolean
  /** Whether the page offers to sign in to the console; it is the same for all pages of a process. */
  readonly hasConsole: boolean
}

/** Computes the pages of figures, each once for a state of the workspace, and one at a time for each figure. */
export class FigurePages extends Context.Service<
  FigurePages,
  {
    /**
     * `token` is that of the address. Undefined if the figure is no longer stored. Fails with RateLimitExceeded if too many callers wait
     * for the page, or it takes too long.
     */
    readonly show: (
      opened: OpenedFigure,
      token: string,
      viewer: Viewer,
    ) => Effect.Effect<FigurePage | undefined, BadRequest | NotFound | RateLimitExceeded | DatabaseUnavailable>
  }
>()("sightline/answers/FigurePages") {}
