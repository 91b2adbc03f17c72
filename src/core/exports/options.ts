import type { Invalid } from "../http/validation/validation.ts"

/** The separators of cells. */
export const DELIMITERS = [",", ";", "\t"] as const
/** Decimal marks. */
export const DECIMALS = [".", ","] as const

/** How cells of CSV are written. Absent: cells are safe, `,` separates them, `.` is the decimal mark, and there is no byte-order mark. */
export interface CsvOptions {
  /** False leaves text that a spreadsheet would run as a formula unchanged. */
  readonly csvSafe?: boolean | undefined
  /** Whether the file starts with a byte-order mark, by which Excel recognizes UTF-8. */
  readonly bom?: boolean | undefined
  readonly delimiter?: (typeof DELIMITERS)[number] | undefined
  /** The decimal mark of numbers. */
  readonly decimal?: (typeof DECIMALS)[number] | undefined
}

/** The formats of an export, by the ending of its file. */
export const FORMATS = {
  csv: { contentType: "text/csv; charset=utf-8" },
  xlsx: { contentType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" },
} as const
export type ExportFormat = keyof typeof FORMATS

export const FORMAT_NAMES = Object.keys(FORMATS) as [ExportFormat, ...ReadonlyArray<ExportFormat>]

export interface ExportOptions extends CsvOptions {
  /** `csv` by default. */
  readonly format?: ExportFormat | undefined
}

/** Each option of CSV with its field in the request. */
const CSV_FIELDS = { csvSafe: "csv_safe", bom: "bom", delimiter: "delimiter", decimal: "decimal" } as const

/** Lists the options that do not belong to the format or to each other. */
export const optionProblems = (options: ExportOptions): ReadonlyArray<Invalid> => {
  const { format = "csv", delimiter = ",", decimal } = options
  if (format === "xlsx") {
    return Object.entries(CSV_FIELDS)
      .filter(([name]) => options[name as keyof CsvOptions] !== undefined)
      .map(([, field]) => ({ field, reason: "belongs to the format csv: leave it out, or export csv" }))
  }
  if (decimal !== "," || delimiter !== ",") return []
  return [{ field: "decimal", reason: "is the delimiter of cells too: add the delimiter `;` or a tab" }]
}
