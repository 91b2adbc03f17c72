import * as ByteSize from "effect/ByteSize"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Multipart from "effect/http/Multipart"
import { Idempotency } from "../replies/Idempotency.ts"
import { BODY_ERRORS, Conflict, NotFound } from "../http/errors/errors.ts"
import { AnswersBytes, LargestBody } from "../http/api/annotations.ts"
import { Id, isOneLine, isPlainAddress, Text, Uri } from "../http/values/parameters.ts"
import { type Warning as ReadingWarning, WARNING_CODES } from "../ports/document.ts"
import { dateTime, described } from "../http/values/described.ts"

const text = Schema.NullOr(Schema.String)

export const STATUSES = ["processing", "ready", "failed"] as const
const DOCUMENT_TYPES = ["asset", "intel"] as const
const PLACES = ["competitor", "deal"] as const
const LIBRARY_SOURCES = [
  "drive",
  "notion",
  "confluence",
  "onedrive",
  "sharepoint",
  "vanta",
  "url",
  "zapier",
  "api",
] as const
const DEAL_SOURCES = [
  "call_recorder",
  "revenue_platform",
  "meeting_notes_one",
  "meeting_notes_two",
  "conversation_intelligence",
  "sales_engagement",
  "email",
  "crm_one",
  "crm_two",
  "api",
] as const

const pagesExample =
  "Pages 2 to 21 are pictures, whose text was not read. Run text recognition (OCR) on the file and upload the result."
const Warning = Schema.Struct({
  code: described(
    Schema.Literals(WARNING_CODES),
    "`pages_unreadable`: damaged pages; `pages_without_text`: pages that are pictures, such as scans; `pages_recognized`: pages that are pictures, whose text was recognized; `marks_unread`: pages whose tables have ticks or circles that are drawn as shapes, which were not read; `pictures_without_text`, `pictures_recognized`: the same of large pictures in Word documents and presentations; `encoding_guessed`: a text file that does not state its encoding; `sheet_hidden`: a hidden sheet, which was read; `cells_hidden`: hidden rows or columns of a sheet, which were read; `hidden_text`: text that no reader of the file sees, such as hidden slides, or that is struck out, which is neither searched nor quoted; `formulas_not_calculated`: cells whose formulas the program that wrote the workbook did not calculate, so that their values are missing; `attachments_unread`: attachments of a mail that cannot be read; `parts_unread`: files inside a Word document that were not read; `transcript_rough`: transcribed by an engine of low accuracy",
  ),
  message: described(Schema.String, "Says to a person what happened and what to do."),
  pages: Schema.optionalKey(
    described(
      Schema.Array(Schema.Struct({ from: Schema.Int, to: Schema.Int })),
      "The pages, counted from 1, both ends inclusive; the first 100 ranges.",
    ),
  ),
  pictures: Schema.optionalKey(
    described(
      Schema.Array(Schema.Struct({ from: Schema.Int, to: Schema.Int })),
      "The large pictures, counted from 1 in the order of the document, both ends inclusive.",
    ),
  ),
}).annotate({
  identifier: "Warning",
  examples: [{ code: "pages_without_text", message: pagesExample, pages: [{ from: 2, to: 21 }] }],
}) satisfies Schema.Schema<ReadingWarning>
const describeWarnings = (description: string) => described(Schema.Array(Warning), description)

const documentFields = {
  id: Schema.String,
  file_name: Schema.String,
  status: Schema.Literals(STATUSES),
  type: described(
    Schema.Literals(DOCUMENT_TYPES),
    "`asset`: sales enablement. `intel`: competitive intelligence from outside.",
  ),
  source: Schema.String,
  content_type: Schema.String,
  size_bytes: described(Schema.NullOr(Schema.Finite), "Null until the file has been fetched."),
  competitor_id: text,
  deal_id: text,
  parent_id: described(text, "The mail to which this document was attached. Deleting the mail deletes it too."),
  version: described(Schema.Int, "Counts from 1; one more than that of the document that it replaces."),
  replaces: described(text, "The earlier version, which is kept."),
  replaced_by: described(text, "The later version. Once that has been read, only it is searched."),
  failure_reason: described(text, "Why it failed, and what to do. Null if it did not fail."),
  warnings: describeWarnings(
    "The parts that the last reading left out or guessed. Empty until the document has been read.",
  ),
  url: described(
    Uri,
    "Opens the document in a browser without a key. The link is signed and expires after 7 days, or as the server sets.",
  ),
  created_at: dateTime,
  updated_at: dateTime,
}
export interface DocumentSchema extends Schema.Struct<typeof documentFields> {}
export const Document: DocumentSchema = Schema.Struct(documentFields).annotate({ identifier: "Document" })
export type Document = typeof Document.Type

