import { readCurrencyCell } from "../../../records/values/currency.ts"
import { type TableRow, textOf } from "../../table/Table.ts"
import { filledBy, settleAspects } from "../fields/aspects.ts"
import { CURRENCY, type FilledField, type MatchedColumns, OUTCOME } from "../headers/matchColumns.ts"
import { isPlaceholder } from "../cells/emptyCells.ts"
import { eachRow } from "../cells/evidence.ts"
import { fieldCalled, isOfDeal, normalizeHeader } from "../headers/headers.ts"
import type { PlannedColumn, PlanOptions } from "../fields/ImportPlan.ts"
import { isEnd, isOutcome, isWonOrLost } from "../cells/outcome.ts"
import { isTruth } from "./stageFlags.ts"

/** Ids of Salesforce begin with the kind of thing that they name, and e-mail addresses have one shape. */
const SHAPES: Readonly<Record<string, ReadonlyArray<readonly [field: string, shape: RegExp]>>> = {
  deal: [
    ["crm_one_id", /^006[A-Za-z0-9]{12}(?:[A-Za-z0-9]{3})?$/],
    // Close writes it into a column called "id".
    ["crm_two_id", /^oppo_[A-Za-z0-9]+$/],
  ],
  client: [["crm_one_id", /^001[A-Za-z0-9]{12}(?:[A-Za-z0-9]{3})?$/]],
  owner: [["email", /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i]],
}
const CONFIDENCE_OF_SHAPE = 0.7

/** Gives a column without a known header to the field whose shape all its cells have. */
export function* byValues(
  { type }: PlanOptions,
  rows: ReadonlyArray<TableRow>,
  matched: MatchedColumns,
): Generator<void, MatchedColumns> {
  const columns: Array<PlannedColumn> = [...matched.columns]
  const fields: Array<FilledField> = [...matched.fields]
  for (const [field, shape] of SHAPES[type] ?? []) {
    if (fields.some((each) => each.field === field)) continue
    let found: number | undefined
    for (const [index, { column, field: taken, by }] of columns.entries()) {
      // Data Loader calls the id of the CRM "ID"; ours are in "id".
      const isId = taken === "id" && by === "name" && (field === "crm_two_id" || column !== "id")
      if ((taken !== null && !isId) || by === "map" || !(yield* haveShape(rows, index, shape))) continue
      found = index
      break
    }
    if (found === undefined) continue
    const claimed = fields.findIndex(({ cells }) => cells.includes(found))
    if (claimed !== -1) fields.splice(claimed, 1)
    columns[found] = { column: columns[found]!.column, field, confidence: CONFIDENCE_OF_SHAPE, by: "values" }
    fields.push({ field, cells: [found] })
  }
  if (type !== "deal") return { ...matched, columns, fields }
  const found = yield* currencyByCells(rows, substitute({ ...matched, columns, fields }))
  const called = yield* opportunityBesideName(rows, leadBesideCompany(found))
  const named = yield* outcomeByCells(rows, yield* stageBesideStatus(rows, yield* withoutTruths(rows, called)))
  return { ...named, ...settleAspects(named) }
}

/** Headers of columns that fill a field if no other column does, and, beside some, a header that shows whose export it is. */
const SUBSTITUTES: ReadonlyArray<readonly [field: string, header: RegExp, beside?: RegExp]> = [
  ["close_date", /^(?:decision date|entscheidungsdatum|date de décision|fecha de decisión|data de decisão)$/],
  // Insightly has the value of the opportunity, which is the bid for all months, beside the bid for one.
  ["amount", /^(?:current )?bid ?amount$/],
  // Salesforce and Zoho multiply it by the probability, beside an amount. Odoo has no other amount.
  ["amount", /^expected revenue$/, /^(?:expected closing|prorated revenue)$/],
]

const substitute = (matched: MatchedColumns): MatchedColumns => {
  const columns = [...matched.columns]
  const fields = [...matched.fields]
  const isCalledLike = (header: RegExp) => (each: PlannedColumn) => header.test(normalizeHeader(each.column))
  for (const [field, header, beside] of SUBSTITUTES) {
    if (fields.some((each) => filledBy(each.field) === field)) continue
    if (beside !== undefined && !columns.some(isCalledLike(beside))) continue
    const at = columns.findIndex((each) => each.field === null && each.by === "name" && isCalledLike(header)(each))
    if (at === -1) continue
    columns[at] = { ...columns[at]!, field, confidence: CONFIDENCE_OF_SHAPE }
    fields.push({ field, cells: [at] })
  }
  return { ...matched, columns, fields }
}

