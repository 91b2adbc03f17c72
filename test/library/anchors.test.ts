import { assert, describe, it } from "@effect/vitest"
import { makeAnchor, MIN_LETTERS_ALONE } from "../../src/core/library/viewer/anchor.ts"
import { readLetters } from "../../src/core/library/viewer/letters.ts"
import { findIn } from "../../src/core/library/viewer/passages.ts"
import { divideIntoParts } from "../../src/core/library/viewer/parts.ts"
import { countLetters } from "../../src/core/signing/token.ts"
import { ALL } from "../support/extent.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"
import { KINDS, layOut, readAgain, type Where, writeBlock } from "./readings.ts"

const ROUNDS = ALL ? 60 : 6
/** Short words that are said in several places: in half of the runs of 89,000 sentences, one of them. */
const MAX_ELSEWHERE = ALL ? 4 : 0
/** Sentences that are gone, 4,500 compared with 300 others each: in a third of the runs, one of them is found. */
const MAX_OTHERS = ALL ? 3 : 0

const lettersOf = (text: string) => {
  let letters = ""
  readLetters(text, 0, text.length, (letter) => void (letters += String.fromCharCode(letter)))
  return letters
}

const piecesOf = ({ document }: ReturnType<typeof layOut>) =>
  [...divideIntoParts(document.elements)].flatMap(({ elements }) => elements)

/** The passage of a citation as answers make it from a chunk, or from the quote alone. */
const citationOf = ({ document }: ReturnType<typeof layOut>, { start, end, text }: Where, alone: boolean) => {
  const passage = [...document.chunks].find((each) => each.start <= start && each.end >= end)
  if (passage === undefined) return undefined
  const anchor = alone
    ? makeAnchor(text, 0, text.length)
    : makeAnchor(passage.text, start - passage.start, end - passage.start)
  return anchor && { start, anchor }
}

