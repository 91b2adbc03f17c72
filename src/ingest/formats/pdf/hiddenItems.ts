import type { TextItem } from "pdfjs-dist/types/src/display/api.js"

/** In points. Nobody sees text in a smaller font. */
const MIN_SIZE = 0.1

/** Whether a text is too small to see. pdf.js itself leaves out what is off the page. */
export const isHiddenItem = ({ transform: [, , c = 0, d = 0], str }: TextItem): boolean =>
  str.trim() !== "" && Math.hypot(c, d) < MIN_SIZE
