import { assert, describe, it } from "@effect/vitest"
import { chunk } from "../../src/ingest/chunk.ts"
import type { Chunk, Element, Place, ReadAndCut, ReadDocument } from "../../src/ingest/document.ts"
import { READERS } from "../../src/ingest/readers.ts"
import { UnreadableError } from "../../src/ingest/UnreadableError.ts"
import { makeRandom, type Random, seedOfRun } from "../support/random.ts"
import { corpus } from "./support/corpus.ts"
import { needs } from "../support/needs.ts"

const MOST = 1400

/** Checks the invariants of chunks. */
const check = (document: ReadDocument, { text, elements, chunks: cut, warnings }: ReadAndCut, what: string) => {
  const chunks = [...cut]
  const starts = Array.from(elements, ({ start }) => start)
  let end = 0
  for (const chunk of chunks) {
    const where = `${what} at ${chunk.start}`
    assert.strictEqual(text.slice(chunk.start, chunk.end), chunk.text, where)
    assert.isAtLeast(chunk.start, end, where)
    assert.strictEqual(text.slice(end, chunk.start).trim(), "", where)
    assert.isAtMost(chunk.text.length, MOST, where)
    assert.strictEqual(chunk.text.replace(/^\t+/, ""), chunk.text.trim(), where)
    assert.isTrue(chunk.text.isWellFormed(), where)
    assert.deepStrictEqual(chunk.places[0]!.place, chunk.place, where)
    assert.strictEqual(chunk.places[0]!.start, chunk.start, where)
    assert.strictEqual(chunk.places.at(-1)!.end, chunk.end, where)
    const units = new Set(chunk.places.map(({ place }) => unitOf(place)))
    assert.strictEqual(units.size, 1, where)
    checkTables(chunk, document, starts, where)
    end = chunk.end
  }
  assert.strictEqual(text.slice(end).trim(), "", what)
  assert.deepStrictEqual(warnings, document.warnings, what)
  assert.deepStrictEqual(
    Array.from(elements, ({ start: _, ...element }) => element),
    document.elements,
    what,
  )
  let at = 0
  let current = 0
  for (const [index, element] of document.elements.entries()) {
    if (element.hidden === true) {
      // It stands between the elements around it, and the text does not have it.
      assert.strictEqual(text.slice(at, starts[index]).trim(), "", what)
      continue
    }
    at = text.indexOf(element.text, at)
    assert.isAtLeast(at, 0, `${what}: ${element.text.slice(0, 40)}`)
    assert.strictEqual(starts[index], at, what)
    while (chunks[current]!.end <= at) current++
    assert.deepStrictEqual(locate(chunks[current]!, at), element.place, what)
    at += element.text.length
  }
}
/** Checks that a chunk knows each of its cells by the label that the document has for it. */
const checkTables = (chunk: Chunk, { elements }: ReadDocument, starts: ReadonlyArray<number>, where: string) => {
  for (const { start, end } of chunk.tables)
    assert.isTrue(start >= chunk.start && end <= chunk.end && start < end, where)
  let labels: ReadonlyArray<string> = []
  for (const [index, element] of elements.entries()) {
    if (element.kind !== "table-row" || element.header === true) labels = []
    else labels = element.labels ?? labels
    const start = starts[index]!
    const range = (at: number) => chunk.tables.find((table) => at >= table.start && at < table.end)
    let at = start
    for (const [column, cell] of element.text.split("\t").entries()) {
      const first = at + cell.length - cell.trimStart().length
      at += cell.length + 1
      if (cell.trim() === "" || first < chunk.start || first >= chunk.end) continue
      const table = range(first)
      if (element.kind !== "table-row") assert.isUndefined(table, where)
      else {
        // Columns count from the beginning of the line, or of the range if it begins inside a row.
        const line = Math.max(chunk.text.lastIndexOf("\n", first - chunk.start) + 1 + chunk.start, table!.start)
        const own = chunk.text.slice(line - chunk.start, first - chunk.start).split("\t").length - 1
        assert.strictEqual(table!.labels[own] ?? "", labels[column] ?? "", where)
      }
    }
  }
}

/** The place of the text at an offset; between two parts, the place of the next one. */
const locate = (chunk: Chunk, offset: number): Place =>
  (chunk.places.find(({ end }) => offset < end) ?? chunk.places.at(-1))?.place ?? chunk.place

const unitOf = (place: Place) =>
  place.kind === "slide" ? place.slide : place.kind === "sheet" ? place.sheet : place.kind

const WORDS = ["deal", "won.", "Really?", "naïve", "价格很高。", "😀", "x".repeat(90), "e\u0301", "3.5", "Mr. Smith"]

const randomRow = (random: Random, place: Place): Element => {
  const cells = () => Array.from({ length: 1 + random.below(6) }, () => (random.chance(0.3) ? "" : random.pick(WORDS)))
  const text = [...cells(), random.chance(0.05) ? "long ".repeat(400).trim() : "end"].join("\t")
  if (random.chance(0.1)) return { kind: "table-row", header: true, text, place }
  return { kind: "table-row", ...(random.chance(0.3) && { labels: cells() }), text, place }
}

