import { type Currency, readCurrency } from "./currency.ts"

/** The mark before the fraction of a number. */
export type DecimalMark = "." | ","

export interface ReadNumber {
  readonly value: number
  readonly currency?: Currency | undefined
}

/** Why a cell is no number that can be trusted: completes "must be …" or explains both readings. */
export interface NumberProblem {
  readonly reason: string
  /** The cell has two readings, and nothing says which is meant. */
  readonly isUnclear?: true
}

/** A number as written, before it is known which mark is the decimal one. */
interface Written {
  readonly sign: 1 | -1
  /** Digits with `.` and `,`; other separators are removed. */
  readonly digits: string
  readonly factor: number
  /** Spaces or apostrophes group the digits, so that neither `.` nor `,` does. */
  readonly isGrouped: boolean
  readonly currency: Currency | undefined
}

/** Words and letters after a number that multiply it, as sales teams write them. */
const FACTORS: ReadonlyArray<readonly [RegExp, number]> = [
  [/[億亿억]$/, 1e8],
  [/百万$/, 1e6],
  [/[万만]$/, 1e4],
  [/[千천]$/, 1e3],
  [/(?:mrd|mia|bn|billions?|milliarden?|milliards?|b)\.?$/i, 1e9],
  [/(?:mio|mill|mln|millions?|millionen?|millones|milioni|mi|mm|mn|m)\.?$/i, 1e6],
  [/(?:tsd|tausend|thousand|k)\.?$/i, 1e3],
]

const DIGITS = /^\d[\d.,]*$|^[.,]\d+$/
const EXPONENT = /^\d+(?:[.,]\d+)?e[+-]?\d{1,3}$/i

