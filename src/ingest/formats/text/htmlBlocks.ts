import { Parser } from "htmlparser2"
import { type Element, LIMITS } from "../../document.ts"
import { shiftedHtml } from "../../shiftedText.ts"
import { makeGrid, readSpan } from "../../tables/grid.ts"
import type { TableRow } from "../../tables/header.ts"
import { UnreadableError } from "../../UnreadableError.ts"
import { findUnshown, findUnshownClasses, type Unshown } from "./unshownText.ts"

const PLACE = { kind: "text" } as const

/** Not text, or not about the page's subject. */
const SKIPPED: ReadonlySet<string> = new Set(
  "script style noscript template svg math iframe object canvas select textarea button nav dialog audio video".split(
    " ",
  ),
)
/** Skipped outside the main content: the site's own frame. */
const FRAME: ReadonlySet<string> = new Set(["header", "footer", "aside"])
const MAIN: ReadonlySet<string> = new Set(["main", "article"])
const HEADING = /^h([1-6])$/
const BLOCKS: ReadonlySet<string> = new Set(
  "p div section article main header footer aside ul ol li dl dt dd blockquote pre figure figcaption form fieldset address hr table caption tr td th h1 h2 h3 h4 h5 h6 body html title".split(
    " ",
  ),
)

interface Where {
  /** Inside `main` or `article`. */
  readonly isMain: boolean
  /** How many `blockquote` are around it. */
  readonly depth: number
}

export type HtmlBlock = Where &
  (
    | { readonly kind: Element["kind"]; readonly text: string; readonly level?: number | undefined }
    | { readonly row: TableRow }
    | { readonly unshown: string; readonly why: Unshown }
    | { readonly ends: "table" }
  )

interface OpenTable {
  readonly grid: ReturnType<typeof makeGrid>
  cells: Array<{ readonly text: string; readonly column: number; readonly span: number }>
  cell: { readonly column: number; readonly span: number; readonly rows: number } | undefined
  /** All cells of the row are header cells. */
  isHeader: boolean
  /** It holds a table itself, and no header: its rows only arrange the page. */
  isLayout: boolean
  /** It has a row of several header cells. */
  hasHeader: boolean
  /** The open tables in its cells, whose text belongs to the cell. */
  nested: number
}

interface Kind {
  readonly kind: Element["kind"]
  readonly level?: number
}

const kindOf = (name: string): Kind => {
  const level = HEADING.exec(name)?.[1]
  if (level !== undefined) return { kind: "heading", level: Number(level) }
  return { kind: name === "li" ? "list-item" : "paragraph" }
}

/** Whether an element is a table in a cell of a table with a header, or a part of such a table. */
const isNested = (table: OpenTable, name: string): boolean => {
  if (name === "table" && (table.nested > 0 || (table.hasHeader && table.cell !== undefined))) table.nested++
  return table.nested > 0
}

/** Opens a row or a cell. */
const openInTable = (table: OpenTable, name: string, attributes: Readonly<Record<string, string>>) => {
  if (name === "tr") {
    table.grid.startRow()
    table.isHeader = true
  } else if (name === "td" || name === "th") {
    const span = readSpan(attributes["colspan"])
    const rows = readSpan(attributes["rowspan"])
    table.cell = { column: table.grid.place(span, rows), span, rows }
    if (name === "td") table.isHeader = false
  }
}

const tooDeep = () =>
  new UnreadableError("unsafe", `The page nests its content deeper than ${LIMITS.xmlDepth} levels. It was not read.`)

