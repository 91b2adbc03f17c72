import { editDistance, suggestion } from "../../../common/nearest.ts"
import type { Invalid } from "../../../http/validation/validation.ts"
import { RECORDS, type RecordType } from "../../../records/record.ts"
import { ASPECT_NAMES, filledBy } from "../fields/aspects.ts"
import { cellKind, isPart } from "../fields/cellKinds.ts"
import { fieldCalled, isNumbered, isTooLong, normalizeHeader } from "./headers.ts"
import type { PlannedColumn } from "../fields/ImportPlan.ts"
import { fieldsOf, type Mapping } from "../fields/parameters.ts"
import { splitUnit } from "./scale.ts"

/** A field and the columns that fill it, by their places in the header. */
export interface FilledField {
  readonly field: string
  readonly cells: ReadonlyArray<number>
}

export interface MatchedColumns {
  readonly columns: ReadonlyArray<PlannedColumn>
  readonly fields: ReadonlyArray<FilledField>
  readonly invalid: ReadonlyArray<Invalid>
}

/** A field of deals that only the import knows: the currency of the row's amount. */
export const CURRENCY = "currency"

/** Another one: Pipedrive has open, won and lost apart from the stage, in which a deal stays when it ends. */
export const OUTCOME = "outcome"

/** A field of all types: the CRM has deleted the record. Unlike `deleted`, it deletes nothing here. */
export const IS_DELETED = "is_deleted"

const fieldNames = (type: RecordType): ReadonlyArray<string> => [
  ...Object.keys(RECORDS[type].fields).filter((field) => field !== "type"),
  IS_DELETED,
  ...(type === "deal" ? [CURRENCY, OUTCOME, ...ASPECT_NAMES] : []),
]

/** Names of our own exports, and of fields in other spellings. CRMs write `Deleted`, which is no order to delete: see `IS_DELETED`. */
const exact = (type: RecordType, names: ReadonlySet<string>, header: string): string | undefined =>
  [header.trim(), normalizeHeader(header).replaceAll(/[ -]+/g, "_")].find(
    (each, index) => (names.has(each) || isPart(type, each)) && (index === 0 || each !== "deleted"),
  )

/** The field that a header names, exactly or as CRMs call it. */
export const fieldNamed = (type: RecordType, header: string): string | undefined =>
  exact(type, new Set(fieldNames(type)), header) ?? fieldCalled(type, header)

/** How sure the plan is of a column: its header is the field's name, or one that CRMs use, or nearly one. */
const CONFIDENCE = { exact: 1, called: 0.9, nearly: 0.6 } as const

/** Names of `Name`, `Name` and `Name`: `Name[1]`, `Name[2]`, `Name[3]`. */
export const namesOfColumns = (header: ReadonlyArray<string>): ReadonlyArray<string> => {
  const normal = header.map(normalizeHeader)
  const counts = new Map<string, number>()
  for (const each of normal) counts.set(each, (counts.get(each) ?? 0) + 1)
  const met = new Map<string, number>()
  return header.map((name, index) => {
    const each = normal[index]!
    const at = (met.get(each) ?? 0) + 1
    met.set(each, at)
    if (name.trim() === "") return `(column ${index + 1})`
    return counts.get(each)! > 1 ? `${name.trim()}[${at}]` : name.trim()
  })
}

/** Headers that are compared in one step. */
const HEADERS_OF_STEP = 20

/** How many headers of this row say what they are. */
export function* countKnown(
  type: RecordType,
  row: ReadonlyArray<string>,
  mapping: Mapping = {},
): Generator<void, number> {
  const names = new Set(fieldNames(type))
  const mapped = new Set(Object.keys(mapping).flatMap((header) => [header, ...header.split("+")].map(normalizeHeader)))
  let known = 0
  for (const [index, cell] of row.entries()) {
    if (index % HEADERS_OF_STEP === 0) yield
    const isKnown =
      cell.trim() !== "" &&
      cell.length <= 200 &&
      (mapped.has(normalizeHeader(cell)) ||
        exact(type, names, cell) !== undefined ||
        fieldCalled(type, cell) !== undefined)
    if (isKnown) known++
  }
  return known
}

/** Unknown names for which the likeliest one is sought. */
const MAX_SUGGESTED = 20

