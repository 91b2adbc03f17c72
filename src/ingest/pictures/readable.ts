import type { PageText, RecognizedLine } from "../document.ts"

/** From 0 to 1. Lines of a lower confidence are mostly wrong, or patterns of a photo. */
const MIN_CONFIDENCE = 0.7
/** The share of a picture's letters. Where fewer are in such lines, these are scraps of sentences. */
const MIN_SHARE = 0.5
/** Shorter words alone are marks, and ticks of an axis. */
const WORD = /[\p{L}\p{N}]{3}/u

const lettersIn = ({ words }: RecognizedLine) => words.reduce((sum, { text }) => sum + text.length, 0)

/** By letters; an engine that does not say is sure. */
const confidenceIn = (line: RecognizedLine) =>
  line.words.reduce((sum, { text, confidence = 1 }) => sum + text.length * confidence, 0) / lettersIn(line)

const isReadable = (line: RecognizedLine) =>
  confidenceIn(line) >= MIN_CONFIDENCE && line.words.some(({ text }) => WORD.test(text))

/** The lines of a picture that can be trusted; none if most cannot. */
export const readablePart = (text: PageText): PageText => {
  if (typeof text.content === "string") return text
  const lines = text.content.filter(isReadable)
  const lettersOf = (all: ReadonlyArray<RecognizedLine>) => all.reduce((sum, line) => sum + lettersIn(line), 0)
  return { ...text, content: lettersOf(lines) < MIN_SHARE * lettersOf(text.content) ? [] : lines }
}

/** Whether the engine found letters or digits, right or wrong. */
export const hasLetters = ({ content }: PageText): boolean =>
  typeof content === "string"
    ? content.trim() !== ""
    : content.some(({ words }) => words.some(({ text }) => WORD.test(text)))
