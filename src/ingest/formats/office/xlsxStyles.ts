import { readXml } from "./xml.ts"
import type { Zip } from "../../safety/zip.ts"

/** How a cell's style shows a number: as itself, as a moment, or as a length of time. */
export type NumberKind = "number" | "moment" | "duration"

const MOMENTS: ReadonlyArray<readonly [number, number]> = [
  [14, 22],
  [27, 36],
  [45, 45],
  [47, 47],
  [50, 58],
]

/** Excel's own limit is 255. */
const MAX_CODE_LENGTH = 1000

/** A format's meaning from its code (ECMA-376 part 1, 18.8.31): its letters, once literals, colours and conditions are gone. */
export const kindOfFormat = (code: string): NumberKind => {
  const [positive = ""] = code
    .slice(0, MAX_CODE_LENGTH)
    .replaceAll(/"[^"]*"|\\.|[_*]./gs, "")
    .split(";")
  if (/\[(?:h+|m+|s+)\]/i.test(positive)) return "duration"
  const letters = positive.replaceAll(/\[[^\]]*\]|general/gi, "")
  return /[ymdhs]/i.test(letters) ? "moment" : "number"
}

const builtIn = (id: number): NumberKind => {
  if (id === 46) return "duration"
  return MOMENTS.some(([first, last]) => id >= first && id <= last) ? "moment" : "number"
}

/** The kind of each cell style, by its index. */
export const readStyles = (zip: Zip, part: string): ReadonlyArray<NumberKind> => {
  const formats = new Map<number, NumberKind>()
  const kinds: Array<NumberKind> = []
  let inCellStyles = false
  readXml(zip, part, {
    open: (name, { numFmtId, formatCode = "" }) => {
      const id = Number(numFmtId)
      if (name === "numFmt") formats.set(id, kindOfFormat(formatCode))
      else if (name === "cellXfs") inCellStyles = true
      else if (name === "xf" && inCellStyles) kinds.push(formats.get(id) ?? builtIn(id))
    },
    close: (name) => {
      if (name === "cellXfs") inCellStyles = false
    },
  })
  return kinds
}

const DAY_MS = 86_400_000
const LAST_SERIAL = 2_958_466

const clock = (milliseconds: number): string => {
  const seconds = Math.floor(milliseconds / 1000)
  const two = (value: number) => String(value).padStart(2, "0")
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

/** A number as its style means it: moments in ISO 8601, always with their time; the rest as the shortest decimal. */
export const showNumber = (raw: string, kind: NumberKind, from1904: boolean): string => {
  const value = Number(raw)
  if (raw.trim() === "" || !Number.isFinite(value)) return raw
  if (kind === "number" || value < 0 || value >= LAST_SERIAL) return String(value)
  const milliseconds = Math.round(value * DAY_MS)
  if (kind === "duration") return clock(milliseconds)
  if (value < 1 && !from1904) return clock(milliseconds)
  // Day 60 of the 1900 system is a 29 February that never was: days before it are one later than counted.
  const epoch = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, value < 60 ? 31 : 30)
  return new Date(epoch + milliseconds).toISOString().replace(/(?:\.000)?Z$/, "")
}
