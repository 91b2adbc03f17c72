import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Caller } from "../../access/permissions.ts"
import type { Message } from "../Answerer.ts"
import type { CitationStyle, Response } from "../events.ts"
import type { BadRequest, NotFound } from "../../http/errors/errors.ts"
import type { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import type { Conversation, ConversationEntry } from "./contract.ts"

/** Begins a conversation, where an id continues one. */
export const NEW = "new"

/** The conversations of each key or person. Those of others answer 404. */
export class Conversations extends Context.Service<
  Conversations,
  {
    readonly list: (caller: Caller) => Effect.Effect<ReadonlyArray<ConversationEntry>, NotFound | DatabaseUnavailable>
    readonly get: (caller: Caller, id: string) => Effect.Effect<Conversation, NotFound | DatabaseUnavailable>
    /** Deletes one of the caller's conversations, or all of them. */
    readonly remove: (caller: Caller, id?: string) => Effect.Effect<void, NotFound | DatabaseUnavailable>
    /** The messages before the next question of the conversation: none if it is `new`. */
    readonly before: (
      caller: Caller,
      conversation: string,
    ) => Effect.Effect<ReadonlyArray<Message>, BadRequest | NotFound | DatabaseUnavailable>
    /** Keeps a question with its answer. Returns the id of the conversation. */
    readonly keep: (
      caller: Caller,
      conversation: string,
      question: string,
      answer: Response["message"],
      style: CitationStyle,
    ) => Effect.Effect<string, NotFound | DatabaseUnavailable>
  }
>()("sightline/conversations/Conversations") {}
