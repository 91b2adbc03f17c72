import type { DrawnRow } from "./bands.ts"

/** "Table 5:", "Tabelle 2.1.", "Fig. A3:" at the start of a line. A cell that names a table has no sign behind its number. */
const CAPTION =
  /^(?:table|tabelle|tab\.|tableau|tabla|tabella|figure|fig\.|figura|abbildung|abb\.)\s?[A-Z]?\d{1,3}(?:\.\d{1,3}){0,2}\s?[.:](?=\s|$)/iu

/** Whether a row is the caption of a table or figure, which a wide space may divide, and so is no row of a table beside it. */
export const isCaption = ({ pieces }: DrawnRow): boolean =>
  CAPTION.test(pieces.reduce((first, piece) => (piece.start < first.start ? piece : first)).text)