const randomDocument = (random: Random): ReadDocument => {
  let number = 0
  const places: ReadonlyArray<() => Place> = [
    () => ({ kind: "page", page: (number += random.below(2)) + 1 }),
    () => ({ kind: "slide", slide: (number += random.below(2)) + 1 }),
    () => ({ kind: "sheet", sheet: `S${random.below(9) === 0 ? ++number : number}`, row: random.below(1e6) }),
    () => ({ kind: "time", start: ++number, end: number + 1 }),
    () => ({ kind: "text" }),
  ]
  const place = random.pick(places)
  const kinds: ReadonlyArray<Element["kind"]> = ["heading", "paragraph", "list-item", "table-row", "note", "speech"]
  const gaps = [" ", " ", "\n", "\t", "", "   "]
  const element = (): Element => {
    const count = 1 + (random.chance(0.1) ? random.below(1500) : random.below(60))
    const text = Array.from({ length: count }, () => random.pick(WORDS) + random.pick(gaps)).join("")
    const kind = random.pick(kinds)
    return kind === "table-row"
      ? randomRow(random, place())
      : { kind, level: 1 + random.below(6), text: text.trim(), place: place() }
  }
  return { elements: Array.from({ length: random.below(60) }, element), warnings: [] }
}

const paragraph = (text: string): Element => ({ kind: "paragraph", text, place: { kind: "text" } })
const heading = (level: number, text: string): Element => ({ kind: "heading", level, text, place: { kind: "text" } })

describe("chunks", () => {
  it("are exact slices of any document, cover it, never overlap, and never cross slides or sheets", () => {
    const random = makeRandom(seedOfRun("chunks"))
    for (let round = 0; round < 300; round++) {
      const document = randomDocument(random)
      check(document, chunk(document), `round ${round}`)
    }
  })

  it("begin at headings and carry the path of headings", () => {
    const long = "A sentence of some length. ".repeat(20).trim()
    const elements = [heading(1, "Guide"), heading(2, "Price"), paragraph(long), paragraph(long), paragraph(long)]
    const { chunks } = chunk({
      elements: [...elements, heading(2, "Support"), paragraph("Day and night.")],
      warnings: [],
    })
    assert.deepStrictEqual(
      Array.from(chunks, ({ headings, text }) => [headings, text.slice(0, 14)]),
      [
        [["Guide", "Price"], "Guide\n\nPrice\n\n"],
        [["Guide", "Price"], "A sentence of "],
        [["Guide", "Support"], "Support\n\nDay a"],
      ],
    )
  })

  it("cut a long paragraph between its sentences", () => {
    const text = Array.from({ length: 100 }, (_, index) => `Sentence number ${index} is here.`).join(" ")
    const chunks = [...chunk({ elements: [paragraph(text)], warnings: [] }).chunks]
    assert.isAbove(chunks.length, 2)
    for (const { text } of chunks) assert.match(text, /^Sentence[^]*here\.$/)
    for (const { text } of chunks.slice(0, -1)) assert.isAtLeast(text.length, 800)
  })

  it("find the page of a quoted sentence in a chunk that crosses pages", () => {
    const on = (page: number, text: string): Element => ({ kind: "paragraph", text, place: { kind: "page", page } })
    const { text, chunks } = chunk({ elements: [on(1, "First."), on(1, "Second."), on(2, "Third.")], warnings: [] })
    const [first, ...others] = chunks
    assert.deepStrictEqual(others, [])
    assert.deepStrictEqual(locate(first!, text.indexOf("Second")), { kind: "page", page: 1 })
    assert.deepStrictEqual(locate(first!, text.indexOf("Third")), { kind: "page", page: 2 })
  })

  it("hold no character that a database refuses, also in labels, merged cells and places", () => {
    const bad = "a\u0000\ud800b"
    const place: Place = { kind: "time", start: 0, end: 1, speaker: bad }
    const row: Element = { kind: "table-row", text: "7", place, labels: [bad], merged: [bad] }
    const { elements, chunks } = chunk({ elements: [row, { ...paragraph(bad), hidden: true }], warnings: [] })
    const stored = JSON.stringify([...elements, ...chunks])
    assert.notMatch(stored, /\\u/)
    assert.include(stored, '"labels":["a\ufffdb"]')
  })

  it("an empty document has none", () => {
    const { text, elements, chunks } = chunk({ elements: [], warnings: [] })
    assert.deepStrictEqual([text, ...elements, ...chunks], [""])
  })

  it(
    "keep their invariants in every readable file of the corpus",
    needs("shared/data/documents", corpus.length > 0),
    async () => {
      for (const { file, format, bytes, reference } of corpus) {
        if (reference === "") continue
        const document = await READERS[format](bytes()).catch((cause) => {
          if (cause instanceof UnreadableError && cause.code === "empty") return undefined
          throw cause
        })
        if (document !== undefined) check(document, chunk(document), file)
      }
    },
  )
})
