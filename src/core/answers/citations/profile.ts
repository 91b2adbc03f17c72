import { CLAIM_STOP_WORDS, isDenial, numberOf, proseTokens, stemOf, straightenApostrophes } from "../words.ts"

/** How often each word occurs. */
export type Counts = ReadonlyMap<string, number>

/** What the words of a text state, for comparing a claim with its evidence. */
export interface Profile {
  /** Stems of the words that carry meaning, and the numbers. */
  readonly stems: ReadonlySet<string>
  /** Numbers in one spelling: `1,200.50` is `1200.5`, `seven` is `7`. */
  readonly numbers: Counts
  /** Capitalised words, in lower case. A text without capitals does not distinguish names: then every word. */
  readonly capitals: Counts
  /** Words, in lower case, whose capital only a name explains. */
  readonly names: Counts
  /** Stems of the capitalised words that begin a sentence: each may be a name. */
  readonly openers: ReadonlySet<string>
  /** Each two adjacent words of a longer name: `denver broncos`. */
  readonly pairs: Counts
  readonly denies: boolean
}

export const profileOf = (text: string): Profile => {
  const stems = new Set<string>()
  const every = new Map<string, number>()
  const capitals = new Map<string, number>()
  const numbers = new Map<string, number>()
  const names = new Map<string, number>()
  const pairs = new Map<string, number>()
  const openers = new Set<string>()
  let denies = false
  let before = { name: "", end: 0 }
  for (const { text: written, start, end } of proseTokens(text)) {
    const word = straightenApostrophes(written.toLowerCase()).replace(/'s$/, "")
    const isStopWord = CLAIM_STOP_WORDS.has(word)
    const number = numberOf(word)
    count(every, word)
    denies ||= isDenial(word)
    if (number !== undefined) count(numbers, number)
    if (number !== undefined || !isStopWord) stems.add(number ?? stemOf(word))
    const between = text.slice(before.end, start)
    const isCapital = number === undefined && /^\p{Lu}/u.test(written)
    const opens = before.end === 0 || STARTS.test(between)
    const isName = isCapital && !(isStopWord && opens)
    if (isCapital) count(capitals, word)
    if (isName && opens) openers.add(stemOf(word))
    else if (isName) count(names, word)
    const name = isName && /\p{Ll}/u.test(written) ? word : ""
    if (name !== "" && before.name !== "" && between === " ") count(pairs, `${before.name} ${name}`)
    before = { name, end }
  }
  return { stems, numbers, capitals: capitals.size === 0 ? every : capitals, names, openers, pairs, denies }
}

const count = (counts: Map<string, number>, word: string) => counts.set(word, (counts.get(word) ?? 0) + 1)

/** Characters after which a capital only begins a sentence, a line or a quote. */
const STARTS = /[.!?:;"“‘([\n*]/
