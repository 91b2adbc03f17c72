import { shorten } from "../../../common/shorten.ts"
import type { Notices } from "../../../records/Notices.ts"
import { type TableRow, textOf } from "../../table/Table.ts"
import { isPlaceholder } from "../cells/emptyCells.ts"
import { eachRow } from "../cells/evidence.ts"
import type { PlannedField } from "../fields/ImportPlan.ts"
import type { MatchedColumns } from "../headers/matchColumns.ts"

/** Words for an amount that comes again: Close has `monthly`, Insightly `Per Month`, Capsule `MONTH`. */
const RECURRING =
  /^(?:(?:per|pro|par|por|every|\/) ?)?(?:month|monat|mois|mes|mês|year|jahr|an|année|año|ano|quarter|quartal|trimestre|week|woche|semaine|semana|day|tag|jour|hour|stunde|heure)s?$|^(?:monthly|annual(?:ly)?|yearly|quarterly|weekly|daily|hourly|(?:bi|semi)-?annual(?:ly)?|monatlich|jährlich|vierteljährlich|quartalsweise|wöchentlich|mensuel(?:le)?|annuel(?:le)?|trimestriel(?:le)?|hebdomadaire|mensual|anual|trimestral|mensal|semanal|月額|年額|毎月|毎年)$/
const ONCE =
  /^(?:one[- ]?(?:time|off)|once|fixed(?: (?:bid|price|fee))?|flat|total|einmalig|unique|único|única|ponctuel(?:le)?|pago único|一括)$/
const MAX_WORD = 40

/** Warns of amounts that may be for a month or a year, by a column that fills no field and has such words alone. */
export function* warnOfRecurring(
  fields: ReadonlyArray<PlannedField>,
  { columns }: MatchedColumns,
  rows: ReadonlyArray<TableRow>,
  notices: Notices,
): Generator<void, void> {
  const amount = fields.find(({ field, isExported }) => field === "amount" && isExported !== true)
  for (const [index, { field, by, column }] of amount === undefined ? [] : columns.entries()) {
    if (by === "map" || (field !== null && !field.startsWith("crm_properties."))) continue
    const found: Array<{ readonly line: number; readonly text: string }> = []
    let isOther = false
    yield* eachRow(rows, ({ line, cells }) => {
      const text = textOf(cells[index] ?? "").trim()
      const word = text.length > MAX_WORD ? text : text.toLowerCase().replaceAll("_", " ")
      if (RECURRING.test(word)) found.push({ line, text })
      else isOther = text !== "" && !ONCE.test(word) && !isPlaceholder(text)
      return isOther
    })
    for (const { line, text } of isOther ? [] : found) {
      const message = `'${shorten(column)}' has '${text}': amounts are imported as they are written. If they are for such a period, and not for the whole deal, multiply them in the file first`
      notices.add("unit_unclear", { field: "amount", line, example: text, message, kind: column })
    }
  }
}
