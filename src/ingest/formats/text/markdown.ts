import type { Element } from "../../document.ts"
import { plain } from "../../plain.ts"

const place = { kind: "text" } as const

/** The text that a reader of the rendered page would see. Linear: no pattern here can look back over what it has passed. */
const inline = (text: string) =>
  text
    .replaceAll(/!?\[([^[\]\n]{0,1000})\]\([^()\s]{0,2000}(?:\s"[^"\n]{0,200}")?\)/g, "$1")
    .replaceAll(/<((?:https?|mailto):[^<>\s]{1,2000})>/g, "$1")
    .replaceAll(/(\*\*|__)(?=\S)([^*_\n]{1,2000})\1/g, "$2")
    .replaceAll(/(?<![\w*])([*_])(?=\S)([^*_\n]{1,2000})\1(?![\w*])/g, "$2")
    .replaceAll(/`([^`\n]{1,2000})`/g, "$1")
    .replaceAll(/\\([!-/:-@[-`{-~])/g, "$1")

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/
const UNDERLINE = /^ {0,3}(=+|-{2,})[ \t]*$/
const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(\S.*)$/
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/
const DELIMITERS = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/

const isDelimiters = (line = "") => line.includes("|") && DELIMITERS.test(line)

const cellsOf = (line: string) =>
  line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => inline(cell.replaceAll("\\|", "|")).trim())
    .join("\t")

class Builder {
  readonly elements: Array<Element> = []
  private open: Array<string> = []
  private openKind: "paragraph" | "list-item" = "paragraph"

  add(kind: Element["kind"], text: string, level?: number) {
    const tidy = plain(text)
    if (tidy !== "")
      this.elements.push(level === undefined ? { kind, text: tidy, place } : { kind, level, text: tidy, place })
  }

  begin(kind: "paragraph" | "list-item", text: string) {
    this.flush()
    this.openKind = kind
    this.open.push(text)
  }

  append(text: string) {
    this.open.push(text)
  }

  flush() {
    this.add(this.openKind, inline(this.open.join("\n")))
    this.open = []
    this.openKind = "paragraph"
  }

  /** The paragraph that an underline turns into a heading. */
  takeParagraph() {
    const text = this.openKind === "paragraph" ? this.open.join(" ") : ""
    if (text !== "") this.open = []
    return text
  }
}

const withoutComments = (text: string) => {
  let kept = ""
  let at = 0
  for (let start = text.indexOf("<!--"); start >= 0; start = text.indexOf("<!--", at)) {
    const end = text.indexOf("-->", start + 4)
    if (end < 0) break
    kept += text.slice(at, start)
    at = end + 3
  }
  return kept + text.slice(at)
}

/** Front matter, if the text begins with it: a block of keys between two rules. */
const FRONT_MATTER = /^---[ \t]*\n((?:(?!---)[^\n]*\n){0,1000})---[ \t]*(?:\n|$)/

/** Headings, list items, table rows, code and paragraphs of a Markdown text, without the marks. */
export const markdownElements = (markdown: string): ReadonlyArray<Element> => {
  const builder = new Builder()
  const front = FRONT_MATTER.exec(markdown)
  if (front !== null) builder.add("paragraph", front[1]!)
  const lines = withoutComments(markdown.slice(front?.[0].length ?? 0)).split("\n")
  let fence: string | undefined
  let code: Array<string> = []
  let table = false
  for (const [index, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim() === mark) {
        builder.add("paragraph", code.join("\n"))
        fence = undefined
      } else code.push(line)
      continue
    }
    const heading = HEADING.exec(line)
    const underline = UNDERLINE.exec(line)?.[1]
    const above = underline === undefined ? "" : builder.takeParagraph()
    table = line.includes("|") && (table || isDelimiters(lines[index + 1]))
    if (mark !== undefined) {
      builder.flush()
      fence = mark
      code = []
    } else if (above !== "") {
      builder.add("heading", inline(above), underline!.startsWith("=") ? 1 : 2)
    } else if (heading !== null) {
      builder.flush()
      builder.add("heading", inline((heading[2] ?? "").replace(/(?:^|[ \t])#+[ \t]*$/, "")), heading[1]!.length)
    } else if (line.trim() === "" || RULE.test(line)) builder.flush()
    else if (table) {
      builder.flush()
      if (!isDelimiters(line)) builder.add("table-row", cellsOf(line))
    } else {
      const item = ITEM.exec(line)?.[1]
      const text = line.replace(/^[ \t]*(?:>[ \t]?)*/, "").trimEnd()
      if (item === undefined) builder.append(text)
      else builder.begin("list-item", item)
    }
  }
  if (fence !== undefined) builder.add("paragraph", code.join("\n"))
  builder.flush()
  return builder.elements
}
