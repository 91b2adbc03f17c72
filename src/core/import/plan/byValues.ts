import { type TableRow, textOf } from "../table/Table.ts"
import { readStage } from "../../records/values/stageWords.ts"
import { type FilledField, type MatchedColumns, OUTCOME } from "./columns.ts"
import { eachRow } from "./evidence.ts"
import { fieldCalled, normalizeHeader } from "./headers.ts"
import type { PlannedColumn, PlanOptions } from "./ImportPlan.ts"

/** Ids of Salesforce begin with the kind of thing that they name, and e-mail addresses have one shape. */
const SHAPES: Readonly<Record<string, ReadonlyArray<readonly [field: string, shape: RegExp]>>> = {
  deal: [["crm_one_id", /^006[A-Za-z0-9]{12}(?:[A-Za-z0-9]{3})?$/]],
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
      // Data Loader calls the id of the CRM "ID".
      const isId = taken === "id" && field === "crm_one_id" && by === "name" && column !== "id"
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
  const found = { ...matched, columns, fields }
  return type === "deal" ? yield* stageBesideStatus(rows, found) : found
}

const IS_OPEN =
  /^(?:open|offen|ouverte?|abiert[oa]|apert[oa]|abert[oa]|in progress|in bearbeitung|en cours|deleted|gelöscht)$/i
const saysStage = (text: string): boolean => readStage(text).by === "words"
const isOutcome = (text: string): boolean =>
  IS_OPEN.test(text) || (saysStage(text) && readStage(text).category !== "open")

/**
 * Beside a column called Stage, one called Status says whether a deal is open, won or lost, as in Pipedrive; or it is the status of
 * something else, such as Active.
 */
function* stageBesideStatus(rows: ReadonlyArray<TableRow>, matched: MatchedColumns): Generator<void, MatchedColumns> {
  const { columns, fields } = matched
  const isByName = ({ by }: PlannedColumn) => by === "name"
  const status = columns.findIndex((each) => each.field === "status" && isByName(each) && isCalled(each, "status"))
  const stage = columns.findIndex((each) => each.field === null && isByName(each) && isStage(each))
  if (status === -1 || stage === -1 || fields.some(({ field }) => field === OUTCOME)) return matched
  const isOfDeals = yield* haveAll(rows, status, isOutcome)
  if (!isOfDeals && !(yield* haveAll(rows, status, (text) => !saysStage(text)))) return matched
  const confidence = columns[status]!.confidence
  const changed = columns.with(stage, { ...columns[stage]!, field: "status", confidence })
  return {
    ...matched,
    columns: changed.with(status, { ...columns[status]!, ...(isOfDeals ? { field: OUTCOME } : NO_FIELD) }),
    fields: [
      ...fields.map((each) => (each.field === "status" ? { field: "status", cells: [stage] } : each)),
      ...(isOfDeals ? [{ field: OUTCOME, cells: [status] }] : []),
    ],
  }
}

const NO_FIELD = { field: null, confidence: 0 } as const
const isCalled = ({ column }: PlannedColumn, name: string): boolean => normalizeHeader(column) === name
const isStage = ({ column }: PlannedColumn): boolean => fieldCalled("deal", column) === "status"

const haveShape = (rows: ReadonlyArray<TableRow>, index: number, shape: RegExp) =>
  haveAll(rows, index, (text) => shape.test(text))

/** Whether a column has texts, and all are of this kind. */
function* haveAll(
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
