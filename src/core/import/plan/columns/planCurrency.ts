import type { Invalid } from "../../../http/validation/validation.ts"
import { canMean } from "../../../records/values/currency.ts"
import type { TableRow } from "../../table/Table.ts"
import { currencyEvidence } from "../cells/evidence.ts"
import type { PlanContext, PlannedCurrency, PlannedField, PlanOptions } from "../fields/ImportPlan.ts"
import { normalizeHeader } from "../headers/headers.ts"
import { CURRENCY } from "../headers/matchColumns.ts"
import { splitUnit } from "../headers/scale.ts"

/** The column in which the CRM has converted the amounts, if another fills the amount. */
const findConverted = (fields: ReadonlyArray<PlannedField>, header: ReadonlyArray<string>): string | undefined => {
  const [cell] = fields.find(({ field }) => field === "amount")?.cells ?? []
  const name = header[cell ?? -1]
  return name === undefined
    ? undefined
    : header.find((each) => normalizeHeader(each) === `${normalizeHeader(name)} (converted)`)?.trim()
}

/** Plans which currency amounts are in, and which are converted. */
export function* planCurrency(
  fields: ReadonlyArray<PlannedField>,
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<TableRow>,
  { rates = {} }: PlanOptions,
  { currency }: PlanContext,
): Generator<void, PlannedCurrency | { readonly invalid: ReadonlyArray<Invalid> }> {
  const cell = fields.find(({ field }) => field === CURRENCY)?.cells[0]
  const amounts = fields.filter(({ kind }) => kind === "money").flatMap(({ cells }) => cells)
  const units = amounts.map((each) => splitUnit(header[each] ?? "").currency)
  const unit = units.find((each) => each?.kind === "code")?.code
  const seen = yield* currencyEvidence(rows, amounts, cell)
  const codes = new Set([...seen.values()].flatMap((each) => (each.kind === "code" ? [each.code] : [])))
  if (unit !== undefined && codes.size === 0) codes.add(unit)
  const unconverted = [...codes].filter((code) => rates[code] === undefined)
  /** Signs such as `$` that none of the codes explains. */
  const signs = [...seen.values()].filter(
    (each) => each.kind === "sign" && ![...codes].some((code) => canMean(each, code)),
  )
  const target = currency ?? (unconverted.length === 1 && signs.length === 0 ? unconverted[0] : undefined)
  if (currency !== undefined && rates[currency] !== undefined) {
    return {
      invalid: [{ field: "rates", reason: `must not give a rate for ${currency}, which is the workspace's currency` }],
    }
  }
  return {
    target,
    isTaken: currency === undefined && target !== undefined,
    isUnknown: target === undefined && unconverted.length + signs.length > 1,
    cell,
    ofColumn: unit,
    converted: findConverted(fields, header),
    rates,
  }
}