const Uploaded = Schema.Struct({
  document: Document,
  run_id: described(Schema.String, "The processing run: GET /runs/{run_id}."),
  duplicate: Schema.optionalKey(
    described(Schema.Literal(true), "True if the same file was already in the same place."),
  ),
}).annotate({ identifier: "UploadedDocument" })

const Run = Schema.Struct({
  id: Schema.String,
  document_id: described(text, "The document that it reads; null for an analysis or undo."),
  deal_id: described(text, "The deal that it analyzes; null for several, and for a document."),
  import_id: described(text, "The import that it undoes; null for all others."),
  status: Schema.Literals(["queued", "running", "completed", "failed", "cancelled"]),
  stage: described(
    Schema.String,
    "The stage: queued, fetching, extracting, transcribing, chunking, recognizing, indexing, analyzing, undoing or completed.",
  ),
  progress: described(Schema.Finite, "From 0 to 1."),
  attempts: Schema.Int,
  error: text,
  warnings: describeWarnings("The document's warnings, once the run is completed."),
  attachments: described(
    Schema.Array(Schema.Struct({ document_id: Schema.String, file_name: Schema.String })),
    "The attachments of a mail, once the run is completed. Each is a document with a run of its own.",
  ),
  created_at: dateTime,
  started_at: Schema.NullOr(dateTime),
  ended_at: Schema.NullOr(dateTime),
}).annotate({ identifier: "Run" })

/** The fields of every upload, besides its bytes. */
const common = {
  file_name: described(
    Text.check(isOneLine, Schema.isNonEmpty(), Schema.isMaxLength(400)),
    "The name that people know it by.",
  ),
  content_type: described(Text.check(Schema.isMaxLength(200)), "The MIME type. It must match the content of the file."),
  replaces: Schema.optionalKey(
    described(Id, "The document of which this is a new version; of the same type, and of the same deal or competitor."),
  ),
  replaces_same_name: Schema.optionalKey(
    described(
      Schema.Boolean,
      "Makes this a new version of the latest document of the same file name, type, and deal or competitor, if there is one. Use instead of replaces.",
    ),
  ),
  file_url: Schema.optionalKey(
    described(
      Text.check(isPlainAddress, Schema.isMaxLength(4000)).annotate({ format: "uri" }),
      "A public address to download from, in the background.",
    ),
  ),
}
export const LibraryFields = Schema.Struct({
  ...common,
  type: Schema.Literals(DOCUMENT_TYPES),
  competitor_id: Schema.optionalKey(
    described(Id, "The competitor that the document is about. Required unless competitor_name is given."),
  ),
  competitor_name: Schema.optionalKey(
    described(
      Text.check(Schema.isNonEmpty(), Schema.isMaxLength(400)),
      "Use instead of competitor_id. It must match one competitor.",
    ),
  ),
  source: Schema.optionalKey(Schema.Literals(LIBRARY_SOURCES)),
})
export const DealFields = Schema.Struct({
  ...common,
  deal_id: Schema.optionalKey(Id),
  crm_one_id: Schema.optionalKey(Text.check(Schema.isNonEmpty(), Schema.isMaxLength(400))),
  crm_two_id: Schema.optionalKey(Text.check(Schema.isNonEmpty(), Schema.isMaxLength(400))),
  source: Schema.optionalKey(Schema.Literals(DEAL_SOURCES)),
})

const base64 = {
  file_base64: Schema.optionalKey(described(Schema.String, "The content, at most 10 MiB; for JSON only.")),
}
const file = { file: Schema.optionalKey(Multipart.SingleFileSchema) }

/** 10 MiB of bytes in base64, which is a third longer, and the other fields. */
const MAX_JSON_SIZE = ByteSize.fromInputUnsafe("14 MiB")

