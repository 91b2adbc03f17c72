import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { unguard } from "../../../common/formula.ts"
import { shorten } from "../../../common/shorten.ts"
import { COLUMNS } from "../../../deals/columns/columns.ts"
import type { ExportedRow, ExportedThing, Problem } from "../../../records/entry.ts"
import { type TableRow, textOf } from "../../table/Table.ts"
import type { CombinedName } from "../fields/cellKinds.ts"
import type { PlannedExport } from "../fields/ImportPlan.ts"

/** The fields of a record that several columns of an export make together, and the rest of its row. */
export interface Combined {
  readonly fields: Readonly<Record<string, unknown>>
  readonly exported: ExportedRow
  readonly problems: ReadonlyArray<Problem>
}

type Json = Readonly<Record<string, unknown>>

const decodeFeatures = Schema.decodeUnknownResult(COLUMNS.features.schema)

/** Reads the columns of an export that make fields together. `clears`: an empty cell clears its field. */
export const readCombined = (
  { combined, isGuarded, stages }: PlannedExport,
  row: TableRow,
  clears: boolean,
): Combined => {
  const fields: Record<string, unknown> = {}
  const things: Array<ExportedThing> = []
  const problems: Array<Problem> = []

  /** The text of a column; undefined if the file lacks it, null if its cell is empty. */
  const text = (name: CombinedName): string | null | undefined => {
    const place = combined[name]
    if (place === undefined) return undefined
    const cell = textOf(row.cells[place] ?? "")
    if (cell.trim() === "") return null
    return isGuarded ? unguard(cell) : cell
  }

  const set = (field: string, value: unknown): void => {
    if (value !== undefined && (value !== null || clears)) fields[field] = value
  }

  const reference = (id: string | null | undefined, name: string | null | undefined) => {
    if (id == null && name == null) return id === undefined && name === undefined ? undefined : null
    return { ...(id != null && { id }), ...(name != null && { name }) }
  }

  /** JSON, or a list that a person has written with semicolons. */
  const list = (name: CombinedName): ReadonlyArray<unknown> | null | undefined => {
    const given = text(name)
    if (given == null) return given
    if (!given.trim().startsWith("[")) {
      return given.split(";").flatMap((entry) => (entry.trim() === "" ? [] : [entry.trim()]))
    }
    const value = parse(given)
    if (Array.isArray(value)) return value
    problems.push({ field: name, reason: "must be a JSON list, as an export writes it", value: shorten(given) })
    return undefined
  }

  const note = (kind: ExportedThing["kind"], key: string | null, columns: ExportedThing["columns"]): void => {
    if (key !== null && Object.values(columns).some((value) => value != null)) things.push({ kind, key, columns })
  }

  set("status", reference(text("status_id"), text("deal_status")))
  set("owner", reference(text("owner_id"), text("owner_name")))
  const client = text("client_name")
  set("client", reference(undefined, client))
  note("client", client ?? null, { industry: text("industry"), website_url: text("website_url") })
  // Both columns list the same competitors.
  set("competitors", (list("deal_competitor_associations") ?? list("competitors"))?.map(readCompetitor))
  const drivers = list("drivers")
  set("drivers", drivers?.map(readDriver))
  for (const each of drivers ?? []) {
    if (isObject(each)) note("reason", textIn(each, "reason_id"), { category: textIn(each, "category") })
  }
  const scorecard = text("scorecard")
  if (scorecard != null) {
    const value = parse(scorecard)
    if (value === undefined) problems.push({ field: "scorecard", reason: "must be JSON", value: shorten(scorecard) })
    else fields["scorecard"] = value
  }

  const given = list("features")
  const features = given == null ? undefined : readFeatures(given, text("features") ?? "")
  if (features?.problem !== undefined) problems.push(features.problem)
  for (const { feature_id, product, product_area } of features?.shown ?? [])
    note("feature", feature_id, { product, product_area })

  return {
    fields,
    problems,
    exported: {
      things,
      ...(features?.shown !== undefined && { features: features.shown }),
      ...readPreviousStage(text("previous_status_id"), stages, clears),
    },
  }
}

const readFeatures = (
  given: ReadonlyArray<unknown>,
  cell: string,
): { readonly shown?: ExportedRow["features"]; readonly problem?: Problem } => {
  const features = decodeFeatures(given)
  if (Result.isSuccess(features)) return { shown: features.success }
  const reason = "must be the JSON list of features that an export writes"
  return { problem: { field: "features", reason, value: shorten(cell) } }
}

const readPreviousStage = (
  id: string | null | undefined,
  stages: PlannedExport["stages"],
  clears: boolean,
): Pick<ExportedRow, "previousStage"> => {
  if (id === undefined || (id === null && !clears)) return {}
  const name = id === null ? undefined : stages[id]
  return { previousStage: id === null ? null : { id, ...(name !== undefined && { name }) } }
}

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)
const textIn = (object: Json, member: string): string | null => {
  const value = object[member]
  return typeof value === "string" ? value : null
}

const readCompetitor = (each: unknown): unknown => {
  if (!isObject(each)) return each
  const [id, name] = [
    textIn(each, "competitor_id") ?? textIn(each, "id"),
    textIn(each, "competitor_name") ?? textIn(each, "name"),
  ]
  if (id === null || name === null) return each
  return { competitor: { id, name }, is_primary: each["is_primary"], is_incumbent: each["is_incumbent"] }
}

const readDriver = (each: unknown): unknown => {
  if (!isObject(each)) return each
  const [id, name] = [textIn(each, "reason_id"), textIn(each, "name")]
  if (id === null || name === null) return each
  return { reason: { id, name }, positive: each["positive"], summary: each["summary"] }
}

/** Undefined if it is no JSON, or has a NUL, which the database cannot store. */
const parse = (text: string): unknown => {
  try {
    return text.includes("\\u0000") ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

const NUMBER = /^-?\d+(?:([.,])\d*[1-9])?(?:e[+-]\d+)?$/
const INSTANT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d))?$/

/**
 * Reads a number as exports write them: no separators of thousands, and no zero at the end of a fraction. Undefined if it is
 * written otherwise, as a spreadsheet does after an edit.
 */
export const exactNumber = (
  text: string,
  { mark, delimiter }: { readonly mark: string | undefined; readonly delimiter: string | undefined },
): number | undefined => {
  const found = NUMBER.exec(text)
  if (found === null) return undefined
  const [, own] = found
  // An export whose cells a comma separates has decimal points.
  const isOther = own !== undefined && ((mark !== undefined && own !== mark) || (own === "," && delimiter === ","))
  return isOther ? undefined : Number(text.replace(",", "."))
}

/** Whether a text is a day or an instant as exports write them. */
export const isExactDate = (text: string): boolean => INSTANT.test(text)
