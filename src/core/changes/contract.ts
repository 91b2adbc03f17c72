import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import type { Permission } from "../access/permissions.ts"
import { AnswersBytes } from "../http/AnswersBytes.ts"
import { Forbidden, Gone } from "../http/errors.ts"
import { Text } from "../http/parameters.ts"
import { queryValue } from "../http/queryValue.ts"

const described = <S extends Schema.Top>(schema: S, description: string) => schema.annotate({ description }) as S

/** What the feed tells of, and what a key needs to be told. */
export const CHANGE_TYPES = {
  association: "intelligence.read",
  deal: "deals.read",
  document: "documents.read",
  export: "deals.export",
} as const satisfies Record<string, Permission>
export type ChangeType = keyof typeof CHANGE_TYPES
export const CHANGE_TYPE_NAMES = ["association", "deal", "document", "export"] as const

/** Deletions are told for so many days. */
export const DELETIONS_KEPT_DAYS = 30

export const Change = Schema.Struct({
  type: Schema.Literals(CHANGE_TYPE_NAMES),
  id: Schema.String,
  action: described(
    Schema.Literals(["created", "updated", "deleted"]),
    "that a thing was created, where that happened; of what came after it the last, where that happened",
  ),
  status: Schema.optionalKey(described(Schema.String, "of a document or an export, as it is now")),
  deal_id: Schema.optionalKey(described(Schema.String, "of an association: the deal")),
  feature_id: Schema.optionalKey(described(Schema.String, "of an association: the feature that came up in it")),
  changed_at: Schema.String.annotate({ format: "date-time" }),
  cursor: described(Schema.String, "reads on after this change"),
}).annotate({ identifier: "Change" })
export type Change = typeof Change.Type

const ChangesPage = Schema.Struct({
  data: Schema.Array(Change),
  next_cursor: described(Schema.String, "give it as `since` to read on; it is there even where nothing is left"),
  has_more: Schema.Boolean,
}).annotate({ identifier: "ChangePage" })

const End = Schema.Struct({ next_cursor: Schema.String, has_more: Schema.Literal(false) }).annotate({
  identifier: "ChangesEnd",
  description: "the last line: a stream without it was cut off",
})

export const ChangesGroup = HttpApiGroup.make("changes")
  .add(
    HttpApiEndpoint.get("list", "/changes", {
      query: {
        since: Schema.optional(
          described(
            Text.check(Schema.isMaxLength(2000)),
            "a cursor of an earlier reply; left out: from the beginning, all that there is; `now`: only what is yet to come",
          ),
        ),
        types: Schema.optional(
          queryValue(
            described(
              Schema.Array(Schema.String),
              "`deal`, `document`, `association`, `export`, separated by commas or repeated; left out: all that the key may read",
            ),
            { commas: true, example: ["deal", "document"] },
          ),
        ),
        page_size: Schema.optional(
          described(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 })), "100 unless said; JSON only"),
        ),
      },
      success: [ChangesPage, HttpApiSchema.StreamNdjson({ schema: Schema.Union([Change, End]) })],
      error: [Gone.wire, Forbidden.wire],
    })
      .annotate(AnswersBytes, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "What changed since",
          description: `What was created, updated or deleted after the cursor: each creation, and of several changes of one thing the last, in the order in which they happened. No change is passed over, however many are written at once; after a failure some may be told again. A JSON page, or with \`Accept: application/x-ndjson\` all there is, a change a line. Deletions are kept for ${DELETIONS_KEPT_DAYS} days: a cursor from before answers 410, and the copy is to be made anew, without \`since\`.`,
        }),
      ),
  )
  .annotate(OpenApi.Description, "The feed of changes, to keep a copy in step")
