import type { RecognizedLine } from "../../core/ports/document.ts"

const LINE =
  /<span class='ocr_(?:line|header|caption|textfloat)'[^>]*?title="([^"]*)"|<span class='ocrx_word'[^>]*?title='([^']*)'[^>]*>([\s\S]*?)<\/span>/g
const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
}
/** From 0 to 100. Words of signs alone with a lower confidence are rules, frames and parts of pictures. */
const MIN_SIGN_CONFIDENCE = 60

/** The numbers of a property, such as `bbox 36 92 580 122`. */
const parseNumbers = (title: string, name: string) =>
  new RegExp(String.raw`(?:^|;\s*)${name} ([-\d. ]+)`).exec(title)?.[1]!.trim().split(/\s+/).map(Number) ?? []

const textOf = (markup: string) =>
  markup
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!)
    .replaceAll(/\s+/g, "")

type Word = RecognizedLine["words"][number]

const parseWord = (title: string, markup: string): Word | undefined => {
  const [left, top, right, bottom] = parseNumbers(title, "bbox")
  const [confidence = 0] = parseNumbers(title, "x_wconf")
  const text = textOf(markup)
  if (left === undefined || top === undefined || right === undefined || bottom === undefined || text === "")
    return undefined
  if (!/[\p{L}\p{N}]/u.test(text) && confidence < MIN_SIGN_CONFIDENCE) return undefined
  return { text, left, top, right, bottom, confidence: confidence / 100 }
}

const lineOf = (title: string, words: ReadonlyArray<Word>): RecognizedLine => {
  const bottom = parseNumbers(title, "bbox")[3] ?? Math.max(...words.map((word) => word.bottom))
  const [, offset = 0] = parseNumbers(title, "baseline")
  const [size = 0] = parseNumbers(title, "x_size")
  return { words, baseline: bottom + offset, size: size > 0 ? size : bottom - Math.min(...words.map(({ top }) => top)) }
}

/** Reads the lines of hOCR, the HTML that tesseract writes: http://kba.github.io/hocr-spec/1.2/ */
export const linesOfHocr = (hocr: string): ReadonlyArray<RecognizedLine> => {
  const lines: Array<{ readonly title: string; readonly words: Array<Word> }> = []
  for (const [, line, word, markup = ""] of hocr.matchAll(LINE)) {
    if (line !== undefined) lines.push({ title: line, words: [] })
    const found = word === undefined ? undefined : parseWord(word, markup)
    if (found !== undefined) lines.at(-1)?.words.push(found)
  }
  return lines.filter(({ words }) => words.length > 0).map(({ title, words }) => lineOf(title, words))
}
