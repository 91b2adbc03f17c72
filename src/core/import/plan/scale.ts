import { readCurrencyCell } from "../../records/values/currency.ts"

/** The unit of amounts that a header names: `Amount (cents)`, `Amount (T€)`, `Betrag in TEUR`, `Value ($000s)`, `Revenue in millions`. */
export interface Scale {
  readonly factor: number
  /** The code of the currency beside it. */
  readonly currency: string | undefined
}

const CURRENCY = String.raw`(€|\$|£|US\$|[A-Z]{3})`
const THOUSANDS = String.raw`(?:tsd\.?|thsd\.?|thousands?|tausend|milliers|miles|migliaia|'?000'?s?)`
const MILLIONS = String.raw`(?:mio\.?|mln\.?|mn|mm|millions?|millionen|millones|milioni)`
const OF = String.raw`\s*(?:of |de |di |d')?`

const UNITS: ReadonlyArray<readonly [RegExp, number]> = [
  [new RegExp(`^(?:t|k|${THOUSANDS}${OF})\\s?${CURRENCY}$`, "iu"), 1e3],
  [new RegExp(`^${CURRENCY}\\s?(?:k|${THOUSANDS})$`, "iu"), 1e3],
  [new RegExp(`^(?:m|${MILLIONS}${OF})\\s?${CURRENCY}$`, "iu"), 1e6],
  [new RegExp(`^${CURRENCY}\\s?(?:m|${MILLIONS})$`, "iu"), 1e6],
]
/** Without a currency only in brackets or after "in": "Class K" has no unit. */
const BARE: ReadonlyArray<readonly [RegExp, number]> = [
  [new RegExp(`^(?:k|${THOUSANDS})$`, "iu"), 1e3],
  [new RegExp(`^(?:m|${MILLIONS})$`, "iu"), 1e6],
  [/^(?:cents?|minor units?|centimes|céntimos|pence)$/iu, 0.01],
]

export const parseScale = (header: string): Scale | undefined => {
  const text = header.normalize("NFKC").trim()
  const stated = /\(([^()]*)\)|\[([^[\]]*)\]|\bin (.+)$/iu.exec(text)
  const unit = (stated?.[1] ?? stated?.[2] ?? stated?.[3])?.replace(/^in /i, "").trim()
  const last = text.split(/[\s_]+/u).at(-1) ?? ""
  return (unit === undefined ? undefined : (read(unit, UNITS) ?? read(unit, BARE))) ?? read(last, UNITS)
}

const read = (unit: string, units: ReadonlyArray<readonly [RegExp, number]>): Scale | undefined => {
  for (const [pattern, factor] of units) {
    const found = pattern.exec(unit)
    if (found === null) continue
    if (found[1] === undefined) return { factor, currency: undefined }
    const currency = readCurrencyCell(found[1])
    if (currency !== undefined) return { factor, currency: currency.kind === "code" ? currency.code : undefined }
  }
  return undefined
}

/** Whether a cell names its own thousands or millions, so that the header does not multiply it again. */
export const isScaled = (cell: string): boolean =>
  /\d\s*(?:(?:k|m|b|mm|mn|bn|mi|mil)(?!\p{L})|t(?:€|eur)|tsd|tausend|mio|mrd|mill|mln|thousand|[億亿억百万만千천])/iu.test(
    cell,
  )
