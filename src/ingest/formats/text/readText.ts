import { type Element, LIMITS, type ReadDocument } from "../../document.ts"
import { decode } from "../../encodings/decode.ts"
import { markdownElements } from "./markdown.ts"
import { asTranscript } from "../../transcripts/turns.ts"
import { hiddenText } from "../../hiddenText.ts"
import { plain } from "../../plain.ts"
import { UnreadableError } from "../../UnreadableError.ts"

const place = { kind: "text" } as const

const paragraphs = (text: string): ReadonlyArray<Element> => {
  const elements: Array<Element> = []
  let block: Array<string> = []
  for (const line of [...text.split("\n"), ""]) {
    if (line.trim() !== "") block.push(line.trimEnd())
    else if (block.length > 0) {
      elements.push({ kind: "paragraph", text: block.join("\n").trim(), place })
      block = []
    }
  }
  return elements
}

/** Plain text by its blank lines, Markdown by its headings, lists and tables. Throws `UnreadableError`. */
export const readText = (bytes: Uint8Array, format: "md" | "txt"): ReadDocument => {
  const { text: raw, warnings } = decode(bytes)
  if (raw.length > LIMITS.characters) {
    const most = LIMITS.characters.toLocaleString("en")
    throw new UnreadableError("too-large", `This file has more than ${most} characters. Split it into smaller files.`)
  }
  const text = plain(raw)
  const elements = format === "md" ? markdownElements(text) : paragraphs(text)
  if (elements.length === 0) throw new UnreadableError("empty", "This file has no text. Upload one that has.")
  return {
    elements: (elements.some(({ hidden }) => hidden) ? undefined : asTranscript(elements)) ?? elements,
    warnings: [...warnings, ...hiddenText(elements)],
  }
}
