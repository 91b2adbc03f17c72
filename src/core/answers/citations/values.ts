import { DATE_PATTERN, type Day, isWithin, isYearOf, readDate } from "./dates.ts"
import { NUMBER_WORDS_PATTERN, readNumberWords } from "./numberWords.ts"

/** A value that a text states, whatever its spelling. Offsets are in the text. */
export type Value = { readonly start: number; readonly end: number } & (
  | {
      readonly kind: "number"
      readonly readings: ReadonlyArray<Reading>
      readonly unit?: Unit
      /** The days of the unit of time that follows. */
      readonly days?: number
    }
  | { readonly kind: "date"; readonly days: ReadonlyArray<Day> }
  /** Letters with digits, such as `SOC2`, in lower case. */
  | { readonly kind: "code"; readonly code: string }
)

/** The possible meanings of digits. `step` is the value of their last place if they may be rounded, else 0. */
interface Reading {
  readonly value: number
  readonly step: number
}

type Unit = "%" | "$" | "€" | "£" | "CHF"

const entries = <A>(value: A, words: string) => words.split(" ").map((word) => [word, value] as const)

const SCALES: ReadonlyMap<string, number> = new Map([
  ...entries(1e3, "k tsd thousand tausend mille mil"),
  ...entries(1e6, "m mn mio million millions millionen millón millones"),
  ...entries(1e9, "bn mrd billion billions milliarde milliarden milliard milliards"),
])

const UNITS: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ...entries("%" as const, "% percent prozent"),
  ...["per cent", "pour cent", "por ciento"].map((words) => [words, "%"] as const),
  ...entries("$" as const, "$ usd dollar dollars dólares"),
  ...entries("€" as const, "€ eur euro euros"),
  ...entries("£" as const, "£ gbp pound pounds"),
  ["chf", "CHF"],
])

const alternatives = (words: Iterable<string>) =>
  [...words]
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replace("$", String.raw`\$`))
    .join("|")

const SCALE = alternatives(SCALES.keys())
const UNIT = alternatives(UNITS.keys())
const DIGITS = String.raw`\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?!\d)(?:[.,]\d+)?|\d[\d.,]*(?<=\d)`
const AFTER = String.raw`(?:[ \u00a0\u202f]?(${SCALE})(?![\p{L}]))?\.?(?:[ \u00a0\u202f-]?(?:de\s|d['’])?(${UNIT})(?!\p{L}))?`
const NUMBER = new RegExp(
  String.raw`(?<![\p{L}\p{N}]|\d[.,])(?:([$€£]|(?:usd|eur|gbp|chf)(?=\s?\d))\s?)?(${DIGITS})${AFTER}`,
  "giu",
)
// Without the look-behind, a long word would be tried again at each of its letters.
const CODE = /(?<!\p{L})\p{L}+-?\d[\p{L}\d]*(?:\.\d+)*/gu
const WORD = new RegExp(String.raw`()(${NUMBER_WORDS_PATTERN})${AFTER}`, "giu")

/** The values of a text, in order. Ordinary words count only if they write a number. */
export const findValues = (text: string): ReadonlyArray<Value> => {
  const values: Array<Value> = []
  let rest = text
  const take = (pattern: RegExp, read: (match: RegExpExecArray) => Value | undefined) => {
    let [masked, at] = ["", 0]
    for (const match of rest.matchAll(pattern)) {
      const value = read(match)
      if (value === undefined) continue
      values.push(value)
      masked += rest.slice(at, match.index) + "\0".repeat(match[0].length)
      at = match.index + match[0].length
    }
    rest = masked + rest.slice(at)
  }
  const makeSpan = ({ 0: { length }, index }: RegExpExecArray) => ({
    start: index,
    end: index + length,
  })
  take(DATE_PATTERN, (match) => {
    const days = readDate(match)
    return days.length === 0 ? undefined : { kind: "date", days, ...makeSpan(match) }
  })
  take(CODE, (match) => ({ kind: "code", code: match[0].toLowerCase(), ...makeSpan(match) }))
  for (const pattern of [NUMBER, WORD])
    take(pattern, (match) => {
      const [, before, number = "", scale, after] = match
      const unit = UNITS.get((before || after || "").toLowerCase())
      const digits = pattern === NUMBER ? number : String(readNumberWords(number, text) ?? "")
      if (digits === "") return undefined
      return {
        kind: "number",
        readings: readDigits(digits, SCALES.get(scale?.toLowerCase() ?? ""), unit),
        ...(unit !== undefined && { unit }),
        ...makeSpan(match),
        ...periodAfter(text, match),
      }
    })
  return values.toSorted((a, b) => a.start - b.start)
}

