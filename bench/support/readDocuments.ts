import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { setFlagsFromString } from "node:v8"
import { chunk } from "../../src/ingest/chunk.ts"
import { readXlsx } from "../../src/ingest/formats/office/readXlsx.ts"
import { storedNumber } from "../../src/ingest/formats/office/xlsxNumbers.ts"
import type { ReadDocument } from "../../src/ingest/document.ts"
import { type DocumentFormat, READERS } from "../../src/ingest/readers.ts"
import { Sandbox } from "../../src/ingest/sandbox/Sandbox.ts"
import { UnreadableError } from "../../src/ingest/UnreadableError.ts"
import { corpus, f1, pathOf, refused } from "../../test/ingest/support/corpus.ts"

export interface ReadFile {
  readonly file: string
  /** A hash of all elements with their places and kinds. */
  readonly hash: string
  readonly f1: number
  /** The fastest round in this process, with all libraries loaded. */
  readonly milliseconds: number
  /** The time of pdftotext, a process per file, in alternation with Sightline; only for PDF, and only if it is installed. */
  readonly poppler: number | undefined
}

export interface FailedFile {
  readonly file: string
  readonly milliseconds: number
  /** The error code, if the file could not be read. */
  readonly code: string
}

export interface SheetRead {
  readonly rows: number
  readonly characters: number
  readonly seconds: number
  readonly peakMegabytes: number
  /** The peak memory of the process before it read anything. */
  readonly emptyMegabytes: number
}

const peakMegabytes = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024

const textOf = (document: ReadDocument) => document.elements.map(({ text }) => text).join("\n")

const hasPoppler = spawnSync("pdftotext", ["-v"]).error === undefined

const timePoppler = (file: string) => {
  const began = performance.now()
  spawnSync("pdftotext", [pathOf(file), "-"], { stdio: ["ignore", "ignore", "ignore"] })
  return performance.now() - began
}

const readAll = async (rounds: number) => {
  const read: Array<ReadFile> = []
  for (const { file, format, bytes, reference } of corpus) {
    if (reference === "") continue
    let milliseconds = Number.POSITIVE_INFINITY
    let poppler: number | undefined
    let document: ReadDocument = { elements: [], warnings: [] }
    for (let round = 0; round < rounds; round++) {
      const copy = bytes()
      const began = performance.now()
      document = await READERS[format](copy).catch((cause) => {
        if (cause instanceof UnreadableError && cause.code === "empty") return document
        throw cause
      })
      milliseconds = Math.min(milliseconds, performance.now() - began)
      if (format === "pdf" && hasPoppler) poppler = Math.min(poppler ?? Number.POSITIVE_INFINITY, timePoppler(file))
    }
    const { text, elements, chunks } = chunk(document)
    const hash = createHash("sha256")
      .update(JSON.stringify([text, ...elements, ...chunks]))
      .digest("hex")
    // The references have the numbers that a sheet stores. `bench -- tables` compares those that it shows, by value.
    const compared = format === "xlsx" ? await readXlsx(bytes(), undefined, storedNumber) : document
    read.push({ file, hash, f1: f1(textOf(compared), reference), milliseconds, poppler })
  }
  return read
}

const failAll = async () => {
  const sandbox = new Sandbox()
  const failed: Array<FailedFile> = []
  for (const { file, format, bytes } of refused) {
    const began = performance.now()
    const code = await sandbox.read(bytes(), format).then(
      () => "was read",
      (cause) => (cause instanceof UnreadableError ? cause.code : String(cause)),
    )
    failed.push({ file, code, milliseconds: performance.now() - began })
  }
  await sandbox.close()
  return failed
}

const readSheet = async (path: string): Promise<SheetRead> => {
  const emptyMegabytes = peakMegabytes()
  const sandbox = new Sandbox()
  const began = performance.now()
  const { elements } = await sandbox.read(new Uint8Array(readFileSync(path)), "xlsx" satisfies DocumentFormat)
  const seconds = (performance.now() - began) / 1000
  await sandbox.close()
  let rows = 0
  let characters = 0
  for (const { text } of elements) {
    rows++
    characters += text.length
  }
  return { rows, characters, seconds, emptyMegabytes, peakMegabytes: peakMegabytes() }
}

// As in the command line.
if (!("bun" in process.versions || "deno" in process.versions)) setFlagsFromString("--semi-space-growth-factor=1")

const [what, argument = ""] = process.argv.slice(2)
const result =
  what === "sheet" ? await readSheet(argument) : what === "failing" ? await failAll() : await readAll(Number(argument))
console.log(JSON.stringify(result))
process.exit(0)
