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

/** The one shape every format is read into. */
export interface ReadDocument {
  readonly elements: ReadonlyArray<Element>
  /** What was left out or guessed, for a person: "the encoding was taken for windows-1252". */
  readonly warnings: ReadonlyArray<string>
}

/** The formats that can be read. */
export const FORMATS = ["pdf", "docx", "pptx", "xlsx", "md", "txt", "mp3", "wav", "m4a", "mp4"] as const
export type Format = (typeof FORMATS)[number]

export const MEDIA_FORMATS: ReadonlySet<Format> = new Set(["mp3", "wav", "m4a", "mp4"])

/** Why a document could not be read; `reason` is for the person who uploaded it, and says what to do. */
export interface Unreadable {
  readonly code:
    | "encrypted"
    | "damaged"
    | "empty"
    | "too-large"
    | "too-slow"
    | "unsupported"
    | "unsafe"
  readonly reason: string
}

/** The limits a reader keeps, before and while it works. */
export const LIMITS = {
  zipEntries: 10_000,
  entryBytes: 200 * 1024 * 1024,
  inflatedBytes: 400 * 1024 * 1024,
  /** Inflated over stored size, for an entry of more than a mebibyte. */
  ratio: 200,
  xmlDepth: 1_000,
  pages: 5_000,
  cells: 5_000_000,
  characters: 20_000_000,
  seconds: 60,
  heapMegabytes: 512,
} as const
