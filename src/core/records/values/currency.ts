import { isTooLong } from "./length.ts"

/** A currency as a cell shows it: a code, or a sign that several currencies share. */
export type Currency =
  | { readonly kind: "code"; readonly code: string }
  | { readonly kind: "sign"; readonly sign: "$" | "kr" | "¥" }

/** Signs of one currency. Longer ones come first, since `US$` ends in `$`. */
const SIGNS: ReadonlyArray<readonly [string, string]> = [
  ["AU$", "AUD"],
  ["CA$", "CAD"],
  ["HK$", "HKD"],
  ["MX$", "MXN"],
  ["NT$", "TWD"],
  ["NZ$", "NZD"],
  ["US$", "USD"],
  ["SFr.", "CHF"],
  ["A$", "AUD"],
  ["C$", "CAD"],
  ["R$", "BRL"],
  ["S$", "SGD"],
  ["CN¥", "CNY"],
  ["JP¥", "JPY"],
  ["Fr.", "CHF"],
  ["Rs.", "INR"],
  ["Rs", "INR"],
  ["Kč", "CZK"],
  ["zł", "PLN"],
  ["Ft", "HUF"],
  ["Euro", "EUR"],
  ["€", "EUR"],
  ["£", "GBP"],
  ["₹", "INR"],
  ["₩", "KRW"],
  ["₪", "ILS"],
  ["₫", "VND"],
  ["₺", "TRY"],
  ["₽", "RUB"],
  ["₴", "UAH"],
  ["₱", "PHP"],
  ["₦", "NGN"],
  ["฿", "THB"],
  // Shift_JIS has the yen sign where ASCII has the backslash.
  ["\\", "JPY"],
  ["円", "JPY"],
  ["元", "CNY"],
]

/** The currencies that a shared sign may mean. */
const SHARED = {
  $: [
    "USD",
    "CAD",
    "AUD",
    "NZD",
    "HKD",
    "SGD",
    "MXN",
    "TWD",
    "ARS",
    "CLP",
    "COP",
    "UYU",
    "DOP",
    "BND",
    "FJD",
    "JMD",
    "TTD",
  ],
  kr: ["SEK", "NOK", "DKK", "ISK"],
  "¥": ["JPY", "CNY"],
} as const

let codes: ReadonlySet<string> | undefined
/** Whether the text is a code of ISO 4217. */
export const isCurrencyCode = (text: string): boolean =>
  (codes ??= new Set(Intl.supportedValuesOf("currency"))).has(text.toUpperCase())

/** The characters that signs of currencies begin and end with: most texts have none of them at their ends. */
const ALL_SIGNS = [...SIGNS.map(([sign]) => sign), "$", "¥"]
const BEGINNINGS = new Set(ALL_SIGNS.map((sign) => sign[0]))
const ENDS = new Set(ALL_SIGNS.map((sign) => sign.at(-1)))

const mayHaveSign = (text: string): boolean =>
  BEGINNINGS.has((text.startsWith("-") ? text.slice(1).trimStart() : text)[0]) || ENDS.has(text.at(-1))

/** A letter for thousands or millions that is joined to the currency. */
const GLUED_LAST = /^(?<number>.*\d)\s*(?<letter>[TKMtkm])(?<of>€|kr|[A-Z]{3})$/
const GLUED_FIRST = /^(?<letter>[TKMtkm])(?<of>€|kr|[A-Z]{3})\s*(?<number>.*\d)$/

interface Separated {
  readonly rest: string
  readonly currency: Currency | undefined
}

const takeCode = (text: string): Separated | undefined => {
  const code = /^([A-Za-z]{3})(?=[\s\d(.+-])|(?<=[\s\d).-])([A-Za-z]{3})$/.exec(text)
  if (code === null || !isCurrencyCode(code[1] ?? code[2]!)) return undefined
  const rest = code[1] === undefined ? text.slice(0, -3) : text.slice(3)
  return { rest, currency: { kind: "code", code: (code[1] ?? code[2]!).toUpperCase() } }
}

/** Controllers write "TEUR" and "T€", "MSEK" and "tkr". */
const takeGlued = (text: string): Separated | undefined => {
  const { number, letter = "", of } = (GLUED_LAST.exec(text) ?? GLUED_FIRST.exec(text))?.groups ?? {}
  const currency = of === undefined ? undefined : readCurrencyCell(of)
  return currency === undefined ? undefined : { rest: `${number}${/t/i.test(letter) ? "k" : letter}`, currency }
}

