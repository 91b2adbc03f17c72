import type { PDFPageProxy } from "pdfjs-dist"
import { loadEngine } from "./engine.ts"

/** Points: a smaller picture is a logo or a rule, without text. */
const MIN_SIDE = 72
/** Painted shapes: text converted to outlines has many, an empty form few. */
const MIN_SHAPES = 200

type Matrix = readonly [number, number, number, number]

const times = ([a, b, c, d]: Matrix, by: ReadonlyArray<number>): Matrix => {
  const [e = 1, f = 0, g = 0, h = 1] = by
  return [a * e + c * f, b * e + d * f, a * g + c * h, b * g + d * h]
}

/**
 * Whether a page without text shows a picture, such as a scan. Images are never decoded (`maxImageSize`): their only
 * trace is the transformation that scales the unit square to their size.
 */
export const isPicture = async (page: PDFPageProxy): Promise<boolean> => {
  const { OPS } = await loadEngine()
  const { fnArray, argsArray } = await page.getOperatorList()
  const stack: Array<Matrix> = []
  let matrix: Matrix = [1, 0, 0, 1]
  let shapes = 0
  for (const [index, operation] of fnArray.entries()) {
    if (operation === OPS.save || operation === OPS.paintFormXObjectBegin) stack.push(matrix)
    else if (operation === OPS.restore || operation === OPS.paintFormXObjectEnd) matrix = stack.pop() ?? matrix
    if (operation === OPS.transform || operation === OPS.paintFormXObjectBegin) {
      const by = operation === OPS.transform ? argsArray[index] : argsArray[index]?.[0]
      matrix = times(matrix, by ?? [])
      const [a, b, c, d] = matrix
      if (Math.hypot(a, b) >= MIN_SIDE && Math.hypot(c, d) >= MIN_SIDE) return true
    }
    if (operation === OPS.constructPath && ++shapes >= MIN_SHAPES) return true
  }
  return false
}
