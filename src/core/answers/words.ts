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

/** Words and numbers of prose: `don't` and `1,200.50` are one each, `re-use` is two. The `¹` of `1,200¹` belongs to neither. */
export const proseTokens = tokenize(/\p{Nd}[\p{Nd}.,]*(?<=\p{Nd})|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu)

/** Words of names, which keep their signs: `AT&T`, `v2.0`, `re-use`. */
export const nameTokens = tokenize(/[\p{L}\p{N}][\p{L}\p{N}'&.-]*/gu)

/** Runs of letters and digits, as PostgreSQL's text search splits a text: `don't` is two. */
export const searchTokens = tokenize(/[\p{L}\p{Nd}]+/gu)

/** Whether the text has a letter or a digit. */
export const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** Replaces typographic apostrophes by the one on a keyboard. Keeps every offset. */
export const straightenApostrophes = (text: string): string => text.replaceAll(/[’‘]/g, "'")

/** By value, from 0. */
export const NUMBER_WORDS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  )
/** From 20. */
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ")

const BELOW_HUNDRED = String.raw`(?:${TENS.join("|")})(?:[ -](?:${NUMBER_WORDS.slice(1, 10).join("|")}))?|${NUMBER_WORDS.slice(1).toReversed().join("|")}`
/** A pattern of numbers from 1 to 1,999 in words: "ninety", "twenty-five", "a hundred and twenty". */
export const COUNT_WORDS = String.raw`(?:(?:an? |(?:${BELOW_HUNDRED}) )?hundred(?: and (?:${BELOW_HUNDRED}))?|${BELOW_HUNDRED})`

/** The value of a number in digits, or in words as `COUNT_WORDS` has them; NaN if it is neither. */
export const parseCount = (text: string): number => {
  if (/^\p{N}/u.test(text)) return Number(text.replaceAll(",", ""))
  if (/^an?$/.test(text)) return 1
  let value = 0
  for (const word of text.split(/[\s-]+/)) {
    const tens = TENS.indexOf(word)
    const small = NUMBER_WORDS.indexOf(word)
    if (word === "hundred") value = (value === 0 ? 1 : value) * 100
    else if (tens >= 0) value += (tens + 2) * 10
    else if (small > 0) value += small
    else if (!/^(?:an?|and)$/.test(word)) return NaN
  }
  return value
}

/** The number that a word writes, in one spelling: `1,200.50` is `1200.5`, `seven` is `7`. `one` is a pronoun more often than a number. */
export const parseNumber = (word: string): string | undefined => {
  if (!/^\p{N}/u.test(word)) {
    const value = parseCount(word)
    return value >= 2 ? String(value) : undefined
  }
  const plain = word.replaceAll(/,(?=\d{3}(?:\D|$))/g, "")
  return /^\d+\.\d+$/.test(plain) ? plain.replace(/\.?0+$/, "") : plain
}

/** Removes the endings that change a word's role in its sentence and not its meaning. */
export const findStem = (word: string): string => {
  if (word.length <= 3) return word
  const stem = word
    .replace(/ies$/, "y")
    .replace(/(?<=[a-z]{3})(?:ingly|edly|ing|ed|ly)$/, "")
    .replace(/(?<=s|x|z|ch|sh)es$/, "")
    .replace(/(?<=[^su])s$/, "")
  return stem.replace(/([bdfgmnprt])\1$/, "$1").replace(/(?<=[a-z]{3})e$/, "")
}

const splitWords = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

const DENIALS: ReadonlySet<string> = new Set(splitWords("not no never none neither nor without cannot nobody nothing"))

/** Words that mean nothing in any text. */
const FUNCTION_WORDS = splitWords(`
  a about against all also an and any are as at be because been being but by can could did do does during each every for
  from had has have how i in into is it its just many me much must of on one only or our out over overall own so still
  than that the their them then there these they this those to together up us was we were what when where which who whose
  will with would you your`)

/** Words that mean nothing in a claim, with those that only join one sentence to another. */
export const CLAIM_STOP_WORDS: ReadonlySet<string> = new Set([
  ...FUNCTION_WORDS,
  ...DENIALS,
  ...splitWords(`
  above according across additionally after again although among another before below between both doing down either etc
  even few finally first further furthermore having he hence her here hers him his however if instead itself last lastly
  likewise may meanwhile might more moreover most my nevertheless next off once other per rather same second shall she
  should similarly since some specifically such summary therefore third though through thus too under until upon very via
  whereas whether while whom why within yes yet`),
])

/**
 * Words that mean nothing in a question about deals: the closed classes (determiners, pronouns, auxiliaries, prepositions, conjunctions),
 * units of money, and the words of asking itself. Any other word that no pattern reads makes the reading uncertain. "Not", "before",
 * "each" and "more" do mean something.
 */
export const QUESTION_STOP_WORDS: ReadonlySet<string> = new Set([
  ...FUNCTION_WORDS.filter((word) => !["each", "every", "still", "overall", "together", "own"].includes(word)),
  ...splitWords(`
  ours me he she his her one's s we've we're we'd i'd i'm i've it's that's who's what's let's don't should both got versus vs although though
  despite while usd eur gbp dollars euros pounds
  get give list name show tell find see look pull know wonder wondering please thanks thank hey hi hello ok okay well
  actually basically really just quick quickly again currently now today ever yet already right`),
])
