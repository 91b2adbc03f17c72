import Papa from "papaparse"
import type { Report } from "./run.ts"

const SAMPLE_BYTES = 256 * 1024
/** The server finds a header within the first 30 rows that are not empty. */
const MAX_SAMPLE_ROWS = 60
const MAX_SHOWN_ROWS = 5

/** The beginning of a file, for a look at its first rows. The server decides how the file is read. */
export interface Sample {
  readonly file: File
  /** Each line or object is a record that names its own type and fields. */
  readonly isRecords: boolean
  /** Absent for files that the browser does not read: workbooks, HTML, compressed ones. */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined
}

type Assumptions = Report["assumptions"]
export type Column = NonNullable<Assumptions["columns"]>[number]

export const readSample = async (file: File): Promise<Sample> => {
  const bytes = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer())
  const text = decode(bytes)
  const isRecords = /\.(nd)?jsonl?$/i.test(file.name) || /^\s*(?:\{|\[\s*\{)/.test(text)
  const isPacked = (bytes[0] === 0x50 && bytes[1] === 0x4b) || (bytes[0] === 0x1f && bytes[1] === 0x8b)
  return { file, isRecords, bytes: isPacked || text.trimStart().startsWith("<") ? undefined : bytes }
}

const decode = (bytes: Uint8Array<ArrayBuffer>, encoding?: string): string => {
  try {
    return new TextDecoder(encoding ?? readMark(bytes)).decode(bytes)
  } catch {
    // The server knows encodings that browsers do not, such as those of DOS.
    return new TextDecoder("latin1").decode(bytes)
  }
}

/** The encoding that a byte order mark names. */
const readMark = ([first, second]: Uint8Array): string =>
  first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8"

export interface Shown {
  readonly headers: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/**
 * The first rows below the header that the server found; without its reply, below the first row. Of files that the browser does not read,
 * the values that the server read.
 */
export const readRows = ({ bytes, isRecords }: Sample, report: Report | undefined): Shown => {
  const assumptions = report?.assumptions
  const columns = assumptions?.columns
  const headers = columns?.map(({ column }) => column)
  if (bytes === undefined && columns !== undefined) {
    const read = (report?.examples ?? []).filter(({ after }) => after !== null).slice(0, MAX_SHOWN_ROWS)
    return {
      headers: headers ?? [],
      rows: read.map(({ after }) => columns.map(({ field }) => (field === null ? "" : findCell(after!, field)))),
    }
  }
  const text = bytes === undefined ? "" : decode(bytes, assumptions?.encoding)
  if (isRecords) {
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "")
    return { headers: [], rows: lines.slice(0, MAX_SHOWN_ROWS).map((line) => [line]) }
  }
  const { data } = Papa.parse<ReadonlyArray<string>>(text, {
    delimiter: assumptions?.delimiter ?? "",
    preview: MAX_SAMPLE_ROWS,
    skipEmptyLines: "greedy",
  })
  const headerAt = columns === undefined ? 0 : data.findIndex((row) => isHeader(row, columns))
  // Footers and titles have one cell, and are no records.
  const isRecord = (row: ReadonlyArray<string>) =>
    columns === undefined || columns.length < 3 || row.filter((cell) => cell.trim() !== "").length > 1
  const below = headerAt === -1 ? [] : data.slice(headerAt + 1).filter(isRecord)
  return {
    headers: headers ?? data[0]?.map((cell) => cell.trim()) ?? [],
    rows: below.slice(0, MAX_SHOWN_ROWS),
  }
}

/** The value of a field, which may be a part of a map, such as `crm_properties.next_step`. */
const findCell = (values: Readonly<Record<string, unknown>>, field: string): string => {
  const [map = "", ...part] = field.split(".")
  const value = part.length === 0 ? values[field] : (values[map] as Readonly<Record<string, unknown>>)?.[part.join(".")]
  return value == null ? "" : typeof value === "string" ? value : JSON.stringify(value)
}

/** The second of two columns called Name is `Name[2]`, and one without a name `(column 3)`. */
const isHeader = (row: ReadonlyArray<string>, columns: ReadonlyArray<Column>): boolean =>
  columns.every(({ column }, at) => {
    const cell = (row[at] ?? "").trim()
    return cell === "" ? column === unnamed(at) : column === cell || column.startsWith(`${cell}[`)
  })

/** The server's name of a column without one. No mapping can name it. */
export const unnamed = (at: number): string => `(column ${at + 1})`
