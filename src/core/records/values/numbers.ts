import { normalizeDigits } from "../../common/raisedDigits.ts"
import { canMean, type Currency, nameCurrency, readCurrency } from "./currency.ts"
import { isTooLong } from "./length.ts"
import { factorOf } from "./units.ts"

/** The mark before the fraction of a number. */
export type DecimalMark = "." | ","

export interface ReadNumber {
  readonly value: number
  readonly currency?: Currency | undefined
  /** The cell names its own unit, such as `80k`. */
  readonly hasUnit?: true
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
  /** The cell names its own unit. */
  readonly hasUnit: boolean
  /** A second currency, which the first cannot mean: `$5 EUR`. */
  readonly contradicting: Currency | undefined
}

const DIGITS = /^\d[\d.,]*$|^[.,]\d+$/
const EXPONENT = /^\d+(?:[.,]\d+)?e[+-]?\d{1,3}$/i

/** "1億2,000万" has a unit in the middle too. */
const COMPOUND =
  /^(?:\d[\d,]*(?:\.\d+)?\s*[\p{Script=Han}\p{Script=Hangul}]+\s*){2,}$|^(?:\d[\d,]*(?:\.\d+)?\s*[\p{Script=Han}\p{Script=Hangul}]+\s*)+\d[\d,]*$/u

/** The sum of the parts, if each has a smaller unit than the one before. */
const sumParts = (text: string): string | undefined => {
  let total = 0
  let before = Infinity
  for (const [, digits = "", word = ""] of text.matchAll(/(\d[\d,.]*)\s*([^\d\s]*)/g)) {
    const factor = word === "" ? 1 : factorOf(word)
    const value = Number(digits.replaceAll(/,(?=\d{3})/g, ""))
    if (factor === undefined || factor >= before || !(value * factor < before)) return undefined
    before = factor
    total += value * factor
  }
  return String(total)
}

/** Separates the unit at the end of a number: `k`, `Mio.`, `lakh`. */
const takeUnit = (text: string, currency: string | undefined) => {
  if (EXPONENT.test(text)) return { rest: text, factor: 1, hasUnit: false }
  const sum = COMPOUND.test(text) ? sumParts(text) : undefined
  if (sum !== undefined) return { rest: sum, factor: 1, hasUnit: true }
  const [, number = "", word = ""] = /^(.*[\d.,])\s*(\p{L}[\p{L}\p{M}. ]*)$/u.exec(text) ?? []
  const factor = word === "" ? undefined : factorOf(word, currency)
  if (factor === undefined || (isCredit(word) && currency !== "INR")) return { rest: text, factor: 1, hasUnit: false }
  return { rest: number.trim(), factor, hasUnit: true }
}

/** Ledgers write CR behind a credit, which is no crore. */
const isCredit = (word: string): boolean => word.trim() === "CR"

/** One of two currencies of a cell, the one that says more: `$5 CAD` is in CAD. Undefined if they contradict each other. */
const agreeing = (one: Currency, two: Currency): Currency | undefined => {
  if (one.kind === "code") return canMean(two, one.code) ? one : undefined
  if (two.kind === "code") return canMean(one, two.code) ? two : undefined
  return one.sign === two.sign ? one : undefined
}

/** Compatibility forms have full-width digits and no-break spaces; minus signs and dashes are one sign here. */
const withPlainSigns = (cell: string): string =>
  normalizeDigits(cell)
    .replaceAll(/[\u2010-\u2015\u2212]/g, "-")
    .trim()

const mayBeNumber = (text: string): boolean => !isTooLong(text) && /\p{N}/u.test(text)

/** Takes a cell apart. Undefined if it is no number. */
const take = (cell: string, ofColumn?: string): Written | undefined => {
  let text = withPlainSigns(cell)
  if (!mayBeNumber(text)) return undefined
  let sign: 1 | -1 = 1
  const bracketed = /^(\D*)\((.+)\)(\D*)$/.exec(text)
  if (bracketed !== null) {
    sign = -1
    text = `${bracketed[1]}${bracketed[2]}${bracketed[3]}`.trim()
  }
  // "1.200,-", "1'200.-", "1 200:-" and "1,000/-" have no cents.
  const isWhole = /[.,:/]-{1,2}(?=\D*$)/.test(text)
  let wholeMark = ""
  text = text.replace(/([.,:/])-{1,2}(?=\D*$)/, (_, mark: string) => {
    wholeMark = mark === "." || mark === "," ? mark : ""
    return ""
  })
  const first = readCurrency(text)
  text = first.rest.trim()
  if (text.startsWith("-") || (!isWhole && /\d\s*-$/.test(text))) {
    sign = sign === 1 ? -1 : 1
    text = text.replace(/^-\s*|(?<!\s)\s*-$/, "")
  } else text = text.replace(/^\+\s*/, "")
  // A sign may stand before the currency or after it, and a code beside a sign.
  const second = first.currency !== undefined || text !== first.rest ? readCurrency(text) : NO_CURRENCY(text)
  const currency =
    first.currency === undefined || second.currency === undefined
      ? (first.currency ?? second.currency)
      : agreeing(first.currency, second.currency)
  const { rest, factor, hasUnit } = takeUnit(second.rest.trim(), currency?.kind === "code" ? currency.code : ofColumn)
  text = rest
  const isGrouped = /\d[\s'’]\d{3}(?!\d)/.test(text)
  const digits = isGrouped ? text.replaceAll(/[\s'’]/g, "") : text
  if (!DIGITS.test(digits) && !EXPONENT.test(digits)) return undefined
  return {
    sign,
    digits: digits + (wholeMark === "" ? "" : `${wholeMark}00`),
    factor,
    hasUnit,
    isGrouped,
    currency: currency ?? first.currency,
    contradicting: currency === undefined ? second.currency : undefined,
  }
}

const NO_CURRENCY = (rest: string) => ({ rest, currency: undefined })

/** Spreadsheets show a zero as a dash beside the currency. */
const isDashZero = (cell: string): boolean => {
  const text = withPlainSigns(cell)
  if (!text.includes("-") || text.length > MAX_DASH_ZERO) return false
  const { rest, currency } = readCurrency(text)
  return currency !== undefined && /^[\s-]+$/.test(rest)
}
const MAX_DASH_ZERO = 30

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
  const written = take(cell, currency)
  if (written === undefined) {
    if (isMoney && isDashZero(cell)) return { value: 0 }
    return { reason: isMoney ? "must be an amount such as 1250 or 1,250.00" : "must be a number" }
  }
  return written.contradicting === undefined
    ? readWritten(written, { mark, isMoney, currency })
    : {
        reason: `names two currencies, ${nameCurrency(written.currency!)} and ${nameCurrency(written.contradicting)}: leave one of them out`,
      }
}

const readWritten = (written: Written, options: NumberOptions): ReadNumber | NumberProblem => {
  const { mark } = options
  const found = { currency: written.currency, ...(written.hasUnit && { hasUnit: true as const }) }
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
  return readBoth(written, options)
}

/** Reads a number such as 1.250, whose mark may group thousands or begin the fraction. */
const readBoth = (written: Written, { mark, isMoney = false, currency }: NumberOptions): ReadNumber | NumberProblem => {
  const found = { currency: written.currency, ...(written.hasUnit && { hasUnit: true as const }) }
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
