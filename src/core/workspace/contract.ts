import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Idempotency } from "../access/Idempotency.ts"
import { PayloadTooLarge, UnsupportedMediaType } from "../http/errors.ts"
import { CATALOGUE_ENDPOINTS } from "./catalogue/contract.ts"
import { parseMapping } from "./import/mapping.ts"
import { AnyRecord, RECORD_TYPES } from "./import/records.ts"

const count = (description: string) => Schema.Int.annotate({ description })

export const ImportReport = Schema.Struct({
  received: count("records read"),
  created: count("records that were new"),
  updated: count("records that changed something"),
  unchanged: count("records that said what was known, or deleted what was not there"),
  deleted: count("records with `deleted` whose deal or association was there"),
  failed: count("records refused whole; nothing of them landed"),
  errors: Schema.Array(
    Schema.Struct({
      line: count("the line on which the record begins"),
      field: Schema.String,
      reason: Schema.String,
    }),
  ).annotate({ description: "the first 1,000, by line" }),
}).annotate({ identifier: "ImportReport" })

/** How a file of records is to be read. */
export const importQuery = {
  type: Schema.optional(
    Schema.Literals(RECORD_TYPES).annotate({ description: "what every row of a CSV is; CSV needs it" }),
  ),
  map: Schema.optional(
    Schema.String.check(
      Schema.makeFilter(
        (text: string) => parseMapping(text) !== undefined || "must read Header=field,Other header=field2",
      ),
    ).annotate({
      description:
        "headers of a CSV and the fields they fill, `Header=field,Other=field2`, or the same as a JSON object; " +
        "`First+Second=name` joins two cells. Headers that are neither mapped nor a field are left out",
    }),
  ),
  dates: Schema.optional(
    Schema.Literals(["ISO", "DMY", "MDY"]).annotate({
      description: "how dates are written; ISO is always understood",
    }),
  ),
}

export const importPayload = [
  HttpApiSchema.StreamNdjson({ schema: AnyRecord }),
  // One streaming payload is all an endpoint may declare; the handler streams this one too.
  Schema.String.annotate({ description: "a header, then a record a row" }).pipe(
    HttpApiSchema.asText({ contentType: "text/csv" }),
  ),
] as const

const importRecords = HttpApiEndpoint.post("import", "/import", {
  query: importQuery,
  payload: importPayload,
  success: ImportReport,
  error: [PayloadTooLarge.wire, UnsupportedMediaType.wire],
}).annotateMerge(
  OpenApi.annotations({
    summary: "Import records",
    description:
      "Upserts records, streamed as NDJSON (one object a line, `type` first, in any order) or CSV. Good records land, " +
      "bad ones are reported by line; 400 only when nothing could be read.",
  }),
)

export const WorkspaceGroup = HttpApiGroup.make("workspace")
  .add(importRecords.middleware(Idempotency), ...CATALOGUE_ENDPOINTS)
  .annotate(OpenApi.Description, "What the workspace is made of, and records brought in")