const takeSign = (text: string): Separated | undefined => {
  if (!mayHaveSign(text)) return undefined
  for (const [sign, code] of SIGNS) {
    const rest = without(text, sign)
    if (rest !== undefined) return { rest, currency: { kind: "code", code } }
  }
  for (const sign of ["$", "¥"] as const) {
    const rest = without(text, sign)
    if (rest !== undefined) return { rest, currency: { kind: "sign", sign } }
  }
  return undefined
}

/** Separates a currency at either end of the text from the rest. */
export const readCurrency = (text: string): Separated => {
  if (isTooLong(text)) return { rest: text, currency: undefined }
  const found = takeCode(text) ?? takeGlued(text) ?? takeSign(text)
  if (found !== undefined) return found
  const crowns = /^kr\.?\s*(?=[\d-])|(?<=\d)\s*kr\.?$/i.exec(text)
  if (crowns !== null) return { rest: text.replace(crowns[0], ""), currency: { kind: "sign", sign: "kr" } }
  return { rest: text, currency: undefined }
}

const without = (text: string, sign: string): string | undefined => {
  if (text.startsWith(sign) || (text.startsWith("-") && text.slice(1).trimStart().startsWith(sign)))
    return text.replace(sign, "")
  return text.endsWith(sign) ? text.slice(0, -sign.length) : undefined
}

/** Whether a currency as written can mean `code`. */
export const canMean = (currency: Currency, code: string): boolean =>
  currency.kind === "code" ? currency.code === code : (SHARED[currency.sign] as ReadonlyArray<string>).includes(code)

export const nameCurrency = (currency: Currency): string => (currency.kind === "code" ? currency.code : currency.sign)

/** Names that ISO 4217, Windows and so Dynamics give to currencies, where Unicode has another one. */
const OTHER_NAMES: ReadonlyArray<readonly [string, string]> = [
  ["pound sterling", "GBP"],
  ["uk pound", "GBP"],
  ["uk pound sterling", "GBP"],
  ["british pound sterling", "GBP"],
  ["united states dollar", "USD"],
  ["american dollar", "USD"],
  ["yen", "JPY"],
  ["yuan renminbi", "CNY"],
  ["chinese yuan renminbi", "CNY"],
  ["prc yuan renminbi", "CNY"],
  ["zloty", "PLN"],
  ["brazil real", "BRL"],
  ["korean won", "KRW"],
  ["uae dirham", "AED"],
  ["israeli shekel", "ILS"],
  ["new israeli sheqel", "ILS"],
  ["russian rouble", "RUB"],
  ["pakistan rupee", "PKR"],
]

/** A name without accents, points and the letters of its plural: "Swedish Kronor" and "Swedish Krona" are one. */
const plainName = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[\p{M}.]/gu, "")
    .replaceAll(/\bkron(?:a|e|or|er|ur)\b/g, "kron")
    .replaceAll(/(?<=[a-z]{2})s\b/g, "")
    .replaceAll(/[\s-]+/g, " ")

let names: ReadonlyMap<string, string> | undefined
const listNames = (): ReadonlyMap<string, string> => {
  const english = new Intl.DisplayNames("en", { type: "currency" })
  const known = Intl.supportedValuesOf("currency").map((code) => [english.of(code) ?? "", code] as const)
  return new Map([...known, ...OTHER_NAMES].map(([name, code]) => [plainName(name), code]))
}

/** The code of a currency by its English name. Of one word, only those above are clear: Gold and Real are not. */
const codeOfName = (text: string): string | undefined => {
  const isOther = OTHER_NAMES.some(([name]) => name === text.toLowerCase())
  return isOther || /^\p{L}[\p{L}.]*[\s-]\p{L}/u.test(text) ? (names ??= listNames()).get(plainName(text)) : undefined
}

const PLURALS: Readonly<Record<string, Currency | undefined>> = {
  euros: { kind: "code", code: "EUR" },
  dollar: { kind: "sign", sign: "$" },
  dollars: { kind: "sign", sign: "$" },
  kr: { kind: "sign", sign: "kr" },
}

/** Reads a cell that holds only a currency: a code, a sign, an English name, or a label such as `EUR - Euro`. */
export const readCurrencyCell = (cell: string): Currency | undefined => {
  const text = cell.normalize("NFKC").trim()
  const code = /^([A-Za-z]{3})(?![A-Za-z])/.exec(text)?.[1] ?? /\(([A-Za-z]{3})\)$/.exec(text)?.[1]
  if (code !== undefined && isCurrencyCode(code)) return { kind: "code", code: code.toUpperCase() }
  const plural = PLURALS[text.toLowerCase()]
  if (plural !== undefined) return plural
  const { rest, currency } = readCurrency(text)
  if (rest.trim() === "") return currency
  const named = codeOfName(text)
  return named === undefined ? undefined : { kind: "code", code: named }
}
