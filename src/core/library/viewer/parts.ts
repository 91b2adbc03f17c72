import type { LaidElement, Place } from "../../ports/document.ts"

/** The text of one page of the viewer, in UTF-16 units; each element counts `WEIGHT` more, for its markup. */
const PART = 200_000
const WEIGHT = 64
/** What is longer may be cut at the end of a part. */
const LONG = 20_000

/** An element as far as it stands in a part. */
export type Shown = LaidElement

/** How far a part goes, so that the one with a place is found without opening them all: the highest page, slide and row in it, and its first second. */
interface Reach {
  page?: number
  slide?: number
  row?: number
  rows?: Record<string, number>
  time?: number
}

/** What one page of the viewer shows. */
export interface Part {
  /** Offset of its first text in the document's. */
  readonly start: number
  readonly elements: ReadonlyArray<Shown>
  readonly reach: Reach
}

/** A document in parts that a browser shows with ease. */
export function* partsOf(elements: Iterable<LaidElement>): Generator<Part> {
  let current: Array<Shown> = []
  let size = 0
  for (const element of elements) {
    const { text, start } = element
    const least = text.length <= LONG ? text.length + WEIGHT : LONG
    for (let from = 0; from < text.length;) {
      if (size + least > PART) {
        yield partOf(current)
        current = []
        size = 0
      }
      const to = whole(text, from + PART - size - WEIGHT)
      current.push({ ...element, text: text.slice(from, to), start: start + from })
      size += to - from + WEIGHT
      from = to
    }
  }
  if (size > 0) yield partOf(current)
}

const partOf = (elements: ReadonlyArray<Shown>): Part => ({
  start: elements[0]!.start,
  elements,
  reach: reachOf(elements),
})

/** An offset inside the text, not inside a character. */
const whole = (text: string, offset: number) => {
  const inside = Math.min(offset, text.length)
  return /[\uDC00-\uDFFF]/.test(text.charAt(inside)) ? inside - 1 : inside
}

const reachOf = (elements: ReadonlyArray<Shown>): Reach => {
  const reach: Reach = {}
  const rows = new Map<string, number>()
  for (const { place } of elements) note(reach, rows, place)
  return rows.size === 0 ? reach : { ...reach, rows: Object.fromEntries(rows) }
}

const note = (reach: Reach, rows: Map<string, number>, place: Place) => {
  if (place.kind === "page") reach.page = Math.max(reach.page ?? 0, place.page)
  else if (place.kind === "slide") reach.slide = Math.max(reach.slide ?? 0, place.slide)
  else if (place.kind === "time") reach.time = Math.min(reach.time ?? Infinity, place.start)
  else if (place.kind === "sheet") {
    reach.row = Math.max(reach.row ?? 0, place.row)
    rows.set(place.sheet, Math.max(rows.get(place.sheet) ?? 0, place.row))
  }
}
