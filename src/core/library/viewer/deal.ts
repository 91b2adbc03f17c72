import type { DealRecord } from "../../search/DealRecords.ts"
import { type Html, markup } from "./html.ts"
import type { PartElement } from "./parts.ts"
import { type Cited, textOf } from "./text.ts"

/** The body of the page that shows a deal's record. */
export const dealPage = (record: DealRecord, cited: Cited | undefined): Html =>
  markup`<a class="skip" href="#text">Skip to the text</a>
<header><h1>${record.name}</h1><p class="facts"><span>Deal</span><span>what the workspace knows of it</span></p></header>
<main id="text" tabindex="-1"><article lang="" aria-label="The deal's record">${textOf(elementsOf(record), cited)}</article></main>`

/** Lines directly under the deal or a section are facts, shown as a list; deeper lines are paragraphs. The page's title has the deal's name. */
const elementsOf = ({ text, headings }: DealRecord): ReadonlyArray<PartElement> => {
  const levels = new Map(headings.map(({ start, level }) => [start, level]))
  const shown: Array<PartElement> = []
  let start = 0
  let under = 1
  for (const line of text.split("\n")) {
    const level = levels.get(start)
    const place = { kind: "text" } as const
    if (level !== undefined) {
      under = level
      if (level > 1) shown.push({ kind: "heading", level: level - 1, text: line, start, place })
    } else if (line !== "") {
      shown.push({ kind: under > 2 ? "paragraph" : "list-item", text: line, start, place })
    }
    start += line.length + 1
  }
  return shown
}
