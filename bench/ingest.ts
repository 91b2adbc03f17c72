import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs, promisify } from "node:util"
import { corpus, isBusiness, mean } from "../test/ingest/support/corpus.ts"
import { ingesting } from "./scenarios/ingesting.ts"
import { speech } from "./scenarios/speech.ts"
import type { FailedFile, ReadFile, SheetRead } from "./support/readDocuments.ts"
import { heading, table } from "./support/report.ts"
import { type Runtime, RUNTIMES } from "./support/servers.ts"
import { sheetOf } from "./support/sheet.ts"

const FORMATS = ["pdf", "docx", "pptx", "xlsx"] as const
const F1 = { pdf: 0.95, docx: 0.95, pptx: 0.98, xlsx: 0.98 }
const RESIDENT = { node: 256, bun: 384, deno: 256 }
const SPEED = { node: 0.2, bun: 0.45, deno: 0.5 }
const NAMES = ["node", "bun", "deno"] as const satisfies ReadonlyArray<Runtime>
const SHEET_BYTES = 47 * 1024 * 1024

const run = async <A>(runtime: Runtime, ...args: ReadonlyArray<string>): Promise<A> => {
  const { command, args: own } = RUNTIMES[runtime]
  const root = fileURLToPath(new URL("..", import.meta.url))
  const script = fileURLToPath(new URL("support/readDocuments.ts", import.meta.url))
  const options = { cwd: root, maxBuffer: 1e8 }
  const { stdout } = await promisify(execFile)(command, [...own, script, ...args], options)
  return JSON.parse(stdout.trim().split("\n").at(-1)!) as A
}

const verdict = (value: number, target: number, atLeast: boolean) =>
  (atLeast ? value >= target : value <= target) ? "met" : "MISSED"

const agreement = (read: ReadonlyArray<ReadFile>) => {
  heading("Agreement with the reference texts (F1 over bags of words, mean)")
  const rows: Array<ReadonlyArray<string>> = FORMATS.map((format) => {
    const scores = read.filter(({ file }) => file.startsWith(`${format}/`)).map(({ f1 }) => f1)
    const all = mean(scores)
    const least = Math.min(...scores)
    return [
      format,
      String(scores.length),
      all.toFixed(3),
      least.toFixed(3),
      `>= ${F1[format]}`,
      verdict(all, F1[format], true),
    ]
  })
  const business = new Set(
    corpus.filter((sample) => sample.format === "pdf" && isBusiness(sample)).map(({ file }) => file),
  )
  const scores = read.filter(({ file }) => business.has(file)).map(({ f1 }) => f1)
  const all = mean(scores)
  rows.push([
    "pdf, business",
    String(scores.length),
    all.toFixed(3),
    Math.min(...scores).toFixed(3),
    ">= 0.98",
    verdict(all, 0.98, true),
  ])
  table(["format", "files", "F1", "least", "target", "verdict"], rows)
}

const identity = (all: ReadonlyMap<Runtime, ReadonlyArray<ReadFile>>) => {
  const [first = [], ...others] = all.values()
  const same = first.filter(({ hash }, index) => others.every((read) => read[index]?.hash === hash))
  console.log(
    `\ntext, places and chunks identical on ${[...all.keys()].join(", ")}: ${same.length} of ${first.length} files`,
  )
  for (const { file } of first.filter((each) => !same.includes(each))) console.log(`  differs: ${file}`)
}

const speed = (all: ReadonlyMap<Runtime, ReadonlyArray<ReadFile>>) => {
  heading("Speed: milliseconds for all files of a format, in process, warm, the quickest of the rounds")
  const total = (read: ReadonlyArray<ReadFile>, format: string) =>
    read.filter(({ file }) => file.startsWith(`${format}/`)).reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  table(
    ["format", ...all.keys()],
    FORMATS.map((format) => [format, ...[...all.values()].map((read) => total(read, format).toFixed(0))]),
  )
  const timed = [...all].map(([name, read]) => {
    const pdfs = read.filter(({ poppler }) => poppler !== undefined)
    return { name, ours: total(pdfs, "pdf"), theirs: pdfs.reduce((sum, { poppler = 0 }) => sum + poppler, 0) }
  })
  if (timed.every(({ theirs }) => theirs === 0)) return console.log("no pdftotext here: poppler-utils has it")
  console.log("\nIn turns with pdftotext, a process a file:\n")
  table(
    ["runtime", "ours ms", "pdftotext ms", "speed", "target", "verdict"],
    timed.map(({ name, ours, theirs }) => {
      const ratio = theirs / ours
      const target = SPEED[name]
      return [name, ours.toFixed(0), theirs.toFixed(0), ratio.toFixed(2), `>= ${target}`, verdict(ratio, target, true)]
    }),
  )
}

const failing = async () => {
  heading("Files that must fail, in the sandbox")
  for (const name of NAMES) {
    const failed = await run<ReadonlyArray<FailedFile>>(name, "failing")
    const codes = new Map<string, number>()
    for (const { code } of failed) codes.set(code, (codes.get(code) ?? 0) + 1)
    const longest = Math.max(...failed.map(({ milliseconds }) => milliseconds))
    const tally = [...codes].map(([code, count]) => `${code} ${count}`).join(", ")
    console.log(`${name}: ${failed.length} files, the longest ${longest.toFixed(0)} ms: ${tally}`)
  }
}

const sheet = async () => {
  const folder = mkdtempSync(join(tmpdir(), "sightline-bench-"))
  try {
    heading("A sheet of 47 MiB in the sandbox: peak resident memory of the whole process")
    const path = join(folder, "large.xlsx")
    writeFileSync(path, sheetOf(SHEET_BYTES))
    const rows: Array<ReadonlyArray<string>> = []
    for (const name of NAMES) {
      const {
        rows: count,
        characters,
        seconds,
        emptyMegabytes,
        peakMegabytes,
      } = await run<SheetRead>(name, "sheet", path)
      const figures = [count, characters / 1e6, seconds, emptyMegabytes, peakMegabytes]
      const digits = [0, 1, 1, 0, 0]
      const shown = figures.map((figure, index) => figure.toFixed(digits[index]))
      rows.push([name, ...shown, `<= ${RESIDENT[name]}`, verdict(peakMegabytes, RESIDENT[name], false)])
    }
    table(["runtime", "rows", "M characters", "seconds", "before MB", "peak MB", "target", "verdict"], rows)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const EVERYTHING = "corpus,failing,sheet,speech,ingesting"

/** `--quick`: one round, 200 documents. `--only corpus,failing,sheet,speech,ingesting`. */
export const main = async (args: ReadonlyArray<string>) => {
  const { values } = parseArgs({
    args: [...args],
    options: { quick: { type: "boolean", default: false }, only: { type: "string", default: EVERYTHING } },
  })
  const rounds = values.quick ? 1 : 5
  const only = values.only.split(",")
  console.log(`${cpus().length} x ${cpus()[0]?.model}`)
  if (corpus.length === 0) console.log("no ../shared/data here: only the sheet is measured")
  if (corpus.length > 0 && only.includes("corpus")) {
    const all = new Map<Runtime, ReadonlyArray<ReadFile>>()
    for (const name of NAMES) all.set(name, await run(name, "corpus", String(rounds)))
    agreement(all.get("node")!)
    identity(all)
    speed(all)
  }
  if (corpus.length > 0 && only.includes("failing")) await failing()
  if (only.includes("sheet")) await sheet()
  if (only.includes("speech")) await speech()
  if (only.includes("ingesting")) await ingesting(values.quick ? 200 : 1000)
}
