import { proseTokens, straightenApostrophes } from "../words.ts"
import { type Value, findValues } from "./values.ts"
import { canonical, isCommon, isLight, isStopWord, lacks, namePhrases, negates } from "./vocabulary.ts"

/** How often each word occurs. */
export type Counts = ReadonlyMap<string, number>

/** A word that means something, by its group or stem. Offsets are in the profile's text. */
interface Word {
  readonly word: string
  readonly start: number
  readonly end: number
}

/** The statements in the words of a text, for comparing a claim with its evidence. */
export interface Profile {
  readonly text: string
  /** The words that carry meaning, each by the name of its group of synonyms, else by its stem. Without values. */
  readonly stems: ReadonlySet<string>
  /** Those that carry little: a claim need not share them with its evidence. */
  readonly light: ReadonlySet<string>
  /** Both, in order. */
  readonly words: ReadonlyArray<Word>
  readonly values: ReadonlyArray<Value>
  /** Capitalised words, in lower case. */
  readonly capitalised: ReadonlySet<string>
  /** The same, with their number. A text without capitals does not distinguish names: then every word. */
  readonly capitals: Counts
  /** Words, in lower case, whose capital only a name explains. */
  readonly names: ReadonlySet<string>
  /** The capitalised words that begin a sentence, as in `stems`: each may be a name. */
  readonly openers: ReadonlySet<string>
  /** Each two adjacent words of a longer name: `denver broncos`. */
  readonly pairs: Counts
  /** Capitalised words without another one beside them. */
  readonly single: ReadonlySet<string>
  readonly denies: boolean
}

const GERMAN =
  /\b(?:der|die|das|und|ist|nicht|mit|von|für|bei|im|dem|den|des|ein|eine|einer|zu|zur|pro|wir|kein|keine|hat|am|auf|aus|nach|seit|bis|um|über|sich)\b|[äöüß]/giu
const OTHERS = /\b(?:the|of|and|is|to|at|by|le|la|les|et|est|pour|el|los|por|con)\b/giu

const isInGerman = (text: string) => (text.match(GERMAN)?.length ?? 0) > 2 * (text.match(OTHERS)?.length ?? 0)

