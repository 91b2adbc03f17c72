import { replaceCountry, toLowerCase } from "../../QuestionReader.ts"
import { makeIndex, type NameIndex } from "../names/nameIndex.ts"
import { isOrdinary } from "../names/foundNames.ts"
import type { KnownName } from "../words/names.ts"
import { SHARED } from "./english.ts"
import { DEAL_IDIOMS } from "./dealIdioms.ts"
import { FEEDBACK_IDIOMS } from "./feedbackIdioms.ts"
import type { Idiom } from "./idiomParts.ts"
import { NUMBER_IDIOMS } from "./numberIdioms.ts"
import { RIVAL_IDIOMS } from "./rivalIdioms.ts"
import { FRENCH } from "./french.ts"
import { GERMAN } from "./german.ts"
import type { Lexicon } from "./lexicon.ts"
import { NEIGHBOURS } from "./months.ts"
import { SPANISH } from "./spanish.ts"

const LEXICONS: ReadonlyArray<Lexicon> = [GERMAN, SPANISH, FRENCH]

/** Words that only English has. */
const ENGLISH =
  "what|how|the|our|we|of|by|which|is|are|did|do|does|for|and|last|this|who|why|show|many|much|won|lost|lose|to|with|than|over|have|has|from|per|please|since|then|most|each|its|their|they|you|your|that|those|these|there|when|where|it|been|were|can|could|would|without|between|against|not"

const whole = (pattern: string, flags = "giu") =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${pattern})(?![\p{L}\p{N}])`, flags)

const english = whole(ENGLISH)

const compiled = LEXICONS.map(({ signs, words, elisions = [], facts = [], hasCapitalNouns = false }) => ({
  hasCapitalNouns,
  signs: whole(signs),
  elisions: elisions.map(([pattern, replacement]) => [new RegExp(pattern, "giu"), replacement] as const),
  words: [...facts, ...NEIGHBOURS, ...words].map(([pattern, english]) => [whole(pattern), english] as const),
}))

/** Stands for the name with that number while the other words are translated. */
const placeholder = ({ kind }: KnownName, index: number) =>
  String.fromCodePoint((kind === "competitor" ? FIRST_RIVAL : FIRST_OTHER) + index)
/** Private characters of Unicode: competitors have a range of their own, so that idioms know them. */
const [FIRST_RIVAL, FIRST_OTHER] = [0xe000, 0xf000]
const MAX_NAMES = 2000
/** Stands for "US", which idioms would read as the pronoun. */
const COUNTRY = "\uf8ff"

const shared = SHARED.map(([pattern, replacement]) => [whole(pattern, "gu"), replacement] as const)
/**
 * Phrases of people in sales, in the words that the parser reads. Each keeps the meaning: a phrase that only resembles a known one
 * stays as it is, and is refused.
 */
const IDIOMS: ReadonlyArray<Idiom> = [...FEEDBACK_IDIOMS, ...DEAL_IDIOMS, ...RIVAL_IDIOMS, ...NUMBER_IDIOMS]

const idioms = IDIOMS.map(([pattern, replacement]) => [whole(pattern), replacement] as const)

/** Stages that are named by their outcome alone are words of questions. */
const OUTCOME = /^(?:won|lost|open)$/i
const PRIVATE = /[\ue000-\uf8ff]/g

/** The lexicon of the language that a question is in; undefined for English. */
const chooseLexicon = (question: string) => {
  const [likeliest] = compiled
    .map((lexicon) => ({ lexicon, signs: question.match(lexicon.signs)?.length ?? 0 }))
    .toSorted((a, b) => b.signs - a.signs)
  return likeliest !== undefined && likeliest.signs > (question.match(english)?.length ?? 0)
    ? likeliest.lexicon
    : undefined
}

export const isEnglish = (question: string): boolean => chooseLexicon(question) === undefined

/** The question in the words that the network reads: with few phrases replaced, or put from another language into English by its lexicon. */
export const putInEnglish = (question: string, known: ReadonlyArray<KnownName>): string => {
  const lexicon = chooseLexicon(question)
  // Their case must match: "US" is a country.
  if (lexicon === undefined) return replaceEach(question, shared)
  // German nouns are no names.
  return keepNames(question, known, (text) => putWords(lexicon.hasCapitalNouns ? text.toLowerCase() : text, lexicon))
}

/** Puts a question in the English words that the parser reads, from German, Spanish, French or the idioms of sales. Names stay as they are. */
export const translate = (question: string, known: ReadonlyArray<KnownName>): string => {
  const lexicon = chooseLexicon(question)
  return keepNames(question, known, (text) =>
    replaceEach(lexicon === undefined ? text : putWords(text, lexicon), idioms),
  )
}

type Replacements = ReadonlyArray<readonly [pattern: RegExp, replacement: string]>

const replaceEach = (text: string, replacements: Replacements): string =>
  replacements.reduce((replaced, [pattern, replacement]) => {
    const next = replaced.replaceAll(pattern, replacement)
    // Phrases have single spaces between their words.
    return replacement === "" && next !== replaced ? next.replaceAll(/ {2,}/g, " ").trimStart() : next
  }, text)

const putWords = (text: string, { elisions, words }: (typeof compiled)[number]): string =>
  replaceEach(replaceEach(text, elisions), words)

/** Words of one question that are sought as parts of names. */
const MAX_PARTS = 100
const WORD = /(?<![\p{L}\p{N}'’-])\p{L}{3,}(?=(?:['’]s?)?(?![\p{L}\p{N}'’-]))/gu

/** A word that means one person or competitor: "Elif", "brixen". */
const onePartOf = (said: string, index: NameIndex): KnownName | undefined => {
  const word = said.toLowerCase()
  const [name, ...others] = index.withPart(word)
  const isMeant = name !== undefined && others.length === 0 && (name.kind === "owner" || name.kind === "competitor")
  return isMeant && !isOrdinary(name, word, said, "") ? name : undefined
}

/** Changes a question but for its names. */
const keepNames = (question: string, known: ReadonlyArray<KnownName>, change: (text: string) => string): string => {
  const lower = question.toLowerCase()
  const index = makeIndex(known)
  const names = index
    .namesIn(toLowerCase(question))
    .filter(({ name }) => name.length > 1 && lower.includes(name.toLowerCase()) && !OUTCOME.test(name))
    .toSorted((a, b) => b.name.length - a.name.length)
    .slice(0, MAX_NAMES)
  let text = replaceCountry(question.replaceAll(PRIVATE, " "), COUNTRY)
  for (const [index, each] of names.entries()) {
    const { name } = each
    // A name as short as "US" looks like an ordinary word, so its case must match.
    text = text.replaceAll(
      whole(name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), name.length <= 3 ? "gu" : "giu"),
      placeholder(each, index),
    )
  }
  const parts: Array<readonly [mark: string, said: string]> = []
  text = text.replaceAll(WORD, (said) => {
    const name = parts.length < MAX_PARTS ? onePartOf(said, index) : undefined
    if (name === undefined) return said
    const mark = placeholder(name, names.length + parts.length)
    parts.push([mark, said])
    return mark
  })
  text = change(text)
  for (const [mark, said] of parts) text = text.replaceAll(mark, said)
  for (const [index, each] of names.entries()) text = text.replaceAll(placeholder(each, index), each.name)
  return text.replaceAll(COUNTRY, "US").replaceAll(/\s+/g, " ").trim()
}
