import * as Schema from "effect/Schema"
import type { Invalid } from "../../http/validation.ts"
import type { Notices } from "../Notices.ts"
import { RECORDS, type RecordType } from "../records.ts"
import { type Row, type TableFacts, textOf } from "../table/Table.ts"
import { cellKind } from "./cellKinds.ts"
import { CURRENCY, OUTCOME, type FilledField, matchColumns } from "./columns.ts"
import { canMean, isCurrencyCode, readCurrencyCell } from "./currency.ts"
import type { DateOrder } from "./dates.ts"
import { currencyEvidence, dateEvidence, numberEvidence } from "./evidence.ts"
import { exportColumns } from "./exportColumns.ts"
import { findHeader } from "./findHeader.ts"
import { splitUnit } from "./headers.ts"
import type {
  ImportPlan,
  KeptColumn,
  PlanContext,
  PlannedColumn,
  PlannedCurrency,
  PlannedField,
  PlanOptions,
} from "./ImportPlan.ts"
import type { DecimalMark } from "./numbers.ts"
import { keepColumns } from "./keepColumns.ts"
import { planExport, withExport } from "./planExport.ts"

export interface Planned {
  readonly plan: ImportPlan
  /** The place of the header among the sample's rows. */
  readonly headerAt: number
}

/**
 * Plans an import from the first rows of a file: finds the header, gives columns to fields, and decides for each column how its
 * cells are read. Returns why the file has no plan.
 */
export const makePlan = (
  sample: ReadonlyArray<Row>,
  facts: TableFacts,
  options: PlanOptions,
  context: PlanContext,
  notices: Notices,
): Planned | ReadonlyArray<Invalid> => {
  const { type, map } = options
  const headerAt = findHeader(type, sample, map)
  if (typeof headerAt !== "number") return headerAt
  const { line: headerLine, cells } = sample[headerAt]!
  const header = withoutEmptyEnd(cells.map(textOf))
  const rows = sample.slice(headerAt + 1)
  const own = type === "deal" ? exportColumns(header, map, context) : undefined
  const others = own === undefined ? header : header.map((name, index) => (own.has(index) ? "" : name))
  const named = withExport(own, header, matchColumns(type, others, headerLine, map))
  const fitted = byValues(options, rows, named)
  if (options.keepUnmapped !== undefined && type !== "deal") {
    return [{ field: "keep_unmapped", reason: "keeps columns of deals: use it with type=deal" }]
  }
  const { matched, kept } =
    options.keepUnmapped === undefined ? { matched: fitted, kept: NOTHING_KEPT } : keep(fitted, header, rows, context)
  const types = new Map([...context.properties, ...kept.map(({ id, data_type }) => [id, data_type] as const)])
  if (matched.invalid.length > 0) return matched.invalid
  if (matched.fields.length === 0 && own === undefined) {
    return [{ field: "map", reason: `must fill at least one field of a ${type}, but it ignores all columns` }]
  }
  const clears = options.empty === "clear"
  const plain = matched.fields.map(({ field, cells }) => ({
    field,
    cells,
    kind: kindOf(field, types),
    path: pathOf(field),
    ...(kept.some(({ id }) => field === `crm_properties.${id}`) && { isKept: true as const }),
    ...(own?.has(cells[0]!) === true && { isExported: true as const }),
    ...(clears && canClear(type, pathOf(field)) && { isCleared: true as const }),
  }))
  const fields = decide(plain, rows, facts, options, notices)
  const currency = planCurrency(fields, header, rows, options, context)
  if ("invalid" in currency) return currency.invalid
  warnOfUnmapped(matched.columns, rows, notices)
  return {
    headerAt,
    plan: {
      type,
      headerLine,
      header,
      columns: matched.columns,
      fields: fields.filter(({ field }) => field !== CURRENCY && field !== OUTCOME),
      outcomeCell: fields.find(({ field }) => field === OUTCOME)?.cells[0],
      currency,
      ...(fields.some(({ kind }) => kind === "date") && { timezone: context.timezone }),
      exported: own === undefined ? undefined : planExport(own, matched, rows, facts),
      clears,
      kept,
      known: {},
    },
  }
}

/** Exports end their lines with delimiters; columns without a header and without cells are none. */
export const withoutEmptyEnd = (header: ReadonlyArray<string>) =>
  header.slice(0, header.findLastIndex((name) => name.trim() !== "") + 1)

