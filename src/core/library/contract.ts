import * as ByteSize from "effect/ByteSize"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Multipart from "effect/http/Multipart"
import { Idempotency } from "../access/Idempotency.ts"
import { Conflict, NotFound, PayloadTooLarge, UnsupportedMediaType } from "../http/errors.ts"
import { AnswersBytes } from "../http/AnswersBytes.ts"
import { LargestBody } from "../http/LargestBody.ts"
import { Id, Text, Uri } from "../http/parameters.ts"
import { type Warning as ReadingWarning, WARNING_CODES } from "../ports/document.ts"

const described = <S extends Schema.Top>(schema: S, description: string) => schema.annotate({ description }) as S
const dateTime = Schema.String.annotate({ format: "date-time" })
const text = Schema.NullOr(Schema.String)

export const STATUSES = ["processing", "ready", "failed"] as const
export const DOCUMENT_TYPES = ["asset", "intel"] as const
export const LIBRARY_SOURCES = [
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
export const DEAL_SOURCES = [
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
    "`pages_unreadable`: damaged pages; `pages_without_text`: pictures of pages, scans for example; `encoding_guessed`: a text file that does not say its encoding; `sheet_hidden`: a hidden sheet, which was read; `transcript_rough`: heard by an engine that mishears often",
  ),
  message: described(Schema.String, "for a person: what happened, and what to do"),
  pages: Schema.optionalKey(
    described(
      Schema.Array(Schema.Struct({ from: Schema.Int, to: Schema.Int })),
      "which pages, counted from 1, both ends included; the first 100 ranges",
    ),
  ),
}).annotate({
  identifier: "Warning",
  examples: [{ code: "pages_without_text", message: pagesExample, pages: [{ from: 2, to: 21 }] }],
}) satisfies Schema.Schema<ReadingWarning>
const warningsOf = (description: string) => described(Schema.Array(Warning), description)

export const Document = Schema.Struct({
  id: Schema.String,
  file_name: Schema.String,
  status: Schema.Literals(STATUSES),
  type: described(
    Schema.Literals(DOCUMENT_TYPES),
    "`asset`: sales enablement; `intel`: competitive intelligence from outside",
  ),
  source: Schema.String,
  content_type: Schema.String,
  size_bytes: described(Schema.NullOr(Schema.Finite), "null until it is fetched"),
  competitor_id: text,
  deal_id: text,
  failure_reason: described(text, "why it failed, and what to do; null unless it did"),
  warnings: warningsOf("what the last reading left out or guessed; empty until it has been read"),
  url: described(Uri, "opens the document in a browser, without a key; signed, and works for a day"),
  created_at: dateTime,
  updated_at: dateTime,
}).annotate({ identifier: "Document" })
export type Document = typeof Document.Type

const Uploaded = Schema.Struct({
  document: Document,
  run_id: described(Schema.String, "the processing run: GET /runs/{run_id}"),
  duplicate: Schema.optionalKey(described(Schema.Literal(true), "the same bytes were in the same place already")),
}).annotate({ identifier: "UploadedDocument" })

const Run = Schema.Struct({
  id: Schema.String,
  document_id: Schema.String,
  status: Schema.Literals(["queued", "running", "completed", "failed", "cancelled"]),
  stage: described(Schema.String, "queued, fetching, extracting, transcribing, chunking, indexing, completed"),
  progress: described(Schema.Finite, "0 to 1"),
  attempts: Schema.Int,
  error: text,
  warnings: warningsOf("those of its document, once the run is completed"),
  created_at: dateTime,
  started_at: Schema.NullOr(dateTime),
  ended_at: Schema.NullOr(dateTime),
}).annotate({ identifier: "Run" })

