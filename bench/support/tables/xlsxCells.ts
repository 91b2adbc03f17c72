import { fold, type TruthCell, textCell } from "./truth.ts"
import { descendants, type Link, type Node, type Parts } from "./xmlTree.ts"

/** Number formats that Excel knows by id and that show dates or times. */
const DATE_IDS = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 36, 45, 46, 47, 50, 57])
const DAY_MS = 86_400_000

export interface Cells {
  readonly strings: ReadonlyArray<string>
  /** For each style whether it shows a date. */
  readonly isDate: ReadonlyArray<boolean>
  readonly from1904: boolean
}

/** The text of `t` elements, without the readings (`rPh`) of Japanese words. */
const textOf = (node: Node): string =>
  descendants(node, "t", ["rPh"])
    .map(({ text }) => text)
    .join("")

const isDateCode = (code: string) =>
  /[dmyhs]/i.test(code.replaceAll(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|general/gi, ""))

/** Reads what cells refer to: shared strings and styles. */
export const sharedCells = (parts: Parts, links: ReadonlyMap<string, Link>, workbook: Node): Cells => {
  const part = (wanted: string) => [...links.values()].find(({ type }) => type === wanted)?.part ?? ""
  const styles = parts.tree(part("styles"))
  const codes = new Map(
    descendants(styles, "numFmt").map(({ attributes }) => [attributes["numFmtId"], attributes["formatCode"]]),
  )
  const formats = descendants(styles, "cellXfs").flatMap(({ children }) => children)
  const [properties] = descendants(workbook, "workbookPr")
  return {
    strings: descendants(parts.tree(part("sharedStrings")), "si").map(textOf),
    isDate: formats.map(({ attributes: { numFmtId = "0" } }) => {
      const code = codes.get(numFmtId)
      return code === undefined ? DATE_IDS.has(Number(numFmtId)) : isDateCode(code)
    }),
    from1904: ["1", "true"].includes(properties?.attributes["date1904"] ?? ""),
  }
}

/** Checks that every number which is shown belongs to the date and time of the serial number. */
const isDateShownAs = (serial: number, shown: string, from1904: boolean) => {
  const days = from1904 ? serial + 1462 : serial
  const date = new Date(Math.round(((days < 60 ? days + 1 : days) - 25_569) * DAY_MS))
  const hours = date.getUTCHours()
  const year = date.getUTCFullYear()
  const own = [year, year % 100, date.getUTCMonth() + 1, date.getUTCDate(), hours, hours % 12 || 12]
  const elapsed = [serial * 24, serial * 1440, serial * 86_400].map((value) => Math.floor(value + 1e-6))
  const all = new Set([...own, date.getUTCMinutes(), date.getUTCSeconds(), date.getUTCMilliseconds(), ...elapsed, 0])
  const numbers = shown.match(/\d+/g) ?? []
  return shown.trim() !== "" && numbers.every((number) => all.has(Number(number)))
}

/** Checks that the number which is shown is the value, rounded to the digits that are shown, as it is or as a percentage. */
const isNumberShownAs = (value: number, shown: string) => {
  const [digits = ""] = /-?[\d.]+(?:e[-+]?\d+)?/i.exec(shown.replaceAll(/[,\s]/g, "")) ?? []
  if (digits === "") return false
  const sign = /^\s*[^\d]*\(/.test(shown) ? -1 : 1
  const [mantissa = "", exponent = "0"] = digits.toLowerCase().split("e")
  const half = 0.5 * 10 ** (Number(exponent) - (mantissa.split(".")[1]?.length ?? 0))
  const number = Number(digits) * sign
  return [1, 100, 0.001, 1e-6].some((factor) => {
    const scaled = value * factor
    // A format may show a negative number by its colour alone.
    const distance = Math.min(Math.abs(number - scaled), Math.abs(Math.abs(number) - Math.abs(scaled)))
    return distance <= half * 1.0001 + Math.abs(scaled) * 1e-9
  })
}

/** A cell, with its number or date compared by value, for only the reader decides how to show it. */
export const cellOf = (
  cell: Node,
  cells: Cells,
): { readonly cell: TruthCell | undefined; readonly isNumber: boolean } => {
  const { t: type = "n", s: style = "0" } = cell.attributes
  const raw = descendants(cell, "v")[0]?.text ?? ""
  if (type === "inlineStr") return { cell: textCell(textOf(cell)), isNumber: false }
  if (raw.trim() === "") return { cell: undefined, isNumber: false }
  if (type === "s") return { cell: textCell(cells.strings[Number(raw)] ?? ""), isNumber: false }
  if (type === "b") return { cell: textCell(raw.trim() === "1" ? "TRUE" : "FALSE"), isNumber: false }
  if (type !== "n") return { cell: textCell(raw), isNumber: type === "d" }
  const value = Number(raw)
  const isDate = cells.isDate[Number(style)] ?? false
  const isShownAs = (shown: string) =>
    fold(shown) === fold(raw) ||
    isNumberShownAs(value, shown) ||
    // The value may stand behind what is shown, as in "2 1/2 [2.5]".
    isNumberShownAs(value, /\[([^\]]+)\]$/.exec(shown)?.[1] ?? "") ||
    (isDate && isDateShownAs(value, shown, cells.from1904))
  return { cell: { text: raw, rows: 1, isShownAs }, isNumber: true }
}
