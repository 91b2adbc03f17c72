import { attribute } from "./office.ts"
import type { Attributes } from "./xml.ts"

/** Elements that a style or an attribute of their own hides. */
const HIDEABLE: ReadonlySet<string> = new Set(["p", "h", "span", "section"])

const MAX_STYLES = 50_000

const isStruck = (attributes: Attributes) =>
  ["style", "type"].some((part) => (attribute(attributes, `text-line-through-${part}`) ?? "none") !== "none")

/** Knows where the text of an OpenDocument file is hidden (`text:display="none"`) or struck out: by styles, also through their parents, and by sections. */
export const odtHidden = () => {
  const styles = new Set<string>()
  /** For each open element, whether it hides its text. */
  const open: Array<boolean> = []
  let style = ""
  return {
    isHidden: () => open.includes(true),
    open: (name: string, attributes: Attributes): void => {
      const read = (key: string) => attribute(attributes, key) ?? ""
      if (name === "style") {
        style = read("name")
        if (styles.has(read("parent-style-name")) && styles.size < MAX_STYLES) styles.add(style)
      } else if (name === "text-properties") {
        if ((read("display") === "none" || isStruck(attributes)) && styles.size < MAX_STYLES) styles.add(style)
        else if (read("display") === "true") styles.delete(style)
      } else if (HIDEABLE.has(name)) open.push(read("display") === "none" || styles.has(read("style-name")))
    },
    close: (name: string): void => {
      if (HIDEABLE.has(name)) open.pop()
    },
  }
}
