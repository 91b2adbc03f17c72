import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { makeExtractor, runSteps } from "../../src/core/analysis/extracted/extract.ts"
import { parseDomain, makeSides } from "../../src/core/analysis/side/sides.ts"
import { chunk } from "../../src/ingest/chunk.ts"
import { readSubtitles } from "../../src/ingest/formats/text/readSubtitles.ts"
import { readText } from "../../src/ingest/formats/text/readText.ts"
import { Score, type Scored } from "./score.ts"
import { dealsOf, type Half, type SetDeal, type SetDocument } from "./set/generate.ts"
import { WORLDS } from "./set/world.ts"

/** The text and elements of a document, as the product reads them. */
export const readDocument = ({ type, body }: SetDocument) => {
  const bytes = new TextEncoder().encode(body)
  return chunk(type === "text/vtt" ? readSubtitles(bytes) : readText(bytes, "md"))
}

const asEntries = (entries: ReadonlyArray<{ readonly name: string; readonly aliases?: ReadonlyArray<string> }>) =>
  entries.map(({ name, aliases = [] }) => ({ id: name, name, aliases }))

/** The sides as a workspace with its own names decides them. */
const sidesOf = (half: Half, deal: SetDeal) => {
  const { seller } = WORLDS[half]
  return makeSides({
    ourNames: [seller.name],
    ourDomains: [seller.domain],
    ourPeople: [],
    client: deal.client,
    clientDomain: parseDomain(`${deal.client}.example`),
    deal: `${deal.client} renewal`,
  })
}

/** Scores our extraction; `isShown` prints what it gets wrong. */
export const scoreExtraction = (half: Half, isShown: boolean) => {
  const { competitors, features, reasons } = WORLDS[half]
  const extract = makeExtractor({
    competitors: asEntries(competitors),
    features: asEntries(features),
    reasons: asEntries(reasons.map((name) => ({ name }))),
  })
  const score = new Score()
  let documents = 0
  let ms = 0
  for (const deal of dealsOf(half)) {
    const sideOf = sidesOf(half, deal)
    for (const document of deal.documents) {
      const { text, elements } = readDocument(document)
      const before = performance.now()
      const { findings, nextSteps } = runSteps(extract(elements, sideOf))
      ms += performance.now() - before
      const scored = findings.map(({ target, ...rest }) => ({ ...rest, target: target.name }))
      score.add(document, text, scored)
      score.addPromises(
        document,
        nextSteps.map(({ quote, isWithdrawn }) => ({ quote, withdrawn: isWithdrawn })),
      )
      if (isShown) show(deal, document, scored)
      documents++
    }
  }
  return { score, documents, seconds: ms / 1000 }
}

const show = (deal: SetDeal, document: SetDocument, findings: ReadonlyArray<Scored>) => {
  const print = (what: string, kind: string, target: string, rest: string) =>
    console.log(`${deal.id} ${document.name}: ${what} ${kind} ${target}: ${rest}`)
  for (const { kind, target, effect, side, sentence } of document.truth) {
    const same = findings.find(
      (each) => each.kind === kind && each.target === target && each.quote.includes(sentence.slice(0, 20)),
    )
    if (same === undefined) print("missed", kind, target, sentence)
    else if (same.side !== side) print(`side ${same.side}, not ${side}`, kind, target, sentence)
    else if (effect !== null && (same.effect ?? "neutral") !== effect)
      print(`effect ${same.effect}, not ${effect}`, kind, target, sentence)
  }
  for (const { kind, target, quote } of findings) {
    if (kind !== "quote" && !document.truth.some((each) => each.kind === kind && each.target === target))
      print("wrong", kind, target, quote)
  }
}

/** A line of another system's output. */
type Line = Scored & { readonly deal: string; readonly document: string }

export const readFindings = (file: string): ReadonlyArray<Line> =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Line)

/** Scores the output of any system. */
export const scoreFindings = (half: Half, lines: ReadonlyArray<Line>) => {
  const score = new Score()
  let documents = 0
  for (const deal of dealsOf(half)) {
    for (const document of deal.documents) {
      const own = lines.filter((line) => line.deal === deal.id && line.document === document.name)
      score.add(document, readDocument(document).text, own)
      documents++
    }
  }
  return { score, documents, seconds: undefined }
}

/** Writes the documents of the set, and the catalogue, for another system. */
export const printDocuments = (folder: string, halves: ReadonlyArray<Half>) => {
  for (const half of halves) {
    mkdirSync(join(folder, half), { recursive: true })
    const { seller, competitors, features, reasons } = WORLDS[half]
    writeFileSync(
      join(folder, half, "catalogue.json"),
      JSON.stringify({ seller, competitors, features, reasons }, null, 2),
    )
    for (const deal of dealsOf(half)) {
      mkdirSync(join(folder, half, deal.id), { recursive: true })
      for (const { name, body } of deal.documents) writeFileSync(join(folder, half, deal.id, name), body)
    }
  }
  console.log(`written to ${folder}`)
}
