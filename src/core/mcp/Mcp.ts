import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Caller } from "../access/permissions.ts"
import type { Forbidden } from "../http/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { Reply } from "./messages.ts"

/** Takes what is told while a request is answered. */
export type Tell = (notification: object) => Effect.Effect<unknown>

/**
 * Answers messages of the Model Context Protocol. Nothing is kept between two of them, so that any instance answers any:
 * there are no sessions, and the server never calls back.
 */
export class Mcp extends Context.Service<
  Mcp,
  {
    /** Undefined for what takes no reply. A batch is refused: each request is counted by itself. `tell` hears what comes before the reply. */
    readonly handle: (
      caller: Caller,
      message: unknown,
      tell?: Tell,
    ) => Effect.Effect<Reply | undefined, Forbidden | DatabaseUnavailable>
  }
>()("sightline/mcp/Mcp") {}
