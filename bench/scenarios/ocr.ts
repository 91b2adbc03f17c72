import { readFileSync } from "node:fs"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import { findTesseract, layerTesseract } from "../../src/adapters/ocr/tesseract.ts"
import type { PageText } from "../../src/core/ports/document.ts"
import { Ocr } from "../../src/core/ports/Ocr.ts"
import { drawPage } from "../../src/ingest/formats/pdf/scans/drawPage.ts"
import { recognizedLines } from "../../src/ingest/formats/pdf/scans/recognized.ts"
import { makeElements } from "../../src/ingest/formats/pdf/paragraphs.ts"
import { READERS } from "../../src/ingest/readers.ts"
import { corpus, isBusiness } from "../../test/ingest/support/corpus.ts"
import { wordErrors } from "../../test/support/recordings.ts"
import { heading, judge, judgeLeast, summary, table } from "../support/report.ts"

/** Pages of one file; the corpus has files of hundreds. */
const MAX_PAGES = 3
/** Fewer words say little about an engine. */
const MIN_WORDS = 30
/** The minimum share of ASCII among letters and digits: the engine reads English alone. */
const MIN_ENGLISH = 0.99

const wordsOf = (texts: ReadonlyArray<string>) =>
  texts
    .join(" ")
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Words that are not in the other list, however ordered. */
const missingFrom = (words: ReadonlyArray<string>, found: ReadonlyArray<string>) => {
  const left = new Map<string, number>()
  for (const word of found) left.set(word, (left.get(word) ?? 0) + 1)
  return words.filter((word) => {
    const count = left.get(word) ?? 0
    if (count > 0) left.set(word, count - 1)
    return count === 0
  }).length
}

const isEnglish = (words: ReadonlyArray<string>) => {
  const text = words.join("")
  return (text.match(/[a-z0-9]/g)?.length ?? 0) >= text.length * MIN_ENGLISH
}

/** The words of the first pages of each file, as its text layer has them. */
const pagesOf = async (bytes: Uint8Array) => {
  const { elements } = await READERS.pdf(bytes)
  return Array.from({ length: MAX_PAGES }, (_, index) => {
    const own = elements.filter(({ place }) => place.kind === "page" && place.page === index + 1)
    return { page: index + 1, words: wordsOf(own.map(({ text }) => text)) }
  }).filter(({ words }) => words.length >= MIN_WORDS && isEnglish(words))
}

const textsOf = (text: PageText) => makeElements([recognizedLines(text, 1)], []).map((element) => element.text)

/** The ticks of a second in `/proc`. */
const TICKS = 100

/** CPU seconds of this process and of the programs that it has run, whatever else the machine does. */
const cpuSeconds = () => {
  const after = readFileSync("/proc/self/stat", "utf8").split(") ")[1]!.split(" ").map(Number)
  return after.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) / TICKS
}

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`

const none = () => ({ pages: 0, words: 0, wrong: 0, missing: 0, seconds: 0 })

/** Draws pages whose text is known, recognizes them, and counts wrong words. */
export const main = async (args: ReadonlyArray<string>) => {
  const { values } = parseArgs({ args: [...args], options: { inch: { type: "string", default: "150" } } })
  const tesseract = await findTesseract()
  if (tesseract === undefined) return console.log("tesseract is not installed: there is no engine to measure")
  if (corpus.length === 0) return console.log("no ../shared/data/documents here: there are no pages to recognize")
  heading(`tesseract in English on drawn pages of ${values.inch} dots per inch, whose text layer is the truth`)
  const engine = await Effect.runPromise(Effect.provide(Ocr, layerTesseract(tesseract, ["eng"])))
  const rows: Array<ReadonlyArray<string>> = []
  const totals = { all: none(), business: none() }
  for (const sample of corpus.filter(({ format, reference }) => format === "pdf" && reference !== "")) {
    for (const { page, words } of await pagesOf(sample.bytes())) {
      const before = cpuSeconds()
      const picture = await drawPage(sample.bytes(), page, Number(values.inch)).catch(() => undefined)
      // One file has an image of 150 million pixels.
      if (picture === undefined) continue
      const drawn = cpuSeconds()
      const text = await Effect.runPromise(engine!.recognize(picture))
      const recognized = cpuSeconds()
      const found = wordsOf(textsOf(text))
      const wrong = wordErrors(words, found)
      const missing = missingFrom(words, found)
      for (const total of isBusiness(sample) ? [totals.all, totals.business] : [totals.all]) {
        total.pages++
        total.words += words.length
        total.wrong += wrong
        total.missing += missing
        total.seconds += recognized - before
      }
      rows.push([
        `${sample.file.replace(/^pdf\//, "")}, ${page}`,
        String(words.length),
        percent(wrong, words.length),
        percent(missing, words.length),
        (drawn - before).toFixed(2),
        (recognized - drawn).toFixed(2),
      ])
    }
  }
  table(["page", "words", "wrong in order", "not found", "CPU s to draw", "CPU s to recognize"], rows)
  console.log("")
  for (const [name, { pages, words, wrong, missing, seconds }] of Object.entries(totals)) {
    judge(`${name}: word error rate of ${words} words on ${pages} pages, in order`, wrong / words, 0.05)
    judge(`${name}: words not found`, missing / words, 0.05)
    judgeLeast(`${name}: pages a second of CPU, drawing included`, pages / seconds, 1)
  }
  summary()
}
