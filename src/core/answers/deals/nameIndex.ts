import { toLowerCase } from "../QuestionReader.ts"
import type { Kind, KnownName } from "./names.ts"

/** A name or a word of one, prepared for comparisons. */
export interface Written {
  readonly of: KnownName
  /** The place of the name among all. */
  readonly at: number
  /** In lower case. */
  readonly low: string
  /** A bit for each letter: most pairs of words that differ by many letters differ by many bits, too. */
  readonly letters: number
}

type Placed = Pick<Written, "of" | "at">

/** Kinds whose names have several words, while questions often say one: "Anna", "Brixen". */
const PARTED: ReadonlySet<Kind> = new Set(["owner", "competitor", "client"])
/** Kinds whose names questions often shorten to one word, which may be misspelt. */
const SHORTENED: ReadonlySet<Kind> = new Set(["competitor", "owner", "client", "product", "industry", "region"])

/** Words that many names share, so that alone they mean none of them. */
const COMMON_PARTS: ReadonlySet<string> = new Set(
  "the one suite system systems software cloud group inc ltd llc gmbh corp company data new and".split(" "),
)

const SPACES = /\s+/
/** A first word that ends with the name or before a blank, which most names have. */
const PLAIN_FIRST = /^[a-z0-9]+(?= |$)/

const RUN = /[\p{L}\p{N}]+/u
const RUNS = /[\p{L}\p{N}]+/gu

/** The letters of a text in lower case, as bits. Others than a to z share them. */
export const lettersOf = (low: string): number => {
  let bits = 0
  for (let at = 0; at < low.length; at++) bits |= 1 << (low.charCodeAt(at) & 31)
  return bits
}

/** The letters that only one of both has. */
export const countDifferent = (a: number, b: number): number => {
  let bits = a ^ b
  bits -= (bits >>> 1) & 0x55555555
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The names of a workspace by the words that a question can find them by. A reader of 45,000 names looks at few of them. */
export class NameIndex {
  readonly names: ReadonlyArray<KnownName>
  readonly #base: NameIndex | undefined
  readonly #byFirst = new Map<string, Array<Placed>>()
  readonly #byPart = new Map<string, Array<KnownName>>()
  readonly #written = new Map<number, Array<Written>>()

  #next: number

  constructor(names: ReadonlyArray<KnownName>, base?: NameIndex) {
    this.names = names
    this.#base = base
    this.#next = base?.names.length ?? 0
  }

  /** Adds the next of the names. */
  add(of: KnownName): void {
    const at = this.#next++
    const low = of.name.toLowerCase()
    const first = firstWordOf(of.name, low)
    if (first !== undefined) push(this.#byFirst, first, { of, at })
    const parts = low.includes(" ") ? low.split(SPACES) : [low]
    if (PARTED.has(of.kind)) {
      for (const [n, part] of parts.entries()) {
        if (part.length > 2 && !COMMON_PARTS.has(part) && parts.indexOf(part) === n) push(this.#byPart, part, of)
      }
    }
    this.#write(of, at, low)
    if (parts.length > 1 && SHORTENED.has(of.kind))
      for (const part of parts) if (part.length > 3) this.#write(of, at, part)
  }

  /** Every name that the text, in lower case, may contain as whole words, and some others: those whose first word it has. */
  namesIn(text: string): ReadonlyArray<KnownName> {
    const said = text.match(RUNS) ?? []
    const words = new Set<string>(said)
    // A plural or genitive `s` may follow a name.
    for (const word of said) if (word.endsWith("s")) words.add(word.slice(0, -1))
    return [...words]
      .flatMap((word) => this.#startingWith(word))
      .toSorted((a, b) => a.at - b.at)
      .map(({ of }) => of)
  }

  #startingWith(word: string): ReadonlyArray<Placed> {
    const base = this.#base
    return join(base === undefined ? undefined : base.#startingWith(word), this.#byFirst.get(word))
  }

  /** The names that contain this word, of kinds that questions name by one. */
  withPart(word: string): ReadonlyArray<KnownName> {
    return join(this.#base?.withPart(word), this.#byPart.get(word))
  }

  /** The names of this length, and the words of names. */
  ofLength(length: number): ReadonlyArray<Written> {
    return join(this.#base?.ofLength(length), this.#written.get(length))
  }

  #write(of: KnownName, at: number, low: string): void {
    push(this.#written, low.length, { of, at, low, letters: lettersOf(low) })
  }
}

const firstWordOf = (name: string, low: string): string | undefined =>
  PLAIN_FIRST.exec(low)?.[0] ?? RUN.exec(toLowerCase(name))?.[0]

const push = <K, V>(map: Map<K, Array<V>>, key: K, value: V): void => {
  const found = map.get(key)
  if (found === undefined) map.set(key, [value])
  else found.push(value)
}

const join = <A>(a: ReadonlyArray<A> | undefined, b: ReadonlyArray<A> | undefined): ReadonlyArray<A> =>
  a === undefined || a.length === 0 ? (b ?? []) : b === undefined ? a : [...a, ...b]

const indexes = new WeakMap<ReadonlyArray<KnownName>, NameIndex>()

/** Remembers the index of a list of names. */
export const setIndex = (names: ReadonlyArray<KnownName>, index: NameIndex): void => {
  indexes.set(names, index)
}

/** The index of a list of names: made here unless `indexNames` or `withNames` has made it. */
export const indexOf = (names: ReadonlyArray<KnownName>): NameIndex => {
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
  const all = [...names, ...more]
  const index = new NameIndex(all, indexOf(names))
  for (const name of more) index.add(name)
  indexes.set(all, index)
  return all
}
