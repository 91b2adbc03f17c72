import { replaceCountry, toLowerCase } from "../../QuestionReader.ts"
import { makeIndex } from "../nameIndex.ts"
import type { KnownName } from "../names.ts"
import { IDIOMS, LINKS } from "./english.ts"
import { FRENCH } from "./french.ts"
import { GERMAN } from "./german.ts"
import type { Lexicon } from "./lexicon.ts"
import { SPANISH } from "./spanish.ts"

const LEXICONS: ReadonlyArray<Lexicon> = [GERMAN, SPANISH, FRENCH]

/** Words that only English has. */
const ENGLISH =
  "what|how|the|our|we|of|by|which|is|are|did|do|does|for|and|last|this|who|why|show|many|much|deals?|win|won|lost|lose|to|with|than|over|rate|have|has"

const whole = (pattern: string, flags = "giu") =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${pattern})(?![\p{L}\p{N}])`, flags)

const english = whole(ENGLISH)

const compiled = LEXICONS.map(({ signs, words, elisions = [] }) => ({
  signs: whole(signs),
  elisions: elisions.map(([pattern, replacement]) => [new RegExp(pattern, "giu"), replacement] as const),
  words: words.map(([pattern, english]) => [whole(pattern), english] as const),
}))

/** Stands for the name with that number while the other words are translated. */
const placeholder = ({ kind }: KnownName, index: number) =>
  String.fromCodePoint((kind === "competitor" ? FIRST_RIVAL : FIRST_OTHER) + index)
/** Private characters of Unicode: competitors have a range of their own, so that idioms know them. */
const [FIRST_RIVAL, FIRST_OTHER] = [0xe000, 0xf000]
const MAX_NAMES = 2000
/** Stands for "US", which idioms would read as the pronoun. */
const COUNTRY = "\uf8ff"

const links = LINKS.map(([pattern, replacement]) => [whole(pattern, "gu"), replacement] as const)
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

/** Replaces the linking verbs. Their case must match: "US" is a country. */
export const replaceLinks = (question: string): string =>
  links.reduce((text, [pattern, replacement]) => text.replaceAll(pattern, replacement), question)

/** Puts a question in the English words that the parser reads, from German, Spanish, French or the idioms of sales. Names stay as they are. */
export const translate = (question: string, known: ReadonlyArray<KnownName>): string => {
  const lexicon = chooseLexicon(question)
  const lower = question.toLowerCase()
  const names = makeIndex(known)
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
  for (const [pattern, replacement] of lexicon?.elisions ?? []) text = text.replaceAll(pattern, replacement)
  for (const [pattern, english] of lexicon?.words ?? []) text = text.replaceAll(pattern, english)
  for (const [pattern, replacement] of idioms) text = text.replaceAll(pattern, replacement)
  for (const [index, each] of names.entries()) text = text.replaceAll(placeholder(each, index), each.name)
  return text.replaceAll(COUNTRY, "US").replaceAll(/\s+/g, " ").trim()
}
