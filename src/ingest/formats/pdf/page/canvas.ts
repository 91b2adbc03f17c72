import type { Canvas } from "@napi-rs/canvas"
import { PackageMissing } from "../../../../core/common/optionalPackage.ts"

const NAME = "@napi-rs/canvas"

/** The part of `@napi-rs/canvas` that drawing uses. */
export interface CanvasPackage {
  readonly createCanvas: (width: number, height: number) => Canvas
}

/**
 * Loads the native canvas, and hands pdf.js its classes. Not an import: bundlers would look for its binary. Throws `PackageMissing`.
 */
export const loadCanvas = (): CanvasPackage => {
  const { createRequire } = process.getBuiltinModule("node:module")
  let canvas: CanvasPackage & Record<string, unknown>
  try {
    canvas = createRequire(import.meta.url)(NAME) as typeof canvas
  } catch (cause) {
    throw new PackageMissing(NAME, cause)
  }
  const scope = globalThis as Record<string, unknown>
  for (const name of ["DOMMatrix", "Path2D", "ImageData"]) scope[name] = canvas[name]
  return canvas
}

/** 256 MB: a page's own canvas and its layers are smaller. */
const MAX_PIXELS = 64_000_000

/** Creates the canvases of pdf.js, which the engine itself is loaded without. */
export const makeCanvasFactory = ({ createCanvas }: CanvasPackage) =>
  class {
    create(width: number, height: number) {
      if (width * height > MAX_PIXELS) throw new Error("the page has a layer that is too large")
      const canvas = createCanvas(Math.max(1, width), Math.max(1, height))
      return { canvas, context: canvas.getContext("2d") }
    }
    getNoAlphaContext(canvas: Canvas) {
      return canvas.getContext("2d", { alpha: false })
    }
    reset({ canvas }: { readonly canvas: Canvas }, width: number, height: number) {
      canvas.width = width
      canvas.height = height
    }
    destroy(entry: { canvas: Canvas | null; context: unknown }) {
      // Frees the pixels now, outside the heap that the garbage collector watches.
      if (entry.canvas !== null) entry.canvas.width = entry.canvas.height = 0
      entry.canvas = entry.context = null
    }
  }
