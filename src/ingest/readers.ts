import type { Format, ReadDocument } from "./document.ts"
import type { Emit } from "./elements.ts"

/** Turns the bytes of a document into its text and places, less what it gave to `emit` before, or throws `UnreadableError`. The bytes may be shared memory, and stay as they are. */
export type Reader = (bytes: Uint8Array, emit?: Emit) => Promise<ReadDocument>

/** The formats that are read by parsing; sound and pictures are transcribed. */
export type DocumentFormat = Exclude<Format, "mp3" | "wav" | "m4a" | "mp4">

/** Each reader loads its libraries when a document of its format first comes. */
export const READERS: Readonly<Record<DocumentFormat, Reader>> = {
  pdf: async (bytes) => (await import("./pdf.ts")).readPdf(bytes),
  docx: async (bytes) => (await import("./docx.ts")).readDocx(bytes),
  pptx: async (bytes) => (await import("./pptx.ts")).readPptx(bytes),
  xlsx: async (bytes, emit) => (await import("./xlsx.ts")).readXlsx(bytes, emit),
  md: async (bytes) => (await import("./text.ts")).readText(bytes, "md"),
  txt: async (bytes) => (await import("./text.ts")).readText(bytes, "txt"),
}