/** Currencies in which companies sell. Other codes, such as ESP, are rather those of countries. */
const SOLD_IN: ReadonlySet<string> = new Set(
  "USD EUR GBP JPY CHF CAD AUD NZD CNY HKD TWD SGD SEK NOK DKK ISK PLN CZK HUF RON BGN TRY ILS ZAR BRL MXN ARS CLP COP PEN INR IDR MYR THB PHP KRW VND AED SAR QAR KWD BHD OMR EGP NGN KES RUB UAH PKR".split(
    " ",
  ),
)
const isCurrency = (text: string): boolean => {
  const found = text.length <= MAX_CURRENCY ? readCurrencyCell(text) : undefined
  return (
    found !== undefined && (found.kind === "sign" || SOLD_IN.has(found.code)) && /^(?:[A-Z]{3}|\P{L}+)$/u.test(text)
  )
}
const MAX_CURRENCY = 3

/** Beside an amount, a column of codes or signs of currencies is that of the amount, whatever its header, if only one is there. */
function* currencyByCells(rows: ReadonlyArray<TableRow>, matched: MatchedColumns): Generator<void, MatchedColumns> {
  const { columns, fields } = matched
  if (fields.some(({ field }) => field === CURRENCY) || !fields.some(({ field }) => field === "amount")) return matched
  const found: Array<number> = []
  for (const [index, { field, by, column }] of columns.entries()) {
    if (field !== null || by !== "name" || isOfOther(column, columns)) continue
    const areCurrencies = yield* haveAll(rows, index, (text) => isPlaceholder(text) || isCurrency(text))
    if (areCurrencies && !(yield* haveAll(rows, index, isPlaceholder))) found.push(index)
  }
  const [only] = found
  if (only === undefined || found.length > 1) return matched
  return {
    ...matched,
    columns: columns.with(only, { ...columns[only]!, field: CURRENCY, confidence: CONFIDENCE_OF_SHAPE, by: "values" }),
    fields: [...fields, { field: CURRENCY, cells: [only] }],
  }
}

/** Whether the header names another column of the file, and not the amount: "Expected Revenue Currency" beside "Expected Revenue". */
const isOfOther = (column: string, columns: ReadonlyArray<PlannedColumn>): boolean => {
  const header = normalizeHeader(column)
  return columns.some((each) => {
    const name = normalizeHeader(each.column)
    return each.field !== "amount" && name.length > MAX_CURRENCY && name !== header && header.includes(name)
  })
}

/** A column of yes and no has no names, whatever its header: "Incumbent" may say whether the deal is with the incumbent. */
function* withoutTruths(rows: ReadonlyArray<TableRow>, matched: MatchedColumns): Generator<void, MatchedColumns> {
  const left = new Set<number>()
  for (const [index, { field, by }] of matched.columns.entries()) {
    const isNamed = field !== null && by === "name" && LISTED.has(filledBy(field))
    if (isNamed && (yield* isTruth(rows, index))) left.add(index)
  }
  if (left.size === 0) return matched
  return {
    ...matched,
    columns: matched.columns.map((each, index) => (left.has(index) ? { ...each, ...NO_FIELD } : each)),
    fields: matched.fields.filter(({ cells }) => !cells.some((cell) => left.has(cell))),
  }
}

const LISTED: ReadonlySet<string> = new Set(["competitors", "drivers", "collaborators"])

/**
 * Beside a column called Opportunity or Deal, one called Name may have the name of a person. The first names the deals, unless it has ids, or
 * fewer names than the second, as one of types has.
 */
function* opportunityBesideName(
  rows: ReadonlyArray<TableRow>,
  matched: MatchedColumns,
): Generator<void, MatchedColumns> {
  const { columns, fields } = matched
  const plain = columns.findIndex((each) => each.field === "name" && each.by === "name" && isCalled(each, "name"))
  const own = columns.findIndex(
    ({ field, by, column }) =>
      field === null && by === "name" && isOfDeal(column) && fieldCalled("deal", column) === "name",
  )
  if (plain === -1 || own === -1 || (yield* haveAll(rows, own, (text) => ID.test(text)))) return matched
  const [named, called] = [yield* countDistinct(rows, plain), yield* countDistinct(rows, own)]
  if (called === 0 || called < named) return matched
  const { confidence } = columns[plain]!
  return {
    ...matched,
    columns: columns
      .with(plain, { ...columns[plain]!, ...NO_FIELD })
      .with(own, { ...columns[own]!, field: "name", confidence }),
    fields: fields.map((each) => (each.field === "name" ? { field: "name", cells: [own] } : each)),
  }
}

/** Leads are the deals of Nutshell, which has their companies beside them. Those of Close are companies. */
const leadBesideCompany = (matched: MatchedColumns): MatchedColumns => {
  const { columns, fields } = matched
  const lead = columns.findIndex(
    (each) => each.by === "name" && isCalled(each, "lead name") && (each.field === null || each.field === "client"),
  )
  const company = columns.findIndex(
    (each, index) =>
      index !== lead &&
      each.by === "name" &&
      (each.field === null || each.field === "client") &&
      fieldCalled("deal", each.column) === "client",
  )
  if (lead === -1 || company === -1 || fields.some(({ field }) => field === "name")) return matched
  const confidence = CONFIDENCE_OF_SHAPE
  return {
    ...matched,
    columns: columns
      .with(lead, { ...columns[lead]!, field: "name", confidence })
      .with(company, { ...columns[company]!, field: "client", confidence }),
    fields: [
      ...fields.filter(({ field }) => field !== "client"),
      { field: "name", cells: [lead] },
      { field: "client", cells: [company] },
    ],
  }
}

