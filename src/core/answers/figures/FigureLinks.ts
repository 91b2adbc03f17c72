import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import type { Opened, Refusal } from "../../signing/Links.ts"
import type { AnsweredRow, Figure, ReportRows } from "./figure.ts"

export type OpenedFigure = Opened<"figures" | "reports">

/** A figure as it is stored. */
export interface StoredFigure {
  readonly figure: Figure
  /** The cited row as the answer said it; undefined if it is not kept. */
  readonly answered: AnsweredRow | undefined
  readonly currency: string | undefined
  /** ISO 8601; undefined for links from before figures were stored with what they said. */
  readonly answeredAt: string | undefined
  readonly timezone: string
  /** Differs once a page that was computed before may show something else: the position of the change feed, and settings. */
  readonly state: string
}

/** Makes and opens links to figures, `/r/{token}`, which need no key. They end like links of the viewer. */
export class FigureLinks extends Context.Service<
  FigureLinks,
  {
    /** Links to a row of a report. Undefined if the query is too long, or the figure cannot be stored now. */
    readonly url: (
      org: string,
      rows: ReportRows,
      row: number | undefined,
    ) => Effect.Effect<{ readonly token: string; readonly url: string } | undefined>
    /** Stores the reports of an answer in one statement, before its text cites the first. */
    readonly keep: (org: string, reports: ReadonlyArray<ReportRows>) => Effect.Effect<void>
    /**
     * Stores all figures of an answer in one statement, once it is complete. If they cannot be stored, answers again without links, so
     * the answer must only read.
     */
    readonly together: <A, E, R>(org: string, answer: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    readonly open: (token: string) => Effect.Effect<OpenedFigure | Refusal, DatabaseUnavailable>
    /** Undefined if the figure is no longer stored. */
    readonly read: (opened: OpenedFigure) => Effect.Effect<StoredFigure | undefined, DatabaseUnavailable>
  }
>()("sightline/answers/FigureLinks") {}
