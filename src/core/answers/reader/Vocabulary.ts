import { editDistance } from "../../common/nearest.ts"

/** Letters of a word that is long enough to have two wrong. */
const LONG = 8
/** Shorter words are too like others to be corrected. */
const MIN_LETTERS = 4
const MAX_REMEMBERED = 1_000

/** The words that the network knows, by number. */
export class Vocabulary {
  readonly #numbers: ReadonlyMap<string, number>
  readonly #frequent: ReadonlyArray<string>
  readonly #read = new Map<string, number>()

  constructor({ vocabulary, frequent }: { readonly vocabulary: string; readonly frequent: number }) {
    const words = vocabulary.split(" ")
    this.#numbers = new Map(words.map((word, number) => [word, number]))
    this.#frequent = words.slice(1, frequent + 1).filter((word) => word.length >= MIN_LETTERS && /^\p{L}+$/u.test(word))
  }

  /** The number of a word, or of the frequent word that it misspells; 0 if it is neither. */
  numberOf(word: string): number {
    const known = this.#numbers.get(word) ?? this.#read.get(word)
    if (known !== undefined) return known
    const number = this.#numbers.get(this.#correct(word) ?? "") ?? 0
    if (this.#read.size >= MAX_REMEMBERED) this.#read.clear()
    this.#read.set(word, number)
    return number
  }

  #correct(word: string): string | undefined {
    if (word.length < MIN_LETTERS || !/^\p{L}+$/u.test(word)) return undefined
    const most = word.length < LONG ? 1 : 2
    let best: string | undefined
    let fewest = most + 1
    for (const each of this.#frequent) {
      // Few people miss the first letter, and words that differ in it are often other words: "payers", "buyers".
      if (each[0] !== word[0] || Math.abs(each.length - word.length) > most) continue
      const wrong = editDistance(word, each)
      if (wrong < fewest) [best, fewest] = [each, wrong]
    }
    return best
  }
}
