import { type TableRow, textOf } from "../../table/Table.ts"
import { isDateProblem, readDate } from "../../../records/values/dates.ts"
import { isPlaceholder } from "../cells/emptyCells.ts"
import { dateEvidence, eachRow, type NumberEvidence, numberEvidence } from "../cells/evidence.ts"
import type { KeptColumn, PlanContext, PlannedColumn, PropertyType } from "../fields/ImportPlan.ts"
import { isNumberProblem, readNumber } from "../../../records/values/numbers.ts"

/** New properties of one import. */
const MAX_NEW_PROPERTIES = 300
const MAX_ID = 64
const MAX_LABEL = 400

/**
 * The properties that keep the columns without a field: those of the workspace whose label or id is the header, else new ones. Importing the
 * file again finds the same properties. New ones need a value in the sample.
 */
export function* keepColumns(
  columns: ReadonlyArray<PlannedColumn>,
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<TableRow>,
  taken: ReadonlySet<string>,
  { properties, labels = new Map() }: PlanContext,
): Generator<void, ReadonlyMap<number, KeptColumn>> {
  const used = new Set(taken)
  const kept = new Map<number, KeptColumn>()
  let created = 0
  for (const [index, { column, field, by }] of columns.entries()) {
    const name = header[index]!.trim()
    if (field !== null || by === "map" || by === "export" || name === "") continue
    const isOf = (id: string) => !used.has(id) && isSame(name, labels.get(id) ?? id)
    const base = makeSlug(name, index)
    const known = properties.has(name) && !used.has(name) ? name : [...properties.keys()].find(isOf)
    if (known === undefined && !(yield* isFilled(rows, index))) continue
    const id = known ?? freeId(base, (each) => used.has(each) || properties.has(each))
    if (known === undefined && ++created > MAX_NEW_PROPERTIES) break
    used.add(id)
    const data_type = properties.get(id) ?? (yield* guessType(name, rows, index))
    kept.set(index, { column, id, label: name.slice(0, MAX_LABEL), data_type, is_new: known === undefined })
  }
  return kept
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
function* isFilled(rows: ReadonlyArray<TableRow>, index: number): Generator<void, boolean> {
  let found = false
  yield* eachRow(rows, ({ cells }) => (found = !isEmpty(textOf(cells[index] ?? ""))))
  return found
}

/** Whether a cell is blank, or only stands for nothing. */
export const isEmpty = (text: string) => text.trim() === "" || isPlaceholder(text.trim())

/** `Förecast (EUR)` is `forecast_eur`. */
const makeSlug = (header: string, index: number): string => {
  const id = header
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .slice(0, MAX_ID)
    .replaceAll(/^_+|_+$/g, "")
  return id === "" ? `column_${index + 1}` : id
}

const freeId = (base: string, isTaken: (id: string) => boolean): string => {
  let id = base
  for (let n = 2; isTaken(id); n++) id = `${base.slice(0, MAX_ID - 1 - String(n).length)}_${n}`
  return id
}

const TRUTH = /^(?:true|false|yes|no|ja|nein|oui|non|sí|si|wahr|falsch|vrai|faux|verdadero|falso)$/i
/** Numbers without a sign of a currency or a percentage, and without a zero in front, which only a text keeps. */
const NUMBER = /^[-+\u2212]?(?!0\d)\d[\d.,'’\s]*$/
const MAX_DIGITS = 15
/** Numbers that identify something are texts. */
const IDENTIFIES =
  /(?:^|[\W_])(?:id|ids|nr|no|nummer|code|zip|plz|phone|telefon|mobile|key|ref|reference|konto)(?:$|[\W_])|number$|[a-z]Id$/i

/** The type that all values of a column have; text if they differ, or if one has two readings. */
export function* guessType(
  header: string,
  rows: ReadonlyArray<TableRow>,
  index: number,
): Generator<void, PropertyType> {
  const { mark } = yield* numberEvidence(rows, index)
  const { order = "ISO", mixed } = yield* dateEvidence(rows, index)
  let type: PropertyType | undefined
  yield* eachRow(rows, ({ cells }) => {
    const cell = cells[index] ?? ""
    const text = textOf(cell).trim()
    if (isEmpty(text)) return
    const found =
      typeof cell === "object" ? typedAs(cell.value) : textAs(text, mark, mixed === undefined ? order : undefined)
    type = type === undefined || type === found ? found : "text"
    return type === "text"
  })
  return type === "number" && IDENTIFIES.test(header) ? "text" : (type ?? "text")
}

const typedAs = (value: number | boolean | object): PropertyType =>
  typeof value === "number" ? "number" : typeof value === "boolean" ? "boolean" : "date"

const textAs = (text: string, mark: NumberEvidence["mark"], order: "ISO" | "DMY" | "MDY" | undefined): PropertyType => {
  if (TRUTH.test(text)) return "boolean"
  if (
    NUMBER.test(text) &&
    text.replaceAll(/\D/g, "").length <= MAX_DIGITS &&
    !isNumberProblem(readNumber(text, { mark }))
  )
    return "number"
  return order !== undefined && /\d/.test(text) && !/^\d+$/.test(text) && !isDateProblem(readDate(text, order))
    ? "date"
    : "text"
}
