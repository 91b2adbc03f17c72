import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Caller } from "../access/permissions.ts"
import type { BadRequest, Conflict, NotFound } from "../http/errors/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { Board, NewBoard, NewView, View, ViewPatch } from "./contract.ts"

/**
 * Manages saved views and boards. A caller sees its own and shared ones; it changes its own, and with workspace.manage shared ones.
 * A change to anything else answers 404.
 */
export class Views extends Context.Service<
  Views,
  {
    /** The views that are on no board, or those of one. */
    readonly list: (
      caller: Caller,
      boardId: string | undefined,
    ) => Effect.Effect<ReadonlyArray<View>, NotFound | DatabaseUnavailable>
    readonly create: (
      caller: Caller,
      view: NewView,
    ) => Effect.Effect<View, BadRequest | Conflict | NotFound | DatabaseUnavailable>
    readonly update: (
      caller: Caller,
      id: string,
      patch: ViewPatch,
    ) => Effect.Effect<View, BadRequest | NotFound | DatabaseUnavailable>
    readonly remove: (caller: Caller, id: string) => Effect.Effect<void, NotFound | DatabaseUnavailable>
    readonly listBoards: (caller: Caller) => Effect.Effect<ReadonlyArray<Board>, NotFound | DatabaseUnavailable>
    readonly createBoard: (
      caller: Caller,
      board: NewBoard,
    ) => Effect.Effect<Board, Conflict | NotFound | DatabaseUnavailable>
    readonly removeBoard: (caller: Caller, id: string) => Effect.Effect<void, NotFound | DatabaseUnavailable>
  }
>()("sightline/views/Views") {}
