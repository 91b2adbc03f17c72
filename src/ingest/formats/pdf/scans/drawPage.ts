import type { Canvas } from "@napi-rs/canvas"
import type { PagePicture } from "../../../document.ts"
import { UnreadableError } from "../../../UnreadableError.ts"
import { loadCanvas } from "../page/canvas.ts"
import { openDocument } from "../page/openDocument.ts"

/** Most scans have 200 to 300. Engines read small print better than at 150 dots, in a tenth more time. */
const PIXELS_PER_INCH = 200
/** Points per inch. */
const POINTS = 72
/** A page of two square feet at the resolution above; larger pages are drawn smaller. */
const MAX_PIXELS = 12_000_000
const MIN_SIDE = 1
const JPEG_QUALITY = 85

const asJpeg = (canvas: Canvas) => new Uint8Array(canvas.toBuffer("image/jpeg", JPEG_QUALITY))

/** Draws a page, counted from 1. Throws `UnreadableError`, and `PackageMissing` without a canvas. */
export const drawPage = async (
  bytes: Uint8Array,
  number: number,
  pixelsPerInch = PIXELS_PER_INCH,
): Promise<PagePicture> => {
  const canvases = loadCanvas()
  const document = await openDocument(bytes, canvases)
  try {
    if (number < 1 || number > document.numPages) {
      throw new UnreadableError("damaged", `This PDF has no page ${number}.`)
    }
    const page = await document.getPage(number)
    const paper = page.getViewport({ scale: 1 })
    const scale = Math.min(pixelsPerInch / POINTS, Math.sqrt(MAX_PIXELS / (paper.width * paper.height)))
    const viewport = page.getViewport({ scale })
    const width = Math.max(MIN_SIDE, Math.floor(viewport.width))
    const height = Math.max(MIN_SIDE, Math.floor(viewport.height))
    const canvas = canvases.createCanvas(width, height)
    await page.render({ canvas: null, canvasContext: canvas.getContext("2d") as never, viewport }).promise
    return { bytes: asJpeg(canvas), type: "image/jpeg", width, height, pixelsPerInch: scale * POINTS }
  } catch (cause) {
    if (cause instanceof UnreadableError) throw cause
    throw Object.assign(new UnreadableError("damaged", `Page ${number} of this PDF cannot be drawn.`), { cause })
  } finally {
    await document.loadingTask.destroy().catch(() => undefined)
  }
}
