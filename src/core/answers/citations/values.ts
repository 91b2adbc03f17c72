import { DATE_PATTERN, readDate, type Day } from "./dates.ts"

/** A value that a text states, whatever its spelling. Offsets are in the text. */
export type Value = { readonly start: number; readonly end: number } & (
  | {
      readonly kind: "number"
      readonly readings: ReadonlyArray<Reading>
      readonly unit?: Unit
      /** The unit of time that follows. */ readonly span?: string
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

const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  tsd: 1e3,
  thousand: 1e3,
  tausend: 1e3,
  m: 1e6,
  mn: 1e6,
  mio: 1e6,
  million: 1e6,
  millions: 1e6,
  millionen: 1e6,
  bn: 1e9,
  mrd: 1e9,
  billion: 1e9,
  billions: 1e9,
  milliarde: 1e9,
  milliarden: 1e9,
}

const UNITS: Readonly<Record<string, Unit>> = {
  "%": "%",
  percent: "%",
  "per cent": "%",
  prozent: "%",
  $: "$",
  usd: "$",
  dollar: "$",
  dollars: "$",
  "€": "€",
  eur: "€",
  euro: "€",
  euros: "€",
  "£": "£",
  gbp: "£",
  pound: "£",
  pounds: "£",
  chf: "CHF",
}

const WORDS: ReadonlyMap<string, number> = new Map([
  ..."two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    .split(" ")
    .map((word, index) => [word, index + 2] as const),
  ..."twenty thirty forty fifty sixty seventy eighty ninety".split(" ").map((word, n) => [word, (n + 2) * 10] as const),
  ..."zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn"
    .split(" ")
    .map((word, index) => [word, index + 2] as const),
  ..."zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig"
    .split(" ")
    .map((word, n) => [word, (n + 2) * 10] as const),
  ["dozen", 12],
  ["dutzend", 12],
])

const alternatives = (words: Iterable<string>) =>
  [...words]
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replace("$", String.raw`\$`))
    .join("|")

const SCALE = alternatives(Object.keys(SCALES))
const UNIT = alternatives(Object.keys(UNITS))
const DIGITS = String.raw`\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?:[.,]\d+)?|\d[\d.,]*(?<=\d)`
const NUMBER = new RegExp(
  String.raw`(?<![\p{L}\p{N}]|\d[.,])(?:([$€£]|(?:usd|eur|gbp|chf)(?=\s?\d))\s?)?(${DIGITS})(?:[ \u00a0\u202f]?(${SCALE})(?![\p{L}]))?\.?(?:[ \u00a0\u202f-]?(${UNIT})(?!\p{L}))?`,
  "giu",
)
const CODE = /\p{L}+-?\d[\p{L}\d]*(?:\.\d+)*/gu
const WORD = new RegExp(String.raw`(?<!\p{L})(?:${[...WORDS.keys()].join("|")})(?!\p{L})`, "giu")

/** The values of a text, in order. Ordinary words count only if they write a number. */
export const valuesOf = (text: string): ReadonlyArray<Value> => {
  const values: Array<Value> = []
  let rest = text
  const take = (pattern: RegExp, read: (match: RegExpExecArray) => Value | undefined) => {
    for (const match of rest.matchAll(pattern)) {
      const value = read(match)
      if (value === undefined) continue
      values.push(value)
      rest = rest.slice(0, match.index) + "\0".repeat(match[0].length) + rest.slice(match.index + match[0].length)
    }
  }
  const spanOf = ({ 0: { length }, index }: RegExpExecArray) => ({
    start: index,
    end: index + length,
  })
  take(DATE_PATTERN, (match) => {
    const days = readDate(match)
    return days.length === 0 ? undefined : { kind: "date", days, ...spanOf(match) }
  })
  take(CODE, (match) => ({ kind: "code", code: match[0].toLowerCase(), ...spanOf(match) }))
  take(NUMBER, (match) => {
    const [, before, digits = "", scale, after] = match
    const unit = UNITS[(before ?? after ?? "").toLowerCase()]
    const readings = readingsOf(digits, SCALES[scale?.toLowerCase() ?? ""], unit)
    return {
      kind: "number",
      readings,
      ...(unit !== undefined && { unit }),
      ...spanAfter(text, match),
      ...spanOf(match),
    }
  })
  take(WORD, (match) => ({
    kind: "number",
    readings: [{ value: WORDS.get(match[0].toLowerCase()) ?? 0, step: 0 }],
    ...spanAfter(text, match),
    ...spanOf(match),
  }))
  return values.toSorted((a, b) => a.start - b.start)
}

const SPAN = /^[ \u00a0-]?(minute|hour|day|week|month|year|minuten|stunde|tag|woche|monat|jahr)(?:s|n|e|en)?(?!\p{L})/iu
const ENGLISH: Readonly<Record<string, string>> = {
  minuten: "minute",
  stunde: "hour",
  tag: "day",
  woche: "week",
  monat: "month",
  jahr: "year",
}

const spanAfter = (text: string, { 0: { length }, index }: RegExpExecArray) => {
  const word = SPAN.exec(text.slice(index + length, index + length + 12))?.[1]?.toLowerCase()
  return word === undefined ? {} : { span: ENGLISH[word] ?? word }
}

/** `1.200` is 1200 in German and 1.2 in English. */
const readingsOf = (digits: string, scale: number | undefined, unit: Unit | undefined): ReadonlyArray<Reading> => {
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

/** Whether a stated value is what the evidence has; a rounded or less exact one is, too. */
export const matches = (stated: Value, known: Value): boolean => {
  if (stated.kind === "date")
    return known.kind === "date"
      ? stated.days.some((day) => known.days.some((other) => isWithin(other, day)))
      : known.kind === "number" &&
          stated.days.some((day) => isYear(day) && known.readings.some(({ value }) => value === day.year))
  if (stated.kind === "code") return known.kind === "code" && known.code === stated.code
  if (known.kind === "date")
    return stated.readings.some(({ value }) => known.days.some((day) => isYear(day) && day.year === value))
  if (known.kind !== "number") return false
  if (stated.unit !== undefined && known.unit !== undefined && stated.unit !== known.unit) return false
  return stated.readings.some((one) => known.readings.some((other) => isEqual(one, other)))
}

const isEqual = ({ value, step }: Reading, { value: other }: Reading) =>
  Math.abs(value - other) <= step / 2 + 1e-9 * Math.max(1, Math.abs(value))

const isYear = ({ month, day, quarter }: Day) => month === undefined && day === undefined && quarter === undefined

/** Whether a day is in the period that is stated: 2025-03-31 is in March 2025. */
const isWithin = (known: Day, stated: Day): boolean =>
  (stated.year === undefined || stated.year === known.year) &&
  (stated.month === undefined || stated.month === known.month) &&
  (stated.day === undefined || stated.day === known.day) &&
  (stated.quarter === undefined ||
    stated.quarter === (known.quarter ?? (known.month === undefined ? undefined : Math.ceil(known.month / 3))))
