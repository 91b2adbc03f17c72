import { decodeEntities } from "../../../core/common/entities.ts"
import type { Attachment, Element, Place, ReadDocument, Warning } from "../../document.ts"
import { LIMITS } from "../../document.ts"
import { elementList, requireText } from "../../elements.ts"
import { hiddenText } from "../../hiddenText.ts"
import { TableWriter } from "../../tables/TableWriter.ts"
import { UnreadableError } from "../../UnreadableError.ts"
import { type HtmlBlock, readHtmlBlocks } from "../text/htmlBlocks.ts"
import { type Item, splitHistory } from "./history.ts"
import { formatMailbox, type Mailbox } from "./mailbox.ts"

/** A mail, whatever file it came in. */
export interface Message {
  readonly subject: string
  readonly from: Mailbox | undefined
  readonly to: ReadonlyArray<Mailbox>
  readonly cc: ReadonlyArray<Mailbox>
  /** ISO 8601, or as the mail writes it. */
  readonly date: string | undefined
  readonly text: string
  readonly html: string
  readonly attachments: ReadonlyArray<Attachment>
}

const PLACE = { kind: "text" } as const
/** Longer lists of recipients are cut. */
const MAX_RECIPIENTS = 100

/** A text part that is clearly shorter than the page beside it only says that there is one. */
const MIN_TEXT_SHARE = 0.2

/** Deeper quotations count as so deep. */
const MAX_DEPTH = 20

const lineItems = (text: string): ReadonlyArray<Item<HtmlBlock>> =>
  text.split(/\r\n?|\n/).map((raw) => {
    const marks = /^(?:>[ \t]?)+/.exec(raw)?.[0] ?? ""
    return { depth: Math.min(marks.replaceAll(/[^>]/g, "").length, MAX_DEPTH), line: raw.slice(marks.length).trimEnd() }
  })

/** The paragraphs of a page as lines, between empty lines; other blocks as they are. */
const htmlItems = (blocks: ReadonlyArray<HtmlBlock>): ReadonlyArray<Item<HtmlBlock>> =>
  blocks.flatMap((block): ReadonlyArray<Item<HtmlBlock>> => {
    const depth = Math.min(block.depth, MAX_DEPTH)
    // Mails arrange their text in tables of one column.
    const text =
      "row" in block && block.row.cells.length === 1
        ? block.row.cells[0]!.text
        : "kind" in block && block.kind === "paragraph"
          ? block.text
          : undefined
    if (text === undefined) return [{ depth, line: "", block }]
    return [...text.split("\n").map((line) => ({ depth, line })), { depth, line: "" }]
  })

/** Rows of cells below each other that are a table, not the layout of a mail. */
const MIN_ROWS = 3

/** Whether the plain text beside a page loses what is struck out, or the columns of a table. */
const loseAsText = (blocks: ReadonlyArray<HtmlBlock>) => {
  let rows = 0
  return blocks.some((block) => {
    if ("row" in block) rows = block.row.cells.length > 1 ? rows + 1 : 0
    else if ("ends" in block) rows = 0
    return rows >= MIN_ROWS || ("unshown" in block && block.why === "struck")
  })
}

const readBody = ({ text, html }: Message): ReadonlyArray<Item<HtmlBlock>> => {
  if (html.trim() === "") return lineItems(text)
  const { blocks } = readHtmlBlocks(html)
  const items = htmlItems(blocks)
  if (loseAsText(blocks)) return items
  const length = items.reduce((sum, { line, block }) => sum + line.length + (block === undefined ? 0 : 20), 0)
  return text.trim().length >= length * MIN_TEXT_SHARE && text.trim() !== "" ? lineItems(text) : items
}

const recipients = (all: ReadonlyArray<Mailbox>) => {
  const shown = all.slice(0, MAX_RECIPIENTS).map(formatMailbox).join(", ")
  return all.length > MAX_RECIPIENTS ? `${shown} and ${all.length - MAX_RECIPIENTS} more` : shown
}

/** One head for people to read. The mail's other headers are for machines. */
const writeHead = ({ from, to, cc, date, attachments }: Message) =>
  [
    ["From", from === undefined ? "" : formatMailbox(from)],
    ["To", recipients(to)],
    ["Cc", recipients(cc)],
    ["Date", date ?? ""],
    ["Attachments", attachments.map(({ fileName }) => fileName).join(", ")],
  ]
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n")

/**
 * The elements of a mail: its subject as a heading, its head, what its sender wrote, and each quoted message under a heading of its own.
 * The place of every paragraph names who wrote it.
 */
export const readMessage = (message: Message, warnings: ReadonlyArray<Warning> = []): ReadDocument => {
  if (message.text.length + message.html.length > LIMITS.characters) {
    throw new UnreadableError("too-large", "The mail holds more text than can be read.")
  }
  const elements = elementList()
  const sender = message.from === undefined ? undefined : formatMailbox(message.from)
  elements.add("heading", message.subject === "" ? "(no subject)" : decodeEntities(message.subject), PLACE, 1)
  elements.add("paragraph", writeHead(message), PLACE)
  const table = new TableWriter(elements)
  for (const [index, { earlier, items }] of splitHistory(readBody(message)).entries()) {
    const speaker = earlier === undefined ? sender : earlier.sender
    const place: Place = speaker === undefined || speaker === "" ? PLACE : { kind: "text", speaker }
    if (earlier !== undefined) elements.add("heading", earlier.title, PLACE, 2)
    else if (index > 0) elements.add("heading", sender ?? "Reply", PLACE, 2)
    let lines: Array<string> = []
    const flush = () => {
      elements.add("paragraph", lines.join("\n"), place)
      lines = []
    }
    for (const { line, block } of items) {
      if (block === undefined && line.trim() !== "") lines.push(line)
      else flush()
      if (block === undefined) continue
      // Hidden text of a mail is the line that lists of mails show beside its subject.
      if ("unshown" in block && block.why === "struck") elements.addHidden(block.unshown, place)
      else if ("row" in block) table.row({ ...block.row, place })
      else table.end()
      if ("kind" in block) elements.add(block.kind, block.text, place, headingLevel(block))
    }
    flush()
    table.end()
  }
  return { ...requireText(elements, [...warnings, ...hiddenText(elements.list)]), attachments: message.attachments }
}

/** Below the subject and the titles of earlier messages. */
const headingLevel = ({ kind, level }: Extract<HtmlBlock, { readonly kind: Element["kind"] }>) =>
  kind === "heading" ? Math.min((level ?? 1) + 2, 6) : undefined
