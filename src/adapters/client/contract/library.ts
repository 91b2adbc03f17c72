// `npm run client` writes this file from the contract.

export interface LibraryUploadToLibraryInput {
  /** For a plain HTML form: file_name and content_type may be absent, and are then those of the file's part. Empty fields count as absent, also without it. */
  readonly form?: "1" | undefined
  /** The name that people know it by. */
  readonly file_name: string
  /** The MIME type. It must match the content of the file. */
  readonly content_type: string
  /** The document of which this is a new version; of the same type, and of the same deal or competitor. */
  readonly replaces?: string
  /** Makes this a new version of the latest document of the same file name, type, and deal or competitor, if there is one. Use instead of replaces. */
  readonly replaces_same_name?: boolean
  /** A public address to download from, in the background. */
  readonly file_url?: string
  readonly type: "asset" | "intel"
  /** The competitor that the document is about. Required unless competitor_name is given. */
  readonly competitor_id?: string
  /** Use instead of competitor_id. It must match one competitor. */
  readonly competitor_name?: string
  readonly source?: "drive" | "notion" | "confluence" | "onedrive" | "sharepoint" | "vanta" | "url" | "zapier" | "api"
  /** The content, at most 10 MiB; for JSON only. */
  readonly file_base64?: string
}

export interface Warning {
  /** `pages_unreadable`: damaged pages; `pages_without_text`: pages that are pictures, such as scans; `pages_recognized`: pages that are pictures, whose text was recognized; `marks_unread`: pages whose tables have ticks or circles that are drawn as shapes, which were not read; `pictures_without_text`, `pictures_recognized`: the same of large pictures in Word documents and presentations; `encoding_guessed`: a text file that does not state its encoding; `sheet_hidden`: a hidden sheet, which was read; `cells_hidden`: hidden rows or columns of a sheet, which were read; `hidden_text`: text that no reader of the file sees, such as hidden slides, or that is struck out, which is neither searched nor quoted; `formulas_not_calculated`: cells whose formulas the program that wrote the workbook did not calculate, so that their values are missing; `attachments_unread`: attachments of a mail that cannot be read; `parts_unread`: files inside a Word document that were not read; `transcript_rough`: transcribed by an engine of low accuracy */
  readonly code:
    | "pages_unreadable"
    | "pages_without_text"
    | "pages_recognized"
    | "marks_unread"
    | "pictures_without_text"
    | "pictures_recognized"
    | "encoding_guessed"
    | "sheet_hidden"
    | "cells_hidden"
    | "hidden_text"
    | "formulas_not_calculated"
    | "attachments_unread"
    | "parts_unread"
    | "transcript_rough"
  /** Says to a person what happened and what to do. */
  readonly message: string
  /** The pages, counted from 1, both ends inclusive; the first 100 ranges. */
  readonly pages?: ReadonlyArray<{ readonly from: number; readonly to: number }>
  /** The large pictures, counted from 1 in the order of the document, both ends inclusive. */
  readonly pictures?: ReadonlyArray<{ readonly from: number; readonly to: number }>
}

export interface Document {
  readonly id: string
  readonly file_name: string
  readonly status: "processing" | "ready" | "failed"
  /** `asset`: sales enablement. `intel`: competitive intelligence from outside. */
  readonly type: "asset" | "intel"
  readonly source: string
  readonly content_type: string
  /** Null until the file has been fetched. */
  readonly size_bytes: number | null
  readonly competitor_id: string | null
  readonly deal_id: string | null
  /** The mail to which this document was attached. Deleting the mail deletes it too. */
  readonly parent_id: string | null
  /** Counts from 1; one more than that of the document that it replaces. */
  readonly version: number
  /** The earlier version, which is kept. */
  readonly replaces: string | null
  /** The later version. Once that has been read, only it is searched. */
  readonly replaced_by: string | null
  /** Why it failed, and what to do. Null if it did not fail. */
  readonly failure_reason: string | null
  /** The parts that the last reading left out or guessed. Empty until the document has been read. */
  readonly warnings: ReadonlyArray<Warning>
  /** Opens the document in a browser without a key. The link is signed and expires after 7 days, or as the server sets. */
  readonly url: string
  readonly created_at: string
  readonly updated_at: string
}

