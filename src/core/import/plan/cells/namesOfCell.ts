import { decodeEntities } from "../../../common/entities.ts"
import { fold } from "../../../common/fold.ts"
import { type TableRow, textOf } from "../../table/Table.ts"
import { eachRow } from "./evidence.ts"
import type { PlannedField } from "../fields/ImportPlan.ts"

/** Fields that have one name, and what separates several in a cell. */
export const ONE_NAME: ReadonlySet<string> = new Set(["owner", "client"])
const BETWEEN_SEVERAL = /[;\n]/

/** Whether the cell has semicolons, e-mail addresses, or names that other rows or the workspace have each for itself. */
export const hasSeveral = (text: string, names: ReadonlySet<string> | undefined): boolean => {
  if (partsOf(text, BETWEEN_SEVERAL).length > 1) return true
  const parts = namesIn(text)
  return parts.length > 1 && (parts.every((part) => EMAIL.test(part)) || parts.every((part) => names?.has(fold(part))))
}
/** At most 254 characters, as in RFC 5321. */
const EMAIL = /^(?=.{1,254}$)[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Marks by which people repeat the cell above. */
const DITTO = /^(?:["'”“„″〃]{1,3}|-\s*["”]\s*-|ditto|dito|dto\.|idem|同上)$/i
export const isDitto = ({ kind, path }: PlannedField, text: string): boolean =>
  (kind === "text" || kind === "list") && path.length === 1 && DITTO.test(text)

/** Entries of lists that stand alone or between semicolons somewhere in the column. */
export function* listedNames(
  rows: ReadonlyArray<TableRow>,
  cell: number,
  max: number,
): Generator<void, ReadonlySet<string>> {
  const found = new Set<string>()
  yield* eachRow(rows, ({ cells }) => {
    const text = decodeEntities(textOf(cells[cell] ?? ""))
    for (const part of text.split(ENTRIES)) {
      const name = part.trim()
      if (name !== "" && !SEPARATOR.test(name) && !/[[{]/.test(name) && found.size < max) found.add(name)
    }
  })
  return found
}

/** Parts of cells that a comma, slash, bar or line break may separate: names to look up. */
export function* candidateNames(
  rows: ReadonlyArray<TableRow>,
  cell: number,
  max: number,
): Generator<void, ReadonlySet<string>> {
  const found = new Set<string>()
  yield* eachRow(rows, ({ cells }) => {
    for (const entry of decodeEntities(textOf(cells[cell] ?? "")).split(ENTRIES)) {
      const parts = namesIn(entry)
      for (const part of parts.length > 1 ? parts : []) if (found.size < max) found.add(part.trim())
    }
  })
  return found
}

/** The names that a cell may have: parts between commas, slashes and the like, or words such as "and". */
export const namesIn = (text: string): ReadonlyArray<string> => {
  const parts = partsOf(text, SEPARATOR)
  return parts.length > 1 ? parts : partsOf(text, AND)
}

/** The parts between separators, without space around them. A pattern of the space itself would read a long run of it again and again. */
export const partsOf = (text: string, separator: RegExp): ReadonlyArray<string> =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "")

/** Marks between the entries of a list: the semicolon, as Latin, full-width and Arabic texts write it. */
export const ENTRIES = /[;；؛]/

/** Marks that separate names or belong to them: commas of the same scripts, and that of Chinese and Japanese lists. */
export const SEPARATOR = /[,，、،/|\n]/
/** Words between two names, which many names have too. */
const AND = /(?<=\s)(?:and|und|et|y|e|og|och|en|&|\+)(?=\s)/i
