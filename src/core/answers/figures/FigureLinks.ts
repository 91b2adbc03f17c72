import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import type { Refusal } from "../../signing/Links.ts"
import type { Figure } from "./figure.ts"

/** Makes and opens links to figures, `/r/{token}`, which need no key. They end like links of the viewer. */
export class FigureLinks extends Context.Service<
  FigureLinks,
  {
    /** Undefined if the query is too long for a link. */
    readonly url: (
      org: string,
      figure: Figure,
    ) => Effect.Effect<{ readonly token: string; readonly url: string } | undefined>
    readonly open: (
      token: string,
    ) => Effect.Effect<{ readonly org: string; readonly figure: Figure } | Refusal, DatabaseUnavailable>
  }
>()("sightline/answers/FigureLinks") {}
