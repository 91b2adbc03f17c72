import type { PDFDocumentProxy } from "pdfjs-dist"
import { UnreadableError } from "../../../UnreadableError.ts"
import type { CanvasPackage } from "./canvas.ts"
import { loadEngine, openPdf } from "./engine.ts"

export const REMEDY = "Open it in a PDF viewer, save it again, and upload the new file."

/** Opens a PDF; the caller destroys its `loadingTask`. Throws `UnreadableError`. */
export const openDocument = async (bytes: Uint8Array, canvas?: CanvasPackage): Promise<PDFDocumentProxy> => {
  const engine = await loadEngine()
  try {
    return await openPdf(engine, bytes, canvas)
  } catch (cause) {
    if (cause instanceof Error && cause.name === "PasswordException") {
      throw new UnreadableError("encrypted", "This PDF asks for a password. Remove the password and upload it again.")
    }
    throw new UnreadableError("damaged", `This PDF is damaged: no viewer could find its pages. ${REMEDY}`)
  }
}
