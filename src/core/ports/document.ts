/** Where a piece of text is in its document. Pages and slides count from 1; rows have the sheet's numbers; times are seconds from the start. */
export type Place =
  | { readonly kind: "text" }
  | { readonly kind: "page"; readonly page: number }
  | { readonly kind: "slide"; readonly slide: number }
  | { readonly kind: "sheet"; readonly sheet: string; readonly row: number }
  | { readonly kind: "time"; readonly start: number; readonly end: number; readonly speaker?: string | undefined }

/** A piece of text that a reader found, in reading order. A table row is one element, with its cells joined by tabs. */
export interface Element {
  readonly kind: "heading" | "paragraph" | "list-item" | "table-row" | "note" | "form-value" | "speech"
  /** Level of a heading; 1 is the highest. */
  readonly level?: number | undefined
  /** Plain text, trimmed, not empty, without NUL. */
  readonly text: string
  readonly place: Place
}

/** Codes for what a reader left out or guessed. */
export const WARNING_CODES = [
  "pages_unreadable",
  "pages_without_text",
  "encoding_guessed",
  "sheet_hidden",
  "transcript_rough",
] as const

/** Consecutive pages, both ends included. */
export interface PageRange {
  readonly from: number
  readonly to: number
}

export interface Warning {
  readonly code: (typeof WARNING_CODES)[number]
  /** Tells the user what happened and what to do. */
  readonly message: string
  readonly pages?: ReadonlyArray<PageRange>
}

/** The common result of reading any format. */
export interface ReadDocument {
  readonly elements: ReadonlyArray<Element>
  readonly warnings: ReadonlyArray<Warning>
}

/** The formats that can be read. */
export const FORMATS = ["pdf", "docx", "pptx", "xlsx", "md", "txt", "mp3", "wav", "m4a", "mp4"] as const
export type Format = (typeof FORMATS)[number]

const MEDIA_FORMATS: ReadonlySet<Format> = new Set(["mp3", "wav", "m4a", "mp4"])

/** Checks whether the format is a recording, which is transcribed before it is chunked. */
export const isMedia = (format: Format | undefined): boolean => format !== undefined && MEDIA_FORMATS.has(format)

/** Returns a content type in lower case without parameters, the form in which it is compared and stored. */
export const essenceOf = (contentType: string): string => contentType.split(";", 1)[0]!.trim().toLowerCase()

/** A place, and the offsets of its text. */
export interface Placed {
  readonly start: number
  readonly end: number
  readonly place: Place
}

/** A citable piece of a document: `text.slice(start, end) === chunk.text`, in UTF-16 units. */
export interface Chunk {
  readonly start: number
  readonly end: number
  readonly text: string
  /** Its own and its parent headings, highest first. They are not part of `text`. */
  readonly headings: ReadonlyArray<string>
  /** The place where it starts. */
  readonly place: Place
  /** The place of each of its parts, in order, by offsets in the document's text. */
  readonly places: ReadonlyArray<Placed>
}

/** An element whose text starts at offset `start` of the document's text. */
export interface LaidElement extends Element {
  readonly start: number
}

/**
 * A document as one text; the texts of its elements and chunks are slices of it. Each iteration may create them again,
 * because the rows of a large sheet take more memory than their text.
 */
export interface ReadAndCut {
  readonly text: string
  readonly elements: Iterable<LaidElement>
  readonly chunks: Iterable<Chunk>
  readonly warnings: ReadonlyArray<Warning>
}