const NOTHING_KEPT: ReadonlyArray<KeptColumn> = []

/** Gives columns without a field to properties of the deal. */
const keep = (matched: Matched, header: ReadonlyArray<string>, rows: ReadonlyArray<Row>, context: PlanContext) => {
  const taken = matched.fields.flatMap(({ field }) => /^crm_properties\.(.+)$/s.exec(field)?.[1] ?? [])
  const kept = keepColumns(matched.columns, header, rows, new Set(taken), context)
  const columns = matched.columns.map((column, index) => {
    const found = kept.get(index)
    return found === undefined ? column : { ...column, field: `crm_properties.${found.id}`, confidence: 1 }
  })
  const fields = [...kept].map(([index, { id }]) => ({ field: `crm_properties.${id}`, cells: [index] }))
  return { matched: { ...matched, columns, fields: [...matched.fields, ...fields] }, kept: [...kept.values()] }
}

const kindOf = (field: string, properties: PlanContext["properties"]) =>
  field === CURRENCY || field === OUTCOME ? "text" : cellKind(field, properties)

const pathOf = (field: string): ReadonlyArray<string> => {
  const [, map, name, part] = /^([a-z_]+)\.(.+?)(?:\.(score|explanation))?$/.exec(field) ?? []
  if (map === undefined || name === undefined) return [field]
  if (part === undefined) return [map, name]
  return map === "scorecard" || map === "custom_metrics" ? [map, name, part] : [map, `${name}.${part}`]
}

/** Whether null clears the field of a record, or the part of one of its maps. */
const canClear = (type: RecordType, [field = "", ...part]: ReadonlyArray<string>): boolean => {
  const schema: Schema.Top | undefined = (RECORDS[type].fields as Readonly<Record<string, Schema.Top>>)[field]
  return part.length > 0 || (schema !== undefined && Schema.is(schema)(null))
}

type Matched = ReturnType<typeof matchColumns>

/** Ids of Salesforce begin with the kind of thing that they name, and e-mail addresses have one shape. */
const SHAPES: Readonly<Record<string, ReadonlyArray<readonly [field: string, shape: RegExp]>>> = {
  deal: [["crm_one_id", /^006[A-Za-z0-9]{12}(?:[A-Za-z0-9]{3})?$/]],
  client: [["crm_one_id", /^001[A-Za-z0-9]{12}(?:[A-Za-z0-9]{3})?$/]],
  owner: [["email", /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i]],
}
const CONFIDENCE_OF_SHAPE = 0.7

/** Gives a column without a known header to the field whose shape all its cells have. */
const byValues = ({ type }: PlanOptions, rows: ReadonlyArray<Row>, matched: Matched): Matched => {
  const columns: Array<PlannedColumn> = [...matched.columns]
  const fields: Array<FilledField> = [...matched.fields]
  for (const [field, shape] of SHAPES[type] ?? []) {
    if (fields.some((each) => each.field === field)) continue
    const found = columns.findIndex(({ column, field: taken, by }, index) => {
      // Data Loader calls the id of the CRM "ID".
      const isId = taken === "id" && field === "crm_one_id" && by === "name" && column !== "id"
      if ((taken !== null && !isId) || by === "map") return false
      const cells = rows.map(({ cells }) => textOf(cells[index] ?? "").trim()).filter((text) => text !== "")
      return cells.length > 0 && cells.every((text) => shape.test(text))
    })
    if (found === -1) continue
    const claimed = fields.findIndex(({ cells }) => cells.includes(found))
    if (claimed !== -1) fields.splice(claimed, 1)
    columns[found] = { column: columns[found]!.column, field, confidence: CONFIDENCE_OF_SHAPE, by: "values" }
    fields.push({ field, cells: [found] })
  }
  return { ...matched, columns, fields }
}

type Undecided = Omit<PlannedField, "mark" | "order">

