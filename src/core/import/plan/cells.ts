import { COLUMNS, IMPORTED_NAMES } from "../../deals/columns.ts"
import { METRICS } from "../../deals/metrics.ts"
import type { RecordType } from "../records.ts"

/** The order of day, month and year in a file's dates. ISO dates are always accepted. */
export type DateOrder = "ISO" | "DMY" | "MDY"

export type CellKind = "text" | "number" | "boolean" | "date" | "list" | "json" | "summary"

const CELLS = {
  name: "text",
  id: "text",
  position: "number",
  created_at: "date",
  updated_at: "date",
  sentiment: "boolean",
  deleted: "boolean",
  collaborators: "list",
  product_labels: "list",
  competitors: "list",
  drivers: "list",
  tags: "list",
  aliases: "list",
  summary: "summary",
  scorecard: "json",
  crm_properties: "json",
  custom_metrics: "json",
  custom_answers: "json",
  filters: "json",
} as const satisfies Record<string, CellKind>

const STORED = { text: "text", float8: "number", date: "date", boolean: "boolean" } as const

/** Fields that map directly to a column of deals. */
const IMPORTED: ReadonlyMap<string, CellKind> = new Map(
  IMPORTED_NAMES.map((name) => [COLUMNS[name].imported, STORED[COLUMNS[name].stored]]),
)

/** The kind of a field's cells. A dotted field names a part, such as `crm_properties.region`. */
export const cellKind = (field: string): CellKind => {
  if (/^(scorecard|custom_metrics)\..+\.score$/.test(field)) return "number"
  return IMPORTED.get(field) ?? (Object.hasOwn(CELLS, field) ? CELLS[field as keyof typeof CELLS] : "text")
}

const METRIC_NAMES: ReadonlySet<string> = new Set(METRICS)

/** Whether this is a dotted field that a CSV column can fill: a property, metric or answer. */
export const isPart = (type: RecordType, field: string): boolean => {
  const [, map, name, part] = /^(crm_properties|custom_answers)\.(.+)$/.exec(field) ??
    /^(scorecard|custom_metrics)\.(.+)\.(score|explanation)$/.exec(field) ?? [undefined, undefined, "", undefined]
  if (map === undefined) return false
  if (map === "crm_properties") return type === "deal" || type === "client"
  return type === "deal" && (map !== "scorecard" || METRIC_NAMES.has(name ?? "")) && (part ?? "score") !== ""
}

/** Why a cell cannot be read. */
export class CellProblem {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

/** Reads a cell's value, which the record's schema then checks. */
export const readCell = (kind: CellKind, text: string, dates: DateOrder): unknown => {
  switch (kind) {
    case "text":
      return text
    case "number":
      return readNumber(text) ?? text
    case "boolean":
      return TRUTH.get(text.toLowerCase()) ?? new CellProblem("must be true or false, yes or no, 1 or 0")
    case "date":
      return readDate(text, dates)
    case "list":
      return text.startsWith("[")
        ? readJson(text)
        : text
            .split(";")
            .map((each) => each.trim())
            .filter((each) => each !== "")
    case "json":
      return readJson(text)
    case "summary": {
      if (!text.startsWith("{")) return text
      const value = readJson(text)
      return value instanceof CellProblem ? text : value
    }
  }
}

const TRUTH = new Map<string, boolean | null>([
  ...["true", "yes", "1", "y", "positive"].map((text) => [text, true] as const),
  ...["false", "no", "0", "n", "negative"].map((text) => [text, false] as const),
  ["neutral", null],
])

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return new CellProblem("must be JSON")
  }
}

/** Reads `$1,234.50`, `1.234,50 €` and `(1 234)`. Of two kinds of separators, the last is the decimal one. */
export const readNumber = (text: string): number | undefined => {
  const negative = /^\(.*\)$/.test(text)
  const bare = text.replaceAll(/[\s'’()]|\p{Sc}|\b[A-Z]{3}\b/gu, "")
  if (/^[+-]?\d*\.?\d+(e[+-]?\d+)?$/i.test(bare) || /^[+-]?\d+\.$/.test(bare)) {
    return Number(bare) * (negative ? -1 : 1)
  }
  if (!/^[+-]?[\d.,]*\d[\d.,]*$/.test(bare)) return undefined
  const decimal = bare.lastIndexOf(",") > bare.lastIndexOf(".") ? "," : "."
  const thousands = decimal === "," ? "." : ","
  const grouped = new RegExp(`^[+-]?\\d{1,3}(\\${decimal}\\d{3})+$`)
  const onlyGroups = !bare.includes(thousands) && grouped.test(bare)
  const plain = onlyGroups ? bare.replaceAll(decimal, "") : bare.replaceAll(thousands, "").replace(decimal, ".")
  const number = Number(plain)
  return Number.isFinite(number) ? number * (negative ? -1 : 1) : undefined
}

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|[+-]\d{2}:?\d{2})?)?$/
const WRITTEN = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})(?:,? (\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([ap])\.?m\.?)?)?$/i

/** Reads a date or, if the cell has a time, an instant, in UTC by default. */
export const readDate = (text: string, order: DateOrder): string | CellProblem => {
  const iso = ISO.exec(text)
  if (iso !== null) {
    const [, day, time, zone = "Z"] = iso
    return time === undefined ? day! : `${day}T${time}${zone.replace(/^([+-]\d{2})(\d{2})$/, "$1:$2")}`
  }
  const written = WRITTEN.exec(text)
  if (written === null) return new CellProblem("must be a date such as 2026-03-31")
  if (order === "ISO") {
    return new CellProblem("must be a date such as 2026-03-31; for other formats set the order, DMY or MDY")
  }
  const [, first = "", second = "", year = "", hours, minutes, seconds = "00", half] = written
  const [day, month] = order === "DMY" ? [first, second] : [second, first]
  const date = `${year.length === 2 ? (Number(year) < 70 ? "20" : "19") + year : year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`
  if (hours === undefined) return date
  const shift = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === "p" ? 12 : 0)
  return `${date}T${String(shift).padStart(2, "0")}:${minutes}:${seconds}Z`
}
