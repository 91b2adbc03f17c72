import { decodeEntities } from "../../../common/entities.ts"
import { unguard } from "../../../common/formula.ts"
import { type TableRow, textOf, type TypedCell } from "../../table/Table.ts"
import { isPlaceholder } from "./emptyCells.ts"
import type { ImportPlan, PlannedField } from "../fields/ImportPlan.ts"

/** `="00012345"` keeps a spreadsheet from reading a text as a number; an apostrophe keeps it from being run as a formula. */
export const unwrap = (text: string): string => {
  if (text.startsWith('="') && text.endsWith('"')) return text.slice(2, -1).replaceAll('""', '"').trim()
  return unguard(text)
}

/** Whether the cells are names, in which programs leave entities of HTML. The reader of HTML has decoded its own. */
const isNamed = ({ isDecoded }: ImportPlan, { kind, path, isExported }: PlannedField) =>
  (kind === "text" || kind === "list") && path.length === 1 && isExported !== true && isDecoded !== true

/** Whether an apostrophe may belong to the text. In others, such as ids, it keeps a spreadsheet from reading a number: `'0077`. */
const isFree = ({ kind }: PlannedField) => kind === "text" || kind === "list" || kind === "json" || kind === "summary"

/** A name with its page, as Notion and texts in Markdown write it: `Acme (https://…)`, `[Acme](https://…)`. */
const withoutLinks = (text: string): string =>
  text
    .replaceAll(/\[([^[\]]+)\]\(https?:\/\/[^\s()]+\)/g, "$1")
    .replaceAll(/(\S)\s*\(https?:\/\/[^\s()]+\)/g, "$1")
    .trim()

/** The text of a cell without what a program put around it. */
export const plainText = (plan: ImportPlan, field: PlannedField, cell: string): string => {
  const text = unwrap(cell.trim())
  if (text.startsWith("'") && !isFree(field)) return text.replace(/^'(?=[\p{L}\p{N}][^']*$)/u, "")
  return isNamed(plan, field) ? withoutLinks(decodeEntities(text).trim()) : text
}

/** Parts of a number format that only group, round or scale: what they change is no part of an id. */
const OF_QUANTITIES = /[.,%E/?]/i

/** Drops the parts of a number format that are written as they are: quoted and escaped text, colours and currencies in brackets. */
const withoutText = (format: string): string => format.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]|_./g, "")

/** Whether the cell of a workbook shows its number times a hundred, with a `%`. */
export const isPercentage = ({ format = "" }: TypedCell): boolean =>
  format.includes("%") && withoutText(format).includes("%")

/** An id is what its cell shows: `000007` by the format `000000`. A format of quantities shows 1,234 for the id 1234. */
export const shownId = (text: string, format: string | undefined, value: number): string =>
  format === undefined || OF_QUANTITIES.test(withoutText(format)) ? String(value) : text.replace(` [${value}]`, "")

/** The cell of a field, or the text of the cells that fill it together. */
export const cellOf = (row: TableRow, { cells, kind }: PlannedField) =>
  cells.length === 1 ? (row.cells[cells[0]!] ?? "") : joined(row, cells, kind === "list" ? "; " : " - ")

const joined = (row: TableRow, cells: ReadonlyArray<number>, separator: string): string =>
  cells
    .map((cell) => unwrap(textOf(row.cells[cell] ?? "").trim()))
    .filter((cell) => cell !== "" && !isPlaceholder(cell))
    .join(separator)
