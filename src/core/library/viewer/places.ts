import type { Place } from "../../ports/document.ts"

/** The name of a place in an address, after `#`, or as `at=` where a long document is shown in parts. */
export const anchorOf = (place: Place): string | undefined => {
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

/** What an address asks for. A row without a sheet is the first sheet's that has it. */
export type Wanted =
  | { readonly kind: "page" | "slide"; readonly number: number }
  | { readonly kind: "row"; readonly sheet: string | undefined; readonly number: number }
  | { readonly kind: "time"; readonly seconds: number }

/** Reads what `anchorOf` wrote, or a person. */
export const wantedOf = (anchor: string): Wanted | undefined => {
  const whole = WHOLE.exec(anchor)
  if (whole !== null) return { kind: whole[1] as "page" | "slide", number: Number(whole[2]) }
  const row = ROW.exec(anchor)
  if (row !== null) return { kind: "row", sheet: decoded(row[1]), number: Number(row[2]) }
  const time = TIME.exec(anchor)
  return time === null ? undefined : { kind: "time", seconds: Number(time[1]) }
}

const decoded = (text: string | undefined) => {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Where a section of the page begins: the heading that is shown and what it is called in an address. */
export interface Section {
  readonly title: string
  readonly anchor: string | undefined
}

/** Pages, slides and sheets have sections of their own; running text and speech have none. */
export const sectionOf = (place: Place): Section | undefined => {
  if (place.kind === "page") return { title: `Page ${place.page}`, anchor: anchorOf(place) }
  if (place.kind === "slide") return { title: `Slide ${place.slide}`, anchor: anchorOf(place) }
  return place.kind === "sheet" ? { title: `Sheet ${place.sheet}`, anchor: undefined } : undefined
}

/** Seconds as a player shows them: 1:13, or 1:01:13. */
export const clock = (seconds: number): string => {
  const two = (number: number) => String(number).padStart(2, "0")
  const whole = Math.floor(seconds)
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}
