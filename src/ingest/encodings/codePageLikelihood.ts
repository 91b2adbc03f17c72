import { CODE_PAGES, type CodePage } from "./codePages.ts"

/** The letters beyond ASCII of each language, the most frequent first; and of the west and the east of Europe, for lists of names of many. */
const LANGUAGES = [
  "éüäöáèóàíñçêôßåøæãâëúîïòùõûœìÿ",
  "áéíóąęłěščřžýćśńżźůúťďňőűöüăâîșțđ",
  "éèàêçôùîâûœïëæüÿ",
  "üäößé",
  "óáíéñúü",
  "ãçáéóíêâõúàôü",
  "àèùòìéî",
  "àèéóòíçúïü",
  "ëéïüöèó",
  "øåæéöüä",
  "äöåé",
  "ðáíöþéúóýæ",
  "łąęóżśćńź",
  "áíéěščřžýůúťďňó",
  "áíéúýčžšľťôäňďóĺŕ",
  "áéöóüőíúű",
  "ăâșîțşţ",
  "čšžćđ",
  "ıüşçöğâîû",
  "ėšžįųąčęū",
  "āīēšūņžļčķģ",
  "äõüöšž",
  "ëç",
  "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё",
  "оанивітеускрлдпмязьгбчїхйцжєшюфщґ",
  "аеоитнсрвлкдпмъзгяубчцщйжшхюьф",
  "аоиенстрјукдвпмлгзбшчцжћљњђхфџ",
  "αοιτεσνηυρπκλμςωόίάγδήέύθώχφβξζψϊϋΐΰ",
  "יוהלארתבמשנדקחעפסגםכטזןךצףץ",
  "اليمنرتوبدسعهقفكحةجصشطأخذزضثغىئءإؤظآ",
  "นารอกเ่ง้มีัยลวดทสตคะบปขหจิไชผพแุูซึใโถื็ำณญศษธ์ฟฐภ",
].map((letters) => {
  // A little flatter than Zipf's law, as letters are.
  const weights = [...letters].map((_, rank) => 1 / (rank + letters.length / 6))
  const sum = weights.reduce((a, b) => a + b, 0)
  return new Map([...letters].map((letter, rank) => [letter, Math.log(weights[rank]! / sum)]))
})

/** Natural logarithms of the probability of a character in its context. */
const LIKELY = { frame: -1.5, mark: -2.5, symbol: -5, unusual: -8, wrong: -9, none: -12 }

type Script = "Latin" | "Cyrillic" | "Greek" | "Hebrew" | "Arabic" | "Thai"
const SCRIPTS: ReadonlyArray<readonly [Script, RegExp]> = [
  ["Latin", /\p{Script=Latin}/u],
  ["Cyrillic", /\p{Script=Cyrillic}/u],
  ["Greek", /\p{Script=Greek}/u],
  ["Hebrew", /\p{Script=Hebrew}/u],
  ["Arabic", /\p{Script=Arabic}/u],
  ["Thai", /\p{Script=Thai}/u],
]

const MARKS = /[\u00a0«»“”‘’„‚–—…•€£§°·«»¿¡№]/
const WITHIN_WORDS = /[’‘–—·\u00ad\u00a0]/
const BEGINS_WORDS = /[„‚¿¡«“]/

/** A character, looked at once for each byte of a code page. */
interface Sign {
  readonly character: string
  /** Lower case, as `LANGUAGES` has it. */
  readonly letter: string
  readonly script: Script | undefined
  readonly isUpper: boolean
  readonly isLower: boolean
}

const describeSign = (character: string): Sign => ({
  character,
  letter: character.toLowerCase()[0]!,
  script: /[ªº]/.test(character) ? undefined : SCRIPTS.find(([, letters]) => letters.test(character))?.[0],
  isUpper: /\p{Lu}/u.test(character),
  isLower: /\p{Ll}/u.test(character),
})

const isFrame = ({ character }: Sign) => character >= "\u2500" && character <= "\u259f"
const isAccented = ({ character, script }: Sign) => script === "Latin" && character > "\u007f"
const isBlank = ({ character }: Sign) => character <= " "

/** Beyond ASCII, and neither a letter nor a no-break space. */
const isSymbol = ({ character, script }: Sign) => script === undefined && character > "\u00a0"

/** Frames are drawn of runs of one character; uprights stand alone, corners at the end of a run. */
const ofFrame = (before: Sign, sign: Sign, after: Sign) => {
  const runs = [before, after].some(({ character }) => character === sign.character || /[─═]/.test(character))
  return runs || (/[│║]/.test(sign.character) && [before, after].every((other) => isBlank(other)))
    ? LIKELY.frame
    : LIKELY.wrong
}