/** Words after which a capital makes a German noun, not a name: articles, numbers and adjectives. */
const BEFORE_NOUNS =
  /(?:^|[\s(])(?:d(?:er|ie|as|en|em|es)|(?:[kK]?[eE]in|[uU]nser|[iI]hr|[sS]ein|[mM]ein)(?:e[rnms]?)?|kein\p{Ll}*|i(?:m|ns)|a(?:m|ns)|zu[mr]|vom|beim|pro|je|als|\p{Ll}{3,}e[nrms]?|[\d.,]*\d)[\s-]$/u
/** A German noun may follow these bare: "für Einrichtung", "ohne Nachlass". */
const NOUN_ENDING = /(?:ung|ungen|heit|keit|schaft|tion|tionen|tät|zeit|preis|kosten|gebühr)$/u

/** "ARR", "CEO". */
const ACRONYM = /^\p{Lu}{2,}$/u
/** "Mindestlaufzeit". */
const MINIMUM = /^mindest\p{L}{4}/u

/** A verb or gerund that opens a sentence: "Perdimos", "Keeping". */
const VERB = /(?:[aei]mos|ing)$/u

/** Characters after which a capital only begins a sentence, a line or a quote. */
const STARTS = /[.!?:;"“‘([\n*|•]/

type Token = ReturnType<typeof proseTokens>[number]

interface Before {
  readonly capital: string
  readonly name: string
  readonly end: number
  readonly possessive: boolean
}

type Look = ReturnType<typeof readWord>

/** The kind of a word, how it is written, and whether it follows a word directly. */
const readWord = (text: string, token: Token, word: string, before: Before, isGerman: boolean) => {
  const { start, end } = token
  const kind = negates(word) || lacks(word) ? "stop" : classify(word)
  const between = text.slice(before.end, start)
  const isCapital = /^\p{Lu}/u.test(token.text)
  const opens = before.end === 0 || STARTS.test(between)
  return {
    kind,
    isCapital,
    opens,
    isName: isCapital && !(opens && kind !== "stem"),
    isOrdinary: isCommon(canonical(word)),
    follows: between === " " && !before.possessive,
    isNoun:
      isGerman &&
      !/^-\p{Lu}/u.test(text.slice(end)) &&
      isGermanNoun(token.text, word, text.slice(Math.max(0, start - 24), start)),
  }
}

/** Whether a word with a capital may be a name that opens a sentence, or is one inside of it. `name` may be a part of a longer one. */
const judgeName = ({ isName, opens, isNoun, isOrdinary }: Look, token: Token, word: string, text: string) => {
  if (!isName) return { isOpener: false, isProper: false, name: "" }
  const isVerb = opens && VERB.test(word) && !/^\s\p{Lu}/u.test(text.slice(token.end))
  return {
    isOpener: opens && !isVerb,
    isProper: !opens && !isNoun && !(isOrdinary && ACRONYM.test(token.text)),
    name: !(isOrdinary && (opens || isNoun)) && /\p{Ll}/u.test(token.text) ? word : "",
  }
}

export const makeProfile = (written: string): Profile => {
  const text = namePhrases(written)
  const isGerman = isInGerman(text)
  const [stems, light, names, openers, single] = Array.from({ length: 5 }, () => new Set<string>()) as [
    Set<string>,
    Set<string>,
    Set<string>,
    Set<string>,
    Set<string>,
  ]
  const [every, capitals, pairs] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()]
  const words: Array<Word> = []
  const values = findValues(text)
  let [isDenied, isLacking] = [false, false]
  let before: Before = { capital: "", name: "", end: 0, possessive: false }
  for (const token of tokenize(text)) {
    const { start, end } = token
    const lower = straightenApostrophes(token.text.toLowerCase())
    const word = lower.replace(/'s?$/, "")
    count(every, word)
    isDenied ||= negates(word)
    isLacking ||= lacks(word)
    if (values.some((value) => start >= value.start && end <= value.end)) continue
    const look = readWord(text, token, word, before, isGerman)
    const { kind, isCapital, follows, isNoun } = look
    if (kind !== "stop") {
      const set = kind === "light" ? light : stems
      const stem = canonical(word)
      set.add(stem)
      if (MINIMUM.test(word)) stems.add("minimum")
      words.push({ word: stem, start, end })
    }
    if (isCapital) {
      count(capitals, word)
      if (follows && before.capital !== "") single.delete(before.capital)
      else single.add(word)
    }
    const { isOpener, isProper, name } = judgeName(look, token, word, text)
    if (isOpener) openers.add(canonical(word))
    else if (isProper) names.add(word)
    if (name !== "" && before.name !== "" && follows) {
      count(pairs, `${before.name} ${name}`)
      // Two nouns side by side are a name in German, too.
      if (isNoun) names.add(name)
    }
    const possessive = lower.endsWith("'s") || token.text.endsWith("'")
    before = { capital: isCapital ? word : "", name, end, possessive }
  }
  return {
    text,
    stems,
    light,
    words,
    values,
    capitalised: new Set(capitals.keys()),
    capitals: capitals.size === 0 ? every : capitals,
    names,
    openers,
    pairs,
    single,
    // "Nothing is missing."
    denies: isDenied !== isLacking,
  }
}

/** Words, without the French and Spanish articles that an apostrophe joins to them: "l'offre". */
const tokenize = (text: string): ReadonlyArray<Token> =>
  proseTokens(text).flatMap((token) => {
    const [article = ""] = /^(?:[cdjlmnst]|qu|jusqu)['’](?=\p{L})/iu.exec(token.text) ?? []
    if (article === "") return [token]
    const at = token.start + article.length
    const first = { text: article.slice(0, -1), start: token.start, end: at }
    return [first, { text: token.text.slice(article.length), start: at, end: token.end }]
  })

const classify = (word: string): "stem" | "light" | "stop" =>
  word.length < 2 || isStopWord(word) ? "stop" : isLight(word) ? "light" : "stem"

const isGermanNoun = (written: string, word: string, before: string): boolean =>
  isCommon(canonical(word)) || NOUN_ENDING.test(word) || (BEFORE_NOUNS.test(before) && !/^\p{Lu}+$/u.test(written))

const count = (counts: Map<string, number>, word: string) => counts.set(word, (counts.get(word) ?? 0) + 1)
