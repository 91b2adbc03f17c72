import type { Place } from "../../ports/document.ts"

/** Writes a place for a URL: after `#`, or as `at=` for a document in several parts. */
export const formatAnchor = (place: Place): string | undefined => {
  switch (place.kind) {
    case "page":
      return `page=${place.page}`
    case "slide":
      return `slide=${place.slide}`
    case "sheet":
      return `row=${encodeURIComponent(place.sheet)}!${place.row}`
    case "time":
      return `t=${place.start}`
    case "text":
      return undefined
  }
}

const WHOLE = /^(page|slide)=(\d{1,9})$/
const ROW = /^row=(?:(.*)!)?(\d{1,9})$/
const TIME = /^t=(\d{1,9}(?:\.\d{1,9})?)$/

/** The place that a URL names. A row without a sheet means the first sheet that has such a row. */
export type AnchorTarget =
  | { readonly kind: "page" | "slide"; readonly number: number }
  | { readonly kind: "row"; readonly sheet: string | undefined; readonly number: number }
  | { readonly kind: "time"; readonly seconds: number }

/** Reads an anchor that `formatAnchor` or a person wrote. */
export const parseAnchor = (anchor: string): AnchorTarget | undefined => {
  const whole = WHOLE.exec(anchor)
  if (whole !== null) return { kind: whole[1] as "page" | "slide", number: Number(whole[2]) }
  const row = ROW.exec(anchor)
  if (row !== null) return { kind: "row", sheet: tryDecode(row[1]), number: Number(row[2]) }
  const time = TIME.exec(anchor)
  return time === null ? undefined : { kind: "time", seconds: Number(time[1]) }
}

const tryDecode = (text: string | undefined) => {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The heading of a section of the page, and its anchor in a URL. */
interface Section {
  readonly title: string
  readonly anchor: string | undefined
}

/** Pages, slides and sheets are sections; other text and speech are not. */
export const findSection = (place: Place): Section | undefined => {
  if (place.kind === "page") return { title: `Page ${place.page}`, anchor: formatAnchor(place) }
  if (place.kind === "slide") return { title: `Slide ${place.slide}`, anchor: formatAnchor(place) }
  return place.kind === "sheet" ? { title: `Sheet ${place.sheet}`, anchor: undefined } : undefined
}

/** Formats seconds as a player does: 1:13, or 1:01:13. */
export const formatTime = (seconds: number): string => {
  const two = (number: number) => String(number).padStart(2, "0")
  const whole = Math.floor(seconds)
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}
