import * as Schema from "effect/Schema"
import * as Sse from "effect/encoding/Sse"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Idempotency } from "../replies/Idempotency.ts"
import { LastEvent } from "../replies/LastEvent.ts"
import { AnswersBytes } from "../http/api/annotations.ts"
import { NotFound, PayloadTooLarge, UnsupportedMediaType } from "../http/errors/errors.ts"
import { Id } from "../http/values/parameters.ts"
import { CITATION_STYLES, INCLUDABLE, Response, ResponseEvent } from "./events.ts"
import { Messages } from "./messages.ts"

const StreamOptions = Schema.Struct({
  include: Schema.Array(Schema.Literals(INCLUDABLE))
    .check(Schema.isMaxLength(INCLUDABLE.length))
    .annotate({ description: "Events to send in addition to the text and its citations." }),
}).annotate({ identifier: "StreamOptions" })

const Question = Schema.Struct({
  messages: Messages,
  stream: Schema.optionalKey(
    Schema.NullOr(Schema.Boolean).annotate({
      description: "True sends the answer as server-sent events. False by default.",
    }),
  ),
  stream_options: Schema.optionalKey(StreamOptions),
  conversation: Schema.optionalKey(
    Id.annotate({
      description: `Keeps the question and its answer: \`new\` begins a conversation, and its \`conversation_id\` continues it. \`messages\` then has the
next question alone, with instructions of role \`system\`: the conversation has those before. Without it, nothing is kept.`,
    }),
  ),
  citations: Schema.optionalKey(
    Schema.Literals(CITATION_STYLES).annotate({
      description: `How the text refers to its citations: \`links\` (default) writes inline links, and \`marks\` writes \`[1]\` where the first
citation belongs. Each match of \`/\\[\\d+\\]/\` is a mark; any other number in brackets is escaped, \`[1\\]\`.`,
    }),
  ),
})
  .check(
    Schema.makeFilter(
      ({ stream, stream_options }) =>
        stream === true ||
        stream_options === undefined || { path: ["stream_options"], issue: "must be omitted if stream is not true" },
    ),
  )
  .annotate({ identifier: "Question" })

const Events = Schema.Struct({ ...Sse.EventEncoded.fields, data: Schema.fromJsonString(ResponseEvent) })

/** The last event of a stream that was interrupted. */
export const INTERRUPTED: ResponseEvent = {
  type: "error",
  error: { code: "service_unavailable", message: "the answer was interrupted; ask again with a new Idempotency-Key" },
}

const create = HttpApiEndpoint.post("create", "/responses", {
  payload: Question,
  success: [Response, HttpApiSchema.StreamSse({ events: Events })],
  error: [NotFound.wire, PayloadTooLarge.wire, UnsupportedMediaType.wire],
})
  .middleware(Idempotency)
  .annotate(AnswersBytes, true)
  .annotate(LastEvent, INTERRUPTED)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Ask a question",
      description: `Answers from the workspace: the library, documents and recordings of deals, the deals and their analysis. Every claim
links its source, or has its number with \`citations: "marks"\`. If the workspace has no answer, the reply says so and has no citations.

With \`stream: true\` the reply is \`text/event-stream\`: each event has an \`id:\` and one \`data:\` line of JSON with a \`type\`. \`content_delta\`
and \`citation\` arrive while the answer is written. The last event is \`done\`, which equals the reply without streaming, or \`error\`, if the
model fails, takes too long or writes more than 100,000 characters at once. The server sends a comment line
\`: ping\` every 15 seconds. A failure before the first event is an ordinary HTTP error.

Without an \`Idempotency-Key\`, disconnecting stops the answer within a second. With one, the server finishes the answer and keeps it for 24 hours:
send the same request again with \`Last-Event-ID\` to get the events after that one, from any instance.`,
    }),
  )

export const AnswersGroup = HttpApiGroup.make("answers")
  .add(create)
  .annotate(OpenApi.Description, "Questions answered from the workspace, with citations")