describe("a citation's anchor", () => {
  it("finds at least 99 % of unchanged sentences after another reading, and hardly ever others", () => {
    const random = makeRandom(seedOfRun("anchors"))
    const count = { cited: 0, opened: 0, elsewhere: 0, others: 0, refused: 0, gone: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      for (const kind of KINDS) {
        const blocks = Array.from({ length: 120 }, (_, n) => writeBlock(random, kind, n))
        const before = layOut(blocks)
        const after = layOut(readAgain(random, kind, blocks))
        const pieces = piecesOf(after)
        const now = new Map(after.where.map((each) => [each.id, each]))
        for (const sentence of before.where) {
          const passage = citationOf(before, sentence, false)
          if (passage === undefined) continue
          const found = findIn(pieces, passage)
          const truth = now.get(sentence.id)
          if (truth === undefined) {
            count.gone++
            // A copy of the words may be left. Other words have the same 22 bits in less than one of a thousand texts.
            const isOther =
              typeof found === "object" &&
              lettersOf(after.document.text.slice(found.start, found.end)) !== lettersOf(sentence.text)
            if (isOther) count.others++
            continue
          }
          count.cited++
          if (typeof found !== "object") count.refused++
          else {
            const at = JSON.stringify({ sentence, truth, found })
            const isThere = found.start >= truth.start && found.start < truth.end
            if (isThere) count.opened++
            else {
              // Twelve bits tell places of short words apart by their neighbours: one of 4,096 has the same.
              count.elsewhere++
              assert.isBelow(lettersOf(sentence.text).length, MIN_LETTERS_ALONE, at)
            }
            assert.strictEqual(
              lettersOf(after.document.text.slice(found.start, found.end)),
              lettersOf(sentence.text),
              at,
            )
          }
        }
      }
    }
    console.log("anchors:", JSON.stringify(count))
    assert.isAbove(count.cited, 1000)
    assert.isAbove(count.gone, 100)
    assert.isAtLeast(count.opened / count.cited, 0.99)
    assert.isAtMost(count.elsewhere, MAX_ELSEWHERE)
    assert.isAtMost(count.others, MAX_OTHERS)
  })

  it("finds every sentence of an unchanged document at its offset, also from the quote alone", () => {
    const random = makeRandom(seedOfRun("anchors of unchanged documents"))
    for (const kind of KINDS) {
      const document = layOut(Array.from({ length: 150 }, (_, n) => writeBlock(random, kind, n)))
      const pieces = piecesOf(document)
      for (const sentence of document.where)
        for (const alone of [true, false]) {
          const { start, end } = sentence
          const passage = citationOf(document, sentence, alone)
          if (passage !== undefined) assert.deepInclude(findIn(pieces, passage), { start, end }, sentence.text)
        }
    }
  })

  it("is the same for the same words in other white space, quotes, hyphenation, ligatures and forms of accents", () => {
    const texts = [
      "“The café's office offers 4.5 % — see §3.”",
      '"The cafe\u0301\u2019s oﬃce oﬀers 4.5\u00a0%;  see 3"',
      "The ca-\nfé's of\u00adfice\toffers\n4.5 %. See 3",
    ]
    const anchors = texts.map((text) => makeAnchor(text, 0, text.length))
    for (const anchor of anchors) assert.deepStrictEqual(anchor, anchors[0])
  })

  it("is another one for other numbers, signs and amounts", () => {
    const texts = [
      "It is 4.5",
      "It is 45",
      "It is -45",
      "It is 4.5 %",
      "It is $4.5",
      "It is < 4.5",
      "It is 5.4",
      "It is 4,5",
    ]
    assert.strictEqual(new Set(texts.map((text) => makeAnchor(text, 0, text.length)!.hash)).size, texts.length)
  })

  it("refuses copies whose neighbours are the same too, and short words elsewhere than between their neighbours", () => {
    const filler = (n: number) => `Sentence number ${n} of a text that is long enough to be a neighbour. `
    const cited = "Let us talk about the price next week, please."
    const copy = `${filler(1)}${cited} ${filler(2)}`
    const passageOf = (text: string, words: string) => {
      const start = text.indexOf(words)
      return { start, anchor: makeAnchor(text, start, start + words.length)! }
    }
    const passage = passageOf(copy, cited)
    const two = [{ text: `${filler(3)}${copy}${copy}`, start: 0 }]
    assert.strictEqual(findIn(two, passage), "repeated")
    const once = `${filler(3)}${cited} ${filler(4)}${copy}${filler(5)}`
    assert.deepInclude(findIn([{ text: once, start: 0 }], passage), { start: once.indexOf(copy) + filler(1).length })
    const short = passageOf(`${filler(1)}Agreed. ${filler(2)}`, "Agreed.")
    assert.strictEqual(findIn([{ text: `Now. ${filler(3)}Agreed. ${filler(4)}`, start: 0 }], short), "changed")
    const moved = `${filler(3)}${filler(1)}Agreed. ${filler(2)}`
    assert.deepInclude(findIn([{ text: moved, start: 0 }], short), { start: moved.indexOf("Agreed.") })
  })

  it("covers passages of any length, and marks them to within 16 letters of their end", () => {
    const random = makeRandom(7)
    const text = layOut(Array.from({ length: 400 }, (_, n) => writeBlock(random, "text", n))).document.text
    const start = text.indexOf(" ", 300) + 1
    for (const length of [40, 1800, 1900, 2000, 2100, 5000, 12_000]) {
      const end = text.indexOf(" ", start + length)
      const anchor = makeAnchor(text, start, end)!
      const letters = lettersOf(text.slice(start, end)).length
      assert.strictEqual(anchor.letters, countLetters(letters))
      const moved = [{ text: `A new first sentence. ${text}`, start: 0 }]
      const found = findIn(moved, { start, anchor })
      if (typeof found !== "object") throw new Error(`${length}: ${found}`)
      assert.isAtLeast(lettersOf(moved[0]!.text.slice(found.start, found.end)).length, anchor.letters)
      assert.isAtMost(Math.min(letters, 9712) - anchor.letters, 15)
    }
  })
})