const ID = /^(?=.*\d)[\w-]+$/

function* countDistinct(rows: ReadonlyArray<TableRow>, index: number): Generator<void, number> {
  const found = new Set<string>()
  yield* eachRow(rows, ({ cells }) => void found.add(textOf(cells[index] ?? "").trim()))
  found.delete("")
  return found.size
}

const IS_OPEN =
  /^(?:open|offen|ouverte?|abiert[oa]|apert[oa]|abert[oa]|in progress|in bearbeitung|en cours|deleted|gelöscht)$/i

/** Headers of columns that say of a deal whether it is open, won or lost, if others have the stages. */
const STATUS =
  /^(?:(?:deal|opportunity) |(?:affaire|transaction|negocio|negócio|trato|verkaufschance) - )?(?:status|statut|estado)$/

/**
 * Beside a column called Stage, one called Status says whether a deal is open, won or lost, as in Pipedrive and Copper; or it is the
 * status of something else, such as Active.
 */
function* stageBesideStatus(rows: ReadonlyArray<TableRow>, matched: MatchedColumns): Generator<void, MatchedColumns> {
  const { columns, fields } = matched
  const isStatus = ({ column }: PlannedColumn) => STATUS.test(normalizeHeader(column))
  const isFree = ({ field, by }: PlannedColumn) => by === "name" && (field === null || field === "status")
  const status = columns.findIndex((each) => isFree(each) && isStatus(each))
  const stage = columns.findIndex((each) => isFree(each) && isStage(each) && !isStatus(each))
  const known = columns.findIndex(({ field }) => field === "status")
  if (status === -1 || stage === -1 || ![status, stage].includes(known)) return matched
  const hasEnds = !(yield* haveAll(rows, status, (text) => !isEnd(text)))
  const other = columns.findIndex(({ field }) => field === OUTCOME)
  // Beside a status that has ends, a column called Outcome may tell how they came about.
  const isKept = other !== -1 && (!hasEnds || columns[other]!.by === "map" || (yield* haveAll(rows, other, isOutcome)))
  if (isKept) return matched
  const isOfDeals = hasEnds || (yield* haveAll(rows, status, (text) => IS_OPEN.test(text)))
  const { confidence } = columns[known]!
  const freed = other === -1 ? columns : columns.with(other, { ...columns[other]!, ...NO_FIELD })
  const changed = freed.with(stage, { ...columns[stage]!, field: "status", confidence })
  return {
    ...matched,
    columns: changed.with(status, { ...columns[status]!, ...(isOfDeals ? { field: OUTCOME } : NO_FIELD) }),
    fields: [
      ...fields
        .filter(({ field }) => field !== OUTCOME)
        .map((each) => (each.field === "status" ? { field: "status", cells: [stage] } : each)),
      ...(isOfDeals ? [{ field: OUTCOME, cells: [status] }] : []),
    ],
  }
}

/** In a file without stages, a column of ends, such as W and L or Win and Loss, says how the deals have ended. */
function* outcomeByCells(rows: ReadonlyArray<TableRow>, matched: MatchedColumns): Generator<void, MatchedColumns> {
  const { columns, fields } = matched
  if (fields.some(({ field }) => field === OUTCOME || field === "status")) return matched
  for (const [index, { field, by }] of columns.entries()) {
    if (field !== null || by !== "name") continue
    const areOutcomes = yield* haveAll(rows, index, (text) => isPlaceholder(text) || isOutcome(text))
    if (!areOutcomes || (yield* haveAll(rows, index, (text) => !isWonOrLost(text)))) continue
    return {
      ...matched,
      columns: columns.with(index, {
        ...columns[index]!,
        field: OUTCOME,
        confidence: CONFIDENCE_OF_SHAPE,
        by: "values",
      }),
      fields: [...fields, { field: OUTCOME, cells: [index] }],
    }
  }
  return matched
}

const NO_FIELD = { field: null, confidence: 0 } as const
const isCalled = ({ column }: PlannedColumn, name: string): boolean => normalizeHeader(column) === name
const isStage = ({ column }: PlannedColumn): boolean => fieldCalled("deal", column) === "status"

const haveShape = (rows: ReadonlyArray<TableRow>, index: number, shape: RegExp) =>
  haveAll(rows, index, (text) => shape.test(text))

/** Whether a column has texts, and all are of this kind. */
export function* haveAll(
  rows: ReadonlyArray<TableRow>,
  index: number,
  isOf: (text: string) => boolean,
): Generator<void, boolean> {
  let filled = 0
  let isOther = false
  yield* eachRow(rows, ({ cells }) => {
    const text = textOf(cells[index] ?? "").trim()
    if (text === "") return
    filled++
    isOther = !isOf(text)
    return isOther
  })
  return filled > 0 && !isOther
}
