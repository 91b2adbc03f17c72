import { attribute } from "./office.ts"
import { type Shift, shiftOf } from "../../shiftedText.ts"
import type { Attributes } from "./xml.ts"

/** Elements that a style or an attribute of their own hides. */
const HIDEABLE: ReadonlySet<string> = new Set(["p", "h", "span", "section"])

const MAX_STYLES = 50_000

const isStruck = (attributes: Attributes) =>
  ["style", "type"].some((part) => (attribute(attributes, `text-line-through-${part}`) ?? "none") !== "none")

/** A position is "super", "sub" or a percentage of the height, and the size of the letters. */
const readPosition = (position: string): Shift =>
  position.startsWith("super")
    ? "raised"
    : position.startsWith("sub")
      ? "lowered"
      : shiftOf(Number.parseFloat(position))

/**
 * Knows where the text of an OpenDocument file is hidden (`text:display="none"`) or struck out: by styles, also through their parents, and
 * by sections; and where styles raise or lower it.
 */
export const odtHidden = () => {
  const styles = new Set<string>()
  const shifts = new Map<string, Shift>()
  /** For each open element, whether it hides its text, and how it shifts it. */
  const open: Array<boolean> = []
  const openShifts: Array<Shift> = []
  let style = ""
  return {
    isHidden: () => open.includes(true),
    shift: (): Shift => openShifts.at(-1),
    open: (name: string, attributes: Attributes): void => {
      const read = (key: string) => attribute(attributes, key) ?? ""
      if (name === "style") {
        style = read("name")
        const parent = read("parent-style-name")
        if (styles.has(parent) && styles.size < MAX_STYLES) styles.add(style)
        if (shifts.has(parent) && shifts.size < MAX_STYLES) shifts.set(style, shifts.get(parent))
      } else if (name === "text-properties") {
        const position = read("text-position")
        if (position !== "" && shifts.size < MAX_STYLES) shifts.set(style, readPosition(position))
        if ((read("display") === "none" || isStruck(attributes)) && styles.size < MAX_STYLES) styles.add(style)
        else if (read("display") === "true") styles.delete(style)
      } else if (HIDEABLE.has(name)) {
        open.push(read("display") === "none" || styles.has(read("style-name")))
        openShifts.push(shifts.get(read("style-name")) ?? openShifts.at(-1))
      }
    },
    close: (name: string): void => {
      if (!HIDEABLE.has(name)) return
      open.pop()
      openShifts.pop()
    },
  }
}
