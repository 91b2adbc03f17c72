/** The months in English, in their order. */
export const MONTHS: ReadonlyArray<string> = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
]

/** Any month in English, as the pattern of an expression. */
export const MONTH = MONTHS.join("|")

/** Periods that stand beside each other, when the first is in English. */
export const NEIGHBOURS: ReadonlyArray<readonly [pattern: string, english: string]> = [
  [
    String.raw`(?:in )?(q[1-4]|h[12]),?(?: fiscal)?(?: (?:of|del?|du|de l[ae]?|vom|im|des|der))* in fiscal year ['’]?(20\d\d|\d\d)`,
    "in $1 FY$2",
  ],
  [String.raw`in fiscal year ['’]?(20\d\d|\d\d),? in (q[1-4]|h[12])`, "in $2 FY$1"],
  [
    String.raw`this (week|month|quarter|year) (?:vs\.?|versus|gegen|gegenüber|als|contra|frente al?|que|o|contre|or|than)(?: (?:el|le|al|das|au))? (?:letzte[sn]?|vorige[sn]?|dernier|pr[eé]c[eé]dent|pasado|anterior)`,
    "this $1 versus last $1",
  ],
]
