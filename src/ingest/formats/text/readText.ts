import { type Element, LIMITS, type ReadDocument } from "../../document.ts"
import { decode } from "../../encodings/decode.ts"
import { elementList } from "../../elements.ts"
import { TableWriter } from "../../tables/TableWriter.ts"
import { findTextTables } from "./textTables.ts"
import { markdownElements } from "./markdown.ts"
import { asTranscript } from "../../transcripts/turns.ts"
import { hiddenText } from "../../hiddenText.ts"
import { plain } from "../../plain.ts"
import { UnreadableError } from "../../UnreadableError.ts"

const place = { kind: "text" } as const

/** The lines between empty lines. */
const blocksOf = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const blocks: Array<Array<string>> = []
  let isOpen = false
  for (const line of text.split("\n")) {
    const isFilled = line.trim() !== ""
    if (isFilled && isOpen) blocks.at(-1)!.push(line.trimEnd())
    else if (isFilled) blocks.push([line.trimEnd()])
    isOpen = isFilled
  }
  return blocks
}

const paragraphs = (blocks: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<Element> =>
  blocks.map((lines) => ({ kind: "paragraph", text: lines.join("\n").trim(), place }))

/** Paragraphs, and the rows of the tables that spaces, tabs or bars draw. */
const paragraphsAndTables = (blocks: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<Element> => {
  const elements = elementList()
  const table = new TableWriter(elements)
  for (const lines of blocks) {
    let text: Array<string> = []
    const flush = () => {
      table.end()
      elements.add("paragraph", text.join("\n"), place)
      text = []
    }
    for (const each of findTextTables(lines)) {
      if ("line" in each) {
        text.push(each.line)
        continue
      }
      if (text.length > 0) flush()
      table.row({ cells: each.row, place, isHeader: each.isHeader })
    }
    flush()
  }
  return elements.list
}

/** The spaces before the first text, which may be above a column. */
const indentOf = (raw: string) => /(?:^|\n)( *)\S/.exec(raw)?.[1] ?? ""

const readPlain = (text: string): ReadonlyArray<Element> => {
  const blocks = blocksOf(text)
  return asTranscript(paragraphs(blocks)) ?? paragraphsAndTables(blocks)
}

const readMarkdown = (text: string): ReadonlyArray<Element> => {
  const elements = markdownElements(text)
  return (elements.some(({ hidden }) => hidden) ? undefined : asTranscript(elements)) ?? elements
}

/** Plain text by its blank lines and tables, Markdown by its headings, lists and tables. Throws `UnreadableError`. */
export const readText = (bytes: Uint8Array, format: "md" | "txt"): ReadDocument => {
  const { text: raw, warnings } = decode(bytes)
  if (raw.length > LIMITS.characters) {
    const most = LIMITS.characters.toLocaleString("en")
    throw new UnreadableError("too-large", `This file has more than ${most} characters. Split it into smaller files.`)
  }
  const text = plain(raw)
  const elements = format === "md" ? readMarkdown(text) : readPlain(`${indentOf(raw)}${text}`)
  if (elements.length === 0) throw new UnreadableError("empty", "This file has no text. Upload one that has.")
  return { elements, warnings: [...warnings, ...hiddenText(elements)] }
}
