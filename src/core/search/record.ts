import { capitalize } from "../common/capitalize.ts"
/** The fields of a deal that its record shows, with names in place of ids. Absent values are null. */
export interface RecordInput {
  readonly name: string
  readonly facts: ReadonlyArray<readonly [label: string, value: string | null]>
  readonly summary: unknown
  readonly drivers: ReadonlyArray<{
    readonly name: string
    readonly category: string | null
    readonly positive: boolean | null
    readonly summary: string | null
  }>
  readonly scores: ReadonlyArray<{
    readonly name: string
    readonly score: number | null
    readonly explanation: string | null
  }>
  readonly features: ReadonlyArray<{
    readonly name: string
    readonly product: string | null
    readonly sentiment: boolean | null
    readonly influence_summary: string | null
  }>
  readonly answers: ReadonlyArray<{ readonly name: string; readonly text: string }>
}

export interface RecordHeading {
  readonly start: number
  readonly end: number
  readonly level: number
}

/** A citable piece of a record: offsets in its text, and the headings above it, the highest first. */
export interface RecordChunk {
  readonly start: number
  readonly end: number
  readonly headings: ReadonlyArray<string>
}

export interface RenderedRecord {
  readonly body: string
  /** A title is `body.slice(start, end)`. Level 1 is the name of the deal. */
  readonly headings: ReadonlyArray<RecordHeading>
  readonly chunks: ReadonlyArray<RecordChunk>
}

/** In UTF-16 units. A chunk ends before the line that would exceed this; a longer line becomes several chunks. */
const MAX_CHUNK_LENGTH = 1200
/** A section begins a new chunk if the current one is longer than this. */
const MIN_CHUNK_LENGTH = 600

type Line = { readonly level: number; readonly text: string } | string

/** Deterministic: equal deals have equal records. */
export const renderRecord = (deal: RecordInput): RenderedRecord => {
  const facts = deal.facts.flatMap(([label, value]) => (value === null || value === "" ? [] : [`${label}: ${value}`]))
  const lines: ReadonlyArray<Line> = [
    { level: 1, text: collapseBlanks(deal.name) || "Deal" },
    ...facts,
    ...sectionOf("Summary", summaryLines(deal.summary)),
    ...sectionOf("Drivers", deal.drivers.map(driverLine)),
    ...sectionOf(
      "Scorecard",
      deal.scores.flatMap(({ name, score, explanation }) =>
        score === null && explanation === null
          ? []
          : [`${name}${score === null ? "" : `, ${score} of 5`}${explanation === null ? "" : `: ${explanation}`}`],
      ),
    ),
    ...sectionOf("Features", deal.features.map(featureLine)),
    ...sectionOf(
      "Answers",
      deal.answers.map(({ name, text }) => `${name}: ${text}`),
    ),
  ]
  return layOut(lines)
}

const describeMood = (positive: boolean | null) => (positive === null ? "" : positive ? " (positive)" : " (negative)")

const driverLine = ({ name, category, positive, summary }: RecordInput["drivers"][number]) =>
  `${name}${category === null ? "" : `, ${category}`}${describeMood(positive)}${summary === null ? "" : `: ${summary}`}`

const featureLine = ({ name, product, sentiment, influence_summary }: RecordInput["features"][number]) =>
  `${name}${product === null ? "" : ` of ${product}`}${describeMood(sentiment)}${influence_summary === null ? "" : `: ${influence_summary}`}`

const sectionOf = (title: string, lines: ReadonlyArray<Line>): ReadonlyArray<Line> =>
  lines.length === 0 ? [] : [{ level: 2, text: title }, ...lines]

/** Renders a summary completely: a text, or an object whose members become sections. */
const summaryLines = (value: unknown, level = 3): ReadonlyArray<Line> => {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.flatMap((each) => summaryLines(each, level))
  if (typeof value !== "object") return String(value).split(/\n+/)
  return Object.entries(value).flatMap(([key, part]): ReadonlyArray<Line> => {
    const title = humanize(key)
    if (typeof part === "number" || typeof part === "boolean") return [`${title}: ${part}`]
    const lines = summaryLines(part, level + 1)
    return lines.length === 0 ? [] : [{ level: Math.min(level, 6), text: title }, ...lines]
  })
}

/** `executiveSummary` and `executive_summary` both become `Executive summary`. */
export const humanize = (key: string): string => {
  const words = key.replaceAll(/[_-]+/g, " ").replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
  return capitalize(words.toLowerCase().trim())
}

const collapseBlanks = (text: string) => text.replaceAll(/\s+/g, " ").trim()

/** Splits a long line, at blanks if possible. */
const splitLine = (line: string) => line.match(PART) ?? []
const PART = new RegExp(`.{1,${MAX_CHUNK_LENGTH}}(?: |$)|.{${MAX_CHUNK_LENGTH}}`, "gu")

const layOut = (lines: ReadonlyArray<Line>): RenderedRecord => {
  const headings: Array<RecordHeading> = []
  const chunks: Array<RecordChunk> = []
  const path: Array<{ readonly level: number; readonly text: string }> = []
  let body = ""
  for (const line of lines) {
    const text = collapseBlanks(typeof line === "string" ? line : line.text)
    if (text === "") continue
    const gap = body === "" ? "" : typeof line === "string" && headings.at(-1)?.end !== body.length ? "\n" : "\n\n"
    const start = body.length + gap.length
    const end = start + text.length
    body += gap + text
    const chunk = chunks.at(-1)
    const startsChunk =
      typeof line !== "string" && line.level <= 2 && start - (chunk?.start ?? start) > MIN_CHUNK_LENGTH
    if (typeof line !== "string") {
      headings.push({ start, end, level: line.level })
      while (path.length > 0 && path.at(-1)!.level >= line.level) path.pop()
      path.push({ level: line.level, text })
    }
    if (chunk === undefined || startsChunk || end - chunk.start > MAX_CHUNK_LENGTH) {
      const titles = path.map((heading) => heading.text)
      let from = start
      for (const part of typeof line === "string" ? splitLine(text) : [text]) {
        chunks.push({ start: from, end: from + part.trimEnd().length, headings: titles })
        from += part.length
      }
    } else {
      chunks[chunks.length - 1] = { ...chunk, end }
    }
  }
  return { body, headings, chunks }
}
