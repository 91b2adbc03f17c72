import { type Currency, readCurrencyCell } from "../../../records/values/currency.ts"
import { factorOf } from "../../../records/values/units.ts"
import { withoutNotes } from "./noteMarks.ts"

/** A header without its unit, such as `(k€)` of `Amount (k€)`, `in TEUR`, `USD'000` or `, thousands`. */
export interface HeaderUnit {
  readonly name: string
  /** The text of the unit. Undefined without one. */
  readonly unit: string | undefined
  /** Multiplies the numbers of the column. */
  readonly factor: number
  readonly currency: Currency | undefined
  /** Words in brackets that are no unit and say nothing about the amount: they may be one. */
  readonly unknown: ReadonlyArray<string>
}

interface Read {
  readonly factor?: number | undefined
  readonly currency?: Currency | undefined
}

const NOTHING: Read = {}
const PREPOSITIONS: ReadonlySet<string> = new Set([
  "in",
  "en",
  "em",
  "w",
  "i",
  "в",
  "of",
  "de",
  "di",
  "von",
  "af",
  "av",
])

/** Words about an amount that leave its size as it is. Years and other numbers do so too. */
const NEUTRAL: ReadonlySet<string> = new Set(
  (
    "amount value deal opportunity total sum acv arr tcv mrr revenue currency local base company corporate home reporting converted conversion system calculated formatted formula rollup optional required read only number money " +
    "net gross netto brutto vat tax taxes excl incl ex inc excluding including without with ohne inkl exkl zzgl mwst ust ht ttc tva hors taxe taxes iva sin con sem com impuestos bez z btw moms " +
    "weighted unweighted gewichtet pondéré ponderado expected est estimated actual final planned forecast year yearly annual annually per pa month monthly annualised annualized jahr jährlich année annuel anual and or all new old won lost open closed"
  ).split(" "),
)

