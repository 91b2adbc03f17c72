import { attribute, isOn } from "./office.ts"
import { type Shift, shiftOf } from "../../shiftedText.ts"
import { type Attributes, readXml } from "./xml.ts"
import type { Zip } from "../../safety/zip.ts"

interface Style {
  readonly id: string
  readonly isParagraph: boolean
  name: string
  basedOn: string
  outline: string
  numbering: string
  isHidden: boolean | undefined
  /** Null if it states none. */
  shift: Shift | null
}

/** How a paragraph style marks its paragraphs: a heading's level, or list items. */
export interface ParagraphStyles {
  readonly headings: ReadonlyMap<string, number>
  readonly lists: ReadonlySet<string>
  /** The styles of paragraphs and of runs that hide their text or strike it out. */
  readonly hidden: ReadonlySet<string>
  /** The styles of superscripts and subscripts. */
  readonly shifts: ReadonlyMap<string, Shift>
}

export const NO_STYLES: ParagraphStyles = {
  headings: new Map(),
  lists: new Set(),
  hidden: new Set(),
  shifts: new Map(),
}

const ALIGNMENTS: Readonly<Record<string, Shift>> = { superscript: "raised", subscript: "lowered" }

/** The shift of a text after one of its properties; a position is in half points. */
export const readShift = <A>(name: string, attributes: Attributes, before: A): A | Shift => {
  const value = attribute(attributes, "val") ?? ""
  if (name === "vertAlign") return ALIGNMENTS[value]
  return name === "position" ? shiftOf(Number(value)) : before
}

/** Properties of runs that hide their text or strike it out. */
export const HIDING: ReadonlySet<string> = new Set(["strike", "dstrike", "vanish"])

/** Whether a text is hidden after one of these properties. Programs write that a text is not struck out where nothing else says so. */
export const hides = <A>(name: string, attributes: Attributes, before: A): A | boolean =>
  isOn(attributes) || (name === "vanish" ? false : before)

/** No real style inherits through more steps; a cyclic chain never ends. */
const MAX_STYLE_DEPTH = 20

const readAll = (zip: Zip, part: string): ReadonlyMap<string, Style> => {
  const styles = new Map<string, Style>()
  let style: Style | undefined
  readXml(zip, part, {
    open: (name, attributes) => {
      const type = attribute(attributes, "type") ?? "paragraph"
      if (name === "style" && (type === "paragraph" || type === "character")) {
        const id = attribute(attributes, "styleId") ?? ""
        const isParagraph = type === "paragraph"
        style = { id, isParagraph, name: "", basedOn: "", outline: "", numbering: "", isHidden: undefined, shift: null }
        if (!styles.has(style.id)) styles.set(style.id, style)
      }
      if (style === undefined) return
      if (HIDING.has(name)) style.isHidden = hides(name, attributes, style.isHidden)
      style.shift = readShift(name, attributes, style.shift)
      const value = attribute(attributes, "val") ?? ""
      if (name === "name") style.name = value
      else if (name === "basedOn") style.basedOn = value
      else if (name === "outlineLvl") style.outline = value
      else if (name === "numId") style.numbering = value
    },
    close: (name) => {
      if (name === "style") style = undefined
    },
  })
  return styles
}

/** A style's own level: from its built-in name, which Word keeps in English in every language, or its outline level. */
const ownLevel = ({ name, outline }: Style): number | undefined => {
  const heading = /^(?:heading ([1-9])|title)$/i.exec(name)
  if (heading !== null) return Number(heading[1] ?? 1)
  return outline === "" ? undefined : Number(outline) + 1
}

/** Reads which paragraph styles are headings or lists, and which styles hide their text or strike it out, inherited or not. */
export const readParagraphStyles = (zip: Zip, part: string): ParagraphStyles => {
  const styles = readAll(zip, part)
  const headings = new Map<string, number>()
  const lists = new Set<string>()
  const hidden = new Set<string>()
  const shifts = new Map<string, Shift>()
  for (const style of styles.values()) {
    let level: number | undefined
    let numbering = ""
    let isHidden: boolean | undefined
    let shift: Shift | null = null
    let next: Style | undefined = style
    for (let step = 0; next !== undefined && step < MAX_STYLE_DEPTH; step++) {
      level ??= ownLevel(next)
      if (numbering === "") numbering = next.numbering
      isHidden ??= next.isHidden
      if (shift === null) shift = next.shift
      next = styles.get(next.basedOn)
    }
    if (isHidden === true) hidden.add(style.id)
    if (!style.isParagraph && shift !== null) shifts.set(style.id, shift)
    if (!style.isParagraph) continue
    // Outline level 9 is Word's "body text".
    if (level !== undefined && level >= 1 && level <= 9) headings.set(style.id, level)
    else if (numbering !== "" && numbering !== "0") lists.add(style.id)
  }
  return { headings, lists, hidden, shifts }
}