const upload = {
  query: {
    form: Schema.optional(
      described(
        Schema.Literal("1"),
        "For a plain HTML form: file_name and content_type may be absent, and are then those of the file's part. Empty fields count as absent, also without it.",
      ),
    ),
  },
  success: Uploaded,
  error: [NotFound.wire, Conflict.wire, ...BODY_ERRORS],
} as const
const SUPPORTED =
  "Reads PDF, DOCX, PPTX, XLSX, CSV, TSV, HTML, EML, MSG, RTF, ODT, VTT, SRT, MD, TXT and transcripts in JSON up to 50 MiB; transcribes MP3, WAV, M4A and MP4 up to 500 MiB. Attachments of mails become documents of the same deal or competitor. Reads DOC, PPT and XLS where LibreOffice is installed, and elsewhere refuses them, as it refuses encrypted files, with a 415 that says what to send instead. Send exactly one of file, file_url and file_base64."

const one = { params: { id: Id }, error: NotFound.wire } as const

export const LibraryGroup = HttpApiGroup.make("library")
  .add(
    HttpApiEndpoint.post("uploadToLibrary", "/documents/library", {
      payload: [
        Schema.Struct({ ...LibraryFields.fields, ...file }).pipe(HttpApiSchema.asMultipart()),
        Schema.Struct({ ...LibraryFields.fields, ...base64 }),
      ],
      ...upload,
    })
      .middleware(Idempotency)
      .annotate(LargestBody, MAX_JSON_SIZE)
      .annotateMerge(OpenApi.annotations({ summary: "Add a document to the library", description: SUPPORTED })),
    HttpApiEndpoint.post("uploadToDeal", "/deals/documents", {
      payload: [
        Schema.Struct({ ...DealFields.fields, ...file }).pipe(HttpApiSchema.asMultipart()),
        Schema.Struct({ ...DealFields.fields, ...base64 }),
      ],
      ...upload,
    })
      .middleware(Idempotency)
      .annotate(LargestBody, MAX_JSON_SIZE)
      .annotateMerge(OpenApi.annotations({ summary: "Add a document to a deal", description: SUPPORTED })),
    HttpApiEndpoint.get("list", "/documents", {
      query: {
        status: Schema.optional(described(Schema.Literals(STATUSES), "Only documents in this state.")),
        type: Schema.optional(described(Schema.Literals(DOCUMENT_TYPES), "Only documents of this type.")),
        deal_id: Schema.optional(described(Id, "Only documents of this deal.")),
        parent_id: Schema.optional(described(Id, "Only attachments of this mail.")),
        belongs_to: Schema.optional(
          described(
            Schema.Literals(PLACES),
            "Only documents of the library, about a competitor, or only those of deals.",
          ),
        ),
        searchQuery: Schema.optional(
          described(
            Text.check(Schema.isNonEmpty(), Schema.isMaxLength(200)),
            "Only documents whose file name contains this text, ignoring case.",
          ),
        ),
        competitor_id: Schema.optional(
          described(
            Text.check(Schema.isNonEmpty(), Schema.isMaxLength(400)),
            "Only documents about this competitor, by id or name, ignoring case.",
          ),
        ),
        page_size: Schema.optional(
          described(
            Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })),
            "Documents per page; 50 by default.",
          ),
        ),
        cursor: Schema.optional(
          described(Text.check(Schema.isMaxLength(2000)), "The `next_cursor` of the previous page."),
        ),
      },
      success: Schema.Struct({ data: Schema.Array(Document), next_cursor: text }).annotate({
        identifier: "DocumentPage",
      }),
    }).annotate(OpenApi.Summary, "List documents, newest first"),
    HttpApiEndpoint.get("get", "/documents/:id", { ...one, success: Document }).annotate(
      OpenApi.Summary,
      "Read a document's status",
    ),
    HttpApiEndpoint.get("original", "/documents/:id/original", {
      ...one,
      success: HttpApiSchema.StreamUint8Array(),
    })
      .annotate(AnswersBytes, true)
      .annotate(OpenApi.Summary, "Download the uploaded file"),
    HttpApiEndpoint.delete("delete", "/documents/:id", { ...one, success: HttpApiSchema.NoContent }).annotate(
      OpenApi.Summary,
      "Delete a document, its text and its file",
    ),
    HttpApiEndpoint.post("reprocess", "/documents/:id/reprocess", {
      params: { id: Id },
      success: Uploaded,
      error: [NotFound.wire, Conflict.wire],
    })
      .middleware(Idempotency)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Process a document again",
          description: "Search and answers use the previous text until the new one is complete.",
        }),
      ),
    HttpApiEndpoint.get("run", "/runs/:id", { ...one, success: Run }).annotate(
      OpenApi.Summary,
      "Read the progress of a run",
    ),
  )
  .annotate(OpenApi.Description, "Documents of the library and of deals")
