import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OpenedFigure } from "./FigureLinks.ts"

/** Counts views of figures' pages, for `GET /usage` and the audit log. */
export class FigureViews extends Context.Service<
  FigureViews,
  {
    /** Costs one look-up in memory. `title` names the report. */
    readonly count: (opened: OpenedFigure, title: string) => Effect.Effect<void>
    /** Writes what was counted; a chore does so every minute, and the end of the process. */
    readonly flush: () => Effect.Effect<void>
  }
>()("sightline/answers/FigureViews") {}
