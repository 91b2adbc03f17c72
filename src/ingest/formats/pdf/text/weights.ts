import type { PDFPageProxy } from "pdfjs-dist"
import type { Line } from "./lines.ts"

/** pdf.js names a font as the file does: "ABCDEF+Helvetica-Bold", "CMBX10" and "NimbusRomNo9L-Medi" of TeX. */
const BOLD_NAME = /bold|black|heavy|demi|\+?cmb(?:x|csc)|-medi\b/i

interface Font {
  readonly name?: string
  readonly bold?: boolean
  readonly black?: boolean
}

/** Pages whose fonts are loaded for their weight alone: that takes as long as their texts. The fonts of a document are on its first pages. */
const MAX_LOADED_PAGES = 1

/** Which fonts of a document are bold. pdf.js has a font's name once a page that uses it is prepared for drawing. */
export class Weights {
  private readonly known = new Map<string, boolean>()
  private loaded = 0

  /** Marks the lines whose letters are all bold. */
  async mark(page: PDFPageProxy, lines: ReadonlyArray<Line>): Promise<ReadonlyArray<Line>> {
    const fonts = new Set(lines.flatMap((line) => line.fonts))
    if (fonts.size < 2) return lines
    const isUnknown = (font: string) => !this.known.has(font) && !page.commonObjs.has(font)
    if ([...fonts].some(isUnknown) && this.loaded < MAX_LOADED_PAGES) {
      this.loaded++
      await page.getOperatorList().catch(() => undefined)
    }
    for (const font of fonts) {
      if (this.known.has(font) || !page.commonObjs.has(font)) continue
      const { name = "", bold = false, black = false } = (page.commonObjs.get(font) ?? {}) as Font
      this.known.set(font, bold || black || BOLD_NAME.test(name))
    }
    return lines.map((line) => (line.fonts.every((font) => this.known.get(font)) ? { ...line, isBold: true } : line))
  }
}