export interface UploadedDocument {
  readonly document: Document
  /** The processing run: GET /runs/{run_id}. */
  readonly run_id: string
  /** True if the same file was already in the same place. */
  readonly duplicate?: true
}

export interface LibraryUploadToDealInput {
  /** For a plain HTML form: file_name and content_type may be absent, and are then those of the file's part. Empty fields count as absent, also without it. */
  readonly form?: "1" | undefined
  /** The name that people know it by. */
  readonly file_name: string
  /** The MIME type. It must match the content of the file. */
  readonly content_type: string
  /** The document of which this is a new version; of the same type, and of the same deal or competitor. */
  readonly replaces?: string
  /** Makes this a new version of the latest document of the same file name, type, and deal or competitor, if there is one. Use instead of replaces. */
  readonly replaces_same_name?: boolean
  /** A public address to download from, in the background. */
  readonly file_url?: string
  readonly deal_id?: string
  readonly crm_one_id?: string
  readonly crm_two_id?: string
  readonly source?:
    | "call_recorder"
    | "revenue_platform"
    | "meeting_notes_one"
    | "meeting_notes_two"
    | "conversation_intelligence"
    | "sales_engagement"
    | "email"
    | "crm_one"
    | "crm_two"
    | "api"
  /** The content, at most 10 MiB; for JSON only. */
  readonly file_base64?: string
}

export interface LibraryListInput {
  /** Only documents in this state. */
  readonly status?: "processing" | "ready" | "failed" | undefined
  /** Only documents of this type. */
  readonly type?: "asset" | "intel" | undefined
  /** Only documents of this deal. */
  readonly deal_id?: string | undefined
  /** Only attachments of this mail. */
  readonly parent_id?: string | undefined
  /** Only documents of the library, about a competitor, or only those of deals. */
  readonly belongs_to?: "competitor" | "deal" | undefined
  /** Only documents whose file name contains this text, ignoring case. */
  readonly searchQuery?: string | undefined
  /** Only documents about this competitor, by id or name, ignoring case. */
  readonly competitor_id?: string | undefined
  /** Documents per page; 50 by default. */
  readonly page_size?: number | undefined
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string | undefined
}

export interface DocumentPage {
  readonly data: ReadonlyArray<Document>
  readonly next_cursor: string | null
}

export interface Run {
  readonly id: string
  /** The document that it reads; null for an analysis or undo. */
  readonly document_id: string | null
  /** The deal that it analyzes; null for several, and for a document. */
  readonly deal_id: string | null
  /** The import that it undoes; null for all others. */
  readonly import_id: string | null
  readonly status: "queued" | "running" | "completed" | "failed" | "cancelled"
  /** The stage: queued, fetching, extracting, transcribing, chunking, recognizing, indexing, analyzing, undoing or completed. */
  readonly stage: string
  /** From 0 to 1. */
  readonly progress: number
  readonly attempts: number
  readonly error: string | null
  /** The document's warnings, once the run is completed. */
  readonly warnings: ReadonlyArray<Warning>
  /** The attachments of a mail, once the run is completed. Each is a document with a run of its own. */
  readonly attachments: ReadonlyArray<{ readonly document_id: string; readonly file_name: string }>
  readonly created_at: string
  readonly started_at: string | null
  readonly ended_at: string | null
}

export interface LibraryEndpoints {
  /** Add a document to the library. */
  readonly uploadToLibrary: { readonly input: LibraryUploadToLibraryInput; readonly output: UploadedDocument }
  /** Add a document to a deal. */
  readonly uploadToDeal: { readonly input: LibraryUploadToDealInput; readonly output: UploadedDocument }
  /** List documents, newest first. */
  readonly list: { readonly input: LibraryListInput; readonly output: DocumentPage }
  /** Read a document's status. */
  readonly get: { readonly input: { readonly id: string }; readonly output: Document }
  /** Download the uploaded file. */
  readonly original: { readonly input: { readonly id: string }; readonly output: never }
  /** Delete a document, its text and its file. */
  readonly delete: { readonly input: { readonly id: string }; readonly output: void }
  /** Process a document again. */
  readonly reprocess: { readonly input: { readonly id: string }; readonly output: UploadedDocument }
  /** Read the progress of a run. */
  readonly run: { readonly input: { readonly id: string }; readonly output: Run }
}
