import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Conflict, NotFound, PayloadTooLarge, UnsupportedMediaType } from "../http/errors/errors.ts"
import { parseMapping } from "./plan/fields/parameters.ts"
import { parseRates, parseStages } from "./plan/fields/parameters.ts"
import { Id } from "../http/values/parameters.ts"
import { StreamedBody } from "../http/api/annotations.ts"
import { Assumptions } from "./assumptions.ts"
import { NOTICE_CODES } from "../records/Notices.ts"
import { AnyRecord, RECORD_TYPES } from "../records/record.ts"
import { undoFields } from "./undo/contract.ts"

const count = (description: string) => Schema.Int.annotate({ description })

export const ImportReport = Schema.Struct({
  import_id: Schema.optionalKey(
    Schema.String.annotate({
      description: "Names the import in `GET /import/{id}`. Absent in a dry run, as is `undo`.",
    }),
  ),
  undo: Schema.optionalKey(undoFields.undo),
  undo_refusal: undoFields.undo_refusal,
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
      value: Schema.optionalKey(
        Schema.String.annotate({ description: "The refused value as the file has it, shortened." }),
      ),
    }),
  ).annotate({ description: "The first 1,000 errors, by line." }),
  not_rows: count("Lines that are no records, such as totals and footers, and were not imported."),
  assumptions: Assumptions,
  warnings: Schema.Array(
    Schema.Struct({
      code: Schema.Literals(NOTICE_CODES),
      field: Schema.optionalKey(Schema.String),
      message: Schema.String.annotate({ description: "Describes the first occurrence. Its wording may change." }),
      count: count("Occurrences."),
      lines: Schema.Array(Schema.Int).annotate({ description: "The first ten lines." }),
      examples: Schema.Array(Schema.String).annotate({ description: "The first values." }),
    }),
  ).annotate({ description: "Guesses of the import, and names that it took for existing ones, by code and field." }),
  created_names: Schema.Record(Schema.String, Schema.Int).annotate({
    description: "How many owners, clients, competitors and others were created because a record names them, by type.",
  }),
  counts_from: Schema.optionalKey(
    Schema.Literals(["file", "sample"]).annotate({
      description:
        "A dry run says where its counts come from. `sample`: the file is too long to count, and they are those of its first records, at most 200,000.",
    }),
  ),
  examples: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        line: count("The line on which the record begins."),
        result: Schema.Literals(["created", "updated", "deleted"]),
        before: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)).annotate({
          description: "The fields that the record gives, as the workspace has them. Null for a new row.",
        }),
        after: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)).annotate({
          description: "The same fields, as they would be stored. Null for a row that would be deleted.",
        }),
      }),
    ).annotate({
      description: "A dry run shows up to 20 records that would change something, with names instead of ids.",
    }),
  ),
  plan_id: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "The plan that a dry run of a table made, or by which the file was imported. A dry run gives none if the plan takes more than 256 KiB.",
    }),
  ),
}).annotate({ identifier: "ImportReport" })

const parsed = (parse: (text: string) => unknown, expected: string) =>
  Schema.String.check(Schema.makeFilter((text: string) => parse(text) !== undefined || expected))

