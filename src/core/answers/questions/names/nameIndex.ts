import { toLowerCase } from "../../QuestionReader.ts"
import { HashedPlaces, hashText, IntList, nextHash, NO_HASH } from "./HashedPlaces.ts"
import type { Kind, KnownName } from "../words/names.ts"
import { listFirstWords, INITIALED, makeInitials } from "../words/shortForms.ts"

/** A name or a word of one, prepared for comparisons. */
export interface Written {
  readonly of: KnownName
  /** The place of the name among all. */
  readonly at: number
  /** In lower case. */
  readonly low: string
}

/** Kinds whose names have several words, while questions often say one: "Anna", "Brixen", "Ledger". */
const PARTED: ReadonlySet<Kind> = new Set(["owner", "competitor", "client", "product"])
/** Kinds whose names questions often shorten to one word, which may be misspelt. */
const SHORTENED: ReadonlySet<Kind> = new Set(["competitor", "owner", "client", "product", "industry", "region"])

/** Words that many names share, so that alone they mean none of them. */
const COMMON_PARTS: ReadonlySet<string> = new Set(
  "the one suite system systems software cloud group inc ltd llc gmbh corp company data new and".split(" "),
)

const SPACES = /\s+/
const SPACE = /\s/
const ASCII = /^[\0-\x7f]*$/

const RUN = /[\p{L}\p{N}]+/u
const RUNS = /[\p{L}\p{N}]+/gu

/** A bit for each letter of a text in lower case. Others than a to z share them. */
export const maskLetters = (low: string): number => {
  let bits = 0
  for (let at = 0; at < low.length; at++) bits |= 1 << (low.charCodeAt(at) & 31)
  return bits
}

