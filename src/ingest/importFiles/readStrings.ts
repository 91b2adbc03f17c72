import { readStrings, type Strings } from "../formats/office/xlsxStrings.ts"
import type { Zip } from "../safety/zip.ts"
import { UnreadableError } from "../UnreadableError.ts"
import { LIMITS } from "./limits.ts"

export const tooManyCells = () =>
  new UnreadableError(
    "too-large",
    `has more than ${LIMITS.cells.toLocaleString("en")} cells, or too long ones: save it as CSV, which has no limit`,
  )

/** Characters of all strings, which stay in the thread's memory. */
const MAX_CHARACTERS = 100_000_000

/** The shared strings of a workbook, by their index. */
export const readBookStrings = (zip: Zip, part: string): Strings =>
  readStrings(zip, part, { characters: MAX_CHARACTERS, cells: LIMITS.cells, refuse: tooManyCells })

/** Excel writes control characters, such as the carriage return, as `_x000D_` (ECMA-376 part 1, 22.9.2.19). */
export const unescapeControls = (text: string): string =>
  text.includes("_x")
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (all, code: string) =>
        code === "0000" ? all : String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text