/** What an upload says beside its bytes. */
const common = {
  file_name: described(Text.check(Schema.isNonEmpty(), Schema.isMaxLength(400)), "as people know it"),
  content_type: described(Text.check(Schema.isMaxLength(200)), "MIME type; must agree with the bytes"),
  file_url: Schema.optionalKey(
    described(
      Text.check(Schema.isMaxLength(4000)).annotate({ format: "uri" }),
      "a public address to download from, in the background",
    ),
  ),
}
export const LibraryFields = Schema.Struct({
  ...common,
  type: Schema.Literals(DOCUMENT_TYPES),
  competitor_id: Schema.optionalKey(Id),
  competitor_name: Schema.optionalKey(
    described(Text.check(Schema.isNonEmpty(), Schema.isMaxLength(400)), "instead of competitor_id; resolved to one"),
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

const base64 = { file_base64: Schema.optionalKey(described(Schema.String, "the bytes, 10 MiB at most; JSON only")) }
const file = { file: Schema.optionalKey(Multipart.SingleFileSchema) }

/** Base64 is a third longer than its bytes. */
const MOST_JSON = ByteSize.fromInputUnsafe("14 MiB")

const upload = {
  success: Uploaded,
  error: [NotFound.wire, Conflict.wire, PayloadTooLarge.wire, UnsupportedMediaType.wire],
} as const
const SUPPORTED =
  "PDF, DOCX, PPTX, XLSX, MD and TXT, 50 MiB at most, are read; MP3, WAV, M4A and MP4, 500 MiB at most, are transcribed. CSV, HTML, stored e-mail, RTF, subtitles, Office files of before 2007 and encrypted ones are refused with 415, which says what to send instead. Exactly one of file, file_url and file_base64."

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
      .annotate(LargestBody, MOST_JSON)
      .annotateMerge(OpenApi.annotations({ summary: "Add a document to the library", description: SUPPORTED })),
    HttpApiEndpoint.post("uploadToDeal", "/deals/documents", {
      payload: [
        Schema.Struct({ ...DealFields.fields, ...file }).pipe(HttpApiSchema.asMultipart()),
        Schema.Struct({ ...DealFields.fields, ...base64 }),
      ],
      ...upload,
    })
      .middleware(Idempotency)
      .annotate(LargestBody, MOST_JSON)
      .annotateMerge(OpenApi.annotations({ summary: "Add a document to a deal", description: SUPPORTED })),
    HttpApiEndpoint.get("list", "/documents", {
      query: {
        status: Schema.optional(described(Schema.Literals(STATUSES), "Only documents in this state.")),
        type: Schema.optional(described(Schema.Literals(DOCUMENT_TYPES), "Only documents of this type.")),
        deal_id: Schema.optional(described(Id, "Only documents of this deal.")),
        competitor_id: Schema.optional(
          described(
            Text.check(Schema.isNonEmpty(), Schema.isMaxLength(400)),
            "Only documents about this competitor, by identifier or name, in any case.",
          ),
        ),
        page_size: Schema.optional(
          described(
            Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })),
            "Documents a page; 50 unless said.",
          ),
        ),
        cursor: Schema.optional(described(Text.check(Schema.isMaxLength(2000)), "`next_cursor` of the page before")),
      },
      success: Schema.Struct({ data: Schema.Array(Document), next_cursor: text }).annotate({
        identifier: "DocumentPage",
      }),
    }).annotate(OpenApi.Summary, "List documents, newest first"),
    HttpApiEndpoint.get("get", "/documents/:id", { ...one, success: Document }).annotate(
      OpenApi.Summary,
      "Read a document's state",
    ),
    HttpApiEndpoint.get("original", "/documents/:id/original", {
      ...one,
      success: HttpApiSchema.StreamUint8Array(),
    })
      .annotate(AnswersBytes, true)
      .annotate(OpenApi.Summary, "Download a document as it was sent"),
    HttpApiEndpoint.delete("delete", "/documents/:id", { ...one, success: HttpApiSchema.NoContent }).annotate(
      OpenApi.Summary,
      "Delete a document, its text and its original",
    ),
    HttpApiEndpoint.post("reprocess", "/documents/:id/reprocess", {
      params: { id: Id },
      success: Uploaded,
      error: [NotFound.wire, Conflict.wire],
    })
      .middleware(Idempotency)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Read a document again",
          description: "What was read before serves until the new reading is in.",
        }),
      ),
    HttpApiEndpoint.get("run", "/runs/:id", { ...one, success: Run }).annotate(
      OpenApi.Summary,
      "How far a processing run is",
    ),
  )
  .annotate(OpenApi.Description, "Documents of the library and of deals")