/** Decides marks and orders: the option first, then the column, then what the other columns of the file prove. */
const decide = (
  fields: ReadonlyArray<Undecided>,
  rows: ReadonlyArray<Row>,
  facts: TableFacts,
  { decimal, dates }: PlanOptions,
  notices: Notices,
): ReadonlyArray<PlannedField> => {
  const numbers = new Map(
    fields
      .filter(({ kind }) => kind === "money" || kind === "number")
      .map(({ field, cells }) => [field, numberEvidence(rows, cells[0]!)] as const),
  )
  const days = new Map(
    fields
      .filter(({ kind }) => kind === "day" || kind === "date")
      .map(({ field, cells }) => [field, dateEvidence(rows, cells[0]!)] as const),
  )
  const hasPoints = [...days.values()].some((each) => each.hasPoints)
  const proven = agreed([...numbers.values()].map(({ mark }) => mark))
  const markOfFile: DecimalMark | undefined = proven ?? (facts.delimiter === ";" || hasPoints ? "," : undefined)
  // Countries with a decimal comma write the day first.
  const provenOrder: DateOrder | undefined = agreed([...days.values()].map(({ order }) => order))
  const orderOfFile = provenOrder ?? (markOfFile === "," ? "DMY" : undefined)

  for (const [field, { mixed }] of decimal === undefined ? numbers : []) {
    if (mixed === undefined) continue
    for (const { cell, line } of mixed.examples.values()) {
      notices.add("decimal_unclear", { field, line, example: cell, message: MIXED_MARKS })
    }
  }
  for (const [field, { mixed }] of dates === undefined ? days : []) {
    if (mixed === undefined) continue
    for (const { cell, line } of mixed.examples.values()) {
      notices.add("date_order_unclear", { field, line, example: cell, message: MIXED_ORDERS })
    }
  }
  return fields.map((each) => {
    const number = numbers.get(each.field)
    if (number !== undefined) {
      return {
        ...each,
        mark:
          decimal ??
          (number.mixed === undefined ? (number.mark ?? (each.isExported ? proven : markOfFile)) : undefined),
      }
    }
    const date = days.get(each.field)
    if (date === undefined) return each
    return {
      ...each,
      order:
        dates ??
        (date.mixed === undefined ? (date.order ?? (each.isExported ? provenOrder : orderOfFile) ?? "ISO") : "ISO"),
    }
  })
}

const MIXED_MARKS =
  "some cells have a decimal point and others a decimal comma; each is read by its own form. Set 'decimal' if one of them is wrong"
const MIXED_ORDERS =
  "some dates have the day first and others the month; those that may be either are refused. Set 'dates' to read all in one order"

const agreed = <T extends string>(values: ReadonlyArray<T | undefined>): T | undefined => {
  const known = new Set(values.filter((each) => each !== undefined))
  return known.size === 1 ? [...known][0] : undefined
}

/** Which currency amounts are in, and which are converted. */
const planCurrency = (
  fields: ReadonlyArray<PlannedField>,
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<Row>,
  { rates = {} }: PlanOptions,
  { currency }: PlanContext,
): PlannedCurrency | { readonly invalid: ReadonlyArray<Invalid> } => {
  const cell = fields.find(({ field }) => field === CURRENCY)?.cells[0]
  const amounts = fields.filter(({ kind }) => kind === "money").flatMap(({ cells }) => cells)
  const unit = amounts.map((each) => unitOf(header[each] ?? "")).find((each) => each !== undefined)
  const seen = currencyEvidence(rows, amounts, cell)
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
    rates,
  }
}

/** `Amount (EUR)`, `Betrag in €` and `amount_eur` name a currency. */
const unitOf = (header: string): string | undefined => {
  const { unit } = splitUnit(header)
  const currency = unit === undefined ? undefined : readCurrencyCell(unit)
  if (currency?.kind === "code") return currency.code
  const last = /[_\s]([A-Za-z]{3})$/.exec(header.trim())?.[1]
  return last !== undefined && last === last.toUpperCase() && isCurrencyCode(last) ? last : undefined
}

const warnOfUnmapped = (columns: ReadonlyArray<PlannedColumn>, rows: ReadonlyArray<Row>, notices: Notices): void => {
  columns.forEach(({ column, field, by }, index) => {
    if (field !== null || by === "map" || by === "export") return
    if (!rows.some(({ cells }) => textOf(cells[index] ?? "").trim() !== "")) return
    notices.add("column_unmapped", {
      example: column,
      message: `'${column.slice(0, 100)}' fills no field, so it is not imported: map it to one`,
    })
  })
}
