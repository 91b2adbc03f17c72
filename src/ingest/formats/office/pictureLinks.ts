import { EMU, isLarge, MAX_PICTURES } from "../../pictures/Pictures.ts"
import { prefixedAttribute } from "./office.ts"
import type { Attributes } from "./xml.ts"

/** A link to a picture, and its size in inches; zero where it has none of its own. */
export interface PictureLink {
  readonly id: string
  readonly width: number
  readonly height: number
}

interface Size {
  readonly width: number
  readonly height: number
}

const NO_SIZE: Size = { width: 0, height: 0 }

const inches = ({ cx, cy }: Attributes): Size => ({ width: (Number(cx) || 0) / EMU, height: (Number(cy) || 0) / EMU })

/** Points per inch. */
const POINTS = 72

/** The size of a shape of older Word files: "width:451.5pt;height:3in". */
const sizeInStyle = (style = ""): Size => {
  const [width, height] = ["width", "height"].map((name) => {
    const [, value, unit] = new RegExp(`(?:^|;)\\s*${name}:([\\d.]{1,12})(pt|in)`).exec(style) ?? []
    return (Number(value) || 0) / (unit === "in" ? 1 : POINTS)
  })
  return { width: width ?? 0, height: height ?? 0 }
}

/**
 * Finds the charts and large pictures of a Word document as its elements open, each once: `extent` comes before `blip`, and `shape` before
 * `imagedata`. A slice ends with each of them, so small ones must not be among them.
 */
export const wordPictures = () => {
  let size = NO_SIZE
  let found: Array<PictureLink> = []
  const known = new Set<string>()
  const add = (id: string | undefined) => {
    if (id === undefined || known.has(id) || known.size >= MAX_PICTURES || !isLarge(size)) return
    known.add(id)
    found.push({ id, ...size })
  }
  return {
    open: (name: string, attributes: Attributes) => {
      if (name === "drawing" || name === "pict") size = NO_SIZE
      else if (name === "extent") size = inches(attributes)
      else if (name === "shape") size = sizeInStyle(attributes["style"])
      else if (name === "blip") add(prefixedAttribute(attributes, "embed"))
      else if (name === "imagedata" || name === "chart") add(prefixedAttribute(attributes, "id"))
    },
    isEmpty: () => found.length === 0,
    take: (): ReadonlyArray<PictureLink> => {
      const taken = found
      found = []
      return taken
    },
  }
}

/** The elements of a slide that may show a picture: a picture, a shape that one fills, and the background. */
const SHOWING: ReadonlySet<string> = new Set(["pic", "sp", "bg"])

/** Finds the pictures of a slide as its elements open and close. A picture states its size after its link, a shape before. */
export const slidePictures = (onPicture: (picture: PictureLink) => void) => {
  let size = NO_SIZE
  let id: string | undefined
  return {
    open: (name: string, attributes: Attributes) => {
      if (SHOWING.has(name)) {
        size = NO_SIZE
        id = undefined
      } else if (name === "blip") id = prefixedAttribute(attributes, "embed")
      else if (name === "ext" && "cx" in attributes) size = inches(attributes)
    },
    close: (name: string) => {
      if (!SHOWING.has(name) || id === undefined) return
      onPicture({ id, ...size })
      id = undefined
    },
  }
}
