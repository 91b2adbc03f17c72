import { Html, markup } from "./html.ts"
import { mergedAfter, type PartElement } from "./parts.ts"
import type { Place } from "../../ports/document.ts"
import { type Cited, writePicture } from "./picture.ts"
import { formatAnchor, formatTime, findSection } from "./places.ts"

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
const groupAdjacent = <A>(items: ReadonlyArray<A>, together: (before: A, item: A) => boolean) => {
  const all: Array<Array<A>> = []
  for (const item of items) {
    const last = all.at(-1)
    if (last !== undefined && together(last.at(-1)!, item)) last.push(item)
    else all.push([item])
  }
  return all
}

/** Renders elements, in a section for each page, slide or sheet; recognized pages begin with their picture. `token` opens the document. */
export const writeText = (elements: ReadonlyArray<PartElement>, cited: Cited | undefined, token: string): Html => {
  const mark = makeMarker(cited)
  const titleOf = ({ place }: PartElement) => findSection(place)?.title
  const sections = groupAdjacent(elements, (a, b) => a.place.kind === b.place.kind && titleOf(a) === titleOf(b))
  return markup`${sections.map((section, index) => {
    const known = findSection(section[0]!.place)
    const blocks = writeBlocks(section, known === undefined ? 1 : 2, mark)
    if (known === undefined) return blocks
    const id = known.anchor ?? `section=${index + 1}`
    return markup`<section id="${id}" aria-labelledby="title-${index}"><h2 class="place" id="title-${index}">${known.title}</h2>${writePicture(section, cited, token)}${blocks}</section>`
  })}`
}

/** `under`: the level of the heading above. */
const writeBlocks = (elements: ReadonlyArray<PartElement>, under: number, mark: Mark) =>
  groupAdjacent(elements, isTogether).map((block) => {
    const [element] = block as [PartElement, ...Array<PartElement>]
    if (element.hidden === true)
      return markup`${block.map(({ text }) => markup`<p class="note"><span class="label">Hidden or struck out</span> ${text}</p>`)}`
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

/** A header, or labels that follow no header, begin another table. */
const isTogether = (before: PartElement, item: PartElement) => {
  if (before.kind !== item.kind || before.hidden !== item.hidden) return false
  if (item.kind === "list-item") return true
  return item.kind === "table-row" && (before.header === true || (item.header !== true && item.labels === undefined))
}

const heading = (level: number, text: Html) => new Html(`<h${level}>${text.markup}</h${level}>`)

const table = (rows: ReadonlyArray<PartElement>, mark: Mark) => {
  const { place } = rows[0]!
  const name = place.kind === "sheet" ? `Rows of ${place.sheet}` : "Table"
  const columns = Math.max(...rows.map(({ text, labels = [] }) => Math.max(text.split("\t").length, labels.length)))
  const headers = rows.filter(({ header }) => header === true)
  const { labels = [] } = rows[0]!
  const head =
    headers.length > 0
      ? markup`<thead>${headers.map((row) => line(row, columns, mark))}</thead>`
      : labels.length > 0 && markup`<thead>${repeatedLabels(labels, columns, place)}</thead>`
  let merged: ReadonlyArray<string> | undefined
  const lines = rows
    .filter(({ header }) => header !== true)
    .map((row) => line(row, columns, mark, (merged = mergedAfter(merged, row))))
  return markup`<div class="wide" role="region" aria-label="${name}" tabindex="0"><table>${head}<tbody>${lines}</tbody></table></div>`
}

/** The labels of a table that began on an earlier page. */
const repeatedLabels = (labels: ReadonlyArray<string>, columns: number, place: Place) => {
  const cells = Array.from({ length: columns }, (_, column) => markup`<th scope="col">${labels[column] ?? ""}</th>`)
  return markup`<tr>${place.kind === "sheet" && markup`<td></td>`}${cells}</tr>\n`
}

/** Cells that a merged cell of a row above covers repeat its text. */
const line = (
  { place, text, start, header }: PartElement,
  columns: number,
  mark: Mark,
  merged: ReadonlyArray<string> = [],
) => {
  const number = place.kind === "sheet" && markup`<th scope="row" id="${formatAnchor(place)}">${place.row}</th>`
  let offset = start
  const texts = text.split("\t")
  const blank = (column: number) =>
    merged[column] ? markup`<td class="merged">${merged[column]}</td>` : markup`<td></td>`
  const cells = texts.map((cell, column) => {
    const shown = mark(cell, offset)
    offset += cell.length + 1
    if (cell === "" && header !== true) return blank(column)
    return header === true ? markup`<th scope="col">${shown}</th>` : markup`<td>${shown}</td>`
  })
  for (let column = texts.length; column < columns; column++) cells.push(blank(column))
  return markup`<tr>${number}${cells}</tr>\n`
}

const speech = ({ place }: PartElement, text: Html) => {
  if (place.kind !== "time") {
    const label = place.kind === "text" && place.speaker !== undefined && markup`<b>${place.speaker}</b> `
    return markup`<p>${label}${text}</p>`
  }
  const at = formatTime(place.start)
  const speaker = place.speaker !== undefined && markup`<b>${place.speaker}</b> `
  const play = markup`<a href="#${formatAnchor(place)}" aria-label="Play from ${at}">${at}</a>`
  return markup`<p class="speech" id="${formatAnchor(place)}" data-t="${place.start}">${play} ${speaker}${text}</p>\n`
}
