/** Where in its document a piece of text stands. Pages and slides count from 1; rows are the sheet's own; seconds from the start. */
export type Place =
  | { readonly kind: "text" }
  | { readonly kind: "page"; readonly page: number }
  | { readonly kind: "slide"; readonly slide: number }
  | { readonly kind: "sheet"; readonly sheet: string; readonly row: number }
  | { readonly kind: "time"; readonly start: number; readonly end: number; readonly speaker?: string | undefined }

/** What a reader finds, in reading order. A table row is one element, its cells joined by tabs. */
export interface Element {
  readonly kind: "heading" | "paragraph" | "list-item" | "table-row" | "note" | "form-value" | "speech"
  /** Of a heading: 1 is the highest. */
  readonly level?: number | undefined
  /** Plain text without NUL, neither empty nor surrounded by white space. */
  readonly text: string
  readonly place: Place
}

/** What a reader left out or guessed. */
export const WARNING_CODES = [
  "pages_unreadable",
  "pages_without_text",
  "encoding_guessed",
  "sheet_hidden",
  "transcript_rough",
] as const

/** Pages that follow one another, both ends included. */
export interface PageRange {
  readonly from: number
  readonly to: number
}

export interface Warning {
  readonly code: (typeof WARNING_CODES)[number]
  /** For a person: what happened, and what to do. */
  readonly message: string
  readonly pages?: ReadonlyArray<PageRange>
}

/** The one shape every format is read into. */
export interface ReadDocument {
  readonly elements: ReadonlyArray<Element>
  readonly warnings: ReadonlyArray<Warning>
}

/** The formats that can be read. */
export const FORMATS = ["pdf", "docx", "pptx", "xlsx", "md", "txt", "mp3", "wav", "m4a", "mp4"] as const
export type Format = (typeof FORMATS)[number]

const MEDIA_FORMATS: ReadonlySet<Format> = new Set(["mp3", "wav", "m4a", "mp4"])

/** Is it a recording: played by a browser, and heard before it is read? */
export const isMedia = (format: Format | undefined): boolean => format !== undefined && MEDIA_FORMATS.has(format)

/** A content type without its parameters, as it is compared and kept. */
export const essenceOf = (contentType: string): string => contentType.split(";", 1)[0]!.trim().toLowerCase()

/** A place and the offsets of the text that stands there. */
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
  /** The headings above it, the highest first, its own among them. Beside the text, not part of it. */
  readonly headings: ReadonlyArray<string>
  /** Where it begins. */
  readonly place: Place
  /** Where each part of it stands, in order, by offsets in the document's text. */
  readonly places: ReadonlyArray<Placed>
}

/** An element whose text begins at `start` in the document's. */
export interface LaidElement extends Element {
  readonly start: number
}

/**
 * A document as one text, of which the texts of its elements and chunks are slices. They may be made anew each time they are gone
 * through: the rows of a large sheet, all held at once, take more memory than their text.
 */
export interface ReadAndCut {
  readonly text: string
  readonly elements: Iterable<LaidElement>
  readonly chunks: Iterable<Chunk>
  readonly warnings: ReadonlyArray<Warning>
}
