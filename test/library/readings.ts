import type { Element, Place } from "../../src/core/ports/document.ts"
import { chunk } from "../../src/ingest/chunk.ts"
import type { Random } from "../support/random.ts"

/** A sentence, or a row of a table; copies of it have other ids. */
export interface Said {
  readonly id: number
  readonly text: string
}

/** Sentences in one place. */
export interface Block {
  readonly kind: Element["kind"]
  readonly place: Place
  readonly said: ReadonlyArray<Said>
}

export const KINDS = ["text", "page", "slide", "sheet", "time"] as const
type Kind = (typeof KINDS)[number]

const WORDS = (
  "price renewal offer Größe seats €48 4.5 45 2026-03-31 security review A-12 quarter café naïve office flow pilot legal “terms” " +
  "discount Zürich team integration roadmap (beta) win champion budget procurement 12,5 % support data export region"
).split(" ")
const SHORT = ["Yes, we can do that.", "Agreed.", "Let us talk about the price next week, please."]
const SHORT_ROWS = ["n/a\t0", "Open\tTo be agreed with the buyer\t0"]

const placeOf = (kind: Kind, n: number): Place => {
  if (kind === "page") return { kind, page: 1 + Math.floor(n / 4) }
  if (kind === "slide") return { kind, slide: 1 + Math.floor(n / 2) }
  if (kind === "sheet") return { kind, sheet: "Stock", row: n + 1 }
  return kind === "time" ? { kind, start: n * 2.5, end: n * 2.5 + 2, speaker: `S${n % 2}` } : { kind }
}

const kindOf = (kind: Kind): Element["kind"] =>
  kind === "sheet" ? "table-row" : kind === "time" ? "speech" : "paragraph"

const writeSentence = (random: Random, kind: Kind): string => {
  if (random.chance(0.04)) return random.pick(kind === "sheet" ? SHORT_ROWS : SHORT)
  const words = Array.from({ length: 5 + random.below(18) }, () => random.pick(WORDS))
  if (kind === "sheet") return words.slice(0, 6).join("\t")
  return `${words.join(" ")} ${random.below(10_000)}${random.pick([".", "!", "?"])}`
}

let last = 0

export const writeBlock = (random: Random, kind: Kind, n: number): Block => ({
  kind: kindOf(kind),
  place: placeOf(kind, n),
  said: Array.from({ length: kind === "sheet" ? 1 : 1 + random.below(5) }, () => ({
    id: ++last,
    text: writeSentence(random, kind),
  })),
})

/** A sentence as another version of a reader may write it. Its letters are the same. */
const reread = (random: Random, text: string): string => {
  switch (random.below(7)) {
    case 0:
      return text.replaceAll("ff", "ﬀ").replaceAll("fi", "ﬁ")
    case 1:
      return text.normalize("NFD")
    case 2:
      return text.replaceAll("“", '"').replaceAll("”", '"').replaceAll(" ", "\u00a0")
    case 3:
      return text.replace(/(\p{L}{3})(\p{L}{3})/u, "$1-\n$2")
    case 4:
      return text.replaceAll(" ", "  ")
    case 5:
      return text.replace(/(\p{L}{3})(\p{L}{3})/u, "$1\u00ad$2")
    default:
      return text
  }
}

/** The same file after another reading: parts inserted, gone and moved, some sentences changed, and others written another way. */
export const readAgain = (random: Random, kind: Kind, blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const again = blocks
    .filter(() => !random.chance(0.03))
    .flatMap((block): ReadonlyArray<Block> => {
      const said = block.said.map((each) =>
        random.chance(0.02)
          ? { id: ++last, text: each.text.replace(/\p{L}+/u, "otherwise") }
          : { id: each.id, text: random.chance(0.3) ? reread(random, each.text) : each.text },
      )
      if (said.length < 2 || random.chance(0.8)) return [{ ...block, said }]
      return [
        { ...block, said: said.slice(0, 1) },
        { ...block, said: said.slice(1) },
      ]
    })
  for (let n = 0; n < 3; n++) again.splice(random.below(again.length), 0, writeBlock(random, kind, n))
  again.push(...again.splice(random.below(again.length), 1))
  return again.map((block, n) => ({ ...block, place: placeOf(kind, n) }))
}

/** A sentence and its offsets in a document's text. */
export interface Where extends Said {
  readonly start: number
  readonly end: number
  readonly place: Place
}

/** Lays a document out as readers do, and finds its sentences. */
export const layOut = (blocks: ReadonlyArray<Block>) => {
  const elements = blocks.map(({ kind, place, said }): Element => ({
    kind,
    place,
    text: said.map(({ text }) => text).join(" "),
  }))
  const document = chunk({ elements, warnings: [] })
  const where: Array<Where> = []
  for (const [n, { start, place }] of [...document.elements].entries()) {
    let at = start
    for (const said of blocks[n]!.said) {
      where.push({ ...said, start: at, end: at + said.text.length, place })
      at += said.text.length + 1
    }
  }
  return { elements, document, where }
}
