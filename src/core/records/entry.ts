import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { shorten } from "../common/shorten.ts"
import { MAX_COLUMNS } from "../ports/table.ts"
import type { COLUMNS } from "../deals/columns/columns.ts"
import { listProblems, reasonWithSuggestion } from "../http/validation/validation.ts"
import { type ImportRecord, isRecordType, RECORD_TYPES, RECORDS, type RecordType } from "./record.ts"
import { ShownErrors } from "./ShownErrors.ts"

/** Why a record is refused: one of its fields, or `record` for the whole record. */
export interface Problem {
  readonly field: string
  readonly reason: string
  /** The refused value as the file has it, shortened. */
  readonly value?: string | undefined
}

/** A valid record. `weight` is its approximate size in characters. */
export interface Entry<T extends RecordType = RecordType> {
  readonly line: number
  readonly weight: number
  readonly record: ImportRecord<T>
  /** The record changes an existing row and never creates one. */
  readonly mustExist?: true
  /** The name of the deal if the record creates it and has none. */
  readonly newName?: string
  /** The parts of an export's row that are no fields of a deal's record. */
  readonly exported?: ExportedRow
  /** Cells that could not be read and were left out. */
  readonly leftOut?: ReadonlyArray<Problem>
}

/** Columns of a thing that an export shows with the deal. They count only if the import creates the thing. */
export interface ExportedThing {
  readonly kind: "client" | "reason" | "feature"
  /** The id; a client's name. */
  readonly key: string
  readonly columns: Readonly<Record<string, string | null | undefined>>
}

/** The parts of an export's row that are no fields of a deal's record. */
export interface ExportedRow {
  readonly things: ReadonlyArray<ExportedThing>
  /** The deal's associations, oldest first. */
  readonly features?: typeof COLUMNS.features.schema.Type
  /** Its name is known if the stage is the current one of another row. */
  readonly previousStage?: { readonly id: string; readonly name?: string } | null
  /** The file has times in whole seconds. */
  readonly hasWholeSeconds?: true
}

/** An object of a known type, whose fields are not checked yet. */
export interface Unchecked {
  readonly line: number
  readonly weight: number
  readonly type: RecordType
  readonly value: object
}

/** An invalid record. `unreadable`: its syntax is invalid too. */
export interface Refused {
  readonly line: number
  readonly problems: ReadonlyArray<Problem>
  readonly unreadable?: true
}

export type Parsed = Entry | Refused

export const isRefused = (parsed: object): parsed is Refused => "problems" in parsed
export const isUnchecked = (parsed: Parsed | Unchecked): parsed is Unchecked => "value" in parsed

export const refused = (line: number, field: string, reason: string, value?: string): Refused => ({
  line,
  problems: [{ field, reason, ...(value === undefined ? {} : { value }) }],
})

/** The problems of a record beyond the errors that a reply shows, which is only counted. */
export const UNSHOWN: ReadonlyArray<Problem> = []

const makeDecoders = (options: { readonly errors: "all" | "first"; readonly reportInput: boolean }) =>
  new Map(
    RECORD_TYPES.map((type) => [
      type,
      Schema.decodeUnknownResult(RECORDS[type] as Schema.Codec<ImportRecord, unknown>, {
        ...options,
        onExcessProperty: "error",
      }),
    ]),
  )
const decoders = makeDecoders({ errors: "all", reportInput: true })
const deciders = makeDecoders({ errors: "first", reportInput: false })

const UNKNOWN_TYPE = `must be one of ${RECORD_TYPES.join(", ")}`

/** Finds the type of a record. `suspect`: it may contain text that the database cannot store. */
export const toUnchecked = (line: number, value: unknown, weight: number, suspect: boolean): Unchecked | Refused => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { ...refused(line, "record", "must be one JSON object on one line"), unreadable: true }
  }
  const wide = tooWide(value)
  if (wide !== undefined) return refused(line, "record", wide)
  const type = (value as { readonly type?: unknown }).type
  if (!isRecordType(type)) return refused(line, "type", UNKNOWN_TYPE)
  if (!suspect) return { line, weight, type, value }
  const problems: Array<Problem> = []
  const clean = replaceMalformed(value, "", problems) as object
  return problems.length > 0 ? { line, problems } : { line, weight, type, value: clean }
}

/** A record, and each map in it, has at most as many fields as a file may have columns. */
const tooWide = (value: object): string | undefined => {
  for (const [field, each] of [["", value] as const, ...Object.entries(value)]) {
    if (typeof each !== "object" || each === null || Array.isArray(each)) continue
    const { length } = Object.keys(each)
    if (length > MAX_COLUMNS)
      return `has ${length} fields${field === "" ? "" : ` in '${shorten(field)}'`}: a record may have ${MAX_COLUMNS}`
  }
  return undefined
}

/** Decodes a record. Describes its errors if `shown` has room for them. */
export const check = ({ line, weight, type, value }: Unchecked, shown: ShownErrors): Parsed => {
  const isShown = shown.mayShow(line)
  const decoded = (isShown ? decoders : deciders).get(type)!(value)
  if (Result.isSuccess(decoded)) return { line, weight, record: decoded.success }
  if (!isShown) return { line, problems: UNSHOWN }
  const { missing, unknown, invalid } = listProblems(decoded.failure.issue, "record")
  const problems = [
    ...missing.map((field) => ({ field, reason: "must be given" })),
    ...unknown.map((problem) => ({
      field: problem.field,
      reason: reasonWithSuggestion({ ...problem, reason: unknownField(type, problem.field) }),
    })),
    ...invalid.map((problem) => ({
      field: problem.field,
      reason: reasonWithSuggestion(problem),
      ...shownValue((value as Readonly<Record<string, unknown>>)[problem.field]),
    })),
  ]
  shown.show(line, problems.length)
  return { line, problems }
}

/** A refused value as an error shows it: objects and lists are named by their parts' fields. */
const shownValue = (value: unknown): { readonly value?: string } =>
  value === undefined || (typeof value === "object" && value !== null) ? {} : { value: shorten(String(value)) }

export const toEntry = (
  line: number,
  value: unknown,
  weight: number,
  suspect: boolean,
  shown = new ShownErrors(),
): Parsed => {
  const read = toUnchecked(line, value, weight, suspect)
  return isRefused(read) ? read : check(read, shown)
}

const unknownField = (type: string, field: string) =>
  field === "deleted"
    ? `must be omitted: an import can delete deals and associations only, not ${article(type)} ${type}`
    : `is not a field of ${article(type)} ${type}`

const article = (type: string) => (/^[aeiou]/.test(type) ? "an" : "a")

/** Replaces lone surrogates by U+FFFD; reports a NUL as a problem. */
const replaceMalformed = (value: unknown, path: string, problems: Array<Problem>): unknown => {
  if (typeof value === "string") {
    if (value.includes("\0")) problems.push({ field: path, reason: "must not contain a NUL character" })
    return value.toWellFormed()
  }
  if (Array.isArray(value)) return value.map((each, index) => replaceMalformed(each, `${path}[${index}]`, problems))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      replaceMalformed(key, path === "" ? "record" : path, problems),
      replaceMalformed(each, path === "" ? key.replaceAll("\0", "") : `${path}.${key}`, problems),
    ]),
  )
}
