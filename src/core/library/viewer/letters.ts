/** From here on, scripts write words without spaces between them. */
const FIRST_UNSPACED = 0xe00

/** Folds of characters that are not ASCII. A text has few different ones. */
const MAX_FOLDS = 5000
const folds = new Map<number, string>()

const foldLetter = (code: number): string => {
  const known = folds.get(code)
  if (known !== undefined) return known
  const fold = String.fromCodePoint(code)
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{Sc}\p{Sm}%‰]/gu, "")
  if (folds.size >= MAX_FOLDS) folds.clear()
  folds.set(code, fold)
  return fold
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39
const isLatin = (code: number) => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a

/** The letter for an ASCII character; 0 for all others. The separators of numbers and a minus count: 4.5 is not 45. */
const asciiLetter = (code: number, text: string, at: number): number => {
  if (isDigit(code)) return code
  if (isLatin(code)) return code | 0x20
  switch (code) {
    case 0x24: // $
    case 0x25: // %
    case 0x2b: // +
    case 0x3c: // <
    case 0x3d: // =
    case 0x3e: // >
      return code
    case 0x2c: // ,
    case 0x2e: // .
      return isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(at + 1)) ? code : 0
    case 0x2d: // A minus. After a letter it is a hyphen.
      return isDigit(text.charCodeAt(at + 1)) && !isLatin(text.charCodeAt(at - 1)) ? code : 0
    default:
      return 0
  }
}

/**
 * Calls `take` with the letters of a part of a text, until it returns false; returns false then. They are letters, digits and the signs of amounts, in lower case and
 * without accents. So other white space, quotes, bullets, hyphenation and ligatures do not change the letters of a sentence. `at` and
 * `end` are the offsets of the character, which may have several letters.
 */
export const readLetters = (
  text: string,
  from: number,
  to: number,
  take: (letter: number, at: number, end: number) => boolean | void,
): boolean => {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80) {
      const letter = asciiLetter(code, text, at)
      if (letter !== 0 && take(letter, at, at + 1) === false) return false
      continue
    }
    const point = text.codePointAt(at)!
    const end = at + (point > 0xffff ? 2 : 1)
    const fold = foldLetter(point)
    for (let n = 0; n < fold.length; n++) if (take(fold.charCodeAt(n), at, end) === false) return false
    at = end - 1
  }
  return true
}

/** Whether a word can begin between two letters: something is between them, or their script has no spaces. */
export const isBoundary = (before: number, beforeEnd: number, letter: number, at: number): boolean =>
  beforeEnd !== at || before >= FIRST_UNSPACED || letter >= FIRST_UNSPACED

/** Moves the start of a passage before the quotes and brackets that open it. */
export const withOpening = (text: string, start: number): number => {
  let at = start
  while (at > 0 && text.charCodeAt(at - 1) > 0x20 && /[\p{Ps}\p{Pi}"'„‚]/u.test(text[at - 1]!)) at--
  return at
}

/** Moves the end of a passage behind the accents of its last letter, the marks that end a sentence, and the quotes and brackets that close it. */
export const withClosing = (text: string, end: number): number => {
  let at = end
  while (at < text.length && /[\p{M}\p{Pe}\p{Pf}"'“.!?…:;。！？]/u.test(text[at]!)) at++
  return at
}

const ENDS = /[.!?…:;。！？]/u

/** Whether a sentence, row or line may begin at an offset. */
export const isSentenceStart = (text: string, start: number): boolean => {
  let at = start
  for (; at > 0 && text.charCodeAt(at - 1) <= 0x20; at--) if (/[\n\t]/.test(text[at - 1]!)) return true
  return at === 0 || ENDS.test(text.slice(Math.max(0, at - 2), at))
}

/** Whether a sentence, row or line may end at an offset. */
export const isSentenceEnd = (text: string, end: number): boolean =>
  end >= text.length || /[\n\t]/.test(text[end]!) || ENDS.test(text.slice(Math.max(0, end - 2), end))
