import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { DocumentFormat } from "../../../src/ingest/readers.ts"

const FOLDER = fileURLToPath(new URL("../../../../shared/data/documents/", import.meta.url))

export interface Sample {
  readonly file: string
  readonly format: DocumentFormat
  /** Empty if reading must fail with a typed error. */
  readonly reference: string
  readonly bytes: () => Uint8Array<ArrayBuffer>
}

const read = (file: string) => new Uint8Array(readFileSync(FOLDER + file))

/** Files from outside this project, with the text that poppler, pandoc, python-pptx and openpyxl find in them. Empty if they are absent. */
export const corpus: ReadonlyArray<Sample> = existsSync(`${FOLDER}manifest.tsv`)
  ? readFileSync(`${FOLDER}manifest.tsv`, "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split("\t"))
      .map(([file = "", , kind, reference = ""]) => ({
        file,
        format: file.split("/", 1)[0] as DocumentFormat,
        reference: kind === "text" ? new TextDecoder().decode(read(reference)) : "",
        bytes: () => read(file),
      }))
  : []

/** Excel encrypts a workbook that is protected against changes with a password that every reader knows; the reference does not know it. */
const OPENED_BY_EXCEL = "xlsx/poi__spreadsheet__58616.xlsx"

/** The files that must fail with a typed error. */
export const refused = corpus.filter(({ file, reference }) => reference === "" && file !== OPENED_BY_EXCEL)

/** The protected workbook that opens as in Excel; undefined if the files are absent. */
export const openedByExcel = corpus.find(({ file }) => file === OPENED_BY_EXCEL)

/** The path of a file, for programs that read it in a process of their own. */
export const pathOf = (file: string) => FOLDER + file

/** Whether a file is one that businesses send. The others come from the test suite of pdf.js. */
export const isBusiness = ({ file }: Sample) => /\/(?:markitdown|unstructured|tika)__/.test(file)

const words = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Agreement of two texts as bags of words, 0 to 1. */
export const f1 = (ours: string, reference: string): number => {
  const left = new Map<string, number>()
  const expected = words(reference)
  for (const word of expected) left.set(word, (left.get(word) ?? 0) + 1)
  const found = words(ours)
  let hits = 0
  for (const word of found) {
    const count = left.get(word) ?? 0
    if (count > 0) {
      hits++
      left.set(word, count - 1)
    }
  }
  return found.length + expected.length === 0 ? 1 : (2 * hits) / (found.length + expected.length)
}

export const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length
