import { Html, markup } from "./html.ts"
import type { PartElement } from "./parts.ts"
import { formatAnchor, formatTime, sectionOf } from "./places.ts"

/** A passage, by offsets in the document's text. */
export interface Cited {
  readonly start: number
  readonly end: number
}

type Mark = (text: string, start: number) => Html

/** Marks the cited passage, across elements; the first mark has an id, to scroll to. */
const makeMarker = (cited: Cited | undefined): Mark => {
  let first = true
  return (text, start) => {
    const from = Math.max((cited?.start ?? 0) - start, 0)
    const to = Math.min((cited?.end ?? 0) - start, text.length)
    if (from >= to) return markup`${text}`
    const id = first && markup` id="cited"`
    first = false
    return markup`${text.slice(0, from)}<mark${id}>${text.slice(from, to)}</mark>${text.slice(to)}`
  }
}

/** Groups adjacent elements that belong together, such as the rows of a table or the items of a list. */
const groupAdjacent = <A>(items: ReadonlyArray<A>, together: (a: A, b: A) => boolean) => {
  const all: Array<Array<A>> = []
  for (const item of items) {
    const last = all.at(-1)
    if (last !== undefined && together(last[0]!, item)) last.push(item)
    else all.push([item])
  }
  return all
}

/** Renders elements, in a section for each page, slide or sheet. */
export const textOf = (elements: ReadonlyArray<PartElement>, cited: Cited | undefined): Html => {
  const mark = makeMarker(cited)
  const titleOf = ({ place }: PartElement) => sectionOf(place)?.title
  const sections = groupAdjacent(elements, (a, b) => a.place.kind === b.place.kind && titleOf(a) === titleOf(b))
  return markup`${sections.map((section, index) => {
    const known = sectionOf(section[0]!.place)
    const blocks = blocksOf(section, known === undefined ? 1 : 2, mark)
    if (known === undefined) return blocks
    const id = known.anchor ?? `section=${index + 1}`
    return markup`<section id="${id}" aria-labelledby="title-${index}"><h2 class="place" id="title-${index}">${known.title}</h2>${blocks}</section>`
  })}`
}

/** `under`: the level of the heading above. */
const blocksOf = (elements: ReadonlyArray<PartElement>, under: number, mark: Mark) =>
  groupAdjacent(elements, (a, b) => a.kind === b.kind && GROUPED.has(a.kind)).map((block) => {
    const [element] = block as [PartElement, ...Array<PartElement>]
    const text = () => mark(element.text, element.start)
    switch (element.kind) {
      case "heading":
        return heading(Math.min((element.level ?? 1) + under, 6), text())
      case "list-item":
        return markup`<ul>${block.map((item) => markup`<li>${mark(item.text, item.start)}</li>`)}</ul>`
      case "table-row":
        return table(block, mark)
      case "note":
        return markup`<p class="note"><span class="label">Note</span> ${text()}</p>`
      case "form-value":
        return markup`<p class="note"><span class="label">Form</span> ${text()}</p>`
      case "speech":
        return speech(element, text())
      case "paragraph":
        return markup`<p>${text()}</p>`
    }
  })

const GROUPED = new Set(["list-item", "table-row"])

const heading = (level: number, text: Html) => new Html(`<h${level}>${text.markup}</h${level}>`)

const table = (rows: ReadonlyArray<PartElement>, mark: Mark) => {
  const { place } = rows[0]!
  const name = place.kind === "sheet" ? `Rows of ${place.sheet}` : "Table"
  const lines = rows.map((row) => line(row, mark))
  return markup`<div class="wide" role="region" aria-label="${name}" tabindex="0"><table>${lines}</table></div>`
}

const line = ({ place, text, start }: PartElement, mark: Mark) => {
  const number = place.kind === "sheet" && markup`<th scope="row" id="${formatAnchor(place)}">${place.row}</th>`
  let offset = start
  const cells = text.split("\t").map((cell) => {
    const shown = markup`<td>${mark(cell, offset)}</td>`
    offset += cell.length + 1
    return shown
  })
  return markup`<tr>${number}${cells}</tr>\n`
}

const speech = ({ place }: PartElement, text: Html) => {
  if (place.kind !== "time") return markup`<p>${text}</p>`
  const at = formatTime(place.start)
  const speaker = place.speaker !== undefined && markup`<b>${place.speaker}</b> `
  const play = markup`<a href="#${formatAnchor(place)}" aria-label="Play from ${at}">${at}</a>`
  return markup`<p class="speech" id="${formatAnchor(place)}" data-t="${place.start}">${play} ${speaker}${text}</p>\n`
}