/** The likelihood of a character that is no letter. */
const ofSymbol = (before: Sign, sign: Sign, after: Sign): number => {
  if (sign.character === "\ufffd") return LIKELY.none
  if (isFrame(sign)) return ofFrame(before, sign, after)
  const within = before.script !== undefined && after.script !== undefined
  const ends = before.script !== undefined && BEGINS_WORDS.test(sign.character)
  if (within ? !WITHIN_WORDS.test(sign.character) : ends) return LIKELY.wrong
  const alone = ![before, after].some(isSymbol)
  return alone && MARKS.test(sign.character) ? LIKELY.mark : LIKELY.symbol
}

/** Whether no language has a letter beside these two: of two scripts, a capital within a word, three accents. */
const isMisplaced = (before: Sign, sign: Sign, after: Sign): boolean =>
  [before, after].some(({ script }) => script !== undefined && script !== sign.script) ||
  isFrame(before) ||
  isFrame(after) ||
  (sign.isUpper && before.isLower && (after.isLower || after.script === undefined)) ||
  (sign.isLower && before.isUpper && after.isUpper) ||
  (sign.script === "Latin" && isAccented(before) && isAccented(after))

export interface Judged {
  readonly name: string
  /** The sum of the logarithms over all characters beyond ASCII. */
  readonly likelihood: number
}

/** How much less likely each page is than the one listed before it: it decides between few characters. */
const RARER = -0.2

const PAGES = Object.keys(CODE_PAGES) as ReadonlyArray<CodePage>

/** A second language has to explain more than this. */
const SECOND_LANGUAGE = -3

/**
 * How likely the letters of each block are, in the two languages that make them likeliest: a list of clients has names of several.
 */
const ofLanguages = (counts: ReadonlyArray<ReadonlyMap<string, number> | undefined>): number => {
  const blocks = counts.filter((letters) => letters !== undefined)
  const likelihoods = LANGUAGES.map((language) =>
    blocks.map((letters) => {
      let sum = 0
      for (const [letter, count] of letters) sum += count * (language.get(letter) ?? LIKELY.unusual)
      return sum
    }),
  )
  let best = Number.NEGATIVE_INFINITY
  for (const [first, one] of likelihoods.entries()) {
    for (let second = first; second < likelihoods.length; second++) {
      const other = likelihoods[second]!
      let sum = second === first ? 0 : SECOND_LANGUAGE
      for (let block = 0; block < one.length; block++) sum += Math.max(one[block]!, other[block]!)
      if (sum > best) best = sum
    }
  }
  return best
}

/** How likely a text with bytes beyond ASCII at `places` is under one code page. `blocks` has the block of each place. */
const judge = (
  bytes: Uint8Array,
  places: ReadonlyArray<number>,
  blocks: ReadonlyArray<number>,
  page: CodePage,
  rank: number,
): Judged => {
  const signs = Array.from({ length: 256 }, (_, byte) =>
    describeSign(byte < 128 ? String.fromCharCode(byte) : CODE_PAGES[page][byte - 128]!),
  )
  const counts: Array<Map<string, number>> = []
  let sum = RARER * rank
  for (const [index, at] of places.entries()) {
    const sign = signs[bytes[at]!]!
    const before = signs[bytes[at - 1] ?? 32]!
    const after = signs[bytes[at + 1] ?? 32]!
    if (sign.script === undefined) sum += ofSymbol(before, sign, after)
    else if (isMisplaced(before, sign, after)) sum += LIKELY.wrong
    else {
      const inBlock = (counts[blocks[index]!] ??= new Map<string, number>())
      inBlock.set(sign.letter, (inBlock.get(sign.letter) ?? 0) + 1)
    }
  }
  return { name: page, likelihood: sum + ofLanguages(counts) }
}

const MAX_BLOCKS = 64

/** Lines with a byte beyond ASCII are blocks of their own, or some of them together. */
const divideIntoBlocks = (bytes: Uint8Array, places: ReadonlyArray<number>): ReadonlyArray<number> => {
  let line = 0
  const lines = places.map((at, index) => {
    if (index > 0 && bytes.subarray(places[index - 1], at).includes(0x0a)) line++
    return line
  })
  const size = Math.ceil((line + 1) / MAX_BLOCKS)
  return lines.map((each) => Math.floor(each / size))
}

/** How likely a text is under each code page, whose bytes beyond ASCII are at `places`. */
export const judgePages = (bytes: Uint8Array, places: ReadonlyArray<number>): ReadonlyArray<Judged> => {
  const blocks = divideIntoBlocks(bytes, places)
  return PAGES.map((page, rank) => judge(bytes, places, blocks, page, rank))
}
