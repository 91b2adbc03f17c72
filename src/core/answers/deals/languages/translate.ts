import type { KnownName } from "../names.ts"
import { FRENCH } from "./french.ts"
import { GERMAN } from "./german.ts"
import { SPANISH } from "./spanish.ts"

/** The words of a language that questions about numbers use, with the English words of the same slots. */
export interface Lexicon {
  /** Words that only this language has, by which a question shows its language. */
  readonly signs: string
  /** Replacements of parts of words, before the others. */
  readonly elisions?: ReadonlyArray<readonly [pattern: string, replacement: string]>
  /** Patterns of whole words, the longest phrases first, and their English. */
  readonly words: ReadonlyArray<readonly [pattern: string, english: string]>
}

const LEXICONS: ReadonlyArray<Lexicon> = [GERMAN, SPANISH, FRENCH]

/** Words that only English has. */
const ENGLISH =
  "what|how|the|our|we|of|by|which|is|are|did|do|does|for|and|last|this|who|why|show|many|much|deals?|win|won|lost|lose|to|with|than|over|rate|have|has"

const whole = (pattern: string) => new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${pattern})(?![\p{L}\p{N}])`, "giu")

const english = whole(ENGLISH)

const compiled = LEXICONS.map(({ signs, words, elisions = [] }) => ({
  signs: whole(signs),
  elisions: elisions.map(([pattern, replacement]) => [new RegExp(pattern, "giu"), replacement] as const),
  words: words.map(([pattern, english]) => [whole(pattern), english] as const),
}))

/** Stands for the name with that number while the other words are translated. */
const placeholder = (index: number) => String.fromCodePoint(0xe000 + index)
/** Private characters that Unicode has in one block. */
const MAX_NAMES = 6000

/** Translates the words of a German, Spanish or French question into those of an English one. Names stay as they are. */
export const translate = (question: string, known: ReadonlyArray<KnownName>): string => {
  const language = compiled
    .map((lexicon) => ({ lexicon, signs: question.match(lexicon.signs)?.length ?? 0 }))
    .toSorted((a, b) => b.signs - a.signs)[0]
  if (language === undefined || language.signs <= (question.match(english)?.length ?? 0)) return question
  const lower = question.toLowerCase()
  const names = known
    .map(({ name }) => name)
    .filter((name) => name.length > 1 && lower.includes(name.toLowerCase()))
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_NAMES)
  let text = question
  for (const [index, name] of names.entries())
    text = text.replaceAll(whole(name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)), placeholder(index))
  for (const [pattern, replacement] of language.lexicon.elisions) text = text.replaceAll(pattern, replacement)
  for (const [pattern, english] of language.lexicon.words) text = text.replaceAll(pattern, english)
  for (const [index, name] of names.entries()) text = text.replaceAll(placeholder(index), name)
  return text.replaceAll(/\s+/g, " ").trim()
}
