/** Number words of English, German, French and Spanish. */

const words = (text: string) => text.trim().split(/\s+/)

const countFrom = (first: number, step: number, text: string) =>
  words(text).map((word, n) => [word, first + n * step] as const)

const ATOMS: ReadonlyMap<string, number> = new Map([
  ...countFrom(
    2,
    1,
    `two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen`,
  ),
  ...countFrom(20, 10, "twenty thirty forty fifty sixty seventy eighty ninety"),
  ...countFrom(
    2,
    1,
    `zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn`,
  ),
  ...countFrom(20, 10, "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig"),
  ...countFrom(2, 1, "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"),
  ...countFrom(20, 10, "vingt trente quarante cinquante soixante septante huitante nonante"),
  ...countFrom(
    2,
    1,
    `dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve
    veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve`,
  ),
  ...countFrom(30, 10, "treinta cuarenta cincuenta sesenta setenta ochenta noventa"),
  ...countFrom(
    200,
    100,
    "doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos",
  ),
  ...words("dozen dutzend douzaine docena").map((word) => [word, 12] as const),
  ...words("hundred hundert cent cents cien ciento").map((word) => [word, 100] as const),
  ...words("thousand tausend mille mil").map((word) => [word, 1000] as const),
  ["vingts", 20],
  // Between parts of a word: "fünfundzwanzig".
  ["und", 0],
  ...words("ein one un une uno una").map((word) => [word, 1] as const),
])

/** Words that mean something else in another language, with a sign that the text is in theirs. */
const FOREIGN: ReadonlyMap<string, RegExp> = new Map([
  ["once", /\b(?:el|los|las|del|una?|por|con|meses|semanas|días)\b/iu],
  ["dos", /\b(?:el|los|las|del|una?|por|con|años|meses|semanas|días)\b/iu],
  ["cent", /\b(?:les|des|du|une?|pour|avec|ans|mois)\b/iu],
  ["cents", /\b(?:les|des|du|une?|pour|avec|ans|mois)\b/iu],
  ["sept", /\b(?:les|des|du|une?|pour|avec|ans|mois|semaines|jours)\b/iu],
])

const alternatives = (all: Iterable<string>) => [...all].toSorted((a, b) => b.length - a.length).join("|")

/** Without the words for one, which are articles and pronouns more often. */
const ATOM = alternatives([...ATOMS].filter(([, value]) => value > 1).map(([word]) => word))
const TENS = alternatives([...ATOMS].filter(([, value]) => value >= 20 && value < 100).map(([word]) => word))
const BIG = alternatives([...ATOMS].filter(([, value]) => value >= 100).map(([word]) => word))
const FIRST = String.raw`(?:ein(?=und|hundert|tausend)|${ATOM})`
/** "fifty-nine", "fünfundzwanzig", "three hundred and forty", "treinta y cuatro". */
const NEXT = [
  String.raw`(?:-|und)?(?:${ATOM}|ein(?=und))`,
  String.raw`(?<=${TENS})(?:-|\s(?:et|y)\s)(?:one|une?|un[ao])`,
  String.raw`\s(?:${BIG})`,
  String.raw`(?<=${BIG})\s(?:and\s)?(?:${ATOM})`,
  String.raw`(?<=${TENS})\s(?:et|y)\s(?:${ATOM})`,
].join("|")

/** A pattern of numbers in words, to be used with `i` and `u`. */
export const NUMBER_WORDS_PATTERN = String.raw`(?<!\p{L})${FIRST}(?:${NEXT})*(?!\p{L})`

const EACH = new RegExp(alternatives(ATOMS.keys()), "giu")

/** The number that a match of `NUMBER_WORDS_PATTERN` writes; undefined if its word means something else in this text. */
export const readNumberWords = (match: string, text: string): number | undefined => {
  const lower = match.toLowerCase()
  if (FOREIGN.get(lower)?.test(text) === false) return undefined
  let total = 0
  let current = 0
  for (const [atom] of lower.matchAll(EACH)) {
    const value = ATOMS.get(atom) ?? 0
    if (value >= 1000) {
      total += (current === 0 ? 1 : current) * value
      current = 0
    } else if (value === 20 && current % 100 === 4) {
      // "Quatre-vingts".
      current += 76
    } else if (value === 100) current = (current === 0 ? 1 : current) * value
    else current += value
  }
  return total + current
}