/** The shown blocks of a page in their order. Throws `UnreadableError` if it nests too deeply. */
export const readHtmlBlocks = (html: string): { readonly title: string; readonly blocks: ReadonlyArray<HtmlBlock> } => {
  const blocks: Array<HtmlBlock> = []
  const tables: Array<OpenTable> = []
  const unshownClasses = findUnshownClasses(html)
  let text = ""
  const shifted = shiftedHtml()
  let title = ""
  let inTitle = false
  let kind: Kind = { kind: "paragraph" }
  let skipping = 0
  /** Open elements from the one that strikes out or hides its text. */
  let inUnshown = 0
  let why: Unshown = "hidden"
  let unshown = ""
  let main = 0
  let depth = 0
  let preformatted = 0
  let quotes = 0
  let inTerm = false
  /** The term (`dt`) that the next text explains. */
  let term = ""
  const where = (): Where => ({ isMain: main > 0, depth: quotes })

  const flush = () => {
    const said = preformatted > 0 ? text : text.replaceAll(/[ \t\n\f\r]+/g, " ").replaceAll(/ ?\u2028 ?/g, "\n")
    text = ""
    shifted.restart()
    if (said.trim() === "") return
    if (inTerm) term = `${term} ${said.trim()}`.trim()
    else if (kind.kind === "paragraph" && term !== "") place(`${takeTerm()}${said.trim()}`)
    else {
      endTerm()
      place(said)
    }
  }
  const startTerm = () => {
    endTerm()
    inTerm = true
  }
  const takeTerm = () => {
    const taken = /[\p{L}\p{N}]$/u.test(term) ? `${term}: ` : `${term} `
    term = ""
    return taken
  }
  const endTerm = () => {
    const alone = term
    term = ""
    if (alone !== "") place(alone, { kind: "paragraph" })
  }
  const place = (said: string, how = kind) => {
    const table = tables.at(-1)
    if (table?.cell !== undefined && !table.isLayout) {
      const { cell } = table
      const before = table.cells.at(-1)
      // Several blocks of one cell are one text.
      if (before?.column === cell.column)
        table.cells[table.cells.length - 1] = { ...before, text: `${before.text} ${said.trim()}` }
      else table.cells.push({ ...cell, text: said.trim() })
    } else {
      blocks.push({ ...how, text: said, ...where() })
    }
  }
  const openUnshown = (name: string, cause: Unshown) => {
    if (BLOCKS.has(name) && inUnshown === 0) flush()
    if (BLOCKS.has(name) || name === "br") unshown += " "
    why = cause
    inUnshown++
  }
  const closeUnshown = () => {
    if (--inUnshown > 0) return
    if (unshown.trim() !== "") blocks.push({ unshown, why, ...where() })
    unshown = ""
  }
  const openTable = () => {
    const outer = tables.at(-1)
    if (outer !== undefined) {
      outer.isLayout = true
      for (const cell of outer.cells.splice(0)) blocks.push({ kind: "paragraph", text: cell.text, ...where() })
    }
    tables.push({
      grid: makeGrid(),
      cells: [],
      cell: undefined,
      isHeader: true,
      isLayout: false,
      hasHeader: false,
      nested: 0,
    })
  }
  const endRow = (table: OpenTable) => {
    table.grid.endRow()
    table.hasHeader ||= table.isHeader && table.cells.length > 1
    if (!table.isLayout) {
      blocks.push({ row: { cells: table.cells, place: PLACE, isHeader: table.isHeader }, ...where() })
    }
    table.cells = []
  }

  const closeInTable = (table: OpenTable, name: string) => {
    if (table.nested > 0) {
      if (name === "table") table.nested--
    } else if (name === "td" || name === "th") table.cell = undefined
    else if (name === "tr") endRow(table)
    else if (name === "table") {
      if (table.cells.length > 0) endRow(table)
      tables.pop()
      blocks.push({ ends: "table", ...where() })
    }
  }

  const isSkipped = (name: string, attributes: Readonly<Record<string, string>>) =>
    SKIPPED.has(name) || attributes["aria-hidden"] === "true" || (FRAME.has(name) && main === 0)

  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (++depth > LIMITS.xmlDepth) throw tooDeep()
      shifted.open(name, attributes)
      if (skipping > 0 || isSkipped(name, attributes)) {
        if (inUnshown === 0) flush()
        skipping++
        return
      }
      const cause = inUnshown > 0 ? why : findUnshown(name, attributes, unshownClasses)
      if (cause !== undefined) return openUnshown(name, cause)
      if (MAIN.has(name)) main++
      if (name === "br") text += "\u2028"
      if (!BLOCKS.has(name)) return
      flush()
      if (name === "dt") startTerm()
      kind = kindOf(name)
      if (name === "pre") preformatted++
      if (name === "blockquote") quotes++
      if (name === "title") inTitle = true
      const table = tables.at(-1)
      if (table !== undefined && isNested(table, name)) return
      if (name === "table") openTable()
      else if (table !== undefined) openInTable(table, name, attributes)
    },
    onclosetag: (name) => {
      depth--
      shifted.close()
      if (skipping > 0) {
        skipping--
        return
      }
      if (inUnshown > 0) return closeUnshown()
      if (BLOCKS.has(name)) {
        if (inTitle) title = text.replaceAll(/\s+/g, " ").trim()
        if (inTitle) text = ""
        inTitle = false
        flush()
        if (name === "dt") inTerm = false
        if (name === "dl") endTerm()
        if (kind.kind !== "list-item" || name === "li") kind = { kind: "paragraph" }
      }
      if (name === "pre") preformatted--
      if (name === "blockquote") quotes--
      if (MAIN.has(name)) main--
      const table = tables.at(-1)
      if (table !== undefined) closeInTable(table, name)
    },
    ontext: (value) => {
      if (skipping > 0) return
      if (inUnshown > 0) unshown += value
      else text += shifted.write(value)
    },
  })
  parser.write(html)
  parser.end()
  flush()
  endTerm()
  return { title, blocks }
}
