import { parseInline } from "./inline.ts"
import { element, type AnswerNode, type Tag } from "./nodes.ts"

/** Quotes and lists within each other. Deeper ones are text. */
const MAX_DEPTH = 12

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})(?=\s|$)/
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/
const QUOTE = /^ {0,3}> ?/
const ITEM = /^( {0,3})([-*+]|(\d{1,9})[.)])(?: {1,4}|$)/
const BORDER = /^(?=[^-]*-)[\s|:-]+$/
const CELL = /^\s*(:?)-+(:?)\s*$/

/**
 * Parses the Markdown of answers: paragraphs, headings, lists, tables, code, quotes and emphasis. HTML is text, an image is its text, and
 * a link whose scheme is not safe is its text. `[n]` becomes a `mark` if there are so many citations.
 */
export const parseMarkdown = (text: string, citations = 0): ReadonlyArray<AnswerNode> =>
  parseBlocks(text.replaceAll(/\r\n?/g, "\n").split("\n"), citations, 0)

const parseBlocks = (lines: ReadonlyArray<string>, citations: number, depth: number): ReadonlyArray<AnswerNode> => {
  const inline = (text: string) => parseInline(text, citations)
  const inner = (text: ReadonlyArray<string>) => parseBlocks(text, citations, depth + 1)
  const nests = depth < MAX_DEPTH
  const nodes: Array<AnswerNode> = []
  let at = 0
  const isTable = (index: number) =>
    lines[index]!.includes("|") && lines[index + 1]?.includes("|") === true && BORDER.test(lines[index + 1]!)
  const startsBlock = (index: number) => {
    const line = lines[index]!
    return (
      FENCE.test(line) ||
      HEADING.test(line) ||
      RULE.test(line) ||
      (nests && (QUOTE.test(line) || isInterrupting(line))) ||
      isTable(index)
    )
  }
  while (at < lines.length) {
    const line = lines[at]!
    const fence = FENCE.exec(line)?.[1]
    const heading = HEADING.exec(line)?.[1]
    if (line.trim() === "") at++
    else if (fence !== undefined) {
      const end = endOfCode(lines, at, fence)
      nodes.push(element("pre", [element("code", [lines.slice(at + 1, end).join("\n")])]))
      at = end + 1
    } else if (heading !== undefined) {
      nodes.push(parseHeading(line, heading.length, inline))
      at++
    } else if (RULE.test(line)) {
      nodes.push(element("hr"))
      at++
    } else if (nests && QUOTE.test(line)) {
      const start = at
      at = endOfRun(lines, at, (each) => QUOTE.test(each))
      nodes.push(element("blockquote", inner(lines.slice(start, at).map((each) => each.replace(QUOTE, "")))))
    } else if (nests && ITEM.test(line)) {
      const list = readList(lines, at, startsBlock)
      const items = list.items.map((item) => element("li", tighten(inner(item), list.isLoose)))
      nodes.push(element(list.tag, items, list.start === 1 ? {} : { start: list.start }))
      at = list.end
    } else if (isTable(at)) {
      const start = at
      at = endOfRun(lines, at + 2, (each) => each.includes("|"))
      nodes.push(parseTable(lines.slice(start, at), inline))
    } else {
      const start = at++
      while (at < lines.length && lines[at]!.trim() !== "" && !startsBlock(at)) at++
      const text = lines.slice(start, at).map((each) => each.trimStart())
      nodes.push(element("p", inline(text.join("\n").trimEnd())))
    }
  }
  return nodes
}

/** The line that closes the code whose fence is at line `at`, or the end. */
const endOfCode = (lines: ReadonlyArray<string>, at: number, fence: string): number => {
  const closing = new RegExp(`^ {0,3}${fence[0]}{${fence.length},}\\s*$`)
  return endOfRun(lines, at + 1, (line) => !closing.test(line))
}

/** The first line from `start` on for which `holds` is false, or the end. */
const endOfRun = (lines: ReadonlyArray<string>, start: number, holds: (line: string) => boolean): number => {
  let end = start
  while (end < lines.length && holds(lines[end]!)) end++
  return end
}

const parseHeading = (line: string, level: number, inline: (text: string) => ReadonlyArray<AnswerNode>) => {
  const title = line
    .trim()
    .slice(level)
    .trim()
    .replace(/(?:^| )#+$/, "")
  return element(level < 3 ? "h3" : level === 3 ? "h4" : "h5", inline(title))
}

/** Whether a line begins a list within a paragraph. "2024. It was" does not. */
const isInterrupting = (line: string): boolean => {
  const item = ITEM.exec(line)
  return item !== null && (item[3] === undefined || item[3] === "1") && item[0].length < line.length
}

/** Reads the items of a list that begins at line `at`, each without its indentation. */
const readList = (lines: ReadonlyArray<string>, at: number, startsBlock: (index: number) => boolean) => {
  const [, , marker = "", number] = ITEM.exec(lines[at]!)!
  const kind = marker.at(-1)
  const items: Array<Array<string>> = []
  let indent = 0
  let isLoose = false
  let index = at
  for (; index < lines.length; index++) {
    const line = lines[index]!
    const isBlank = line.trim() === ""
    const item = ITEM.exec(line)
    const isInside = items.length > 0 && line.search(/\S/) >= indent
    const wasBlank = index > at && lines[index - 1]!.trim() === ""
    if (isBlank || isInside) {
      items.at(-1)!.push(line.slice(indent))
    } else if (item !== null && item[2]!.at(-1) === kind && !RULE.test(line)) {
      indent = item[0].length
      items.push([line.slice(indent)])
    } else if (wasBlank || startsBlock(index)) break
    // A line that goes on with a paragraph.
    else items.at(-1)!.push(line)
    if (wasBlank && !isBlank) isLoose = true
  }
  const tag: Tag = number === undefined ? "ul" : "ol"
  return { tag, start: Number(number ?? 1), items, isLoose, end: index }
}

/** The items of a list without blank lines have no paragraphs. */
const tighten = (nodes: ReadonlyArray<AnswerNode>, isLoose: boolean): ReadonlyArray<AnswerNode> =>
  isLoose ? nodes : nodes.flatMap((node) => (typeof node !== "string" && node.tag === "p" ? node.children : [node]))

const cellsOf = (line: string): ReadonlyArray<string> =>
  line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"))

const parseTable = (
  [head = "", border = "", ...rows]: ReadonlyArray<string>,
  inline: (text: string) => ReadonlyArray<AnswerNode>,
) => {
  const aligns = cellsOf(border).map((cell) => {
    const [, left, right] = CELL.exec(cell) ?? []
    return right ? (left ? "center" : "right") : left ? "left" : undefined
  })
  const names = cellsOf(head)
  const row = (tag: "th" | "td", cells: ReadonlyArray<string>) =>
    element(
      "tr",
      names.map((_, column) => {
        const align = aligns[column]
        return element(tag, inline(cells[column] ?? ""), align === undefined ? {} : { align })
      }),
    )
  return element("table", [
    element("thead", [row("th", names)]),
    element(
      "tbody",
      rows.map((line) => row("td", cellsOf(line))),
    ),
  ])
}
