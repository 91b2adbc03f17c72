import * as Schema from "effect/Schema"
import { TOOL_NAMES } from "./tools/names.ts"
import { Citation } from "./citation.ts"
import { described } from "../http/values/described.ts"

const ToolName = Schema.Literals(TOOL_NAMES)

/** A citation under its name in the description of the API. */
export const NamedCitation = Citation.annotate({ identifier: "Citation" })

/** A whole answer: the reply of `POST /responses`, and the content of a stream's last event. */
export const Response = Schema.Struct({
  message: Schema.Struct({
    role: Schema.Literal("assistant"),
    content: described(
      Schema.String,
      'Markdown. Its links `[text](url)` open cited items; each url belongs to a citation. With `citations: "marks"` it has no links: the mark `[2]` refers to the second citation.',
    ),
    citations: described(
      Schema.Array(NamedCitation),
      "The items that the text refers to, in the order of their first link or mark. Empty if nothing was found.",
    ),
    withheld: Schema.optionalKey(
      described(
        Schema.Int,
        "The number of sentences and table rows of a language model that were left out, because a number in them has no source. Absent if none was.",
      ),
    ),
  }),
  tool_calls: described(Schema.Array(ToolName), "The internal tools that were used, each once, in order of first use."),
  conversation_id: Schema.optionalKey(
    described(
      Schema.NullOr(Schema.String),
      "The conversation that keeps the answer, if the question named one. Null: it could not be kept.",
    ),
  ),
}).annotate({ identifier: "Answer" })
export type Response = typeof Response.Type

/** The additional events that a caller can request with `stream_options.include`. */
export const INCLUDABLE = ["tool_call", "tool_result", "usage"] as const
export type Includable = (typeof INCLUDABLE)[number]

/** How the text refers to its citations: inline links, or marks such as `[1]` that number them. */
export const CITATION_STYLES = ["links", "marks"] as const
export type CitationStyle = (typeof CITATION_STYLES)[number]

/** The events of a stream, each the JSON of one `data:` line. The last one is `done` or `error`. */
export const ResponseEvent = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("content_delta"),
    content: described(Schema.String, "The next fragment of the answer's text."),
  }),
  Schema.Struct({
    type: Schema.Literal("citation"),
    citation: described(Citation, "A cited item. It comes before the text that refers to it, or with it."),
  }),
  Schema.Struct({
    type: Schema.Literal("tool_call"),
    id: Schema.String,
    name: ToolName,
    arguments: described(Schema.Unknown, "The tool's arguments. Sent if `include` has `tool_call`."),
  }),
  Schema.Struct({
    type: Schema.Literal("tool_result"),
    id: described(Schema.String, "The id of the call that this answers."),
    name: ToolName,
    found: described(Schema.Int, "The number of items found. Sent if `include` has `tool_result`."),
  }),
  Schema.Struct({
    type: Schema.Literal("usage"),
    input_tokens: Schema.Int,
    output_tokens: described(Schema.Int, "The model's tokens. Sent if `include` has `usage`."),
  }),
  Schema.Struct({ type: Schema.Literal("done"), ...Response.fields }).annotate({
    description: "The end: the same content as the reply to a request that does not stream.",
  }),
  Schema.Struct({
    type: Schema.Literal("error"),
    error: Schema.Struct({ code: Schema.Literals(["service_unavailable", "internal_error"]), message: Schema.String }),
  }).annotate({ description: "The end: the answer was interrupted, and the text so far is incomplete." }),
]).annotate({ identifier: "AnswerEvent" })
export type ResponseEvent = typeof ResponseEvent.Type
