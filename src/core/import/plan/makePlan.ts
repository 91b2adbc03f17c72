import * as Schema from "effect/Schema"
import { shorten } from "../../common/shorten.ts"
import type { Invalid } from "../../http/validation/validation.ts"
import type { Notices } from "../../records/Notices.ts"
import { RECORDS, type RecordType } from "../../records/record.ts"
import { type TableRow, type TableFacts, textOf } from "../table/Table.ts"
import { filledBy, planAspect } from "./fields/aspects.ts"
import { byValues } from "./columns/byValues.ts"
import { type CellKind, cellKind } from "./fields/cellKinds.ts"
import {
  CURRENCY,
  IS_DELETED,
  matchColumns,
  type MatchedColumns,
  namesOfColumns,
  OUTCOME,
} from "./headers/matchColumns.ts"
import type { DateOrder } from "../../records/values/dates.ts"
import { dateEvidence, type DateEvidence, numberEvidence, type NumberEvidence } from "./cells/evidence.ts"
import { exportColumns } from "./headers/exportColumns.ts"
import { findHeader } from "./headers/findHeader.ts"
import type { ImportPlan, KeptColumn, PlanContext, PlannedField, PlanOptions } from "./fields/ImportPlan.ts"
import type { DecimalMark } from "../../records/values/numbers.ts"
import { keepColumns } from "./columns/keepColumns.ts"
import { planCurrency } from "./columns/planCurrency.ts"
import { planExport, withExport } from "./columns/planExport.ts"
import { planGroups } from "./rows/planGroups.ts"
import { areMostFull } from "./rows/notRows.ts"
import { noticeFacts } from "./warnings/noticeFacts.ts"
import { planNames, refuseRows } from "./columns/otherObject.ts"
import { splitUnit } from "./headers/scale.ts"
import { planOutcome } from "./columns/stageFlags.ts"
import { columnsBeside, namedBeside, withoutColumns } from "./columns/tableBeside.ts"
import { warnOfDates } from "./warnings/warnOfDates.ts"
import { warnOfGroups } from "./warnings/warnOfGroups.ts"
import { warnOfHiddenColumns } from "./warnings/warnOfHidden.ts"
import { warnOfIds } from "./warnings/warnOfIds.ts"
import { warnOfRecurring } from "./warnings/warnOfRecurring.ts"
import { warnOfUnits } from "./warnings/warnOfUnits.ts"
import { warnOfUnmapped } from "./warnings/warnOfUnmapped.ts"

export interface Planned {
  readonly plan: ImportPlan
  /** The place of the header among the sample's rows. */
  readonly headerAt: number
}

/**
 * Plans an import from the first rows of a file: finds the header, gives columns to fields, and decides for each column how its
 * cells are read. Returns why the file has no plan. A sample of many columns takes seconds, so it yields after small steps.
 */
export function* makePlan(
  sample: ReadonlyArray<TableRow>,
  facts: TableFacts,
  options: PlanOptions,
  context: PlanContext,
  notices: Notices,
): Generator<void, Planned | ReadonlyArray<Invalid>> {
  const { type, map } = options
  const headerAt = yield* findHeader(type, sample, facts, map)
  if (typeof headerAt !== "number") return headerAt
  const { line: headerLine, cells, problem } = sample[headerAt]!
  // Of a header that is too wide, some columns were not read.
  if (problem !== undefined) return [{ field: "header", reason: `must be readable: line ${headerLine} ${problem}` }]
  const whole = withoutEmptyEnd(cells.map(textOf))
  const rows = sample.slice(headerAt + 1)
  const beside = yield* columnsBeside(type, whole, rows, map, notices)
  const header = withoutColumns(whole, beside)
  const own = type === "deal" ? exportColumns(header, map, context) : undefined
  const others = withoutColumns(header, own)
  const named = withExport(own, header, yield* matchColumns(type, others, headerLine, map))
  const fitted = yield* byValues(options, rows, named)
  if (options.keepUnmapped !== undefined && type !== "deal") {
    return [{ field: "keep_unmapped", reason: "keeps columns of deals: use it with type=deal" }]
  }
  const { matched, kept } =
    options.keepUnmapped === undefined
      ? { matched: fitted, kept: NOTHING_KEPT }
      : yield* keep(fitted, header, rows, context)
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
    path: parsePath(filledBy(field)),
    ...planAspect(field),
    ...(kept.some(({ id }) => field === `crm_properties.${id}`) && { isKept: true as const }),
    ...(own?.has(cells[0]!) !== true && scaled(kindOf(field, types), header[cells[0]!] ?? "")),
    ...(own?.has(cells[0]!) === true && { isExported: true as const }),
    ...(clears && canClear(type, parsePath(filledBy(field))) && { isCleared: true as const }),
  }))
  const fields = yield* decide(plain, rows, facts, options, notices)
  yield* warnOfUnits(fields, header, rows, notices)
  yield* warnOfRecurring(fields, matched, rows, notices)
  yield* warnOfDates(fields, rows, notices)
  const currency = yield* planCurrency(fields, header, rows, options, context)
  if ("invalid" in currency) return currency.invalid
  const isDeals = type === "deal" && own === undefined
  const ends = yield* planOutcome(isDeals, fields, matched.columns, header, rows)
  const refusal = isDeals
    ? yield* refuseRows({ ...matched, columns: ends.columns }, rows, warnInDryRun(options, headerLine, notices))
    : undefined
  if (refusal !== undefined) return [refusal]
  noticeFacts(facts, notices)
  const used = new Map([...ends.flags, ...[...beside].map((index) => [index, true] as const)])
  yield* warnOfUnmapped(type, matched, used, rows, notices)
  warnOfHiddenColumns(sample[headerAt]!, ends.columns, notices)
  yield* warnOfIds(type, matched.columns, rows, notices)
  const hasFullRows = yield* areMostFull(rows)
  const plan: ImportPlan = {
    type,
    headerLine,
    header: whole,
    columns: namedBeside(ends.columns, namesOfColumns(whole), beside),
    fields: fields.filter(({ field }) => field !== CURRENCY && field !== OUTCOME && field !== IS_DELETED),
    ...ends.plan,
    deletedCell: fields.find(({ field }) => field === IS_DELETED)?.cells[0],
    currency,
    ...(fields.some(({ kind }) => kind === "date") && { timezone: context.timezone }),
    ...(fields.some(({ kind }) => kind === "day") && { fiscalStart: context.fiscalStart }),
    ...(hasFullRows && { hasFullRows }),
    ...planNames(isDeals, matched),
    beside: [...beside],
    exported: own === undefined ? undefined : planExport(own, matched, rows, facts),
    ...(facts.container === "html" && { isDecoded: true as const }),
    clears,
    kept,
    known: {},
  }
  const grouped: ImportPlan = { ...plan, ...(yield* planGroups(plan, facts, rows)) }
  yield* warnOfGroups(grouped, facts, rows, notices)
  return { headerAt, plan: grouped }
}

