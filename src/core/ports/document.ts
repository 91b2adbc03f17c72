import type { Box, Turn } from "../common/turnUpright.ts"

/**
 * The place of a piece of text in its document. Pages and slides count from 1; rows have the sheet's numbers; times are seconds from the start.
 *
 * `speaker` is the label of who said or wrote the piece, in every format that knows it: recordings and subtitles have it with a time, mails
 * and transcripts without times with `text`. It is a name as the document writes it, and for mails "Ben Smith <ben@example.com>", or
 * the part of it that there is. Headings and a mail's head have none. A recording's only channel is not divided into speakers.
 */
export type Place =
  | { readonly kind: "text"; readonly speaker?: string | undefined }
  | { readonly kind: "page"; readonly page: number }
  | { readonly kind: "slide"; readonly slide: number }
  | { readonly kind: "sheet"; readonly sheet: string; readonly row: number }
  | { readonly kind: "time"; readonly start: number; readonly end: number; readonly speaker?: string | undefined }

/**
 * A piece of text that a reader found, in reading order. A table row is one element: its cells in order of columns, joined by
 * tabs, so that an empty cell is an empty string between two tabs, or before the first.
 */
export interface Element {
  readonly kind: "heading" | "paragraph" | "list-item" | "table-row" | "note" | "form-value" | "speech"
  /** Level of a heading; 1 is the highest. */
  readonly level?: number | undefined
  /** The row belongs to the header of its table. */
  readonly header?: true | undefined
  /** The labels of a table's columns, "" for a column without one. They hold for this row and the following ones until other `labels`, a header row or another kind of element. */
  readonly labels?: ReadonlyArray<string> | undefined
  /**
   * The texts of merged cells that begin in a row above and cover this one, by column, "" for a column without one. They are not
   * part of `text`, and hold as long as labels do, or until other `merged`.
   */
  readonly merged?: ReadonlyArray<string> | undefined
  /** No reader of the file sees the text. It is no part of the document's text, so that nothing searches or quotes it; the viewer shows it. */
  readonly hidden?: true | undefined
  /** The picture on which the text was recognized. */
  readonly picture?: TextPicture | undefined
  /** Plain text, not empty, without NUL; trimmed, but for the tabs of a row's empty cells. */
  readonly text: string
  readonly place: Place
}

/** The place of a word on a picture: `start` and `length` in the element's text, then pixels from the left and from the top. */
export type WordBox = readonly [start: number, length: number, left: number, top: number, width: number, height: number]

/** The size in pixels of the picture that has a text, and the boxes of its words; none if the engine knows none. */
export interface TextPicture {
  readonly width: number
  readonly height: number
  readonly boxes: ReadonlyArray<WordBox>
}

/** The picture of a page, as pages are recognized and shown, or a picture of the document. */
export interface PagePicture {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: "image/jpeg" | "image/png" | "image/gif" | "image/bmp" | "image/webp"
  /** In pixels. */
  readonly width: number
  readonly height: number
  readonly pixelsPerInch: number
}

/** A recognized line. All numbers are pixels; words are from the left and from the top of the picture. */
export interface RecognizedLine {
  readonly words: ReadonlyArray<
    Box & {
      readonly text: string
      /** How sure the engine is of the word, from 0 to 1; undefined if it does not say. */
      readonly confidence?: number
    }
  >
  /** From the top of the picture that is turned upright. */
  readonly baseline: number
  /** The size of the font. */
  readonly size: number
}

/** The recognized text of a page: lines in reading order, or text alone, whose paragraphs an empty line divides. */
export type PageText = Pick<PagePicture, "width" | "height" | "pixelsPerInch"> & {
  readonly content: ReadonlyArray<RecognizedLine> | string
  /** Undefined: the writing is upright. */
  readonly turn?: Turn
}

/** The recognized pages of a document, or the large pictures of one without pages, by number; `pending` before recognition. Undefined: no engine is configured. */
export type Recognition = ReadonlyMap<number, PageText> | "pending" | undefined

/** Codes for what a reader left out or guessed. */
export const WARNING_CODES = [
  "pages_unreadable",
  "pages_without_text",
  "pages_recognized",
  "marks_unread",
  "pictures_without_text",
  "pictures_recognized",
  "encoding_guessed",
  "sheet_hidden",
  "cells_hidden",
  "hidden_text",
  "formulas_not_calculated",
  "attachments_unread",
  "parts_unread",
  "transcript_rough",
] as const

/** Consecutive pages or pictures, both ends included. */
export interface PageRange {
  readonly from: number
  readonly to: number
}

export interface Warning {
  readonly code: (typeof WARNING_CODES)[number]
  /** Tells the user what happened and what to do. */
  readonly message: string
  readonly pages?: ReadonlyArray<PageRange>
  /** The large pictures of a document without pages, in their order. */
  readonly pictures?: ReadonlyArray<PageRange>
}

/** Attachments that a warning names. */
const MAX_NAMED = 20

/** Warns of attachments that were not read; `why` says what to do. */
export const attachmentsUnread = (names: ReadonlyArray<string>, why: string): Warning => {
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ""
  return { code: "attachments_unread", message: `${names.slice(0, MAX_NAMED).join(", ")}${more}: ${why}` }
}

/** A file inside a document, such as the attachment of a mail. Its name and type are the sender's. */
export interface Attachment {
  readonly fileName: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** The common result of reading any format. */
export interface ReadDocument {
  readonly elements: ReadonlyArray<Element>
  readonly warnings: ReadonlyArray<Warning>
  readonly attachments?: ReadonlyArray<Attachment>
}

/** The formats that can be read. */
export const FORMATS = [
  "pdf",
  "docx",
  "pptx",
  "xlsx",
  "doc",
  "ppt",
  "xls",
  "csv",
  "tsv",
  "html",
  "eml",
  "msg",
  "rtf",
  "odt",
  "json",
  "md",
  "txt",
  "vtt",
  "srt",
  "mp3",
  "wav",
  "m4a",
  "mp4",
] as const
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

/** Rows of a table, by offsets in the document's text, and the labels of their columns. */
export interface TableRange {
  readonly start: number
  readonly end: number
  /** The rows are a header. */
  readonly header?: true | undefined
  readonly labels: ReadonlyArray<string>
  /** The rows that merged cells of rows above cover, with the texts of these cells by column. */
  readonly merged?:
    | ReadonlyArray<{ readonly start: number; readonly end: number; readonly cells: ReadonlyArray<string> }>
    | undefined
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
  /** The tables whose rows it contains, in order. */
  readonly tables: ReadonlyArray<TableRange>
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
  readonly attachments?: ReadonlyArray<Attachment>
}
