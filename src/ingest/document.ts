export {
  type Chunk,
  type Element,
  type Format,
  FORMATS,
  isMedia,
  type LaidElement,
  type Place,
  type Placed,
  type ReadAndCut,
  type ReadDocument,
  type Warning,
} from "../core/ports/document.ts"

/** Why a document could not be read; `reason` is for the person who uploaded it, and says what to do. */
export interface Unreadable {
  readonly code: "encrypted" | "damaged" | "empty" | "too-large" | "too-slow" | "unsupported" | "unsafe"
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
  /** Of a recording. */
  recordingSeconds: 4 * 3600,
  /** Of reading a file. */
  cpuSeconds: 60,
  heapMegabytes: 512,
} as const