/** A dry run of a file without names goes on, so that a person can choose the column. */
const warnInDryRun = ({ isDryRun }: PlanOptions, line: number, notices: Notices) =>
  isDryRun === true
    ? ({ reason }: Invalid) =>
        notices.add("name_missing", { line, message: `an import of the file is refused: it ${reason}` })
    : undefined

/** Exports end their lines with delimiters; columns without a header and without cells are none. */
export const withoutEmptyEnd = (header: ReadonlyArray<string>) =>
  header.slice(0, header.findLastIndex((name) => name.trim() !== "") + 1)

const NOTHING_KEPT: ReadonlyArray<KeptColumn> = []

/** Gives columns without a field to properties of the deal. */
function* keep(
  matched: MatchedColumns,
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<TableRow>,
  context: PlanContext,
) {
  const taken = matched.fields.flatMap(({ field }) => /^crm_properties\.(.+)$/s.exec(field)?.[1] ?? [])
  const kept = yield* keepColumns(matched.columns, header, rows, new Set(taken), context)
  const columns = matched.columns.map((column, index) => {
    const found = kept.get(index)
    return found === undefined ? column : { ...column, field: `crm_properties.${found.id}`, confidence: 1 }
  })
  const fields = [...kept].map(([index, { id }]) => ({ field: `crm_properties.${id}`, cells: [index] }))
  return { matched: { ...matched, columns, fields: [...matched.fields, ...fields] }, kept: [...kept.values()] }
}

const kindOf = (field: string, properties: PlanContext["properties"]) =>
  field === CURRENCY || field === OUTCOME || field === IS_DELETED ? "text" : cellKind(filledBy(field), properties)

/** The factor of amounts whose header is in thousands or millions, which nobody should have to guess. */
const scaled = (kind: CellKind, header: string): { readonly scale?: number } => {
  const { factor } = splitUnit(header)
  return kind === "money" && factor !== 1 ? { scale: factor } : {}
}

const parsePath = (field: string): ReadonlyArray<string> => {
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

type Undecided = Omit<PlannedField, "mark" | "order">

/** Decides marks and orders: the option first, then the column, then what the other columns of the file prove. */
function* decide(
  fields: ReadonlyArray<Undecided>,
  rows: ReadonlyArray<TableRow>,
  facts: TableFacts,
  { decimal, dates }: PlanOptions,
  notices: Notices,
): Generator<void, ReadonlyArray<PlannedField>> {
  const numbers = new Map<string, NumberEvidence>()
  const days = new Map<string, DateEvidence>()
  for (const { field, kind, cells } of fields) {
    if (kind === "money" || kind === "number") numbers.set(field, yield* numberEvidence(rows, cells[0]!))
    else if (kind === "day" || kind === "date") days.set(field, yield* dateEvidence(rows, cells[0]!))
  }
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
      // A semicolon between the cells is no proof that a comma begins the fraction of amounts, which have no thousandths.
      const { mark, mixed, groups } = number
      const isGrouped =
        [decimal, mark, mixed, proven].every((known) => known === undefined) && groups?.mark === markOfFile
      if (isGrouped && groups !== undefined && each.kind === "money") {
        const { cell, line } = groups
        const message = `'${shorten(cell)}' is read with a '${groups.mark}' between thousands, because all such cells of the column have three digits after it. Set 'decimal' if it begins the fraction`
        notices.add("decimal_unclear", { field: each.field, line, example: cell, message })
        return { ...each, mark: "." as const }
      }
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
