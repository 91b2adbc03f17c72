import type * as Stream from "effect/Stream"
import type { BlobStoreError } from "../ports/BlobStore.ts"
import type { Document } from "./contract.ts"
import type { StoredOriginal } from "./Originals.ts"
import type { DocumentFilters } from "./sql.ts"
import type { ResolvedTarget } from "./targets.ts"

/** A document before it is read. */
export interface NewDocument extends ResolvedTarget {
  readonly type: "asset" | "intel"
  readonly source: string
  readonly file_name: string
  readonly content_type: string
  /** The document that this one replaces. */
  readonly replaces?: string | undefined
  /** Instead: replaces the latest document of the same name and place, if there is one. */
  readonly replaces_same_name?: boolean | undefined
}

/** A file that is in the blob store, or the address to fetch it from. */
export type Original = StoredOriginal | { readonly file_url: string }

/** A file with its bytes as a stream. */
export interface UploadedFile<E> {
  readonly file_name: string
  readonly content_type: string
  readonly bytes: Stream.Stream<Uint8Array, E>
}

export interface Receipt {
  readonly document: Document
  readonly run_id: string
  readonly duplicate?: true
}

/** The findings of a reading besides the text. */
export interface ReadingOutcome {
  readonly warnings: Document["warnings"]
  readonly attachments: ReadonlyArray<{ readonly document_id: string; readonly file_name: string }>
}

export interface DocumentsQuery extends Omit<DocumentFilters, "competitor_ids"> {
  /** Also accepts a competitor's name. */
  readonly competitor_id?: string | undefined
}

/** `next_cursor` is null on the last page. */
export interface DocumentPage {
  readonly data: ReadonlyArray<Document>
  readonly next_cursor: string | null
}

/** A document, and the file that was uploaded. */
export interface OpenedOriginal {
  readonly document: Document
  readonly bytes: Stream.Stream<Uint8Array, BlobStoreError>
}
