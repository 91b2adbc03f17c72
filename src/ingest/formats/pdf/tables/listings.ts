import { couldBeHeader } from "../../../tables/header.ts"

type Cells = ReadonlyArray<{ readonly text: string }>

/** A row as it is drawn: its wrapped cells are not joined. */
export interface ListedRow {
  readonly cells: Cells
  /** All its letters have one width, as those of a typewriter have. */
  readonly isFixed: boolean
}

/** The share of the rows that show what they are. */
const MIN_SHOWN = 0.5

/** A line begins with the prompt of a console, or with the branches of a tree. Before an amount, "+" and ">" are signs of it. */
const EDGE = /^(?:\||[+>](?!\s*\p{Sc}?\s?\d))(?:\s|$)/u
/** Ends of statements, assignments and operands: also a table of names has none of them. */
const STATEMENT = /[{};]$|^[)}]|<-|\w,[\p{L}_(#]/u
/** Names of a program, which the rows of its output may have too, but not below labels. */
const NAME = /\p{L}[=:][\p{L}\d]|\b0x[\da-f]/iu

const RELATION = /[=<>≤≥≈≠∈]/u
const EQUATION_NUMBER = /^\(\d{1,3}(?:\.\d{1,3}){0,3}[a-z]?\)$/u
const CONDITION = /^(?:if|for|when|otherwise|else|wenn|für|sonst|si|sinon)\b/iu

const share = (rows: ReadonlyArray<ListedRow>, is: (cells: Cells) => boolean) =>
  rows.filter(({ cells }) => is(cells)).length / Math.max(rows.length, 1)

const has = (pattern: RegExp) => (cells: Cells) => cells.some(({ text }) => pattern.test(text))

/** Whether rows are the lines of a program or a console. Its output is a table if it has labels. */
const isListing = (rows: ReadonlyArray<ListedRow>) => {
  const startsAtEdge = ([first, second]: Cells) => EDGE.test(`${first?.text ?? ""} ${second?.text ?? ""}`)
  if (share(rows, startsAtEdge) >= MIN_SHOWN) return true
  if (!rows.every(({ isFixed }) => isFixed)) return false
  if (share(rows, has(STATEMENT)) >= MIN_SHOWN) return true
  const { cells } = rows.find((row) => row.cells.length > 1) ?? rows[0]!
  const hasLabels = couldBeHeader(cells) && !has(NAME)(cells)
  return !hasLabels && share(rows, (own) => has(STATEMENT)(own) || has(NAME)(own)) >= MIN_SHOWN
}

/** Whether a row is an equation before its number, or one case of a formula before its condition. */
const isFormula = (cells: Cells) => {
  const [before, last] = cells.slice(-2)
  if (last === undefined || !has(RELATION)(cells)) return false
  return EQUATION_NUMBER.test(last.text) || (CONDITION.test(last.text) && before!.text.endsWith(","))
}

/** Whether aligned texts are a listing of a program, or formulas. */
export const isListingOrFormula = (rows: ReadonlyArray<ListedRow>): boolean =>
  isListing(rows) || share(rows, isFormula) >= MIN_SHOWN