/** The letters that only one of both has. Most pairs of words that differ by many letters differ by many bits. */
export const countDifferent = (a: number, b: number): number => {
  let bits = a ^ b
  bits -= (bits >>> 1) & 0x55555555
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The hash of the first run of letters and digits of a text of ASCII. */
const hashFirst = (low: string): number => {
  let hash = NO_HASH
  for (let n = 0; n < low.length; n++) {
    const code = low.charCodeAt(n)
    if (isLetterOrDigit(code)) hash = nextHash(hash, code)
    else if (hash !== NO_HASH) break
  }
  return hash
}

/** The hash of the first letters of the words of a text of ASCII, and their count. */
const hashInitials = (low: string): { readonly hash: number; readonly count: number } => {
  let hash = NO_HASH
  let count = 0
  let isInWord = false
  for (let n = 0; n < low.length; n++) {
    const code = low.charCodeAt(n)
    const isOfWord = isLetterOrDigit(code) || code === APOSTROPHE
    if (isOfWord && !isInWord) {
      hash = nextHash(hash, code)
      count++
    }
    isInWord = isOfWord
  }
  return { hash, count }
}

/** Numbers of a word in `#written`: the place of its name, its first character there, and its letters. */
const STRIDE = 3

/**
 * The names of a workspace by the words that a question can find them by. A reader of 45,000 names looks at few of them. It holds numbers
 * instead of objects, so that it is made in some 10 ms and takes 4 MB.
 */
export class NameIndex {
  readonly names: ReadonlyArray<KnownName>
  readonly #base: NameIndex | undefined
  readonly #byFirst: HashedPlaces
  readonly #byPart: HashedPlaces
  /** The words of each length. */
  readonly #written = new Map<number, IntList>()

  #next: number

  constructor(names: ReadonlyArray<KnownName>, base?: NameIndex) {
    this.names = names
    this.#base = base
    this.#next = base?.names.length ?? 0
    this.#byFirst = new HashedPlaces(names.length - this.#next)
    this.#byPart = new HashedPlaces(names.length - this.#next)
  }

  /** Adds the next of the names. */
  add({ name, kind }: KnownName): void {
    const at = this.#next++
    const low = name.toLowerCase()
    const isAscii = ASCII.test(low)
    const first = isAscii ? hashFirst(low) : hashText(RUN.exec(toLowerCase(name))?.[0] ?? "")
    if (first !== NO_HASH) this.#byFirst.add(first, at)
    if (isAscii && INITIALED.has(kind)) {
      const initials = hashInitials(low)
      if (hasInitials(initials.count, kind)) this.#byPart.add(initials.hash, at)
    }
    this.#write(low.length, at, 0, maskLetters(low))
    this.#addParts(low, at, kind)
  }

  #addParts(low: string, at: number, kind: Kind): void {
    const isParted = PARTED.has(kind)
    const isShortened = SHORTENED.has(kind)
    if (!isParted && !isShortened) return
    let start = 0
    let letters = 0
    let part = NO_HASH
    for (let n = 0; n <= low.length; n++) {
      const code = n < low.length ? low.charCodeAt(n) : BLANK
      if (!isSpace(code)) {
        letters |= 1 << (code & 31)
        part = nextHash(part, code)
        continue
      }
      if (isParted && n - start > 2) this.#byPart.add(part, at)
      if (isShortened && n - start > 3 && n - start < low.length) this.#write(n - start, at, start, letters)
      start = n + 1
      letters = 0
      part = NO_HASH
    }
  }

  /** Every name that the text, in lower case, may contain as whole words, and some others: those whose first word it has. */
  namesIn(text: string): ReadonlyArray<KnownName> {
    const said = text.match(RUNS) ?? []
    // A plural or genitive `s` may follow a name.
    const words = new Set<string>(said.flatMap(listFirstWords))
    const places = [...words].flatMap((word) => this.#startingWith(hashText(word)))
    return [...new Set(places)].toSorted((a, b) => a - b).map((at) => this.names[at]!)
  }

  #startingWith(hash: number): ReadonlyArray<number> {
    const base = this.#base
    return join(base === undefined ? [] : base.#startingWith(hash), this.#byFirst.get(hash))
  }

  /** The names that contain this word, of kinds that questions name by one. */
  withPart(word: string): ReadonlyArray<KnownName> {
    if (word.length <= 2 || COMMON_PARTS.has(word)) return []
    const places = [...new Set(this.#byPart.get(hashText(word)))]
    const own = places
      .map((at) => this.names[at]!)
      .filter(({ name, kind }) => PARTED.has(kind) && name.toLowerCase().split(SPACES).includes(word))
    return join(this.#base?.withPart(word), own)
  }

  /** The names with these initials. */
  withInitials(initials: string): ReadonlyArray<KnownName> {
    const own = [...new Set(this.#byPart.get(hashText(initials)))]
      .map((at) => this.names[at]!)
      .filter(
        ({ name, kind }) =>
          INITIALED.has(kind) && hasInitials(initials.length, kind) && makeInitials(name) === initials,
      )
    return join(this.#base?.withInitials(initials), own)
  }

  /** The names of this length, and the words of names, whose letters differ from `letters` by at most so many. */
  near(length: number, letters: number, maxDifferent: number): ReadonlyArray<Written> {
    const found: Array<Written> = []
    const { items, size } = this.#written.get(length) ?? NOTHING
    for (let n = 0; n < size; n += STRIDE) {
      if (countDifferent(letters, items[n + 2]!) > maxDifferent) continue
      const at = items[n]!
      const of = this.names[at]!
      const start = items[n + 1]!
      found.push({ of, at, low: of.name.toLowerCase().slice(start, start + length) })
    }
    return join(this.#base?.near(length, letters, maxDifferent), found)
  }

  /** Bytes, without the names. */
  get bytes(): number {
    const written = [...this.#written.values()].reduce((sum, { items }) => sum + items.byteLength, 0)
    return written + this.#byFirst.bytes + this.#byPart.bytes
  }

  #write(length: number, at: number, start: number, letters: number): void {
    let list = this.#written.get(length)
    if (list === undefined) this.#written.set(length, (list = new IntList()))
    list.push(at, start, letters)
  }
}

/** Two letters shorten regions alone: "NA". */
const hasInitials = (count: number, kind: Kind) => count > 2 || (count === 2 && kind === "region")

const NOTHING = new IntList()

const BLANK = 32
const APOSTROPHE = 39

const isSpace = (code: number) =>
  code === BLANK || (code >= 9 && code <= 13) || (code > 127 && SPACE.test(String.fromCharCode(code)))

const isLetterOrDigit = (code: number) => (code >= 97 && code <= 122) || (code >= 48 && code <= 57)

const join = <A>(a: ReadonlyArray<A> | undefined, b: ReadonlyArray<A>): ReadonlyArray<A> =>
  a === undefined || a.length === 0 ? b : b.length === 0 ? a : [...a, ...b]

const indexes = new WeakMap<ReadonlyArray<KnownName>, NameIndex>()

/** Remembers the index of a list of names. */
export const setIndex = (names: ReadonlyArray<KnownName>, index: NameIndex): void => {
  indexes.set(names, index)
}

/** The index of a list of names: made here unless `indexNames` or `withNames` has made it. */
export const makeIndex = (names: ReadonlyArray<KnownName>): NameIndex => {
  const known = indexes.get(names)
  if (known !== undefined) return known
  const index = new NameIndex(names)
  for (const name of names) index.add(name)
  indexes.set(names, index)
  return index
}

/** The names with more of them, and their index. */
export const withNames = (
  names: ReadonlyArray<KnownName>,
  more: ReadonlyArray<KnownName>,
): ReadonlyArray<KnownName> => {
  if (more.length === 0) return names
  const all = [...names, ...more]
  const index = new NameIndex(all, makeIndex(names))
  for (const name of more) index.add(name)
  indexes.set(all, index)
  return all
}