/** Finds the places of a header that a mapping names: `Name[2]` is the second column of that name. */
const findPlaces = (header: ReadonlyArray<string>, name: string): ReadonlyArray<number> => {
  const places = (wanted: string) =>
    header.flatMap((each, index) => (normalizeHeader(each) === normalizeHeader(wanted) ? [index] : []))
  const whole = places(name)
  const [, base, at] = /^(.*)\[(\d+)\]$/.exec(name.trim()) ?? []
  if (whole.length > 0 || base === undefined) return whole
  const place = places(base)[Number(at) - 1]
  return place === undefined ? [] : [place]
}

/**
 * Decides which column fills which field: the mapping first, then headers that are our fields' names, then headers that CRMs
 * use, then headers that nearly are. Two columns of one name fill a field only if the mapping says which.
 */
export function* matchColumns(
  type: RecordType,
  header: ReadonlyArray<string>,
  line: number,
  mapping: Mapping = {},
): Generator<void, MatchedColumns> {
  const list = fieldNames(type)
  const names = new Set(list)
  const known = (field: string) => names.has(field) || isPart(type, field)
  const invalid: Array<Invalid> = []
  const filled = new Map<string, ReadonlyArray<number>>()
  const shown = namesOfColumns(header)
  const columns = new Map<number, PlannedColumn>()
  const note = (index: number, column: Omit<PlannedColumn, "column">) => {
    if (columns.get(index)?.field == null) columns.set(index, { column: shown[index]!, ...column })
  }

  const suggest = (name: string, candidates: ReadonlyArray<string>) =>
    invalid.length < MAX_SUGGESTED ? suggestion(name, candidates) : {}

  for (const [from, to] of Object.entries(mapping)) {
    yield
    const parts = findPlaces(header, from).length > 0 ? [from] : from.split("+")
    const cells = parts.flatMap((part) => {
      const places = findPlaces(header, part)
      if (places.length === 1) return places
      const quoted = part.trim().slice(0, 100)
      invalid.push(
        places.length === 0
          ? {
              field: "map",
              reason: `must name headers of the file; '${quoted}' is not one in line ${line}`,
              ...suggest(part, header),
            }
          : {
              field: "map",
              reason: `must say which '${quoted}': the file has ${places.length} columns of this name, ${places.map((place) => `'${shown[place]}'`).join(" and ")}`,
            },
      )
      return []
    })
    const fields = fieldsOf(to)
    if (fields.length === 0) for (const cell of cells) note(cell, { field: null, confidence: 1, by: "map" })
    for (const field of fields) {
      if (!known(field)) {
        invalid.push({
          field: "map",
          reason: `must name fields of a ${type}; '${field.slice(0, 100)}' is not one`,
          ...suggest(field, list),
        })
      } else if (filled.has(field)) {
        invalid.push({ field: "map", reason: `must name each field once; '${field}' is filled twice` })
      } else {
        filled.set(field, cells)
        for (const cell of cells) note(cell, { field, confidence: 1, by: "map" })
      }
    }
  }

  const claim = function* (find: (name: string) => string | undefined, confidence: number): Generator<void, void> {
    const claims = new Map<string, Array<number>>()
    for (const [index, name] of header.entries()) {
      if (index % HEADERS_OF_STEP === 0) yield
      if (name.trim() === "" || columns.has(index)) continue
      const field = find(name)
      if (field === undefined || filled.has(field)) continue
      const places = claims.get(field)
      if (places === undefined) claims.set(field, [index])
      else places.push(index)
    }
    for (const [field, places] of claims) {
      const [first, ...others] = places
      const same = others.filter((each) => normalizeHeader(header[each]!) === normalizeHeader(header[first!]!))
      if (same.length > 0) {
        const both = [first!, ...same].map((place) => `'${shown[place]}'`)
        invalid.push({
          field: shown[first!]!,
          reason: `may be '${field}', but the file has ${both.length} columns of this name: map ${both.join(" or ")}`,
        })
      }
      // Among different headers of one meaning, a plain one beats one with a unit: "Amount" beats "Amount (converted)".
      // Close writes `value` in cents, and beside it `value_formatted`; HubSpot all companies, and the primary one.
      const best =
        places.find((place) => / formatted$| \(primary\)$/.test(normalizeHeader(header[place]!))) ??
        places.find((place) => splitUnit(header[place]!).unit === undefined) ??
        first!
      const numbered = isNumbered(header[best]!) ? places.filter((place) => isNumbered(header[place]!)) : []
      const cells = cellKind(filledBy(field)) === "list" && numbered.length > 1 ? numbered : [best]
      filled.set(field, cells)
      for (const cell of cells) note(cell, { field, confidence, by: "name" })
    }
  }
  yield* claim((name) => exact(type, names, name), CONFIDENCE.exact)
  // Beside an expected date, a date of closing is the day on which the deal ended.
  const isExpected = header.some((name) => EXPECTED.test(name) && fieldCalled(type, name) === "close_date")
  const called = (name: string) => {
    const field = fieldCalled(type, name)
    return field === "close_date" && isExpected && ENDED.test(name.trim()) ? "actual_close_date" : field
  }
  yield* claim(called, CONFIDENCE.called)
  yield* claim((name) => (name.trim().length < MIN_NEARLY ? undefined : nearly(list, name)), CONFIDENCE.nearly)
  const [currency] = filled.get(CURRENCY) ?? []
  const isFree = (index: number) => columns.get(index)?.by !== "map"
  if (type === "deal" && (currency === undefined || isFree(currency))) {
    const own = currencyOfAmount(header, filled.get("amount")?.[0], currency, isFree)
    if (own !== currency) {
      filled.delete(CURRENCY)
      if (currency !== undefined) columns.delete(currency)
    }
    if (own !== undefined && own !== currency) {
      filled.set(CURRENCY, [own])
      note(own, { field: CURRENCY, confidence: CONFIDENCE.called, by: "name" })
    }
  }

  return {
    columns: header.map(
      (_, index) => columns.get(index) ?? { column: shown[index]!, field: null, confidence: 0, by: "name" },
    ),
    fields: [...filled].map(([field, cells]) => ({ field, cells })),
    invalid,
  }
}

