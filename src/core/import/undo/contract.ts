import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Conflict, Gone, NotFound } from "../../http/errors/errors.ts"
import { Idempotency } from "../../replies/Idempotency.ts"
import { KEPT_REASON_NAMES } from "../../records/log/limits.ts"
import { dateTime, described } from "../../http/values/described.ts"

const text = Schema.NullOr(Schema.String)
const count = (description: string) => described(Schema.Int, description)

/** Fields of the reply of an import and of `GET /import/{id}`. */
export const undoFields = {
  undo: described(Schema.Boolean, "Whether `POST /import/{id}/undo` can undo it, within 7 days of its end."),
  undo_refusal: Schema.optionalKey(described(Schema.String, "Why it cannot be undone.")),
}

const Undo = Schema.Struct({
  run_id: described(Schema.String, "The run: GET /runs/{run_id}."),
  status: Schema.Literals(["queued", "running", "completed", "failed", "cancelled"]),
  restored: count("Records that have their old values again."),
  removed: count("Records and names that the import created, and that are deleted."),
  recreated: count("Records that the import deleted, and that exist again."),
  kept_count: count("Records that a later change touched, or that are not restored whole."),
  kept: Schema.Array(
    Schema.Struct({ type: Schema.String, id: Schema.String, reason: Schema.Literals(KEPT_REASON_NAMES) }),
  ).annotate({
    description:
      "The first 1,000 of them, once the run is completed. `changed_later`, `deleted_later` and `created_again`: a later change touched " +
      "it. `in_use`: something else refers to what the import created. `conflict`: its old values refer to something that is gone, or " +
      "its CRM id belongs to another record now. `documents_lost`: it exists again, without the documents that it had.",
  }),
  error: text,
})

export const ImportSummary = Schema.Struct({
  import_id: Schema.String,
  status: described(
    Schema.Literals(["running", "completed", "incomplete"]),
    "`incomplete`: it ended before the end of its file.",
  ),
  created_by: described(text, "The key that sent it. Null: the operator."),
  started_at: dateTime,
  ended_at: Schema.NullOr(dateTime),
  received: count("Records read; 0 while it runs."),
  created: count("New records."),
  updated: count("Records that changed something."),
  unchanged: count("Records that changed nothing."),
  deleted: count("Records that deleted a deal or association."),
  failed: count("Invalid records."),
  ...undoFields,
  undo_until: described(Schema.NullOr(dateTime), "Until when it can be undone. Null while it runs."),
  undone_at: Schema.NullOr(dateTime),
  undone: described(Schema.NullOr(Undo), "The last undo that was asked for; null if none was."),
}).annotate({ identifier: "ImportSummary" })
export interface ImportSummary extends Schema.Schema.Type<typeof ImportSummary> {}

const one = { params: { id: Schema.String } } as const

export const getImport = HttpApiEndpoint.get("getImport", "/import/:id", {
  ...one,
  success: ImportSummary,
  error: NotFound.wire,
}).annotateMerge(
  OpenApi.annotations({
    summary: "Read what an import did",
    description:
      "Imports are listed by the audit log, and known for 90 days. An import that changed nothing is known, too.",
  }),
)

export const undoImport = HttpApiEndpoint.post("undoImport", "/import/:id/undo", {
  ...one,
  success: Schema.Struct({ import_id: Schema.String, run_id: Schema.String, status: Schema.Literal("queued") })
    .annotate({ identifier: "ImportUndo" })
    .pipe(HttpApiSchema.status(202)),
  error: [NotFound.wire, Conflict.wire, Gone.wire],
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Undo an import",
      description:
        "Restores what the import changed, removes the records and names that it created, creates those that it deleted, and takes its " +
        "stage changes out of the history, except for records that a later change touched. `GET /import/{id}` says what came of it.",
    }),
  )
