import { execFileSync } from "node:child_process"
import { READERS } from "../../../src/ingest/readers.ts"
import { corpus, pathOf, type Sample } from "../../../test/ingest/support/corpus.ts"
import { docxTruth } from "./docxTruth.ts"
import { type Half, pdfTruth } from "./pdfTruth.ts"
import { pptxTruth } from "./pptxTruth.ts"
import { type ReadRow, readRows, type Score, scoreTables } from "./score.ts"
import type { TruthTable } from "./truth.ts"
import { xlsxTruth } from "./xlsxTruth.ts"

const TRUTHS: Readonly<Record<string, (file: string, bytes: Uint8Array) => ReadonlyArray<TruthTable>>> = {
  xlsx: xlsxTruth,
  docx: docxTruth,
  pptx: pptxTruth,
}

/** The tables of every readable Office file that has some. */
export const officeTables = (): ReadonlyMap<Sample, ReadonlyArray<TruthTable>> =>
  new Map(
    corpus
      .filter(({ format, reference }) => reference !== "" && TRUTHS[format] !== undefined)
      .map((sample) => [sample, TRUTHS[sample.format]!(sample.file, sample.bytes())] as const)
      .filter(([, tables]) => tables.length > 0),
  )

/** The labelled tables of every PDF that is here. */
export const pdfTables = (half: Half): ReadonlyMap<Sample, ReadonlyArray<TruthTable>> => {
  const truth = Map.groupBy(pdfTruth(half), ([file]) => file)
  return new Map(
    corpus.flatMap((sample) => {
      const own = truth.get(sample.file)
      return own === undefined ? [] : [[sample, own.map(([, table]) => table)] as const]
    }),
  )
}

export type Reading = (sample: Sample) => Promise<ReadonlyArray<ReadRow>>

/** Reads a file with our reader. */
export const ours: Reading = async ({ format, bytes }) => readRows((await READERS[format](bytes())).elements)

/** Cuts the lines of `pdftotext -layout` at two spaces or more: a floor for readers of PDFs. */
export const poppler: Reading = async ({ file }) =>
  execFileSync("pdftotext", ["-layout", pathOf(file), "-"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
    .split("\f")
    .flatMap((page, at) =>
      page.split("\n").map((line) => ({
        cells: line.trim().split(/\s{2,}/),
        labels: [],
        place: at + 1,
        number: undefined,
      })),
    )

/** Scores each file's tables. A file that cannot be read has no cell right. */
export const scoreAll = async (tables: ReadonlyMap<Sample, ReadonlyArray<TruthTable>>, reading: Reading) => {
  const scores: Array<Score> = []
  for (const [sample, own] of tables) {
    const rows = await reading(sample).catch((cause: unknown) => {
      console.log(`${sample.file} was not read: ${String(cause)}`)
      return []
    })
    scores.push(...scoreTables(own, rows))
  }
  return scores
}
