import { LIMITS, type ReadDocument, type Warning } from "../../document.ts"
import { elementList, requireText } from "../../elements.ts"
import { hiddenText } from "../../hiddenText.ts"
import { TableWriter } from "../../tables/TableWriter.ts"
import { UnreadableError } from "../../UnreadableError.ts"
import { decode } from "../../encodings/decode.ts"
import { type HtmlBlock, readHtmlBlocks } from "./htmlBlocks.ts"

const PLACE = { kind: "text" } as const

/** The main content is what `main` and `article` hold, if it is more than this share of the page's text. */
const MIN_MAIN_SHARE = 0.3

const measureLength = (blocks: ReadonlyArray<HtmlBlock>) =>
  blocks.reduce(
    (sum, block) => sum + ("text" in block ? block.text.length : "row" in block ? block.row.cells.length * 10 : 0),
    0,
  )

/** The encoding that a page declares, if it is neither UTF-8 nor unknown. */
const declared = (bytes: Uint8Array): string | undefined => {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 2048))
  const label = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})/i.exec(head)?.[1]
  try {
    return label === undefined ? undefined : new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * Reads an HTML page: its main content's headings, paragraphs, list items and tables, without navigation and scripts, and with
 * struck-out and hidden parts as hidden text; of a link and a picture, only the text. Throws `UnreadableError`.
 */
export const readHtmlPage = (bytes: Uint8Array): ReadDocument => {
  const own = declared(bytes)
  const { text, warnings } = own === undefined ? decode(bytes) : { text: own, warnings: [] }
  return readHtmlText(text, warnings)
}

/** Reads a page that is decoded. */
export const readHtmlText = (text: string, warnings: ReadonlyArray<Warning> = []): ReadDocument => {
  if (text.length > LIMITS.characters) {
    throw new UnreadableError("too-large", "The page holds more text than can be read. Split it into smaller files.")
  }
  const { title, blocks } = readHtmlBlocks(text)
  const main = blocks.filter(({ isMain }) => isMain)
  const shown = measureLength(main) >= measureLength(blocks) * MIN_MAIN_SHARE ? main : blocks
  const elements = elementList()
  const table = new TableWriter(elements)
  const hasTitle = shown.some((block) => "kind" in block && block.kind === "heading" && block.level === 1)
  if (!hasTitle) elements.add("heading", title, PLACE, 1)
  for (const block of shown) {
    if ("unshown" in block) elements.addHidden(block.unshown, PLACE)
    else if ("row" in block) table.row(block.row)
    else {
      table.end()
      if ("kind" in block) elements.add(block.kind, block.text, PLACE, block.level)
    }
  }
  table.end()
  return requireText(elements, [...warnings, ...hiddenText(elements.list)])
}
