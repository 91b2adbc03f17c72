import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Asker } from "../Asker.ts"
import type { ReportRows } from "../figures/figure.ts"
import type { Passage } from "../../search/SearchIndex.ts"

export interface Pointer {
  readonly ref?: string
  readonly url?: string
}

/** The asker for whom a tool runs, with its permissions. The server sets it; no argument of a call can. */
export class ToolCaller extends Context.Service<
  ToolCaller,
  {
    readonly asker: Asker
    /** Makes the pointer to a passage in results: a `ref` for a model, a `url` for an MCP client. */
    readonly point: (passage: Passage) => Effect.Effect<Pointer>
    /** The same for a row of a report; undefined for its totals. */
    readonly pointToRow: (report: ReportRows, row: number | undefined) => Effect.Effect<Pointer>
  }
>()("sightline/answers/ToolCaller") {}
