import type { PDFPageProxy } from "pdfjs-dist"
import type { TextItem } from "pdfjs-dist/types/src/display/api.js"
import { findHiddenItems } from "./hiddenItems.ts"
import { loadEngine } from "../page/engine.ts"
import { type Box, makeBox, IDENTITY, type Matrix, times } from "../page/matrix.ts"

const UNIT = [0, 0, 1, 1]
/** In points. A smaller picture or shape is no ground of text. */
const MIN_SIDE = 4
/** Levels of 255. */
const MIN_WHITE = 242
/** A drawing has more; its page is left alone. */
const MAX_BOXES = 5_000

const isWhite = (color: unknown) =>
  typeof color === "string" &&
  [1, 3, 5].every((at) => Number.parseInt(color.slice(at, at + 2), 16) >= MIN_WHITE) &&
  color.length === 7

interface Drawn {
  /** The letters that are drawn in white, and all others. */
  readonly white: string
  readonly other: string
  /** Boxes that are painted in another color than white, in any order. Undefined: they are unknown. */
  readonly grounds: ReadonlyArray<Box> | undefined
}

const draw = async (page: PDFPageProxy): Promise<Drawn> => {
  const { OPS } = await loadEngine()
  const { fnArray, argsArray } = await page.getOperatorList()
  const paintsNoGround = new Set([OPS.stroke, OPS.closeStroke, OPS.endPath])
  const stack: Array<readonly [Matrix, boolean]> = []
  const grounds: Array<Box> = []
  let isUnclear = false
  let matrix = IDENTITY
  let white = false
  const texts = { white: "", other: "" }
  const cover = (box: Box) => {
    if (box[2] - box[0] >= MIN_SIDE && box[3] - box[1] >= MIN_SIDE) grounds.push(box)
  }
  const transform = (by: ReadonlyArray<number> | null | undefined) => {
    matrix = times(matrix, by ?? [])
    // Pictures are not decoded, so that the matrix that scales one is all of it that is there.
    cover(makeBox(matrix, UNIT))
  }
  const show = (glyphs: ReadonlyArray<{ readonly unicode?: string } | number | null>) => {
    const text = glyphs.map((glyph) => (typeof glyph === "object" ? (glyph?.unicode ?? "") : "")).join("")
    if (white) texts.white += text
    else texts.other += text
  }
  const open = () => void stack.push([matrix, white])
  const close = () => {
    ;[matrix, white] = stack.pop() ?? [matrix, white]
  }
  const setUnknown = () => {
    white = false
  }
  const steps = new Map<number, (args: ReadonlyArray<any>) => void>([
    [OPS.save, open],
    [OPS.restore, close],
    [OPS.transform, transform],
    [
      OPS.paintFormXObjectBegin,
      ([by]) => {
        open()
        transform(by)
      },
    ],
    [OPS.paintFormXObjectEnd, close],
    [
      OPS.setFillRGBColor,
      ([color]) => {
        white = isWhite(color)
      },
    ],
    [OPS.setFillColorN, setUnknown],
    [OPS.setFillTransparent, setUnknown],
    [
      OPS.shadingFill,
      () => {
        isUnclear = true
      },
    ],
    [
      OPS.constructPath,
      ([paint, , extent]) => {
        if (!white && extent && !paintsNoGround.has(paint)) cover(makeBox(matrix, extent))
      },
    ],
    [OPS.showText, ([glyphs]) => show(glyphs)],
  ])
  for (const [index, operation] of fnArray.entries()) {
    steps.get(operation)?.((argsArray[index] as ReadonlyArray<any> | null) ?? [])
    if (grounds.length > MAX_BOXES) return { ...texts, grounds: undefined }
  }
  return { ...texts, grounds: isUnclear ? undefined : grounds }
}

/** The texts of a page that are white where nothing but white is painted. In doubt, a text is visible. */
export const whiteItems = async (
  page: PDFPageProxy,
  items: ReadonlyArray<TextItem>,
): Promise<ReadonlySet<TextItem>> => {
  const { white, other, grounds } = await draw(page)
  if (white === "" || grounds === undefined) return new Set()
  const isCovered = ({ transform, width, height }: TextItem) => {
    const [x, y] = [Number(transform[4]), Number(transform[5])]
    return grounds.some(([left, low, right, high]) => x + width >= left && x <= right && y + height >= low && y <= high)
  }
  return new Set(findHiddenItems(items, white, other).filter((item) => !isCovered(item)))
}
