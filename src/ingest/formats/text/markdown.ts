import MarkdownIt, { type Env, type Token } from "markdown-it"
import type { Element } from "../../document.ts"
import { type ElementList, elementList } from "../../elements.ts"
import { type Shift, shiftedText } from "../../shiftedText.ts"
import { TableWriter } from "../../tables/TableWriter.ts"
import { readHtmlBlocks } from "./htmlBlocks.ts"

const place = { kind: "text" } as const

/** Front matter, if the text begins with it: a block of keys between two rules. */
const FRONT_MATTER = /^---[ \t]*\n((?:(?!---)[^\n]*\n){0,1000})---[ \t]*(?:\n|$)/

/** A block before its inline marks are parsed. That waits for the end, because the last line may define the target of a link in the first. */
interface Block {
  readonly kind: Element["kind"]
  readonly level?: number
  /** The cells of a table's row; otherwise one text. */
  readonly contents: ReadonlyArray<string>
  /** A row of a table's header. */
  readonly isHeader?: boolean
  /** Code has no inline marks. */
  readonly isPlain?: true
  /** The block is HTML: its only content. */
  readonly isHtml?: true
}

/** Headings, list items, table rows, code and paragraphs of a Markdown text, as a reader of the rendered page sees them. */
export const markdownElements = (markdown: string): ReadonlyArray<Element> => {
  const parser = new MarkdownIt({ html: true })
  const environment: Env = {}
  const blocks: Array<Block> = []
  const front = FRONT_MATTER.exec(markdown)
  if (front !== null) blocks.push({ kind: "paragraph", contents: [front[1]!], isPlain: true })
  parser.core.ruler.enableOnly(["normalize", "block"])
  // The tokens of a document take 40 times its size, so each block's are dropped when the next block begins.
  parser.block.ruler.before("table", "collect", ({ level, tokens }, _start, _end, silent) => {
    if (level === 0 && !silent) blocks.push(...readBlocks(tokens.splice(0)))
    return false
  })
  blocks.push(...readBlocks(parser.parse(markdown.slice(front?.[0].length ?? 0), environment)))

  const elements = elementList()
  const render = (content: string) => {
    const tokens: Array<Token> = []
    parser.inline.parse(content, parser, environment, tokens)
    const { shown, struck } = divideStruck(tokens)
    elements.addHidden(joinText(struck), place)
    return joinText(shown)
  }
  const table = new TableWriter(elements)
  for (const { kind, level, contents, isHeader, isPlain, isHtml } of blocks) {
    if (isHtml === true) {
      addHtml(elements, table, contents.join(""))
      continue
    }
    const texts = isPlain ? contents : contents.map(render)
    if (kind === "table-row") {
      table.row({ cells: texts.map((text, column) => ({ text, column })), place, isHeader })
      continue
    }
    table.end()
    const text = texts.join("")
    elements.add(kind, kind === "heading" ? text.replaceAll("\n", " ") : text, place, level)
  }
  table.end()
  return elements.list
}

function* readBlocks(tokens: ReadonlyArray<Token>): Iterable<Block> {
  let next: Pick<Block, "kind" | "level"> = PARAGRAPH
  let cells: Array<string> | undefined
  let isHeader = false
  for (const { type, content, tag } of tokens) {
    if (type === "heading_open") next = { kind: "heading", level: Number(tag.slice(1)) }
    else if (type === "list_item_open") next = { kind: "list-item" }
    else if (type === "thead_open" || type === "thead_close") isHeader = type === "thead_open"
    else if (type === "tr_open") cells = []
    else if (type === "tr_close") {
      yield { kind: "table-row", contents: cells ?? [], isHeader }
      cells = undefined
    } else if (type === "inline" && cells !== undefined) cells.push(content)
    else if (type === "inline") {
      yield { ...next, contents: [content] }
      next = PARAGRAPH
    } else if (type === "fence" || type === "code_block") yield { ...PARAGRAPH, contents: [content], isPlain: true }
    else if (type === "html_block") yield { ...PARAGRAPH, contents: [content], isHtml: true }
  }
}

const PARAGRAPH = { kind: "paragraph" } as const

const STRUCK_OPEN = /^<(?:s|del|strike)(?:\s[^>]{0,500})?>$/i
const STRUCK_CLOSE = /^<\/(?:s|del|strike)\s*>$/i

/** The inline marks of a text, and those that it strikes out. */
const divideStruck = (tokens: ReadonlyArray<Token>) => {
  const [shown, struck]: [Array<Token>, Array<Token>] = [[], []]
  let depth = 0
  for (const token of tokens) {
    const html = token.type === "html_inline" ? token.content : ""
    if (token.type === "s_open" || STRUCK_OPEN.test(html)) depth++
    else if (token.type === "s_close" || (STRUCK_CLOSE.test(html) && depth > 0)) depth--
    else (depth > 0 ? struck : shown).push(token)
  }
  return { shown, struck }
}

const SHIFTING = /^<(\/?)(sup|sub)\s*>$/i

const joinText = (tokens: ReadonlyArray<Token>): string => {
  const shifted = shiftedText()
  let shift: Shift
  return tokens
    .map(({ type, content, children }) => {
      if (type === "softbreak" || type === "hardbreak") return "\n"
      if (type === "image") return joinText(children ?? [])
      if (type !== "html_inline") return shifted.write(content, shift)
      const [, closing, name] = SHIFTING.exec(content) ?? []
      if (name !== undefined) shift = closing === "/" ? undefined : /p$/i.test(name) ? "raised" : "lowered"
      return ""
    })
    .join("")
}

/** Adds a block of HTML: its text, lists and tables, without comments. */
const addHtml = (elements: ElementList, table: TableWriter, html: string) => {
  for (const block of readHtmlBlocks(html).blocks) {
    if ("unshown" in block) elements.addHidden(block.unshown, place)
    else if ("row" in block) table.row(block.row)
    else table.end()
    if ("kind" in block) elements.add(block.kind, block.text, place, block.level)
  }
}
