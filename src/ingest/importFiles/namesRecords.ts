import { fieldCalled, normalizeHeader } from "../../core/import/plan/headers/headers.ts"
import type { RecordType } from "../../core/records/record.ts"

/** Rows in which the headers of records are sought, and the headers that a row of them has at least. */
export const MAX_HEADERS_SOUGHT = 30
const MIN_HEADERS = 2

/** Whether a row has headers: of the names of records, and of more. */
export const namesRecords = (type: RecordType, texts: ReadonlyArray<string>): boolean => {
  const fields = texts.map((text) => fieldCalled(type, text))
  return (
    fields.filter((field) => field !== undefined).length >= MIN_HEADERS &&
    fields.some((field, at) => (field ?? normalizeHeader(texts[at]!)) === "name")
  )
}
