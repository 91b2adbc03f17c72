import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Idempotency } from "../replies/Idempotency.ts"
import { DealFilters, filterFields } from "../deals/filters/filters.ts"
import { selectorProblem } from "../deals/columns/selectors.ts"
import { dateTime } from "../http/values/described.ts"
import { BODY_ERRORS, NotFound } from "../http/errors/errors.ts"
import { Id, Text, Uri } from "../http/values/parameters.ts"
import { WARNING_CODES } from "./longCells.ts"
import { DECIMALS, DELIMITERS, FORMAT_NAMES } from "./options.ts"

const Selector = Text.check(Schema.isMaxLength(500), Schema.makeFilter(selectorProblem))

const ownFields = {
  columns: Schema.Array(Selector).check(Schema.isMinLength(1), Schema.isMaxLength(500)).annotate({
    description:
      "The columns of GET /deals, in the order of the file; `*` for every standard column. Ask only for the columns that you need.",
  }),
  filters: Schema.optional(DealFilters),
  format: Schema.optional(
    Schema.Literals(FORMAT_NAMES).annotate({
      description:
        "`csv` by default. `xlsx` has dates, numbers and truth values as such; `csv_safe`, `bom`, `delimiter` and `decimal` belong to csv.",
    }),
  ),
  csv_safe: Schema.optional(
    Schema.Boolean.annotate({
      description:
        "By default, text that a spreadsheet would run as a formula gets a leading apostrophe. False leaves it unchanged.",
    }),
  ),
  bom: Schema.optional(
    Schema.Boolean.annotate({
      description: "True starts the file with a byte-order mark, without which Excel takes UTF-8 for another encoding.",
    }),
  ),
  delimiter: Schema.optional(
    Schema.Literals(DELIMITERS).annotate({
      description: "The separator of cells: a comma by default, a semicolon or a tab.",
    }),
  ),
  decimal: Schema.optional(
    Schema.Literals(DECIMALS).annotate({
      description: "The decimal mark of numbers: a point by default. A comma needs another `delimiter`.",
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

const time = (description: string) => Schema.NullOr(dateTime).annotate({ description })

const Warning = Schema.Struct({
  code: Schema.Literals(WARNING_CODES).annotate({ description: "Stays the same; the message may change." }),
  message: Schema.String,
  count: Schema.Int.annotate({ description: "The cells or rows concerned." }),
  examples: Schema.Array(
    Schema.Struct({
      row: Schema.Int.annotate({ description: "The row in a spreadsheet, whose first row is the header." }),
      column: Schema.String,
      characters: Schema.Int.annotate({ description: "The length of the cell, in UTF-16 code units." }),
    }),
  ).annotate({ description: "At most five cells." }),
}).annotate({ identifier: "ExportWarning" })

export const Export = Schema.Struct({
  export_id: Schema.String,
  status: Schema.Literals(EXPORT_STATES),
  progress: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
  row_count: Schema.NullOr(Schema.Int).annotate({ description: "Rows in the file, without the header." }),
  file_size: Schema.NullOr(Schema.Finite).annotate({ description: "The size in bytes." }),
  created_at: dateTime,
  started_at: time("When the export started."),
  completed_at: time("When the file was complete."),
  download_url: Schema.NullOr(Uri).annotate({
    description:
      "Opens without a key and accepts ranges. After 7 days, or once the key that asked for it is revoked or expires, it replies 410.",
  }),
  download_expires_at: time("7 days after completion."),
  download_expired: Schema.Boolean,
  record_expires_at: Schema.String.annotate({ format: "date-time", description: "30 days after creation." }),
  warnings: Schema.Array(Warning).annotate({
    description: "The parts of the file that a spreadsheet program does not show, once the export is completed.",
  }),
  error: Schema.NullOr(Schema.String).annotate({ description: "Why it failed, and what to do." }),
}).annotate({ identifier: "Export" })
export type Export = typeof Export.Type

export const ExportsGroup = HttpApiGroup.make("exports")
  .add(
    HttpApiEndpoint.post("create", "/deals/export", {
      payload: NewExport,
      success: Accepted.pipe(HttpApiSchema.status(202)),
      error: BODY_ERRORS,
    })
      .middleware(Idempotency)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Export deals as CSV or XLSX",
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
