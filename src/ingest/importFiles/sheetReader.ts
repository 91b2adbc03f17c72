import type { SheetPart } from "./sheetPart.ts"

export interface SheetChoice {
  readonly container: "xlsx" | "html"
  /** A name, or a number from 1. */
  readonly sheet?: string | undefined
  /** The type of the records, by whose headers a sheet is chosen if none is given. */
  readonly type?: string | undefined
}

/** Reads one sheet, as far as its parts are asked for. Throws `UnreadableError`, whose reason ends a sentence about the file. */
export type SheetReader = (bytes: Uint8Array, choice: Omit<SheetChoice, "container">) => Generator<SheetPart>

export const SHEET_READERS: Readonly<Record<SheetChoice["container"], () => Promise<SheetReader>>> = {
  xlsx: async () => (await import("./readWorkbook.ts")).readWorkbook,
  html: async () => (await import("./readHtmlTable.ts")).readHtmlTable,
}
