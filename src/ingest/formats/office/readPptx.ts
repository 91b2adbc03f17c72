import { type Element, LIMITS, type PagePicture, type ReadDocument, type Recognition } from "../../document.ts"
import { hiddenText } from "../../hiddenText.ts"
import { elementList, requireText } from "../../elements.ts"
import { expectRoot, mainPart, openOffice, findParts, prefixedAttribute, readRelationships } from "./office.ts"
import { readChart } from "./charts.ts"
import { readComments, readDiagram, readNotes, readSlide, type SlideSink } from "./pptxParts.ts"
import { Pictures } from "../../pictures/Pictures.ts"
import { takePicture } from "../../pictures/takePicture.ts"
import { TableWriter } from "../../tables/TableWriter.ts"
import { UnreadableError } from "../../UnreadableError.ts"
import { readXml } from "./xml.ts"
import type { Zip } from "../../safety/zip.ts"

const slideOrder = (zip: Zip, part: string): ReadonlyArray<string> => {
  const ids: Array<string> = []
  let root: string | undefined
  readXml(zip, part, {
    open: (name, attributes) => {
      if (root === undefined) expectRoot((root = name), "presentation", "presentation")
      if (name === "sldId") ids.push(prefixedAttribute(attributes, "id") ?? "")
    },
  })
  if (ids.length > LIMITS.pages) {
    throw new UnreadableError(
      "too-large",
      `The file has more than ${LIMITS.pages} slides. Split it and upload the parts.`,
    )
  }
  const links = new Map(readRelationships(zip, part).map((link) => [link.id, link]))
  return ids.flatMap((id) => links.get(id)?.target ?? [])
}

/**
 * Reads a presentation's slides in the order they are shown, each with its title as a heading, its text, tables, charts,
 * diagrams and the recognized text of large pictures where they stand, and its notes and comments last; hidden slides as hidden
 * text. Throws `UnreadableError`.
 */
export const readPptx = async (bytes: Uint8Array, recognition?: Recognition): Promise<ReadDocument> =>
  readSlides(openOffice(bytes), new Pictures(recognition))

/** Takes out a large picture, counted from 1 in the order of the slides. Throws `UnreadableError`. */
export const takePptxPicture = async (bytes: Uint8Array, number: number): Promise<PagePicture> => {
  const zip = openOffice(bytes)
  const pictures = new Pictures("pending")
  readSlides(zip, pictures)
  return takePicture(zip, pictures.shown, number)
}

const readSlides = (zip: Zip, pictures: Pictures): ReadDocument => {
  const elements = elementList()
  const slides = slideOrder(zip, mainPart(zip))
  for (const [index, part] of slides.entries()) {
    const place = { kind: "slide", slide: index + 1 } as const
    const links = readRelationships(zip, part)
    const linked = new Map(links.map((link) => [link.id, link]))
    const table = new TableWriter(elements)
    let isHidden = false
    const add = (kind: Element["kind"], text: string, level?: number) =>
      isHidden ? elements.addHidden(text, place) : elements.add(kind, text, place, level)
    const sink: SlideSink = {
      add,
      addHidden: (text) => elements.addHidden(text, place),
      row: (row) =>
        isHidden
          ? elements.addHidden(row.cells.map(({ text }) => text).join("  "), place)
          : table.row({ ...row, place }),
      endTable: () => isHidden || table.end(),
      hide: () => {
        isHidden = true
      },
      graphic: (id) => {
        const link = linked.get(id)
        if (link === undefined || !zip.has(link.target)) return
        if (link.type === "chart") readChart(zip, link.target, sink)
        if (link.type === "diagramData") readDiagram(zip, link.target, add)
      },
      picture: ({ id, ...size }) => {
        const link = linked.get(id)
        if (link?.type !== "image" || !zip.has(link.target)) return
        for (const element of pictures.add({ part: link.target, ...size }, place))
          if (isHidden) elements.addHidden(element.text, place)
          else elements.push(element)
      },
    }
    readSlide(zip, part, sink)
    for (const part of findParts(zip, links, "notesSlide")) readNotes(zip, part, add)
    for (const part of findParts(zip, links, "comments")) readComments(zip, part, add)
  }
  if (elements.kinds.size === 0 && pictures.shown.length === 0) return requireText(elements)
  const warnings = [...hiddenText(elements.list), ...pictures.warnings(elements.kinds.size === 0)]
  return { elements: elements.list, warnings }
}
