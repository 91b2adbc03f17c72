import { isEnglish } from "../questions/languages/translate.ts"
import { findStem, nameTokens, QUESTION_STOP_WORDS, searchTokens, type Token } from "../words.ts"

/** A part of what a competitor sells that a question names: "the Gold plan", "Service K". What a text says of another part is no answer. */
export interface Part {
  readonly name: string
  readonly isIn: (text: string) => boolean
}

const KIND =
  /^(?:plan|edition|tier|package|bundle|licen[cs]e|add-on|addon|module|service|subscription|option|version)s?$/i

/** Kinds that a name in lower case can have: "the gold plan". "The postal service" has no name. */
const SOLD = /^(?:plan|edition|tier|package|bundle|licen[cs]e)s?$/i

/** Before a plan these words select one and do not name it: "the annual plan", "their cheapest plan". */
const ORDINARY =
  /^(?:annual|yearly|monthly|quarterly|weekly|new|old|current|latest|next|same|different|paid|price|pricing|priced|payment|first|last|top|main|expensive|costly|\p{L}+est)$/iu

/** "SSO" may be written out, and a text may write a date in another way. */
const WRITTEN_OTHERWISE =
  /^(?:\p{Lu}{2,}s?|Q[1-4]|H[12]|FY\d+|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September|October|November|December)$/u

const strip = (word: string) => word.replace(/(?:'s|[.'-])+$/, "")

const stemsOf = (text: string) => searchTokens(text.toLowerCase()).map((token) => findStem(token.text))

const toPart = (name: string): Part => {
  const stems = stemsOf(name)
  // One letter is a name only where it stands in capitals: "a" is in every text.
  const letter = /(?<!\p{L})\p{Lu}$/u.exec(name)?.[0]
  const has =
    letter === undefined ? undefined : new RegExp(String.raw`(?<![\p{L}\p{N}'’])${letter}(?![\p{L}\p{N}'’])`, "u")
  return {
    name,
    isIn: (text) => {
      if (has !== undefined && !has.test(text)) return false
      const written = new Set(stemsOf(text))
      return stems.every((stem) => written.has(stem))
    },
  }
}

/** "I" names nothing. */
const isCapital = (word: string | undefined) => word !== undefined && word !== "I" && /^\p{Lu}/u.test(word)

const isKind = (word: string | undefined) => word !== undefined && KIND.test(word)

/** "What did Loudoun plan?": a verb. */
const AUXILIARY = /^(?:do|does|did|to|will|would|can|could|should|may|might|must)$/i

/** Whether the word stands beside a kind of part that it names. */
const namesKind = (words: ReadonlyArray<string>, n: number) => {
  const word = words[n] ?? ""
  const [before, after] = [words[n - 1], words[n + 1]]
  if (isKind(word) || AUXILIARY.test(before ?? "")) return false
  if (isKind(after))
    return isCapital(word) || (SOLD.test(after!) && !QUESTION_STOP_WORDS.has(word) && !ORDINARY.test(word))
  return isCapital(before) && isKind(before) && /^(?:\p{Lu}|\p{N}+)$/u.test(word)
}

const beginsSentence = (question: string, { start }: Token) =>
  !/[^\s.?!“"(]/u.test(question.slice(0, start)) ||
  /[.?!]\s+$/.test(question.slice(Math.max(0, start - MAX_SPACE), start))
/** White space before a sentence, and the mark that ends the one before. */
const MAX_SPACE = 20

/** The parts that a question names. About a competitor, every other capitalised word names something. */
export const findParts = (question: string, competitor: string | undefined): ReadonlyArray<Part> => {
  if (!isEnglish(question)) return []
  const own = new Set(stemsOf(competitor ?? ""))
  const tokens = nameTokens(question).filter(({ text }) => !stemsOf(strip(text)).every((stem) => own.has(stem)))
  const words = tokens.map(({ text }) => strip(text))
  // "What Does The Gold Plan Cost" shows no names by its capitals.
  if (words.filter(isCapital).length * 2 > words.length) return []
  return words.flatMap((word, n) => {
    if (beginsSentence(question, tokens[n]!) || WRITTEN_OTHERWISE.test(word)) return []
    if (competitor === undefined && !isCapital(word)) return []
    const isName = namesKind(words, n) || (competitor !== undefined && isCapital(word) && !isKind(word))
    return isName ? [toPart(word)] : []
  })
}
