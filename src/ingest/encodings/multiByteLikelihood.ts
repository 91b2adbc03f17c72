import type { Judged } from "./codePageLikelihood.ts"

/**
 * Natural logarithms of the probability of a character, by the row of its encoding's table: the common characters are in the first rows.
 * Texts have some 9.5 bits a Chinese character, 8.5 a Korean syllable.
 */
const LIKELY = { kana: -4, sign: -4.5, halfKana: -5.5, syllable: -6, common: -6.6, rare: -11, extension: -14 }

/** The likelihood of a character of two bytes. */
type Rows = (lead: number, trail: number) => number

const between = (value: number, first: number, last: number) => value >= first && value <= last

/** The rows of a table of 94 x 94 characters, whose bytes both begin at 0xa1. */
const ofRows =
  (common: readonly [number, number], rare: readonly [number, number], other: Rows): Rows =>
  (lead, trail) =>
    trail < 0xa1
      ? LIKELY.extension
      : between(lead - 0xa0, ...common)
        ? LIKELY.common
        : between(lead - 0xa0, ...rare)
          ? LIKELY.rare
          : other(lead, trail)

const japanese: Rows = (lead) =>
  lead === 0xa4 || lead === 0xa5 ? LIKELY.kana : lead <= 0xa3 ? LIKELY.sign : LIKELY.extension

/** The lead and trail bytes of Shift_JIS as those of EUC-JP. */
const shiftJis: Rows = (lead, trail) => {
  const row = ((lead < 0xa0 ? lead - 0x81 : lead - 0xc1) << 1) + (trail >= 0x9f ? 2 : 1)
  return row > 94 ? LIKELY.extension : eucJp(row + 0xa0, 0xa1)
}

const eucJp = ofRows([16, 47], [48, 84], japanese)

const gb18030 = ofRows([16, 55], [56, 87], (lead) =>
  lead === 0xa1 || lead === 0xa3 ? LIKELY.sign : lead <= 0xa9 ? LIKELY.rare : LIKELY.extension,
)

const eucKr: Rows = (lead, trail) =>
  trail < 0xa1
    ? LIKELY.extension
    : between(lead, 0xb0, 0xc8)
      ? LIKELY.syllable
      : lead === 0xa1 || lead === 0xa3
        ? LIKELY.sign
        : LIKELY.rare

const big5: Rows = (lead, trail) =>
  between(trail, 0x7f, 0xa0)
    ? LIKELY.extension
    : between(lead, 0xa4, 0xc5) || (lead === 0xc6 && trail <= 0x7e)
      ? LIKELY.common
      : between(lead, 0xa1, 0xa2)
        ? LIKELY.sign
        : between(lead, 0xc9, 0xf9)
          ? LIKELY.rare
          : LIKELY.extension

/** Each with the first lead and trail byte, and whether a byte alone may be a character, as the half-width kana of Shift_JIS. */
const TABLES = {
  shift_jis: {
    rows: shiftJis,
    firstLead: 0x81,
    firstTrail: 0x40,
    isSingle: (byte: number) => between(byte, 0xa1, 0xdf),
  },
  "euc-jp": { rows: eucJp, firstLead: 0x8e, firstTrail: 0xa1, isSingle: () => false },
  gb18030: { rows: gb18030, firstLead: 0x81, firstTrail: 0x30, isSingle: () => false },
  big5: { rows: big5, firstLead: 0x81, firstTrail: 0x40, isSingle: () => false },
  "euc-kr": { rows: eucKr, firstLead: 0x81, firstTrail: 0x41, isSingle: () => false },
} as const

export type MultiByte = keyof typeof TABLES

export const MULTI_BYTE = Object.keys(TABLES) as ReadonlyArray<MultiByte>

/** How likely a text is under each encoding of several bytes a character. `last`: the place of the last byte that is judged. */
export const judgeMultiByte = (bytes: Uint8Array, last: number): ReadonlyArray<Judged> =>
  MULTI_BYTE.map((name) => ({ name, likelihood: judge(bytes, last, name) })).filter(
    ({ likelihood }) => likelihood > Number.NEGATIVE_INFINITY,
  )

const judge = (bytes: Uint8Array, last: number, name: MultiByte): number => {
  const { rows, firstLead, firstTrail, isSingle } = TABLES[name]
  let sum = 0
  for (let at = 0; at <= last; at++) {
    const lead = bytes[at]!
    if (lead < 0x80) continue
    if (isSingle(lead)) {
      sum += LIKELY.halfKana
      continue
    }
    const trail = bytes[at + 1]
    // The sample may end within a character.
    if (trail === undefined) return sum
    if (lead < firstLead || lead === 0xa0 || lead === 0xff || trail < firstTrail || trail === 0xff || trail === 0x7f) {
      return Number.NEGATIVE_INFINITY
    }
    if (name === "euc-jp" && lead === 0x8e) sum += LIKELY.halfKana
    else if (name === "euc-jp" && lead === 0x8f) {
      sum += LIKELY.extension
      at++
    } else if (name === "gb18030" && trail < 0x40) {
      sum += LIKELY.extension
      at += 2
    } else if (name === "euc-jp" && lead < 0xa1) return Number.NEGATIVE_INFINITY
    else sum += rows(lead, trail)
    at++
  }
  return sum
}
