import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import type { Permission } from "../access/permissions.ts"
import { AnswersBytes } from "../http/api/annotations.ts"
import { Forbidden, Gone } from "../http/errors/errors.ts"
import { Text } from "../http/values/parameters.ts"
import { queryValue } from "../http/query/value.ts"
import { dateTime, described } from "../http/values/described.ts"

/** The types of changes in the feed, with the permission to read each. */
export const CHANGE_TYPES = {
  association: "intelligence.read",
  deal: "deals.read",
  document: "documents.read",
  export: "deals.export",
} as const satisfies Record<string, Permission>
export type ChangeType = keyof typeof CHANGE_TYPES
export const CHANGE_TYPE_NAMES = ["association", "deal", "document", "export"] as const

/** The feed lists deletions for this many days. */
export const DELETIONS_KEPT_DAYS = 30

export const Change = Schema.Struct({
  type: Schema.Literals(CHANGE_TYPE_NAMES),
  id: Schema.String,
  action: described(
    Schema.Literals(["created", "updated", "deleted"]),
    "A creation, at its position, or the last change after it, at its position.",
  ),
  status: Schema.optionalKey(described(Schema.String, "For a document or an export: its current status.")),
  deal_id: Schema.optionalKey(described(Schema.String, "For an association: its deal.")),
  feature_id: Schema.optionalKey(described(Schema.String, "For an association: its feature.")),
  changed_at: dateTime,
  cursor: described(Schema.String, "The position of this change: read on from here."),
}).annotate({ identifier: "Change" })
export type Change = typeof Change.Type

const ChangesPage = Schema.Struct({
  data: Schema.Array(Change),
  next_cursor: described(Schema.String, "Send it as `since` to read on. It is present even if there is nothing more."),
  has_more: Schema.Boolean,
}).annotate({ identifier: "ChangePage" })

const End = Schema.Struct({ next_cursor: Schema.String, has_more: Schema.Literal(false) }).annotate({
  identifier: "ChangesEnd",
  description: "The last line. A stream without it was cut off.",
})

export const ChangesGroup = HttpApiGroup.make("changes")
  .add(
    HttpApiEndpoint.get("list", "/changes", {
      query: {
        since: Schema.optional(
          described(
            Text.check(Schema.isMaxLength(2000)),
            "A cursor from an earlier reply. By default, the feed starts from the beginning; `now` returns only future changes.",
          ),
        ),
        types: Schema.optional(
          queryValue(
            described(
              Schema.Array(Schema.String),
              "`deal`, `document`, `association`, `export`, separated by commas or repeated. By default, all that the key can read.",
            ),
            { commas: true, example: ["deal", "document"] },
          ),
        ),
        page_size: Schema.optional(
          described(
            Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 })),
            "100 by default; for JSON only.",
          ),
        ),
      },
      success: [ChangesPage, HttpApiSchema.StreamNdjson({ schema: Schema.Union([Change, End]) })],
      error: [Gone.wire, Forbidden.wire],
    })
      .annotate(AnswersBytes, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "List changes",
          description: `Lists what was created, updated or deleted after the cursor, in order: each creation, and the last of several changes of one thing. It never skips a change, however many are written at once; after a failure it may repeat some. The reply is a JSON page, or with \`Accept: application/x-ndjson\` everything, one change per line. Deletions are kept for ${DELETIONS_KEPT_DAYS} days: an older cursor gets 410, and you must make a new copy, without \`since\`.`,
        }),
      ),
  )
  .annotate(OpenApi.Description, "The change feed, to keep a copy up to date")
