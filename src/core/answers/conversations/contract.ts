import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { CITATION_STYLES, NamedCitation } from "../events.ts"
import { described } from "../../http/values/described.ts"
import { NotFound } from "../../http/errors/errors.ts"
import { Id } from "../../http/values/parameters.ts"
import { MAX_CONVERSATIONS_PER_KEY } from "./limits.ts"
import { dateTime } from "../../http/values/described.ts"

const about = {
  id: Schema.String,
  title: described(Schema.String, "The first question, cut after 100 characters."),
  created_at: dateTime,
  updated_at: described(dateTime, "When the last answer was kept."),
}

const EntrySchema = Schema.Struct({ ...about, turns: described(Schema.Int, "The number of its questions.") }).annotate({
  identifier: "ConversationEntry",
})
export type ConversationEntry = typeof EntrySchema.Type

const TurnSchema = Schema.Struct({
  question: Schema.String,
  answer: described(Schema.String, "The text of the answer, as it was sent."),
  style: described(Schema.Literals(CITATION_STYLES), "How the text refers to its citations."),
  citations: Schema.Array(NamedCitation),
  asked_at: dateTime,
}).annotate({ identifier: "ConversationTurn" })
export type ConversationTurn = typeof TurnSchema.Type

const ConversationSchema = Schema.Struct({ ...about, turns: Schema.Array(TurnSchema) }).annotate({
  identifier: "Conversation",
})
export type Conversation = typeof ConversationSchema.Type

const one = { params: { id: Id }, error: NotFound.wire } as const

export const ConversationsGroup = HttpApiGroup.make("conversations")
  .add(
    HttpApiEndpoint.get("list", "/conversations", {
      success: Schema.Struct({ data: Schema.Array(EntrySchema) }).annotate({ identifier: "ConversationList" }),
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List conversations",
        description: `Lists the caller's own conversations, those with the latest answers first. The last ${MAX_CONVERSATIONS_PER_KEY} are kept.`,
      }),
    ),
    HttpApiEndpoint.get("get", "/conversations/:id", { ...one, success: ConversationSchema }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a conversation",
        description:
          "The questions and answers, oldest first, as they were when they were asked: with numbers of that time, and with quotes of documents that may have been deleted since.",
      }),
    ),
    HttpApiEndpoint.delete("delete", "/conversations/:id", { ...one, success: HttpApiSchema.NoContent }).annotate(
      OpenApi.Summary,
      "Delete a conversation",
    ),
    HttpApiEndpoint.delete("deleteAll", "/conversations", { success: HttpApiSchema.NoContent }).annotate(
      OpenApi.Summary,
      "Delete the caller's conversations",
    ),
  )
  .annotate(OpenApi.Description, "Questions and answers that were kept, each for the key or person who asked")
