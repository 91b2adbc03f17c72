import { Buffer } from "node:buffer"
import { dirname, join, sep } from "node:path"
import type { PDFDocumentProxy } from "pdfjs-dist"
import type { getDocument, OPS } from "pdfjs-dist/legacy/build/pdf.mjs"
import { importPackage } from "../../../../core/common/optionalPackage.ts"
import { assetsDirectory } from "../../../assetsDirectory.ts"
import { embeddedAssets } from "../../../embeddedAssets.ts"
import { type CanvasPackage, makeCanvasFactory } from "./canvas.ts"

interface Engine {
  readonly getDocument: typeof getDocument
  readonly OPS: typeof OPS
}

// webpack takes `resolve` of an imported `createRequire` for an import of the file.
const { createRequire } = process.getBuiltinModule("node:module")

/** Found by the module that is imported: a host's bundler may have copied no other file of the package. */
const packageDirectory = () =>
  join(dirname(createRequire(import.meta.url).resolve("pdfjs-dist/legacy/build/pdf.mjs")), "../..")

/** The directory of pdf.js's CMaps, standard fonts and WebAssembly: without them Chinese, Japanese and Korean files lose all text. */
const within = (name: string) => (assetsDirectory ?? join(packageDirectory(), name)) + sep

const directories = () => ({
  cMapUrl: within("cmaps"),
  standardFontDataUrl: within("standard_fonts"),
  wasmUrl: within("wasm"),
  iccUrl: within("iccs"),
})

/** Hands pdf.js the files of `assets`. It asks by name alone. */
const fromMemory = (assets: Readonly<Record<string, string>>) => ({
  cMapUrl: "/",
  standardFontDataUrl: "/",
  wasmUrl: "/",
  BinaryDataFactory: class {
    async fetch({ filename }: { readonly filename: string }) {
      const file = assets[filename]
      if (file === undefined) throw new Error(`pdf.js has no file ${filename}`)
      return new Uint8Array(Buffer.from(file, "base64"))
    }
  },
})

/** pdf.js reads these globals at import for drawing, which text extraction does not need. */
const stubDrawing = () => {
  const scope = globalThis as Record<string, unknown>
  for (const name of ["DOMMatrix", "Path2D", "ImageData"]) scope[name] ??= function drawing() {}
}

/** Imports pdf.js without its optional native canvas, with its worker code in this thread. */
const importEngine = async (): Promise<Engine> => {
  stubDrawing()
  const builtin = process.getBuiltinModule
  const withoutCanvas = (name: string) => (name === "module" ? { createRequire: () => () => ({}) } : builtin(name))
  process.getBuiltinModule = withoutCanvas as typeof builtin
  try {
    const pdf = await importPackage("pdfjs-dist", () => import("pdfjs-dist/legacy/build/pdf.mjs"))
    // @ts-expect-error it has no types; importing it sets globalThis.pdfjsWorker
    await import("pdfjs-dist/legacy/build/pdf.worker.mjs")
    return pdf
  } finally {
    process.getBuiltinModule = builtin
  }
}

let engine: Promise<Engine> | undefined

/** Loads pdf.js once. */
export const loadEngine = (): Promise<Engine> => (engine ??= importEngine())

/** Pixels of a larger image are not decoded: 160 MB, as much as a page of 16 by 11 inches at 450 dots per inch. */
const MAX_IMAGE_PIXELS = 40_000_000

/** Opens a PDF; the caller destroys it. Images are decoded only for a canvas. Rejects with the exceptions of pdf.js. */
export const openPdf = ({ getDocument }: Engine, data: Uint8Array, canvas?: CanvasPackage): Promise<PDFDocumentProxy> =>
  getDocument({
    // pdf.js transfers the bytes.
    data: data.slice(),
    ...(embeddedAssets === undefined ? directories() : fromMemory(embeddedAssets)),
    cMapPacked: true,
    useSystemFonts: false,
    disableFontFace: true,
    useWorkerFetch: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    ...(canvas === undefined
      ? // Fonts then have their names, which tell their weights.
        { maxImageSize: 1, fontExtraProperties: true }
      : { maxImageSize: MAX_IMAGE_PIXELS, CanvasFactory: makeCanvasFactory(canvas) }),
    verbosity: 0,
  }).promise
