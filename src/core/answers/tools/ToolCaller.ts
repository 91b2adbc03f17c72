import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Asker } from "../Asker.ts"
import type { Passage } from "../../search/SearchIndex.ts"

/** On whose behalf a tool runs, and with which permissions. The server binds it; no argument of a call can. */
export class ToolCaller extends Context.Service<
  ToolCaller,
  {
    readonly asker: Asker
    /** How a passage is pointed at in what the caller is told: a `ref` for a model, a `url` for a person's client. */
    readonly point: (passage: Passage) => Effect.Effect<{ readonly ref?: string; readonly url?: string }>
  }
>()("sightline/answers/ToolCaller") {}
