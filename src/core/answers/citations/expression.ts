import { measureOf } from "../../reports/measures.ts"
import { formatCount, formatRate, formatValue, unitOf } from "../questions/words/numbers.ts"

/** A value of a row, by its measure; null if the row has none. */
export interface Measured {
  readonly measure: string
  readonly value: number | null
  readonly currency: string | undefined
}

interface Term {
  readonly ref: string
  readonly field: string
}

interface Expression {
  readonly first: Term
  readonly other?: { readonly operator: string; readonly term: Term }
}

const TERM = String.raw`([\w-]{4})\.([\p{L}\p{N}_](?:[\p{L}\p{N}_. -]*?[\p{L}\p{N}_])?)`
const EXPRESSION = new RegExp(String.raw`^${TERM}(?:\s*([+/÷−–-])\s*${TERM})?$`, "u")

/** Reads `k7f3.win_rate`, or a sum, difference or ratio of two such values. */
export const readExpression = (text: string): Expression | undefined => {
  const [, ref = "", field = "", operator, second = "", other = ""] = EXPRESSION.exec(text) ?? []
  if (ref === "") return undefined
  const first = { ref, field }
  return operator === undefined ? { first } : { first, other: { operator, term: { ref: second, field: other } } }
}

/**
 * Computes with two values of the same unit, and writes the result as answers do. A difference of rates is in percentage points; a
 * ratio is a share in percent, or a multiple. Undefined if the values do not give one: two rates or averages have no sum.
 */
export const combine = (a: Measured, operator: string, b: Measured): string | undefined => {
  const unit = unitOf(a.measure)
  if (a.value === null || b.value === null || unit !== unitOf(b.measure) || a.currency !== b.currency) return undefined
  switch (operator) {
    case "+": {
      const isAdditive = unit !== "rate" && [a, b].every(({ measure }) => measureOf(measure)?.additive !== false)
      return isAdditive ? formatValue(a.measure, a.value + b.value, a.currency) : undefined
    }
    case "/":
    case "÷": {
      const ratio = a.value / b.value
      if (!Number.isFinite(ratio) || ratio < 0) return undefined
      const isShare = (unit === "count" || unit === "money") && ratio <= 1
      return isShare ? formatRate(ratio) : `${formatCount(ratio)} times`
    }
    default: {
      const difference = a.value - b.value
      const size = Math.abs(difference)
      const written =
        unit === "rate" ? `${(size * 100).toFixed(1)} percentage points` : formatValue(a.measure, size, a.currency)
      return difference < 0 ? `−${written}` : written
    }
  }
}