/** `x1000`, `'000`, `000s`, `1000s`: powers of ten from a hundred. Alone, `1000` is one in brackets only. */
const readPower = (token: string, isBracketed: boolean): number | undefined => {
  const [, sign, digits = "", plural] = /^([x×*]\s?|['’])?(1?(?:[.,'’]?0){2,})(['’]?s)?$/i.exec(token) ?? []
  const zeros = digits.replaceAll(/[^0]/g, "").length
  const isMeant = sign !== undefined || plural !== undefined || zeros === digits.length || isBracketed
  return digits !== "" && isMeant ? 10 ** zeros : undefined
}

const readCode = (token: string, isBracketed: boolean): Currency | undefined => {
  // "all" and "try" are words, and codes of currencies in capitals.
  if (!isBracketed && /^[a-z]{3}(?![a-z])/i.test(token) && token !== token.toUpperCase()) return undefined
  return /^(?:[\d'’.]|[a-z]{3}[^a-z.])/i.test(token) ? undefined : readCurrencyCell(token)
}

/** The factor of a word beside a currency: only there is `T` a thousand. */
const factorBeside = (word: string, currency: Currency | undefined): number | undefined =>
  currency !== undefined && /^t$/i.test(word) ? 1e3 : factorOf(word, codeOf(currency))

/** A unit that is joined to a currency: `k€`, `TEUR`, `tkr`, `MSEK`, `$000s`, `USD'000`. */
const readGlued = (token: string, isBracketed: boolean): Read | undefined => {
  for (let at = 1; at < Math.min(token.length, MAX_GLUED); at++) {
    for (const [first, second] of [
      [token.slice(0, at), token.slice(at)],
      [token.slice(at), token.slice(0, at)],
    ] as const) {
      const currency = readCode(first, isBracketed)
      if (currency === undefined) continue
      const factor = factorBeside(second, currency) ?? readPower(second, true)
      if (factor !== undefined) return { factor, currency }
    }
  }
  return undefined
}

/** Characters of a currency and a unit that are joined. */
const MAX_GLUED = 12

const codeOf = (currency: Currency | undefined) => (currency?.kind === "code" ? currency.code : undefined)

const CENTS = /^(?:cents?|minor units?|centimes|céntimos|centavos|pence|öre|øre)$/iu

/** Reads words as a unit, and returns the words that name no unit as unknown. */
const readWords = (text: string, isBracketed: boolean): Read & { readonly unknown: ReadonlyArray<string> } => {
  const whole = readCode(text, isBracketed)
  if (whole !== undefined) return { currency: whole, unknown: [] }
  if (CENTS.test(text)) return { factor: 0.01, unknown: [] }
  const tokens = text.split(/[\s,;:/_+&-]+/).flatMap((token) => {
    const word = token.replace(/^d['’](?=\p{L})/u, "")
    return word === "" || PREPOSITIONS.has(word.toLowerCase()) ? [] : [word]
  })
  const currency = tokens.map((token) => readCode(token, isBracketed)).find((each) => each !== undefined)
  const found: { factor?: number | undefined; currency?: Currency | undefined } = { currency }
  const unknown: Array<string> = []
  for (const token of tokens) {
    if (readCode(token, isBracketed) !== undefined) continue
    const factor = factorBeside(token, currency) ?? readPower(token, isBracketed)
    const read: Read | undefined = factor === undefined ? readGlued(token, isBracketed) : { factor }
    if (read === undefined) unknown.push(token)
    else Object.assign(found, read, { factor: (found.factor ?? 1) * (read.factor ?? 1) })
  }
  return { ...found, unknown }
}

const BRACKETS = /(?<!\s)\s*(?:\([^()]*\)|\[[^[\]]*\])\s*$/

const isNeutral = (token: string): boolean =>
  NEUTRAL.has(token.toLowerCase().replaceAll(".", "")) || !/\p{L}/u.test(token)

/**
 * Reads the unit in the last words of a header: after "in" or a comma, joined
 * to a currency, or a whole word. Returns undefined if they name no unit.
 */
const readEnd = (text: string): (Read & { readonly name: string; readonly unit: string }) | undefined => {
  for (const { index, 0: mark } of text.matchAll(/[\s,_]+(?:-\s+)?|(?<=[\p{L}\p{N}])(?=\p{Sc})/gu)) {
    const unit = text.slice(index + mark.length)
    if (index === 0 || unit === "" || unit.length > MAX_UNIT_LENGTH) continue
    const read = readWords(unit, false)
    if (read.unknown.length > 0 || (read.factor === undefined && read.currency === undefined)) continue
    const [first = ""] = unit.split(/\s/)
    const isSaid = PREPOSITIONS.has(first.toLowerCase()) || mark.includes(",")
    if (read.currency === undefined && !isSaid && !/\p{L}{4}|\p{L}\.$|\d|[\u3000-\uffef]/u.test(unit)) continue
    return { ...read, name: text.slice(0, index), unit }
  }
  return undefined
}

/** In UTF-16 units: `in thousands of USD` has 19. */
const MAX_UNIT_LENGTH = 60

const found = new Map<string, HeaderUnit>()
const MAX_KNOWN = 2000

/** In UTF-16 units. Reading a header takes time by the square of its length, and a cell of a file without headers may have a million. */
export const MAX_HEADER_LENGTH = 200

/** Separates a header from its unit. A longer text than a header has none. */
export const splitUnit = (header: string): HeaderUnit => {
  if (header.length > MAX_HEADER_LENGTH)
    return { name: header, unit: undefined, factor: 1, currency: undefined, unknown: [] }
  const known = found.get(header)
  if (known !== undefined) return known
  const read = readHeader(header)
  if (found.size >= MAX_KNOWN) found.clear()
  found.set(header, read)
  return read
}

const readHeader = (header: string): HeaderUnit => {
  let name = withoutNotes(header)
    .normalize("NFKC")
    .replace(/^[\s\p{So}\p{Sm}]+|(?<![\s\p{So}\p{Sm}])[\s\p{So}\p{Sm}]+$/gu, "")
  const units: Array<string> = []
  const unknown: Array<string> = []
  let read: Read = NOTHING
  const add = (more: Read) => {
    const factor = more.factor === undefined ? read.factor : (read.factor ?? 1) * more.factor
    read = { factor, currency: read.currency ?? more.currency }
  }
  for (let bracket = BRACKETS.exec(name); bracket !== null && bracket.index > 0; bracket = BRACKETS.exec(name)) {
    const text = bracket[0].trim().slice(1, -1).trim()
    const words = readWords(text, true)
    add(words)
    unknown.push(...words.unknown.filter((token) => !isNeutral(token)))
    units.push(text)
    name = name.slice(0, bracket.index)
  }
  const end = readEnd(name)
  if (end !== undefined) {
    add(end)
    units.push(end.unit)
    name = end.name
  }
  return {
    name: units.length === 0 ? header : name,
    unit: units.length === 0 ? undefined : units.join(" "),
    factor: read.factor ?? 1,
    currency: read.currency,
    unknown,
  }
}