/** In days. Contracts count a month as 30 days and a year as twelve months. */
const PERIOD_DAYS: ReadonlyMap<string, number> = new Map([
  ...entries(1 / 1440, "minute minutes minuten minuto minutos"),
  ...entries(1 / 24, "hour hours stunde stunden heure heures hora horas"),
  ...entries(1, "day days tag tage tagen jour jours día días"),
  ...entries(7, "week weeks woche wochen semaine semaines semana semanas"),
  ...entries(30, "month months monat monate monaten mois mes meses"),
  ...entries(90, "quarters quartale quartalen trimestres"),
  ...entries(360, "year years jahr jahre jahren ans année années año años"),
])
const PERIOD = new RegExp(String.raw`^[ \u00a0-]?(${alternatives(PERIOD_DAYS.keys())})(?!\p{L})`, "iu")

const periodAfter = (text: string, { 0: { length }, index }: RegExpExecArray) => {
  const end = index + length
  const [found = "", word = ""] = PERIOD.exec(text.slice(end, end + 12)) ?? []
  const days = PERIOD_DAYS.get(word.toLowerCase())
  return days === undefined ? {} : { days, end: end + found.length }
}

/** `1.200` is 1200 in German and 1.2 in English. */
const readDigits = (digits: string, scale: number | undefined, unit: Unit | undefined): ReadonlyArray<Reading> => {
  const plain = digits.replaceAll(/[ \u00a0\u202f'’]/g, "")
  const spellings = new Set<string>()
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(plain)) spellings.add(plain.replaceAll(",", ""))
  if (/^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(plain)) spellings.add(plain.replaceAll(".", "").replace(",", "."))
  if (/^\d+,\d{1,2}$/.test(plain)) spellings.add(plain.replace(",", "."))
  if (/^\d+(?:\.\d+)?$/.test(plain)) spellings.add(plain)
  return [...spellings].map((spelling) => {
    const decimals = spelling.split(".")[1]?.length ?? 0
    const value = Number(spelling) * (scale ?? 1)
    const isRounded = scale !== undefined || decimals > 0 || unit === "%"
    // One digit with a scale says little: "5 million" is not 4.6 million.
    const place = scale !== undefined && spelling.length === 1 ? 0.1 : 10 ** -decimals
    return { value, step: isRounded ? place * (scale ?? 1) : 0 }
  })
}

/** Whether a stated value is what the evidence has; a rounded or less exact one is, too, and 24 months are two years. */
export const matches = (stated: Value, known: Value): boolean => {
  if (stated.kind === "code") return known.kind === "code" && known.code === stated.code
  if (known.kind === "code") return false
  if (stated.kind === "date")
    return known.kind === "date"
      ? stated.days.some((day) => known.days.some((other) => isWithin(other, day)))
      : known.readings.some(({ value }) => isYearOf(stated.days, value))
  if (known.kind === "date") return stated.readings.some(({ value }) => isYearOf(known.days, value))
  if (stated.unit !== undefined && known.unit !== undefined && stated.unit !== known.unit) return false
  const [days, ofKnown] = stated.days === undefined || known.days === undefined ? [1, 1] : [stated.days, known.days]
  return stated.readings.some((one) => known.readings.some((other) => isEqual(one, days, other, ofKnown)))
}

/** Whether two values are equal in any spelling, with their units and without rounding. A date may leave out parts of a known one. */
export const isSame = (stated: Value, known: Value): boolean => {
  if (stated.kind !== "number" || known.kind !== "number") return matches(stated, known)
  if (stated.unit !== known.unit || (stated.days === undefined) !== (known.days === undefined)) return false
  const exactly = ({ readings, ...value }: typeof stated): Value => ({
    ...value,
    readings: readings.map((reading) => ({ ...reading, step: 0 })),
  })
  return matches(exactly(stated), exactly(known))
}

const isEqual = ({ value, step }: Reading, days: number, { value: other }: Reading, ofOther: number) =>
  Math.abs(value * days - other * ofOther) <= (step * days) / 2 + 1e-9 * Math.max(1, Math.abs(value * days))
