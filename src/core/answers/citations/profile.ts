import { CLAIM_STOP_WORDS, isDenial, proseTokens, straightenApostrophes } from "../words.ts"
import { type Value, valuesOf } from "./values.ts"
import { canonical, isLight, nameSides } from "./vocabulary.ts"

/** How often each word occurs. */
export type Counts = ReadonlyMap<string, number>

/** The statements in the words of a text, for comparing a claim with its evidence. */
export interface Profile {
  readonly text: string
  /** The words that carry meaning, each by the name of its group of synonyms, else by its stem. Without values. */
  readonly stems: ReadonlySet<string>
  /** Those that carry little: a claim need not share them with its evidence. */
  readonly light: ReadonlySet<string>
  readonly values: ReadonlyArray<Value>
  /** Capitalised words, in lower case. */
  readonly capitalised: ReadonlySet<string>
  /** The same, with their number. A text without capitals does not distinguish names: then every word. */
  readonly capitals: Counts
  /** Words, in lower case, whose capital only a name explains. */
  readonly names: Counts
  /** The capitalised words that begin a sentence, as in `stems`: each may be a name. */
  readonly openers: ReadonlySet<string>
  /** Each two adjacent words of a longer name: `denver broncos`. */
  readonly pairs: Counts
  /** Capitalised words without another one beside them. */
  readonly single: ReadonlySet<string>
  readonly denies: boolean
  readonly isGerman: boolean
}

const GERMAN = /\b(?:der|die|das|und|ist|nicht|mit|von|für|bei|im|dem|den|ein|eine|einer|zu|zur|pro|werktags)\b/giu

/** Words after which a German noun without an article is a name: "in Polen". */
const BEFORE_NAMES = /\b(?:in|bei|nach|aus|von|gegen)\s$/iu

export const profileOf = (written: string): Profile => {
  const text = nameSides(written)
  const isGerman = (text.match(GERMAN)?.length ?? 0) > 1
  const stems = new Set<string>()
  const light = new Set<string>()
  const every = new Map<string, number>()
  const capitals = new Map<string, number>()
  const names = new Map<string, number>()
  const pairs = new Map<string, number>()
  const openers = new Set<string>()
  const single = new Set<string>()
  const values = valuesOf(text)
  let denies = false
  let before = { capital: "", name: "", end: 0, possessive: false }
  for (const token of proseTokens(text)) {
    const { start, end } = token
    const lower = straightenApostrophes(token.text.toLowerCase())
    const word = lower.replace(/'s?$/, "")
    const isStopWord = CLAIM_STOP_WORDS.has(word)
    const isOfValue = values.some((value) => start >= value.start && end <= value.end)
    count(every, word)
    denies ||= isDenial(word)
    if (isOfValue) continue
    if (isLight(word)) light.add(canonical(word))
    else if (!isStopWord && word.length > 1) stems.add(canonical(word))
    const between = text.slice(before.end, start)
    const isCapital = /^\p{Lu}/u.test(token.text)
    const opens = before.end === 0 || STARTS.test(between)
    const isName = isCapital && !(opens && (isStopWord || isLight(word)))
    const follows = between === " " && !before.possessive
    if (isCapital) {
      count(capitals, word)
      if (follows && before.capital !== "") single.delete(before.capital)
      else single.add(word)
    }
    const isNoun = isGerman && !BEFORE_NAMES.test(text.slice(Math.max(0, start - 8), start))
    if (isName && opens) openers.add(canonical(word))
    else if (isName && !isNoun) count(names, word)
    const name = isName && /\p{Ll}/u.test(token.text) ? word : ""
    if (name !== "" && before.name !== "" && follows) {
      count(pairs, `${before.name} ${name}`)
      // Two nouns side by side are a name in German, too.
      if (isNoun) count(names, name)
    }
    before = {
      capital: isCapital ? word : "",
      name,
      end,
      possessive: lower.endsWith("'s") || token.text.endsWith("'"),
    }
  }
  return {
    text,
    stems,
    light,
    values,
    capitalised: new Set(capitals.keys()),
    capitals: capitals.size === 0 ? every : capitals,
    names,
    openers,
    pairs,
    single,
    denies,
    isGerman,
  }
}

const count = (counts: Map<string, number>, word: string) => counts.set(word, (counts.get(word) ?? 0) + 1)

/** Characters after which a capital only begins a sentence, a line or a quote. */
const STARTS = /[.!?:;"“‘([\n*|]/
