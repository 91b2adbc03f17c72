import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Idempotency } from "../access/Idempotency.ts"
import { DealFilters, filterFields } from "../deals/filters.ts"
import { selectorProblem } from "../deals/selectors.ts"
import { NotFound, PayloadTooLarge, UnsupportedMediaType } from "../http/errors.ts"
import { Id, Text, Uri } from "../http/parameters.ts"

const Selector = Text.check(Schema.isMaxLength(500), Schema.makeFilter(selectorProblem))

const ownFields = {
  columns: Schema.Array(Selector).check(Schema.isMinLength(1), Schema.isMaxLength(500)).annotate({
    description:
      "The columns of GET /deals, in the order of the file; `*` for every standard column. Ask only for the columns that you need.",
  }),
  filters: Schema.optional(DealFilters),
  csv_safe: Schema.optional(
    Schema.Boolean.annotate({
      description:
        "By default, text that a spreadsheet would run as a formula gets a leading apostrophe. False leaves it unchanged.",
    }),
  ),
}

export interface NewExportSchema extends Schema.Struct<typeof ownFields & typeof filterFields> {}
export const NewExport: NewExportSchema = Schema.Struct({ ...ownFields, ...filterFields }).annotate({
  identifier: "NewExport",
})

const Accepted = Schema.Struct({
  export_id: Schema.String,
  status: Schema.Literal("pending"),
}).annotate({ identifier: "AcceptedExport" })

const EXPORT_STATES = ["pending", "processing", "completed", "failed"] as const

const time = (description: string) =>
  Schema.NullOr(Schema.String.annotate({ format: "date-time" })).annotate({ description })

export const Export = Schema.Struct({
  export_id: Schema.String,
  status: Schema.Literals(EXPORT_STATES),
  progress: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
  row_count: Schema.NullOr(Schema.Int).annotate({ description: "Rows in the file, without the header." }),
  file_size: Schema.NullOr(Schema.Finite).annotate({ description: "The size in bytes." }),
  created_at: Schema.String.annotate({ format: "date-time" }),
  started_at: time("When the export started."),
  completed_at: time("When the file was complete."),
  download_url: Schema.NullOr(Uri).annotate({
    description:
      "Opens without a key and accepts ranges. After 7 days, or once the key that asked for it is revoked or expires, it replies 410.",
  }),
  download_expires_at: time("7 days after completion."),
  download_expired: Schema.Boolean,
  record_expires_at: Schema.String.annotate({ format: "date-time", description: "30 days after creation." }),
  error: Schema.NullOr(Schema.String).annotate({ description: "Why it failed, and what to do." }),
}).annotate({ identifier: "Export" })
export type Export = typeof Export.Type

export const ExportsGroup = HttpApiGroup.make("exports")
  .add(
    HttpApiEndpoint.post("create", "/deals/export", {
      payload: NewExport,
      success: Accepted.pipe(HttpApiSchema.status(202)),
      error: [PayloadTooLarge.wire, UnsupportedMediaType.wire],
    })
      .middleware(Idempotency)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Export deals as CSV",
          description:
            "Put filters in `filters` or beside `columns`, not in both. Without filters, every deal is exported. Poll the address in `Location` for progress.",
        }),
      ),
    HttpApiEndpoint.get("get", "/deals/export/:export_id", {
      params: { export_id: Id },
      success: Export,
      error: NotFound.wire,
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read an export's progress and download",
        description: "Poll every 5 to 10 seconds, as `Retry-After` says, until it is completed or failed.",
      }),
    ),
    HttpApiEndpoint.delete("delete", "/deals/export/:export_id", {
      params: { export_id: Id },
      success: HttpApiSchema.NoContent,
      error: NotFound.wire,
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete an export",
        description: "Deletes its file and download link at once, and cancels an export in progress.",
      }),
    ),
  )
  .annotate(OpenApi.Description, "Bulk export of deals")
