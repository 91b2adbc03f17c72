export {
  type Attachment,
  attachmentsUnread,
  type Chunk,
  type Element,
  type Format,
  FORMATS,
  isMedia,
  type LaidElement,
  type PagePicture,
  type PageRange,
  type PageText,
  type Place,
  type Placed,
  type ReadAndCut,
  type ReadDocument,
  type RecognizedLine,
  type Recognition,
  type TableRange,
  type TextPicture,
  type Warning,
  type WordBox,
} from "../core/ports/document.ts"

/** Why a document cannot be read; `reason` tells the uploader what to do. */
export interface Unreadable {
  readonly code: "encrypted" | "damaged" | "empty" | "too-large" | "too-slow" | "unsupported" | "unsafe"
  readonly reason: string
}

/** The limits that every reader enforces, before and while it reads. */
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
  /** Attachments of one mail that become documents. */
  attachments: 50,
  /** The length of a recording. */
  recordingSeconds: 4 * 3600,
  /** CPU time to read one file. */
  cpuSeconds: 60,
  heapMegabytes: 512,
} as const
