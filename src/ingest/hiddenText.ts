import type { Element, Warning } from "./document.ts"

/** Places that the warning names. */
const MAX_NAMED = 12
const MAX_SHOWN = 60

/** Warns of hidden elements and of struck-out text, with their places. */
export const hiddenText = (elements: ReadonlyArray<Element>): ReadonlyArray<Warning> => {
  const hidden = elements.filter((element) => element.hidden === true)
  const [first] = hidden
  if (first === undefined) return []
  const places = [...new Set(hidden.flatMap(({ place }) => namePlace(place) ?? []))]
  const more = places.length > MAX_NAMED ? " and more" : ""
  const where = places.length === 0 ? "" : ` (${places.slice(0, MAX_NAMED).join(", ")}${more})`
  const shown = first.text.length > MAX_SHOWN ? `${first.text.slice(0, MAX_SHOWN).toWellFormed()}…` : first.text
  return [
    {
      code: "hidden_text",
      message: `The file has text that is hidden or struck out${where}, such as "${shown}". It is neither searched nor quoted. Show it in the file and upload it again if it should be.`,
    },
  ]
}

const namePlace = (place: Element["place"]): string | undefined => {
  if (place.kind === "page") return `page ${place.page}`
  if (place.kind === "sheet") return `sheet "${place.sheet}" row ${place.row}`
  return place.kind === "slide" ? `slide ${place.slide}` : undefined
}
