import type { BadRequest } from "../../http/errors.ts"
import { badRequest, type Invalid } from "../../http/validation.ts"
import { suggestion } from "../../common/nearest.ts"
import { type CellKind, cellKind, isPart } from "./cells.ts"
import { RECORDS, type RecordType } from "../records.ts"

/** Maps a CSV header, or several joined by `+`, to the field or fields that it fills. */
export type Mapping = Readonly<Record<string, string | ReadonlyArray<string>>>

/** Parses `Header=field,Other=field2,First+Second=name`, or the same as a JSON object. Undefined if it is neither. */
export const parseMapping = (text: string): Mapping | undefined => {
  const mapping = new Map<string, Array<string>>()
  if (text.trim().startsWith("{")) {
    try {
      const value: unknown = JSON.parse(text)
      return Object.values(value as object).every(isField) ? (value as Mapping) : undefined
    } catch {
      return undefined
    }
  }
  for (const pair of text.split(",")) {
    const at = pair.lastIndexOf("=")
    const header = pair.slice(0, Math.max(at, 0)).trim()
    const field = pair.slice(at + 1).trim()
    if (header === "" || field === "") return undefined
    mapping.set(header, [...(mapping.get(header) ?? []), field])
  }
  return Object.fromEntries(mapping)
}

const isField = (field: unknown) =>
  typeof field === "string" || (Array.isArray(field) && field.every((each) => typeof each === "string"))

/** A field of the record, and the cells that fill it. */
export interface Column {
  readonly path: ReadonlyArray<string>
  readonly field: string
  readonly kind: CellKind
  readonly cells: ReadonlyArray<number>
}

const normalizeHeader = (header: string) => header.trim().toLowerCase()
const toFieldName = (header: string) => header.trim().replaceAll(/[\s-]+/g, "_")

/** Finds the cells of each field. Unknown headers are ignored with a mapping and refused without one. */
export const columnsOf = (
  type: RecordType,
  header: ReadonlyArray<string>,
  mapping: Mapping | undefined,
): ReadonlyArray<Column> | BadRequest => {
  const fields = new Set(Object.keys(RECORDS[type].fields).filter((field) => field !== "type"))
  const known = (field: string) => fields.has(field) || isPart(type, field)
  const invalid: Array<Invalid> = []
  const columns = new Map<string, ReadonlyArray<number>>()
  const mapped = new Set<number>()
  const names = header.map(normalizeHeader)

  for (const [from, to] of Object.entries(mapping ?? {})) {
    const whole = names.indexOf(normalizeHeader(from))
    const parts = whole === -1 ? from.split("+") : [from]
    const cells = parts.map((part) => names.indexOf(normalizeHeader(part)))
    parts.forEach((part, index) => {
      if (cells[index] === -1) {
        invalid.push({
          field: "map",
          reason: `must name headers of the file; '${part.slice(0, 100)}' is not one`,
          ...suggestion(part, header),
        })
      }
    })
    for (const cell of cells) mapped.add(cell)
    for (const field of typeof to === "string" ? [to] : to) {
      if (!known(field)) {
        invalid.push({
          field: "map",
          reason: `must name fields of a ${type}; '${field.slice(0, 100)}' is not one`,
          ...suggestion(field, fields),
        })
      } else if (columns.has(field)) {
        invalid.push({ field: "map", reason: `must name each field once; '${field}' is filled twice` })
      } else {
        columns.set(field, cells)
      }
    }
  }

  header.forEach((name, index) => {
    if (mapped.has(index) || name.trim() === "") return
    const field = [name.trim(), toFieldName(name), toFieldName(name).toLowerCase()].find(known)
    if (field === undefined) {
      if (mapping === undefined) {
        invalid.push({
          field: name.slice(0, 100),
          reason: `is not a field of a ${type}: use ${[...fields].join(", ")}, or map it`,
          ...suggestion(name, fields),
        })
      }
    } else if (!columns.has(field)) {
      columns.set(field, [index])
    } else if (mapping === undefined) {
      invalid.push({ field, reason: "must be one column, not two" })
    }
  })
  if (columns.size === 0 && invalid.length === 0) {
    invalid.push({ field: "header", reason: `must name fields of a ${type}: ${[...fields].join(", ")}` })
  }
  return invalid.length > 0
    ? badRequest({ invalid })
    : [...columns].map(([field, cells]) => ({ field, path: pathOf(field), kind: cellKind(field), cells }))
}

const pathOf = (field: string): ReadonlyArray<string> => {
  const [, map, name, part] = /^([a-z_]+)\.(.+?)(?:\.(score|explanation))?$/.exec(field) ?? []
  if (map === undefined || name === undefined) return [field]
  if (part === undefined) return [map, name]
  return map === "scorecard" || map === "custom_metrics" ? [map, name, part] : [map, `${name}.${part}`]
}
