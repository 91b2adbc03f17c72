/** The word model of answers: how a text splits into words, what a word's stem and number are, and which words mean nothing. */

export interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
}

const tokenize =
  (pattern: RegExp) =>
  (text: string): ReadonlyArray<Token> =>
    [...text.matchAll(pattern)].map(({ 0: word, index }) => ({ text: word, start: index, end: index + word.length }))

/** Words and numbers of prose: `don't` and `1,200.50` are one each, `re-use` is two. */
export const proseTokens = tokenize(/\p{N}[\p{N}.,]*(?<=\p{N})|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu)

/** Words of names, which keep their signs: `AT&T`, `v2.0`, `re-use`. */
export const nameTokens = tokenize(/[\p{L}\p{N}][\p{L}\p{N}'&.-]*/gu)

/** Runs of letters and digits, as PostgreSQL's text search splits a text: `don't` is two. */
export const searchTokens = tokenize(/[\p{L}\p{N}]+/gu)

/** Whether the text has a letter or a digit. */
export const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** Replaces typographic apostrophes by the one on a keyboard. Keeps every offset. */
export const straightenApostrophes = (text: string): string => text.replaceAll(/[’‘]/g, "'")

/** By value, from 0. */
export const NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ")

/** The number that a word writes, in one spelling: `1,200.50` is `1200.5`, `seven` is `7`. `one` is a pronoun more often than a number. */
export const numberOf = (word: string): string | undefined => {
  if (!/^\p{N}/u.test(word)) {
    const value = NUMBER_WORDS.indexOf(word)
    return value < 2 ? undefined : String(value)
  }
  const plain = word.replaceAll(/,(?=\d{3}(?:\D|$))/g, "")
  return /^\d+\.\d+$/.test(plain) ? plain.replace(/\.?0+$/, "") : plain
}

/** Removes the endings that change a word's role in its sentence and not its meaning. */
export const stemOf = (word: string): string => {
  if (word.length <= 3) return word
  const stem = word
    .replace(/ies$/, "y")
    .replace(/(?<=[a-z]{3})(?:ingly|edly|ing|ed|ly)$/, "")
    .replace(/(?<=s|x|z|ch|sh)es$/, "")
    .replace(/(?<=[^su])s$/, "")
  return stem.replace(/([bdfgmnprt])\1$/, "$1").replace(/(?<=[a-z]{3})e$/, "")
}

const listOf = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

const DENIALS: ReadonlySet<string> = new Set(listOf("not no never none neither nor without cannot nobody nothing"))

/** Whether a word, in lower case, denies the sentence it is in. */
export const isDenial = (word: string): boolean => DENIALS.has(word) || word.endsWith("n't")

/** Words that mean nothing in any text. */
const FUNCTION_WORDS = listOf(`
  a about against all also an and any are as at be because been being but by can could did do does during each every for
  from had has have how i in into is it its just many me much must of on one only or our out over overall own so still
  than that the their them then there these they this those to together up us was we were what when where which who whose
  will with would you your`)

/** Words that mean nothing in a claim, with those that only join one sentence to another. */
export const CLAIM_STOP_WORDS: ReadonlySet<string> = new Set([
  ...FUNCTION_WORDS,
  ...DENIALS,
  ...listOf(`
  above according across additionally after again although among another before below between both doing down either etc
  even few finally first further furthermore having he hence her here hers him his however if instead itself last lastly
  likewise may meanwhile might more moreover most my nevertheless next off once other per rather same second shall she
  should similarly since some specifically such summary therefore third though through thus too under until upon very via
  whereas whether while whom why within yes yet`),
])

/** Words that mean nothing in a question about deals. "Not", "before", "each" and "more" do mean something there. */
export const QUESTION_STOP_WORDS: ReadonlySet<string> = new Set([
  ...FUNCTION_WORDS.filter((word) => word !== "each" && word !== "every"),
  ...listOf(`
  currently ever far get give list name names now ours please right show tell find time today happened happen ended end result
  results go went gone come came make made own owned owns versus vs involving involved involve involves featuring business sales
  usd eur gbp dollars euros pounds me he she his her hey hi hello ok okay so well actually basically really kind sort bit quick
  quickly just thanks thank need want like know wonder wondering see look pull run figure figures numbers stats data using say
  going doing looking selling sell sold work works worked wise perform performs performed performing performance stack overall
  s we've we're we'd i'd i'm i've it's that's who's what's let's don't should sitting sit stuck still both play although though
  when despite while depend depends hinge hinges need needs require requires right again number one's
  yet already got
  face facing meet met encounter compete competes competing run comes belong belongs sits mainly mostly usually generally`),
])
