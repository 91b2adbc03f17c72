import Papa from "papaparse"
import { delimiterOf, SEPARATOR_LINE } from "../../../core/import/table/delimiter.ts"
import { TextReader } from "../../../core/import/table/TextReader.ts"
import type { Encodings } from "../../../core/ports/table.ts"

/** The page shows a dry run of the beginning of a file after each change of the mapping. */
const SAMPLE_BYTES = 1024 * 1024

/** The first part of a file: whole rows, so that their lines are those of the file. */
export interface Sample {
  readonly file: File
  readonly isCsv: boolean
  readonly text: string
  readonly isWhole: boolean
  readonly headers: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

const isLines = ({ name }: File, text: string) => /\.(nd)?jsonl?$/i.test(name) || text.trimStart().startsWith("{")

/** The server knows more encodings; a browser reads what is no Unicode as the one of the west. */
const LATIN: Encodings = {
  find: () => undefined,
  guess: () => {
    const decoder = new TextDecoder("windows-1252")
    return { name: "windows-1252", decoder: { decode: (bytes, isLast) => decoder.decode(bytes, { stream: !isLast }) } }
  },
}

export const readSample = async (file: File): Promise<Sample> => {
  const isWhole = file.size <= SAMPLE_BYTES
  const reader = new TextReader({ encodings: LATIN })
  const bytes = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer())
  const text = (reader.push(bytes) + (isWhole ? reader.end() : "")).replaceAll(/\r\n?/g, "\n")
  return isLines(file, text) ? linesOf(file, text, isWhole) : rowsOf(file, text, isWhole)
}

const linesOf = (file: File, text: string, isWhole: boolean): Sample => {
  const whole = isWhole ? text : text.slice(0, text.lastIndexOf("\n") + 1)
  const rows = whole.split("\n").filter((line) => line.trim() !== "")
  return { file, isCsv: false, text: whole, isWhole, headers: [], rows: rows.map((line) => [line]) }
}

const rowsOf = (file: File, text: string, isWhole: boolean): Sample => {
  const hint = SEPARATOR_LINE.exec(text)
  const start = (hint?.[0].length ?? 0) + /^(?:[ \t]*\n)*/.exec(text.slice(hint?.[0].length ?? 0))![0].length
  const table = text.slice(start)
  const delimiter = hint?.[1] ?? delimiterOf(table)
  const parser = new Papa.Parser({ delimiter, newline: "\n" })
  const parsed = parser.parse(table, 0, !isWhole) as Papa.ParseResult<Array<string>>
  const [headers = [], ...rows] = parsed.data.filter((row) => row.some((cell) => cell.trim() !== ""))
  const end = isWhole ? text.length : start + parsed.meta.cursor
  return { file, isCsv: true, text: text.slice(0, end), isWhole, headers: headers.map((each) => each.trim()), rows }
}

const WRITTEN_DATE = /^(\d{1,2})[./-](\d{1,2})[./-](?:\d{4}|\d{2})\b/

/** The order of day and month that the cells show; ISO if they have no other dates. */
export const guessDates = (rows: Sample["rows"]): "ISO" | "DMY" | "MDY" => {
  let isWritten = false
  for (const cell of rows.slice(0, 1_000).flat()) {
    const [, first, second] = WRITTEN_DATE.exec(cell.trim()) ?? []
    if (first === undefined || second === undefined) continue
    if (Number(first) > 12) return "DMY"
    if (Number(second) > 12) return "MDY"
    isWritten ||= true
  }
  return isWritten ? "DMY" : "ISO"
}