/** How to read a file of records. */
const importQuery = {
  type: Schema.optional(
    Schema.Literals(RECORD_TYPES).annotate({ description: "The type of every row. Required for CSV and workbooks." }),
  ),
  map: Schema.optional(
    parsed(parseMapping, "must read Header=field,Other header=field2").annotate({
      description:
        "Headers of a table and the fields they fill, `Header=field,Other=field2`, or the same as a JSON object. " +
        "`First+Second=name` joins two cells, `Name[2]` is the second column of that name, and `Header=` ignores a column. Columns " +
        "that it does not name fill the field that their header names in exports of CRMs, if any.",
    }),
  ),
  dates: Schema.optional(
    Schema.Literals(["ISO", "DMY", "MDY"]).annotate({
      description:
        "The order of day and month in dates such as 04/03/2026. Without it, each column decides. Dates that begin with the year, " +
        "or name the month, are always accepted.",
    }),
  ),
  decimal: Schema.optional(
    Schema.Literals([".", ","]).annotate({
      description: "The decimal mark of numbers. Without it, each column decides, then the file.",
    }),
  ),
  rates: Schema.optional(
    parsed(parseRates, "must read EUR:1.08,JPY:0.0067: codes of ISO 4217 and positive numbers").annotate({
      description:
        "Converts amounts of other currencies: units of the workspace's currency for one, `EUR:1.08,JPY:0.0067`, or the same as a " +
        "JSON object. Without a rate, such a row is an error.",
    }),
  ),
  stage: Schema.optional(
    parsed(parseStages, "must read Closed=lost,Signed=won: names of stages, and open, won or lost").annotate({
      description:
        "The categories of new stages, `Closed=lost,Signed=won`, or the same as a JSON object. Without it, their names decide, and one " +
        "that says nothing is open, with a warning.",
    }),
  ),
  encoding: Schema.optional(
    Schema.String.check(Schema.isMaxLength(40)).annotate({
      description:
        "The encoding of a text, such as `windows-1252` or `shift_jis`, over that of the Content-Type. Without both, the bytes decide.",
    }),
  ),
  sheet: Schema.optional(
    Schema.String.check(Schema.isMaxLength(200)).annotate({
      description:
        "The sheet of a workbook, by its name or number from 1. Without it, the first visible one that has headers of the records, or else cells.",
    }),
  ),
  create: Schema.optional(
    Schema.Literals(["all", "none"]).annotate({
      description:
        "Whether records create the owners, clients, competitors and others that they name first (`all`, the default). " +
        "With `none`, such a record is an error that shows the name.",
    }),
  ),
  empty: Schema.optional(
    Schema.Literals(["keep", "clear"]).annotate({
      description:
        "The effect of an empty cell of a table, or of one such as `N/A`, on its field: none (`keep`, the default), or it clears it. " +
        "400 for records, where `null` clears a field.",
    }),
  ),
  keep_unmapped: Schema.optional(
    Schema.Literals(["crm_one", "crm_two"]).annotate({
      description:
        "Keeps the columns of a table of deals that fill no field, as properties of this CRM: at most 300 new ones, typed by the first " +
        "rows. A later cell of another type is left out and reported; its row is imported. 400 for records, which name their fields.",
    }),
  ),
  dry_run: Schema.optional(
    Schema.Boolean.annotate({
      description:
        "Writes no record, and reports what the import would do, with examples. Of a table it keeps the plan for an hour: `plan_id`. " +
        "Counts are exact up to 200,000 records.",
    }),
  ),
  plan_id: Schema.optional(
    Id.annotate({
      description:
        "Imports by the plan that a dry run of this file made. The file must have the same header; the plan decides everything else, so " +
        "`map`, `dates`, `decimal`, `rates`, `stage`, `create`, `empty`, `keep_unmapped`, `encoding` and `sheet` are omitted. 409 if the " +
        "header or the workspace has changed.",
    }),
  ),
}

const importPayload = [
  HttpApiSchema.StreamNdjson({ schema: AnyRecord }),
  // An endpoint can declare only one streaming payload. The handler streams this one as well.
  Schema.String.annotate({ description: "A header row, then one record per row." }).pipe(
    HttpApiSchema.asText({ contentType: "text/csv" }),
  ),
  Schema.String.annotate({
    description:
      "Any other file of records: a workbook (XLSX), an HTML table, a JSON array, CSV or NDJSON, each also compressed by gzip. " +
      "Its bytes decide what it is, under this type and under `text/plain`, `application/vnd.ms-excel`, `application/gzip`, " +
      "`application/json`, the type of XLSX, and as the one `file` of `multipart/form-data`.",
  }).pipe(HttpApiSchema.asText({ contentType: "application/octet-stream" })),
] as const

export const importRecords = HttpApiEndpoint.post("import", "/import", {
  query: importQuery,
  payload: importPayload,
  success: ImportReport,
  error: [Conflict.wire, NotFound.wire, PayloadTooLarge.wire, UnsupportedMediaType.wire],
})
  .annotate(StreamedBody, true)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Import records",
      description:
        "Upserts records, streamed as NDJSON (one object per line, `type` first, in any order) or CSV. Skips invalid records " +
        "and reports them by line. The reply is 400 only if no record could be read.",
    }),
  )
