import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Caller } from "../access/permissions.ts"
import type { Forbidden } from "../http/errors/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { Message, Reply } from "./messages.ts"

/** Sends a notification while a request is in progress. */
export type Notify = (notification: object) => Effect.Effect<unknown>

/**
 * Answers messages of the Model Context Protocol. It is stateless, so any instance can answer any message: there are no
 * sessions, and the server sends no requests.
 */
export class Mcp extends Context.Service<
  Mcp,
  {
    /** Undefined for a message without a reply. `notify` gets the progress. */
    readonly handle: (
      caller: Caller,
      message: Message,
      notify?: Notify,
    ) => Effect.Effect<Reply | undefined, Forbidden | DatabaseUnavailable>
  }
>()("sightline/mcp/Mcp") {}
