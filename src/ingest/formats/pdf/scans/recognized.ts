import type { TextItem } from "pdfjs-dist/types/src/display/api.js"
import type { Element, PageText, RecognizedLine } from "../../../document.ts"
import { turnUpright } from "../../../../core/common/turnUpright.ts"
import { type Line, joinLines } from "../text/lines.ts"

/** Points per inch. */
const POINTS = 72
/** In letter heights: words further apart are in different cells. */
const MAX_WORD_GAP = 1
/** Sizes this close to the usual one are the usual one: an engine measures each line by its letters. */
const SAME_SIZE = 0.25

const usualSize = (lines: ReadonlyArray<RecognizedLine>) => {
  const sizes = lines.flatMap(({ words, size }) => words.map(() => size)).sort((a, b) => a - b)
  return sizes[sizes.length >> 1] ?? 0
}

type Word = RecognizedLine["words"][number]

/** Words beside each other as one text; an item of its own for each cell. */
const groupWords = (words: ReadonlyArray<Word>, size: number) => {
  const groups: Array<Array<Word>> = []
  for (const word of words) {
    const last = groups.at(-1)?.at(-1)
    if (last !== undefined && Math.abs(word.left - last.right) < size * MAX_WORD_GAP) groups.at(-1)!.push(word)
    else groups.push([word])
  }
  return groups
}

/** The lines of a recognized page, as if the page had drawn them. */
export const recognizedLines = (recognized: PageText, page: number): ReadonlyArray<Line> => {
  const { content, width, height, pixelsPerInch, turn = 0 } = recognized
  if (typeof content === "string") return []
  const scale = POINTS / pixelsPerInch
  const bottom = turn === 90 || turn === 270 ? width : height
  const usual = usualSize(content)
  const items = content.flatMap((line) => {
    const size = Math.abs(line.size - usual) < usual * SAME_SIZE ? usual : line.size
    const words = line.words.map((word) => ({ text: word.text, ...turnUpright(word, recognized, turn) }))
    return groupWords(words, line.size).map((words): TextItem => {
      const left = Math.min(...words.map(({ left }) => left)) * scale
      const right = Math.max(...words.map(({ right }) => right)) * scale
      return {
        str: words.map(({ text }) => text).join(" "),
        dir: "ltr",
        transform: [size * scale, 0, 0, size * scale, left, (bottom - line.baseline) * scale],
        width: right - left,
        height: size * scale,
        fontName: "recognized",
        hasEOL: false,
      }
    })
  })
  return joinLines(items, page)
}

/** The paragraphs of a page whose engine returns text without places. */
export const recognizedParagraphs = ({ content }: PageText, page: number): ReadonlyArray<Element> => {
  if (typeof content !== "string") return []
  const paragraphs = content.split(/\n[^\S\n]*\n\s*/)
  return paragraphs.map((text) => ({ kind: "paragraph", text, place: { kind: "page", page } }))
}
