import { type Turn, turnUpright } from "../../core/common/turnUpright.ts"
import type { PageText, RecognizedLine } from "../../core/ports/document.ts"

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

/** By how much the writing of most words is turned. */
const findTurn = (lines: ReadonlyArray<{ readonly title: string; readonly words: ReadonlyArray<Word> }>): Turn => {
  const words = new Map<Turn, number>()
  for (const line of lines) {
    const [angle = 0] = parseNumbers(line.title, "textangle")
    const turn = TURNS.find((each) => each === angle) ?? 0
    words.set(turn, (words.get(turn) ?? 0) + line.words.length)
  }
  return TURNS.reduce((most, turn) => ((words.get(turn) ?? 0) > (words.get(most) ?? 0) ? turn : most), 0)
}
const TURNS = [0, 90, 180, 270] as const

const makeLine = (title: string, words: ReadonlyArray<Word>, picture: Size, turn: Turn): RecognizedLine => {
  const boxes = words.map((word) => turnUpright(word, picture, turn))
  const [left = 0, top = 0, right = 0, lowest] = parseNumbers(title, "bbox")
  const bottom =
    lowest === undefined
      ? Math.max(...boxes.map((box) => box.bottom))
      : turnUpright({ left, top, right, bottom: lowest }, picture, turn).bottom
  // A turned line has no base line of its own.
  const [descent = 0] = parseNumbers(title, "x_descenders")
  const [, offset = turn === 0 ? 0 : -descent] = parseNumbers(title, "baseline")
  const [size = 0] = parseNumbers(title, "x_size")
  return { words, baseline: bottom + offset, size: size > 0 ? size : bottom - Math.min(...boxes.map((box) => box.top)) }
}

type Size = Pick<PageText, "width" | "height">

/** Reads hOCR, the HTML that tesseract writes of a picture of this size: http://kba.github.io/hocr-spec/1.2/ */
export const readHocr = (hocr: string, picture: Size): Recognized => {
  const lines: Array<{ readonly title: string; readonly words: Array<Word> }> = []
  for (const [, line, word, markup = ""] of hocr.matchAll(LINE)) {
    if (line !== undefined) lines.push({ title: line, words: [] })
    const found = word === undefined ? undefined : parseWord(word, markup)
    if (found !== undefined) lines.at(-1)?.words.push(found)
  }
  const turn = findTurn(lines)
  const content = lines
    .filter(({ words }) => words.length > 0)
    .map(({ title, words }) => makeLine(title, words, picture, turn))
  return { content, ...(turn === 0 ? {} : { turn }) }
}

export interface Recognized extends Pick<PageText, "turn"> {
  readonly content: ReadonlyArray<RecognizedLine>
}
