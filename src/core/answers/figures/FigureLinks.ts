import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import type { Refusal } from "../../signing/Links.ts"
import type { ReportQuery } from "../deals/reportQuery.ts"

/** A report that an answer cites, and the row that has the number. */
export interface Figure {
  readonly subject: "deals" | "associations"
  readonly query: ReportQuery
  /** From 0; undefined for the totals. */
  readonly row?: number | undefined
}

/** Makes and opens links to figures, `/r/{token}`, which need no key. They end like links of the viewer. */
export class FigureLinks extends Context.Service<
  FigureLinks,
  {
    /** Undefined if the query is too long, or cannot be stored now. */
    readonly url: (
      org: string,
      figure: Figure,
    ) => Effect.Effect<{ readonly token: string; readonly url: string } | undefined>
    readonly open: (
      token: string,
    ) => Effect.Effect<{ readonly org: string; readonly figure: Figure } | Refusal, DatabaseUnavailable>
  }
>()("sightline/answers/FigureLinks") {}
