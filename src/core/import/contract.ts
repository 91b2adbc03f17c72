import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { PayloadTooLarge, UnsupportedMediaType } from "../http/errors.ts"
import { parseMapping } from "./plan/mapping.ts"
import { AnyRecord, RECORD_TYPES } from "./records.ts"

const count = (description: string) => Schema.Int.annotate({ description })

export const ImportReport = Schema.Struct({
  received: count("Records read."),
  created: count("New records."),
  updated: count("Records that changed something."),
  unchanged: count("Records that changed nothing, or deleted what did not exist."),
  deleted: count("Records with `deleted` that deleted a deal or association."),
  failed: count("Invalid records, which were skipped whole."),
  errors: Schema.Array(
    Schema.Struct({
      line: count("The line on which the record begins."),
      field: Schema.String,
      reason: Schema.String,
    }),
  ).annotate({ description: "The first 1,000 errors, by line." }),
}).annotate({ identifier: "ImportReport" })

/** How to read a file of records. */
const importQuery = {
  type: Schema.optional(
    Schema.Literals(RECORD_TYPES).annotate({ description: "The type of every row. Required for CSV." }),
  ),
  map: Schema.optional(
    Schema.String.check(
      Schema.makeFilter(
        (text: string) => parseMapping(text) !== undefined || "must read Header=field,Other header=field2",
      ),
    ).annotate({
      description:
        "Headers of a CSV and the fields they fill, `Header=field,Other=field2`, or the same as a JSON object. " +
        "`First+Second=name` joins two cells. Headers that match neither the map nor a field are ignored.",
    }),
  ),
  dates: Schema.optional(
    Schema.Literals(["ISO", "DMY", "MDY"]).annotate({
      description: "The format of dates. ISO is always accepted.",
    }),
  ),
  dry_run: Schema.optional(
    Schema.Boolean.annotate({
      description: "Writes nothing, and reports what the import would do. The body has at most 4 MiB.",
    }),
  ),
}

const importPayload = [
  HttpApiSchema.StreamNdjson({ schema: AnyRecord }),
  // An endpoint can declare only one streaming payload. The handler streams this one as well.
  Schema.String.annotate({ description: "A header row, then one record per row." }).pipe(
    HttpApiSchema.asText({ contentType: "text/csv" }),
  ),
] as const

export const importRecords = HttpApiEndpoint.post("import", "/import", {
  query: importQuery,
  payload: importPayload,
  success: ImportReport,
  error: [PayloadTooLarge.wire, UnsupportedMediaType.wire],
}).annotateMerge(
  OpenApi.annotations({
    summary: "Import records",
    description:
      "Upserts records, streamed as NDJSON (one object per line, `type` first, in any order) or CSV. Skips invalid records " +
      "and reports them by line. The reply is 400 only if no record could be read.",
  }),
)
