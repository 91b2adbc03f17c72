/** A day or period. What the text leaves out is undefined. */
export interface Day {
  readonly year?: number | undefined
  /** From 1. */
  readonly month?: number | undefined
  readonly day?: number | undefined
  readonly quarter?: number | undefined
}

const MONTHS: ReadonlyArray<ReadonlyArray<string>> = [
  ["january", "januar", "jänner", "jan"],
  ["february", "februar", "feb"],
  ["march", "märz", "mar", "mär"],
  ["april", "apr"],
  ["may", "mai"],
  ["june", "juni", "jun"],
  ["july", "juli", "jul"],
  ["august", "aug"],
  ["september", "sept", "sep"],
  ["october", "oktober", "oct", "okt"],
  ["november", "nov"],
  ["december", "dezember", "dec", "dez"],
]

/** The names of months, as alternatives of a pattern. */
export const MONTH = MONTHS.flat()
  .toSorted((a, b) => b.length - a.length)
  .join("|")

const YEAR = String.raw`(?:19|20)\d\d`
const DAY = String.raw`\d{1,2}`

/** `may` alone is a verb more often than a month, so a month needs a day or a year. */
export const DATE_PATTERN = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}])(?:`,
    [
      String.raw`(?<y1>${YEAR})-(?<m1>\d\d)(?:-(?<d1>\d\d)(?:T[\d:.]+Z?)?)?(?!\d)`,
      String.raw`(?<y2>${YEAR})[-\s]?Q(?<q2>[1-4])(?!\d)`,
      String.raw`Q(?<q3>[1-4])(?!\d)(?:[\s,/-]*(?:of\s+)?(?<y3>${YEAR}))?`,
      String.raw`(?<q4>[1-4])\.\s?Quartal(?:\s(?<y4>${YEAR}))?`,
      String.raw`(?<d5>${DAY})\.\s?(?<m5>\d{1,2})\.(?:\s?(?<y5>${YEAR}))?(?!\d)`,
      String.raw`(?<a6>\d{1,2})/(?<b6>\d{1,2})/(?<y6>${YEAR})`,
      String.raw`(?<d7>${DAY})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?<m7>${MONTH})\b\.?(?:,?\s+(?<y7>${YEAR}))?`,
      String.raw`(?<m8>${MONTH})\b\.?\s+(?<d8>${DAY})(?:st|nd|rd|th)?(?!\d)(?:,?\s+(?<y8>${YEAR}))?`,
      String.raw`(?<m9>${MONTH})\b\.?,?\s+(?:of\s+)?(?<y9>${YEAR})`,
      String.raw`(?<![$€£]\s?)(?<y10>${YEAR})(?![\d%,.]\d|\s?(?:%|k|m|EUR|USD|€)(?!\p{L}))`,
    ].join("|"),
    String.raw`)(?!\p{L})`,
  ].join(""),
  "giu",
)

const monthOf = (name: string) => MONTHS.findIndex((names) => names.includes(name.toLowerCase())) + 1

/** Lists the days that a match of `DATE_PATTERN` can mean; empty if it is no date. */
export const readDate = ({ groups = {} }: RegExpExecArray): ReadonlyArray<Day> => {
  const [, number = ""] = Object.entries(groups)
    .map(([name, value]) => (value === undefined ? null : /^[a-z]+(\d+)$/.exec(name)))
    .find((match) => match !== null) ?? [undefined, ""]
  const get = (letter: string) => {
    const value = groups[letter + number]
    return value === undefined ? undefined : /^\d+$/.test(value) ? Number(value) : monthOf(value)
  }
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
