import { editDistance } from "../../common/nearest.ts"
import { isOrdinary, isUsedAsName } from "./ordinary.ts"
import { type Word, splitWords } from "./words.ts"

/** An entry of the catalogue, with the other names that texts use for it. */
export interface Named {
  readonly id: string
  readonly name: string
  readonly aliases: ReadonlyArray<string>
}

/** The words of a text that name an entry: `at` to `at + count`. */
export interface Mention<N extends Named> {
  readonly entry: N
  readonly at: number
  readonly count: number
}

interface Form<N> {
  readonly entry: N
  /** The letters of the name without spaces. */
  readonly letters: string
  readonly words: number
  readonly isOrdinary: boolean
  /** A short name in capitals, such as SSO: in text with capitals it has them too. */
  readonly isAcronym: boolean
}

/** Names with fewer letters are found only as written. */
const MIN_SLIP_LETTERS = 6
/** From this many letters on, two may be wrong. */
const MIN_TWO_SLIPS = 10
const MAX_NAME_WORDS = 6
/** Longer entries are descriptions, not names. */
const MAX_LETTERS = 60
/** A text with fewer capitals in a hundred letters has none where they belong. */
const MIN_CAPITALS = 0.012

/** Whether a text writes names with capitals. */
export const isCased = (text: string): boolean => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return letters > 0 && (text.match(/\p{Lu}/gu)?.length ?? 0) / letters >= MIN_CAPITALS
}

/** `letters` and each text that lacks one of them: two words with a common one differ by one letter, or by two. */
function* listDeletions(letters: string): Generator<string> {
  yield letters
  for (let at = 0; at < letters.length; at++) yield letters.slice(0, at) + letters.slice(at + 1)
}

/** Finds names of a catalogue in sentences. */
export class NameFinder<N extends Named> {
  readonly #exact = new Map<string, Form<N>>()
  readonly #near = new Map<string, Set<Form<N>>>()
  readonly #needsContext: boolean
  #maxWords = 1

  /** `needsContext`: names that are ordinary words count only where they are used as names. */
  constructor(entries: ReadonlyArray<N>, needsContext: boolean) {
    this.#needsContext = needsContext
    for (const entry of entries) for (const name of [entry.name, ...entry.aliases]) this.#add(entry, name)
  }

  #add(entry: N, name: string): void {
    const words = splitWords(name)
    const letters = words.map(({ key }) => key).join("")
    if (letters === "" || words.length > MAX_NAME_WORDS || letters.length > MAX_LETTERS) return
    const form = {
      entry,
      letters,
      words: words.length,
      isOrdinary: words.length === 1 && isOrdinary(letters),
      isAcronym: words.length === 1 && letters.length <= 4 && name === name.toUpperCase(),
    }
    this.#maxWords = Math.max(this.#maxWords, words.length)
    for (const key of listForms(letters)) if (!this.#exact.has(key)) this.#exact.set(key, form)
    if (letters.length < MIN_SLIP_LETTERS || form.isOrdinary) return
    for (const key of listDeletions(letters)) {
      const forms = this.#near.get(key)
      if (forms === undefined) this.#near.set(key, new Set([form]))
      else forms.add(form)
    }
  }

  /** The names in a sentence, the longest first where several begin together; none overlap. */
  find(words: ReadonlyArray<Word>, cased: boolean): ReadonlyArray<Mention<N>> {
    const found: Array<Mention<N>> = []
    for (let at = 0; at < words.length;) {
      const mention = this.#findAt(words, at, cased)
      if (mention !== undefined) found.push(mention)
      at += mention?.count ?? 1
    }
    return found
  }

  #findAt(words: ReadonlyArray<Word>, at: number, cased: boolean): Mention<N> | undefined {
    const most = Math.min(this.#maxWords + 1, words.length - at)
    for (let count = most; count > 0; count--) {
      const form = this.#exact.get(joined(words, at, count))
      if (form !== undefined && this.#isName(form, words, at, count, cased)) return { entry: form.entry, at, count }
    }
    for (let count = most; count > 0; count--) {
      const form = this.#nearest(joined(words, at, count), words, at, count)
      if (form !== undefined) return { entry: form.entry, at, count }
    }
    return undefined
  }

  #isName(form: Form<N>, words: ReadonlyArray<Word>, at: number, count: number, cased: boolean): boolean {
    if (form.isAcronym && cased && words[at]!.raw === words[at]!.key && form.letters.length <= 3) return false
    return !form.isOrdinary || !this.#needsContext || isUsedAsName(words, at, count, cased)
  }

  #nearest(letters: string, words: ReadonlyArray<Word>, at: number, count: number): Form<N> | undefined {
    if (letters.length < MIN_SLIP_LETTERS - 1) return undefined
    // An ordinary word is no slip of a name; neither are words around a name.
    if (count === 1 && isOrdinary(letters)) return undefined
    let best: Form<N> | undefined
    let least = Infinity
    for (const key of listDeletions(letters)) {
      for (const form of this.#near.get(key) ?? []) {
        if (Math.abs(form.words - count) > 1 || form.letters[0] !== letters[0]) continue
        const distance = editDistance(form.letters, letters)
        if (distance > (form.letters.length >= MIN_TWO_SLIPS ? 2 : 1) || distance >= least) continue
        if (count > 1 && count > form.words && !isSplit(form.letters, words, at, count)) continue
        best = form
        least = distance
      }
    }
    return best
  }
}

/** Whether each of the words is a part of the name: "glo bex", not "at globex". */
const isSplit = (letters: string, words: ReadonlyArray<Word>, at: number, count: number) =>
  words.slice(at, at + count).filter(({ key }) => letters.includes(key)).length >= count - 1 &&
  letters.startsWith(words[at]!.key.slice(0, 2))

const joined = (words: ReadonlyArray<Word>, at: number, count: number) => {
  let letters = ""
  for (let n = at; n < at + count; n++) letters += words[n]!.key
  return letters
}

/** Singular and plural. */
const listForms = (letters: string): ReadonlyArray<string> =>
  letters.length < 5 ? [letters] : letters.endsWith("s") ? [letters, letters.slice(0, -1)] : [letters, `${letters}s`]
