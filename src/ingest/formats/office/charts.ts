import type { Zip } from "../../safety/zip.ts"
import { makeCells, paragraphs, type SlideSink } from "./pptxParts.ts"
import { shownNumber } from "./xlsxNumbers.ts"
import { formatOfCode } from "./xlsxStyles.ts"
import { type Attributes, readXml } from "./xml.ts"

/** A chart with more points keeps them one after the other. */
const MAX_POINTS = 16_384

/** The points of a series or of its categories, by their numbers: a chart leaves out empty ones. */
type Points = Array<string>

/** The levels of categories as one text each, the highest first; a higher level names its first category only. */
const joinLevels = (levels: ReadonlyArray<Points>): Points => {
  const [lowest = [], ...higher] = levels
  const last = higher.map(() => "")
  return Array.from(lowest, (text = "", at) => {
    for (const [level, points] of higher.entries()) last[level] = points[at] ?? last[level]!
    return [...last.toReversed(), text].filter((part) => part !== "").join(" ")
  })
}

/** Reads a chart: its titles, then a row of categories and a row for each series, from the values saved with it, as the chart's source shows them. */
export const readChart = (
  zip: Zip,
  part: string,
  { add, row, endTable }: Pick<SlideSink, "add" | "row" | "endTable">,
): void => {
  const reader = paragraphs((text) => add("paragraph", text))
  let names: Points = []
  let values: Points = []
  let levels: Array<Points> = []
  let into: Points | undefined
  let shown = ""
  let series = ""
  /** The text of the open point or format. */
  let text: string | undefined
  let at = 0
  /** The formats of the numbers that follow, and of the labels beside the points of this series. */
  let format = ""
  let labelFormat = ""
  const startLevel = () => levels.push((into = []))
  const show = (point: string) => {
    const isOwn = format !== "" && format !== "General"
    const code = isOwn || into !== values ? format : labelFormat
    return code === "" || code === "General" ? point : shownNumber(point, formatOfCode(code), false)
  }
  const endSeries = () => {
    const categories = joinLevels(levels)
    const header = JSON.stringify(categories)
    if (header !== shown) row({ cells: makeCells(["", ...categories]), isHeader: true })
    shown = header
    row({ cells: makeCells([series, ...Array.from(values, (value = "") => value)]) })
    series = ""
  }
  const openers = new Map<string, (attributes: Attributes) => void>([
    [
      "ser",
      () => {
        names = []
        values = []
        levels = []
        labelFormat = ""
      },
    ],
    ["tx", () => (into = names)],
    ["cat", startLevel],
    ["xVal", startLevel],
    ["lvl", () => levels.at(-1)?.length !== 0 && startLevel()],
    ["val", () => (into = values)],
    ["yVal", () => (into = values)],
    ["numCache", () => (format = "")],
    ["strCache", () => (format = "")],
    [
      "numFmt",
      ({ sourceLinked, formatCode = "" }) => {
        if (sourceLinked !== "1") labelFormat ||= formatCode
      },
    ],
    [
      "pt",
      ({ idx }) => {
        const next = into?.length ?? 0
        const index = Number(idx ?? next)
        at = index >= 0 && index < MAX_POINTS ? index : next
      },
    ],
    ["v", () => (text = "")],
    ["formatCode", () => (text = "")],
  ])
  readXml(zip, part, {
    open: (name, attributes) => {
      reader.open(name)
      openers.get(name)?.(attributes)
    },
    close: (name) => {
      reader.close(name)
      if (name === "v" && into !== undefined) into[at] = show(text ?? "")
      else if (name === "formatCode") format = text ?? ""
      else if (name === "tx") series = Array.from(names, (each = "") => each).join(" ")
      else if (name === "ser") endSeries()
      if (name === "v" || name === "formatCode") text = undefined
    },
    text: (value) => {
      reader.text(value)
      if (text !== undefined) text += value
    },
  })
  endTable()
}
