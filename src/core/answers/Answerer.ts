import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { Asker } from "./Asker.ts"
import type { Citation } from "./citation.ts"
import type { ToolName } from "./tools/names.ts"

/** One message of the conversation, as the caller sent it. */
export interface Message {
  readonly role: "user" | "assistant" | "system"
  readonly content: string
}

/** The kind of a link's text: a part of the sentence, which stays beside a mark, or a mere pointer ("show as table"), which a mark replaces. */
export type LinkKind = "text" | "pointer"

/**
 * The events of an answer, in order. A citation precedes the text that links it. `link` says what the links of `content` are where
 * marks replace them; without it, links to figures are pointers, and those to documents and deals are text.
 */
export type AnswerEvent =
  | { readonly type: "content_delta"; readonly content: string; readonly link?: LinkKind }
  | { readonly type: "citation"; readonly citation: Citation }
  | { readonly type: "tool_call"; readonly id: string; readonly name: ToolName; readonly arguments: unknown }
  | { readonly type: "tool_result"; readonly id: string; readonly name: ToolName; readonly found: number }
  /** A sentence or row of a table was withheld, because a number in it has no source. */
  | { readonly type: "withheld" }
  | { readonly type: "usage"; readonly input_tokens: number; readonly output_tokens: number }

/** No answer is possible. `message` is for the caller and reveals no internals. `unavailable`: the model or database does not respond. */
export class AnswerFailed extends Schema.TaggedError<AnswerFailed>()("AnswerFailed", {
  reason: Schema.Literals(["unavailable", "internal"]),
  message: Schema.String,
  /** Why the database did not answer. */
  source: Schema.optional(DatabaseUnavailable),
}) {
  static readonly by = (source: DatabaseUnavailable) =>
    new AnswerFailed({ reason: "unavailable", message: source.message, source })
}

/** A part of the text of an answer. */
export const text = (content: string): AnswerEvent => ({ type: "content_delta", content })

/** Answers a conversation from what the asker may read in one workspace, as a finite stream of events. */
export class Answerer extends Context.Service<
  Answerer,
  {
    /** Reported by `/health/ready`. */
    readonly kind: "extractive" | "agent"
    readonly answer: (asker: Asker, messages: ReadonlyArray<Message>) => Stream.Stream<AnswerEvent, AnswerFailed>
  }
>()("sightline/answers/Answerer") {}
