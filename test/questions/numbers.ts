import type { Language } from "./question.ts"

/** A number as an answer shows it. */
export interface Shown {
  /** Its readings: `1.234` is another number in German than in English. */
  readonly readings: ReadonlyArray<{ readonly value: number; readonly tolerance: number }>
  readonly isPercent: boolean
}

const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  tsd: 1e3,
  mil: 1e3,
  thousand: 1e3,
  m: 1e6,
  mm: 1e6,
  mio: 1e6,
  million: 1e6,
  millions: 1e6,
  millionen: 1e6,
  millones: 1e6,
  bn: 1e9,
  b: 1e9,
  billion: 1e9,
  mrd: 1e9,
}

const WORDS: Readonly<Record<string, number>> = {
  no: 0,
  none: 0,
  zero: 0,
  nobody: 0,
  keine: 0,
  keinen: 0,
  kein: 0,
  ninguno: 0,
  ninguna: 0,
  ningún: 0,
  aucun: 0,
  aucune: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
}

/** Dates, quarters and fiscal years, whose digits assert no figure. */
const DATES =
  /\b\d{4}-(?:\d{2}(?:-\d{2})?|[QW]\d{1,2})\b|\b[QH][1-4]\b(?:[ -](?:FY)?\d{2,4})?|\bFY ?\d{2,4}\b|\b(?:\d{1,2} )?(?:Jan|Feb|M[aä]r|Apr|Ma[iy]|Jun|Jul|Aug|Sep|O[ck]t|Nov|De[cz])\p{L}*\.? (?:\d{1,2}, ?)?\d{4}\b/giu

const NUMBER =
  /(?<![\p{L}\d.,])([-−+]?)[€$£]?\s?(\d(?:[\d.,'’\u00a0\u202f]*\d)?)(?:[\s\u00a0\u202f]?(%|percent|Prozent|por ciento|pour cent)|[\s\u00a0\u202f]?(\p{L}+))?/giu
const WORD = new RegExp(`(?<!\\p{L})(${Object.keys(WORDS).join("|")})(?!\\p{L})`, "giu")

/** A "one" that counts nothing: "which one", or the end of a name such as "Calyptus One". */
const PRONOUN = /(?<!\p{L})(?:[Ww]hich|[Tt]his|[Tt]hat|[Ee]ach|[Aa]ny) one(?!\p{L})|(?<=\p{Lu}\p{Ll}+ )One(?!\p{L})/gu

/** Half a unit of the last digit shown. */
const roundingOf = (decimals: number, scale: number) => 0.5 * 10 ** -decimals * scale * (1 + 1e-9)

const readingsOf = (digits: string, language: Language, scale: number): Shown["readings"] => {
  const plain = digits.replaceAll(/['’\u00a0\u202f]/g, "")
  const separated = (group: string, point: string) => {
    const shape = new RegExp(`^(?:\\d{1,3}(?:\\${group}\\d{3})+|\\d+)(?:\\${point}(\\d+))?$`)
    const match = shape.exec(plain)
    if (match === null) return []
    const value = Number(plain.replaceAll(group, "").replace(point, "."))
    return [{ value: value * scale, tolerance: roundingOf(match[1]?.length ?? 0, scale) }]
  }
  return [...separated(",", "."), ...(language === "en" ? [] : separated(".", ","))]
}

/** Removes the digits of dates from a text. */
export const withoutDates = (text: string): string => text.replaceAll(DATES, " ")

/** The numbers in a text, in order of their kind: digits, then words. */
export const numbersIn = (text: string, language: Language): ReadonlyArray<Shown> => {
  const plain = withoutDates(text)
  const digits = [...plain.matchAll(NUMBER)].map(([, sign = "", digits = "", percent, word = ""]) => {
    const scale = SCALES[word.toLowerCase()] ?? 1
    const factor = sign === "-" || sign === "−" ? -1 : 1
    const readings = readingsOf(digits, language, scale)
    return {
      readings: readings.map(({ value, tolerance }) => ({ value: value * factor, tolerance })),
      isPercent: percent !== undefined,
    }
  })
  const words = [...plain.replaceAll(PRONOUN, " ").matchAll(WORD)].map(([word]) => ({
    readings: [{ value: WORDS[word.toLowerCase()] ?? 0, tolerance: 0 }],
    isPercent: false,
  }))
  return [...digits, ...words]
}

/** Days may be counted from the hour or from the date. */
const DAYS_TOLERANCE = 0.6

/** Whether a shown number is the true one, within the rounding that it shows. `column` names the true one's unit. */
export const isNumber = (shown: Shown, truth: number, column: string): boolean => {
  const isFraction = /^(rate|share)/.test(column)
  if (shown.isPercent !== isFraction) return false
  const scale = isFraction ? 100 : 1
  const slack = column.startsWith("days") ? DAYS_TOLERANCE : 0
  return shown.readings.some(({ value, tolerance }) => Math.abs(value - truth * scale) <= tolerance + slack + 1e-9)
}
