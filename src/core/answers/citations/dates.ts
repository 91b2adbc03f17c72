/** A day or period. What the text leaves out is undefined. */
export interface Day {
  readonly year?: number | undefined
  /** From 1. */
  readonly month?: number | undefined
  readonly day?: number | undefined
  readonly quarter?: number | undefined
}

/** In English, German, French and Spanish. */
const MONTHS: ReadonlyArray<ReadonlyArray<string>> = [
  "january januar jänner jan janvier enero",
  "february februar feb février fév febrero",
  "march märz mar mär mars marzo",
  "april apr avril avr abril abr",
  "may mai mayo",
  "june juni jun juin junio",
  "july juli jul juillet juil julio",
  "august aug août agosto ago",
  "september sept sep septembre septiembre setiembre",
  "october oktober oct okt octobre octubre",
  "november nov novembre noviembre",
  "december dezember dec dez décembre déc diciembre dic",
].map((names) => names.split(" "))

const alternatives = (words: Iterable<string>) => [...words].toSorted((a, b) => b.length - a.length).join("|")

/** The names of months, as alternatives of a pattern. */
export const MONTH = alternatives(MONTHS.flat())

const ORDINALS: ReadonlyMap<string, number> = new Map(
  [
    "first erste ersten erstes 1st premier primer primero",
    "second zweite zweiten zweites 2nd deuxième segundo",
    "third dritte dritten drittes 3rd troisième tercer tercero",
    "fourth vierte vierten viertes 4th quatrième cuarto",
  ].flatMap((names, n) => names.split(" ").map((name) => [name, n + 1] as const)),
)

const YEAR = String.raw`(?:19|20)\d\d`
const ORDINAL = alternatives(ORDINALS.keys())
const DAY = String.raw`\d{1,2}`
const OF = String.raw`(?:of\s+|de\s+|del\s+)?`

/** `may` alone is a verb more often than a month, so a month needs a day, a year or a preposition. */
export const DATE_PATTERN = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}])(?:`,
    [
      String.raw`(?<y1>${YEAR})-(?<m1>\d\d)(?:-(?<d1>\d\d)(?:T[\d:.]+Z?)?)?(?!\d)`,
      String.raw`(?<y2>${YEAR})[-\s]?Q(?<q2>[1-4])(?!\d)`,
      String.raw`Q(?<q3>[1-4])(?!\d)(?:[\s,/-]*${OF}(?<y3>${YEAR}))?`,
      String.raw`T(?<q13>[1-4])\s${OF}(?<y13>${YEAR})`,
      String.raw`(?<q4>[1-4]|${ORDINAL})(?:\.|e|er|º)?\s?(?:quarter|Quartals?|trimestre)(?:\s${OF}(?<y4>${YEAR}))?`,
      String.raw`(?<d5>${DAY})\.\s?(?<m5>\d{1,2})\.(?:\s?(?<y5>${YEAR}))?(?!\d)`,
      String.raw`(?<a6>\d{1,2})/(?<b6>\d{1,2})/(?<y6>${YEAR})`,
      String.raw`(?<d11>[0-3]?\d)/(?<m11>0\d|1[0-2])(?![\d/])`,
      String.raw`(?<d7>${DAY}|${ORDINAL})(?:st|nd|rd|th|er|\.)?\s+${OF}(?<m7>${MONTH})\b\.?(?:,?\s+${OF}(?<y7>${YEAR}))?`,
      String.raw`(?<m8>${MONTH})\b\.?\s+(?<d8>${DAY})(?:st|nd|rd|th)?(?!\d)(?:,?\s+(?<y8>${YEAR}))?`,
      String.raw`(?<m9>${MONTH})\b\.?,?\s+${OF}(?<y9>${YEAR})`,
      String.raw`(?<=(?:in|im|en|by|until|since|bis|ab|seit|of|fin|desde|depuis|d['’]ici)\s)(?<m12>${MONTH})\b`,
      String.raw`(?<![$€£]\s?)(?<y10>${YEAR})(?![\d%,.]\d|\s?(?:%|k|m|EUR|USD|€)(?!\p{L}))`,
    ].join("|"),
    String.raw`)(?!\p{L})`,
  ].join(""),
  "giu",
)

const readPart = (text: string): number =>
  /^\d+$/.test(text)
    ? Number(text)
    : (ORDINALS.get(text.toLowerCase()) ?? MONTHS.findIndex((names) => names.includes(text.toLowerCase())) + 1)

/** Lists the days that a match of `DATE_PATTERN` can mean; empty if it is no date. */
export const readDate = ({ groups = {} }: RegExpExecArray): ReadonlyArray<Day> => {
  const parts = Object.entries(groups).flatMap(([name, value]) =>
    value === undefined ? [] : [[name[0], readPart(value)] as const],
  )
  const get = (letter: string) => parts.find(([name]) => name === letter)?.[1]
  const year = get("y")
  const [a, b] = [get("a"), get("b")]
  const days: ReadonlyArray<Day> =
    a === undefined
      ? [{ year, month: get("m"), day: get("d"), quarter: get("q") }]
      : [
          { year, month: a, day: b },
          { year, month: b, day: a },
        ]
  return days.filter(({ month = 1, day = 1 }) => month >= 1 && month <= 12 && day >= 1 && day <= 31)
}

const isYear = ({ month, day, quarter }: Day) => month === undefined && day === undefined && quarter === undefined

/** Whether the days can be that year, and say no more. */
export const isYearOf = (days: ReadonlyArray<Day>, year: number): boolean =>
  days.some((day) => isYear(day) && day.year === year)

/** Whether a day is in the period that is stated: 2025-03-31 is in March 2025. */
export const isWithin = (known: Day, stated: Day): boolean =>
  (stated.year === undefined || stated.year === known.year) &&
  (stated.month === undefined || stated.month === known.month) &&
  (stated.day === undefined || stated.day === known.day) &&
  (stated.quarter === undefined ||
    stated.quarter === (known.quarter ?? (known.month === undefined ? undefined : Math.ceil(known.month / 3))))
