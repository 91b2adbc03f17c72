import type { Place } from "./document.ts"
import type { ElementList } from "./elements.ts"

/** Page numbers and the like are no text. */
const HAS_WORD = /\p{L}{2}/u

/** Adds the headers and footers of pages as notes, each text once: sections repeat them. */
export const frameNotes = (elements: ElementList) => {
  const seen = new Set<string>()
  return (raw: string, place: Place): void => {
    const text = raw.trim()
    if (seen.has(text) || !HAS_WORD.test(text)) return
    seen.add(text)
    elements.add("note", text, place)
  }
}
