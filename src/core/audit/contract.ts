import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { AnswersBytes } from "../http/api/annotations.ts"
import { DateOrInstant, Text } from "../http/values/parameters.ts"
import { queryValue } from "../http/query/value.ts"
import { AUDIT_ACTION_NAMES, AUDIT_ACTIONS, AUDIT_KEPT_DAYS } from "./actions.ts"
import { dateTime, described } from "../http/values/described.ts"

const nullable = Schema.NullOr(Schema.String)

const TARGETS = Object.entries(AUDIT_ACTIONS)
  .map(([action, target]) => `\`${action}\`: ${target}`)
  .join("; ")

export const AuditActor = Schema.Union([
  Schema.Struct({ key_id: Schema.String }),
  Schema.Struct({ operator: Schema.Literal(true) }),
  Schema.Struct({ person: Schema.String, name: Schema.String }),
])

const AuditEntry = Schema.Struct({
  id: Schema.String,
  at: dateTime,
  actor: described(
    Schema.NullOr(AuditActor),
    "The key, the operator of the service, or the person, as the application that embeds the service names it, that acted. Null: unknown, for example for a refused key.",
  ),
  action: Schema.Literals(AUDIT_ACTION_NAMES),
  target: described(nullable, `The thing that was acted on. ${TARGETS}`),
  details: described(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)), "More facts about the action."),
  request_id: described(nullable, "The `X-Request-Id` of the request. Null: the action was not a request."),
  address: described(nullable, "The client's IP address, if the server knows it."),
}).annotate({ identifier: "AuditEntry" })
export type AuditEntry = typeof AuditEntry.Type

const AuditPage = Schema.Struct({
  data: Schema.Array(AuditEntry),
  next_cursor: described(nullable, "Send it as `cursor` for the next, older page. Null: this is the last page."),
  has_more: Schema.Boolean,
}).annotate({ identifier: "AuditPage" })

export const AuditGroup = HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/audit", {
      query: {
        since: Schema.optional(
          described(
            DateOrInstant,
            "Only entries from this instant onwards, or from this day in the workspace's time zone.",
          ),
        ),
        types: Schema.optional(
          queryValue(
            described(
              Schema.Array(Schema.Literals(AUDIT_ACTION_NAMES)),
              "Actions, separated by commas or repeated. By default, all.",
            ),
            { commas: true, example: ["key.created", "key.revoked"] },
          ),
        ),
        cursor: Schema.optional(
          described(Text.check(Schema.isMaxLength(2000)), "The `next_cursor` of the previous page."),
        ),
      },
      success: [AuditPage, Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv" }))],
    })
      .annotate(AnswersBytes, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "List the audit log",
          description: `Lists who did what, when, from where and in which request, newest first, 50 per page. With \`Accept: text/csv\`, returns all entries as CSV. An entry is written in the transaction of its action, cannot be changed, and is kept for ${AUDIT_KEPT_DAYS} days.`,
        }),
      ),
  )
  .annotate(OpenApi.Description, "The audit log")