/**
 * The column of the amount's currency: Salesforce writes `Amount (converted) Currency` beside `Amount (converted)`. `called` has the
 * name of a currency; it is that of another amount if its header says so.
 */
const currencyOfAmount = (
  header: ReadonlyArray<string>,
  amount: number | undefined,
  called: number | undefined,
  isFree: (index: number) => boolean,
): number | undefined => {
  if (amount === undefined) return called
  const own = header.findIndex((_, index) => isFree(index) && amountNamedBy(header, index) === amount)
  if (own !== -1) return own
  const other = called === undefined ? -1 : amountNamedBy(header, called)
  // Close writes the currency of both `value` and `value_formatted`.
  const isOfBoth = other !== -1 && normalizeHeader(header[amount]!) === `${normalizeHeader(header[other]!)} formatted`
  return other === -1 || isOfBoth ? called : undefined
}

/** The column whose currency a header says that it has, as `Amount Currency` beside `Amount`; -1 if it names none. */
export const amountNamedBy = (header: ReadonlyArray<string>, index: number): number => {
  if (isTooLong(header[index]!)) return -1
  const [, name, last] = /^(.+)[\s_]+(\S+)$/s.exec(header[index]!.trim()) ?? []
  if (name === undefined || last === undefined || fieldCalled("deal", last) !== CURRENCY) return -1
  return header.findIndex((each) => normalizeHeader(each) === normalizeHeader(name))
}

const EXPECTED =
  /expected|anticipated|estimated|gesch(?:\.|ätzt)|estimée|estimada|\best\b|forecast|target|prevista|voraussichtlich|erwartet|prévue/i
const ENDED = /^(?:deal )?closed ?date$/i

/** Shorter headers have too many neighbours. */
const MIN_NEARLY = 6

/** The field that the header is but for one letter more or less: a plural, or a letter typed twice. */
const nearly = (fields: ReadonlyArray<string>, header: string): string | undefined => {
  const wanted = normalizeHeader(header).replaceAll(/[ -]+/g, "_")
  return fields.find(
    (field) =>
      !/(?:^|_)id$/.test(field) && Math.abs(field.length - wanted.length) === 1 && editDistance(field, wanted) === 1,
  )
}
