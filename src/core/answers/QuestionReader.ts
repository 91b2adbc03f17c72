import { hasWord, nameTokens, QUESTION_STOP_WORDS, straightenApostrophes, type Token } from "./words.ts"

/** Replaces what was read: no pattern matches it. */
const READ = "|"

/** Letters before a word in which the word before it is looked for. */
const MAX_BEFORE = 100

interface UnreadWord extends Token {
  /** The word right before it, if only a blank or "the" is between. */
  readonly before: string
}

/**
 * A question while it is being understood. Each pattern takes the part that it understands, so that no later pattern sees
 * it; `unread` lists the rest. The text is in lower case, with the offsets of `original`.
 */
export class QuestionReader {
  readonly original: string
  #text: string

  constructor(question: string) {
    this.original = normalize(question).replaceAll(READ, " ")
    this.#text = toLowerCase(this.original)
  }

  get text(): string {
    return this.#text
  }

  /** Takes the first match, if there is one. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    const match = pattern.exec(this.#text)
    if (match === null) return undefined
    this.takeRange(match.index, match.index + match[0].length)
    return match
  }

  takeRange(start: number, end: number): void {
    this.#text = this.#text.slice(0, start) + READ.repeat(end - start) + this.#text.slice(end)
  }

  /** Finds a name as whole words, with a plural or genitive `s` that follows it. Looks from an offset on. */
  find(name: string, from = 0): { readonly start: number; readonly end: number } | undefined {
    const written = normalize(name)
    if (!hasWord(written)) return undefined
    const sought = toLowerCase(written)
    for (let start = this.#text.indexOf(sought, from); start >= 0; start = this.#text.indexOf(sought, start + 1)) {
      if (hasWord(this.#text.charAt(start - 1))) continue
      const end = start + sought.length
      const suffix = /^'?s?(?![\p{L}\p{N}])/u.exec(this.#text.slice(end))
      if (suffix === null) continue
      // A name as short as "US" looks like an ordinary word, so its case must match.
      if (name.length <= 3 && this.original.slice(start, end) !== written) continue
      return { start, end: end + suffix[0].length }
    }
    return undefined
  }

  /** Gives "US" its case back, so that nothing reads it as the pronoun. Called after names are taken. */
  keepCountry(): void {
    for (const { index } of countriesIn(this.original))
      if (this.#text.slice(index, index + 2) === "us")
        this.#text = `${this.#text.slice(0, index)}US${this.#text.slice(index + 2)}`
  }

  /** The words that no pattern took and that are no stop words, in order. */
  unread(): ReadonlyArray<UnreadWord> {
    return nameTokens(this.#text)
      .filter(({ text }) => !QUESTION_STOP_WORDS.has(text.replace(/(?:'s|[.'-])+$/, "")))
      .map((token) => ({
        ...token,
        before:
          /([\p{L}]+)\s+(?:the\s+)?$/u.exec(
            this.#text.slice(Math.max(token.start - MAX_BEFORE, 0), token.start),
          )?.[1] ?? "",
      }))
  }
}

/** The places of "US", the country. Finds none in a question in capitals, where "US" may be the pronoun. */
const countriesIn = (question: string) =>
  /\p{Ll}/u.test(question) ? question.matchAll(/(?<![\p{L}\p{N}])US(?![\p{L}\p{N}])/gu) : []

/** Replaces "US", the country. */
export const replaceCountry = (question: string, replacement: string): string => {
  let text = question
  for (const { index } of [...countriesIn(question)].toReversed())
    text = text.slice(0, index) + replacement + text.slice(index + 2)
  return text
}

/** Straight apostrophes and plain blanks. Keeps every offset. */
const normalize = (text: string) => straightenApostrophes(text).replaceAll(/\s/g, " ")

/** Keeps every offset: a character whose lower case is longer stays as it is. */
export const toLowerCase = (text: string): string => (ASCII.test(text) ? text.toLowerCase() : eachToLowerCase(text))

const ASCII = /^[\x20-\x7e]*$/

const eachToLowerCase = (text: string) =>
  [...text]
    .map((character) => {
      const lower = character.toLowerCase()
      return lower.length === character.length ? lower : character
    })
    .join("")
