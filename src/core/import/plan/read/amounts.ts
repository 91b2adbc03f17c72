import type { Notices } from "../../../records/Notices.ts"
import { type TableRow, textOf } from "../../table/Table.ts"
import {
  canMean,
  type Currency,
  nameCurrency,
  readCurrency,
  readCurrencyCell,
} from "../../../records/values/currency.ts"
import { isPlaceholder } from "../cells/emptyCells.ts"
import { currencyOfFormat } from "../cells/evidence.ts"
import type { PlannedCurrency } from "../fields/ImportPlan.ts"

/** An amount that was converted, and the one that the file has, as properties of the deal. */
export interface Conversion {
  readonly amount: number
  readonly properties: { readonly import_amount: number; readonly import_currency: string }
}

interface Given {
  readonly value: number
  readonly currency?: Currency | undefined
  /** The number format of a workbook's cell. */
  readonly format?: string | undefined
}

/** The digits of the smallest unit of the currency: cents, yen, or thousandths of a dinar. */
const digitsOf = (currency: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2

/** Returns a function that gives an amount in the workspace's currency, or says why it cannot. */
export const makeConverter = (plan: PlannedCurrency, notices: Notices) => {
  const { target, cell, ofColumn, converted, rates } = plan
  const orConverted =
    converted === undefined ? "" : `, or take the amounts that the CRM has converted, with map=${converted}=amount`
  const digits = target === undefined ? 2 : digitsOf(target)

  /** The currency that the row says, or why what it says is no currency or contradicts itself. */
  const stated = ({ currency, format }: Given, { cells }: TableRow): Currency | undefined | string => {
    const sign = currency ?? (format === undefined ? undefined : readCurrency(currencyOfFormat(format)).currency)
    const text = cell === undefined ? "" : textOf(cells[cell] ?? "").trim()
    if (text === "" || isPlaceholder(text)) {
      if (ofColumn === undefined || (sign !== undefined && !canMean(sign, ofColumn))) return sign
      return { kind: "code", code: ofColumn }
    }
    const own = readCurrencyCell(text)
    if (own === undefined)
      return `has the currency '${text.slice(0, 30)}' beside it, which is neither a code of ISO 4217 such as EUR nor the English name of a currency`
    if (sign === undefined) return own
    const agrees =
      own.kind === "code"
        ? canMean(sign, own.code)
        : sign.kind === "sign"
          ? sign.sign === own.sign
          : canMean(own, sign.code)
    if (!agrees) return `is in ${nameCurrency(sign)}, but the row's currency is ${nameCurrency(own)}`
    return own.kind === "code" ? own : sign
  }

  return (given: Given, row: TableRow, field: string): number | Conversion | string => {
    const { value } = given
    const currency = stated(given, row)
    if (typeof currency === "string") return currency
    // Nothing is nothing in any currency; with a rate, the deal keeps the currency of the file.
    if (value === 0 && (currency?.kind !== "code" || rates[currency.code] === undefined)) return 0
    const refuse = (name: string | undefined, reason: string): string => {
      notices.add("other_currency", { field, line: row.line, example: name, message: reason })
      return reason
    }
    if (plan.isUnknown) {
      return refuse(
        // Those that have a rate leave the examples to those without.
        currency === undefined || rates[nameCurrency(currency)] !== undefined ? undefined : nameCurrency(currency),
        `cannot be read: the file has several currencies and the workspace has none. Set the workspace's currency, or give rates for all but one, as in rates=USD:1.1${orConverted}`,
      )
    }
    if (currency === undefined) return value
    if (target === undefined) {
      if (currency.kind === "code")
        return refuse(currency.code, `is in ${currency.code}, but the workspace has no currency: set it`)
      const message = `'${currency.sign}' may mean several currencies, and the workspace has none: amounts are taken as they are. Set the workspace's currency`
      notices.add("other_currency", { field, line: row.line, example: currency.sign, message })
      return value
    }
    if (canMean(currency, target)) return value
    if (currency.kind === "sign") {
      return refuse(
        currency.sign,
        `has the sign ${currency.sign}, which does not mean ${target} and may mean several currencies: write the code, such as USD`,
      )
    }
    const rate = rates[currency.code]
    if (rate === undefined) {
      return refuse(
        currency.code,
        `is in ${currency.code}, but the workspace's amounts are in ${target}: give the rate, as in rates=${currency.code}:1.1 (${target} for 1 ${currency.code})${orConverted}`,
      )
    }
    return {
      amount: Number((value * rate).toFixed(digits)),
      properties: { import_amount: value, import_currency: currency.code },
    }
  }
}
