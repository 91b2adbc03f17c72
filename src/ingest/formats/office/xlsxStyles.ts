import { getFormatDateInfo, getFormatInfo, isValidFormat } from "numfmt"
import { readXml } from "./xml.ts"
import type { Zip } from "../../safety/zip.ts"

/** How a cell's style shows a number: as a number, a moment, or a length of time. */
type NumberKind = "number" | "moment" | "duration"

export interface NumberFormat {
  readonly kind: NumberKind
  /** Undefined: shown in ISO 8601 if a moment, in its own digits if a number. */
  readonly code: string | undefined
  /** 100 for percentages, 0.001 for thousands. */
  readonly scale: number
  /** It shows these parts of a date. */
  readonly year: boolean
  readonly day: boolean
}

export const GENERAL: NumberFormat = { kind: "number", code: undefined, scale: 1, year: false, day: false }

/**
 * The formats that a file refers to by id alone (ECMA-376 part 1, 18.8.30). Those whose look depends on the reader's country
 * are shown without it: 14, 22 and the East Asian 27 to 36 and 50 to 58 as ISO dates, 5 to 8 and 41 to 44 without a currency.
 */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  5: "#,##0;(#,##0)",
  6: "#,##0;(#,##0)",
  7: "#,##0.00;(#,##0.00)",
  8: "#,##0.00;(#,##0.00)",
  9: "0%",
  10: "0.00%",
  11: "0.00E+00",
  12: "# ?/?",
  13: "# ??/??",
  14: "yyyy-mm-dd",
  15: "d-mmm-yy",
  16: "d-mmm",
  17: "mmm-yy",
  18: "h:mm AM/PM",
  19: "h:mm:ss AM/PM",
  20: "h:mm",
  21: "h:mm:ss",
  22: "yyyy-mm-dd h:mm",
  37: "#,##0;(#,##0)",
  38: "#,##0;(#,##0)",
  39: "#,##0.00;(#,##0.00)",
  40: "#,##0.00;(#,##0.00)",
  41: '#,##0;(#,##0);"-"',
  42: '#,##0;(#,##0);"-"',
  43: '#,##0.00;(#,##0.00);"-"',
  44: '#,##0.00;(#,##0.00);"-"',
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mm:ss.0",
  48: "##0.0E+0",
}

const ISO_MOMENTS: ReadonlyArray<readonly [number, number]> = [
  [27, 36],
  [50, 58],
]

/** Excel's own limits are 255 characters and about 250 formats. */
const MAX_CODE_LENGTH = 255
const MAX_FORMATS = 2000

/** A format's kind from its code (ECMA-376 part 1, 18.8.31): its letters, once literals, colours and conditions are gone. */
export const kindOfFormat = (code: string): NumberKind => {
  const [positive = ""] = code
    .slice(0, MAX_CODE_LENGTH)
    .replaceAll(/"[^"]*"|\\.|[_*]./gs, "")
    .split(";")
  if (/\[(?:h+|m+|s+)\]/i.test(positive)) return "duration"
  const letters = positive.replaceAll(/\[[^\]]*\]|general/gi, "")
  return /[ymdhs]/i.test(letters) ? "moment" : "number"
}

/** Formats that follow the settings of the reader's computer. */
const OF_COMPUTER = /\[\$-F[48]00\]/i

export const formatOfCode = (code: string): NumberFormat => {
  const kind = kindOfFormat(code)
  const hasLook = code.length <= MAX_CODE_LENGTH && !OF_COMPUTER.test(code) && !/^(?:general|@)?$/i.test(code)
  if (!hasLook || !isValidFormat(code)) return { ...GENERAL, kind }
  const { year, day } = getFormatDateInfo(code)
  return { kind, code, scale: getFormatInfo(code).scale, year, day }
}

const builtIn = (id: number): NumberFormat => {
  const code = BUILT_IN[id]
  if (code !== undefined) return formatOfCode(code)
  return ISO_MOMENTS.some(([first, last]) => id >= first && id <= last) ? { ...GENERAL, kind: "moment" } : GENERAL
}

/** The number format of each cell style, by its index. */
export const readStyles = (zip: Zip, part: string): ReadonlyArray<NumberFormat> => {
  const formats = new Map<number, NumberFormat>()
  const styles: Array<NumberFormat> = []
  let inCellStyles = false
  readXml(zip, part, {
    open: (name, { numFmtId, formatCode = "" }) => {
      const id = Number(numFmtId)
      if (name === "numFmt" && formats.size < MAX_FORMATS) formats.set(id, formatOfCode(formatCode))
      else if (name === "cellXfs") inCellStyles = true
      else if (name === "xf" && inCellStyles) styles.push(formats.get(id) ?? builtIn(id))
    },
    close: (name) => {
      if (name === "cellXfs") inCellStyles = false
    },
  })
  return styles
}