/** Takes a cell apart. Undefined if it is no number. */
const take = (cell: string): Written | undefined => {
  if (!/\p{N}/u.test(cell)) return undefined
  // Compatibility forms have full-width digits and no-break spaces; minus signs and dashes are one sign here.
  let text = cell
    .normalize("NFKC")
    .replaceAll(/[\u2010-\u2015\u2212]/g, "-")
    .trim()
  let sign: 1 | -1 = 1
  const bracketed = /^(\D*)\((.+)\)(\D*)$/.exec(text)
  if (bracketed !== null) {
    sign = -1
    text = `${bracketed[1]}${bracketed[2]}${bracketed[3]}`.trim()
  }
  // "1.200,-" and "1'200.-" have no cents.
  const isWhole = /[.,]-{1,2}(?=\D*$)/.test(text)
  let wholeMark = ""
  text = text.replace(/([.,])-{1,2}(?=\D*$)/, (_, mark: string) => {
    wholeMark = mark
    return ""
  })
  const { rest, currency } = readCurrency(text)
  text = rest.trim()
  if (text.startsWith("-") || (!isWhole && /\d\s*-$/.test(text))) {
    sign = sign === 1 ? -1 : 1
    text = text.replace(/^-\s*|\s*-$/, "")
  } else text = text.replace(/^\+\s*/, "")
  // A sign may stand before the currency or after it.
  const again = currency === undefined && text !== rest ? readCurrency(text) : { rest: text, currency }
  text = again.rest.trim()
  let factor = 1
  // "15 mil" is 15 thousand in Brazil, and 15 million elsewhere to some.
  if (again.currency?.kind === "code" && again.currency.code === "BRL") text = text.replace(/(?<=\d)\s*mil$/i, "k")
  if (!EXPONENT.test(text)) {
    for (const [pattern, value] of FACTORS) {
      const found = pattern.exec(text)
      if (found === null || !/[\d.,]\s*$/.test(text.slice(0, found.index))) continue
      factor = value
      text = text.slice(0, found.index).trim()
      break
    }
  }
  const isGrouped = /\d[\s'’]\d{3}(?!\d)/.test(text)
  const digits = isGrouped ? text.replaceAll(/[\s'’]/g, "") : text
  if (!DIGITS.test(digits) && !EXPONENT.test(digits)) return undefined
  return {
    sign,
    digits: digits + (wholeMark === "" ? "" : `${wholeMark}00`),
    factor,
    isGrouped,
    currency: again.currency,
  }
}

const other = (mark: DecimalMark): DecimalMark => (mark === "." ? "," : ".")

/** Whether `mark` groups the digits before the fraction, by thousands or in the Indian way. */
const groups = (whole: string, mark: DecimalMark): boolean => {
  const [first = "", ...rest] = whole.split(mark)
  const last = rest.at(-1)
  if (last === undefined) return true
  if (!/^\d{1,3}$/.test(first) || last.length !== 3 || first === "0") return false
  return rest.every((part) => part.length === 3) || rest.slice(0, -1).every((part) => part.length === 2)
}

/** The mark that the number itself proves to be the decimal one; `both` if it proves nothing; undefined if it is malformed. */
const provenMark = ({ digits, isGrouped }: Written): DecimalMark | "both" | "none" | undefined => {
  const dots = digits.split(".").length - 1
  const commas = digits.split(",").length - 1
  if (dots === 0 && commas === 0) return "none"
  if (dots > 0 && commas > 0) return isGrouped ? undefined : lastMark(digits)
  const mark = dots > 0 ? "." : ","
  if (Math.max(dots, commas) > 1) return !isGrouped && groups(digits, mark) ? other(mark) : undefined
  const [whole = "", fraction = ""] = splitAtLast(digits, mark)
  return isGrouped || fraction.length !== 3 || whole.length > 3 || whole === "" || whole.startsWith("0") ? mark : "both"
}

/** The last mark of a number with dots and commas, if the other ones group its whole part. */
const lastMark = (digits: string): DecimalMark | undefined => {
  const mark = digits.lastIndexOf(",") > digits.lastIndexOf(".") ? "," : "."
  const [whole = "", fraction = ""] = splitAtLast(digits, mark)
  return !whole.includes(mark) && /^\d*$/.test(fraction) && groups(whole, other(mark)) ? mark : undefined
}

const splitAtLast = (text: string, mark: string): readonly [string, string] => {
  const at = text.lastIndexOf(mark)
  return [text.slice(0, at), text.slice(at + 1)]
}

const computeValue = ({ sign, digits, factor }: Written, mark: DecimalMark): number => {
  const plain = digits.replaceAll(other(mark), "").replace(mark, ".")
  // Multiplying decimal digits as text keeps 1.2M from being 1199999.9999999998.
  const value = factor === 1 ? Number(plain) : Number(`${plain}e${Math.log10(factor)}`)
  return value === 0 ? 0 : sign * value
}

/** The mark that a cell proves to be its decimal one. Undefined if it proves nothing. */
export const detectDecimalMark = (cell: string): DecimalMark | undefined => {
  const written = take(cell)
  if (written === undefined || EXPONENT.test(written.digits)) return undefined
  const mark = provenMark(written)
  return mark === "." || mark === "," ? mark : undefined
}

/** Currencies that have thousandths. */
const THOUSANDTHS: ReadonlySet<string> = new Set(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"])

/** Most cells: their form leaves no doubt. */
const PLAIN = /^-?(?!0\d)\d{1,15}(?:\.\d{1,2})?$/

export interface NumberOptions {
  /** The decimal mark of the column. */
  readonly mark?: DecimalMark | undefined
  /** An amount of money: a mark before exactly three digits groups thousands. */
  readonly isMoney?: boolean | undefined
  /** The currency of the row, if a column gives it. */
  readonly currency?: string | undefined
}

/**
 * Reads `$1,234.50`, `1.234,50 €`, `CHF 10'000.00`, `₹1,00,000`, `(500)`, `50k` and `1,5 Mio.`. A cell that contradicts the
 * column's mark, or has two readings, is a problem that shows both.
 */
export const readNumber = (
  cell: string,
  { mark, isMoney = false, currency }: NumberOptions = {},
): ReadNumber | NumberProblem => {
  if (PLAIN.test(cell) && (mark !== "," || !cell.includes("."))) return { value: Number(cell) }
  if (/%\s*$/.test(cell))
    return { reason: isMoney ? "must be an amount, not a percentage" : "must be a number without %" }
  const written = take(cell)
  if (written === undefined)
    return { reason: isMoney ? "must be an amount such as 1250 or 1,250.00" : "must be a number" }
  const found = { currency: written.currency }
  if (EXPONENT.test(written.digits)) return { value: written.sign * Number(written.digits.replace(",", ".")), ...found }
  const proven = provenMark(written)
  if (proven === undefined) return { reason: "has points and commas that do not group its digits by thousands" }
  if (proven === "none") return { value: computeValue(written, "."), ...found }
  if (proven !== "both") {
    // A number without decimals, such as 1.250.000, proves only which mark groups.
    if (mark === undefined || mark === proven) return { value: computeValue(written, proven), ...found }
    return {
      reason: `means ${format(computeValue(written, proven))} by its form, but the column's decimal mark is '${mark}'`,
      isUnclear: true,
    }
  }
  return readBoth(written, { mark, isMoney, currency })
}

/** Reads a number such as 1.250, whose mark may group thousands or begin the fraction. */
const readBoth = (written: Written, { mark, isMoney = false, currency }: NumberOptions): ReadNumber | NumberProblem => {
  const found = { currency: written.currency }
  const written3 = written.digits.includes(".") ? "." : ","
  const readings = [computeValue(written, other(written3)), computeValue(written, written3)] as const
  const code = currency ?? (written.currency?.kind === "code" ? written.currency.code : undefined)
  const neverFraction = isMoney && (code === undefined || !THOUSANDTHS.has(code))
  if (mark !== undefined && mark !== written3) return { value: readings[0], ...found }
  if (mark === undefined && neverFraction) return { value: readings[0], ...found }
  if (mark !== undefined && !neverFraction) return { value: readings[1], ...found }
  return {
    reason: `may mean ${format(readings[0])} or ${format(readings[1])}: set the decimal mark with 'decimal', or write it without thousands separators`,
    isUnclear: true,
  }
}

export const isNumberProblem = (read: ReadNumber | NumberProblem): read is NumberProblem => "reason" in read

const format = (value: number) => String(value)
