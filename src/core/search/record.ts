/** What of a deal its record tells, with names in place of ids. Absent values are null. */
export interface RecordedDeal {
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

/** A citable piece of a record, by offsets in its text; `headings` above it, the highest first. */
export interface RecordChunk {
  readonly start: number
  readonly end: number
  readonly headings: ReadonlyArray<string>
}

export interface RenderedRecord {
  readonly body: string
  /** Each title stands in the body from `start` to `end`; level 1 is the deal's name. */
  readonly headings: ReadonlyArray<RecordHeading>
  readonly chunks: ReadonlyArray<RecordChunk>
}

/** A chunk ends before the line that would make it longer than this; a line that is longer by itself is several. */
const MOST = 1200
/** A part that begins in a chunk longer than this begins one of its own. */
const ENOUGH = 600

type Line = { readonly level: number; readonly text: string } | string

/** The same deal is the same text, wherever and whenever it is rendered. */
export const renderRecord = (deal: RecordedDeal): RenderedRecord => {
  const facts = deal.facts.flatMap(([label, value]) => (value === null || value === "" ? [] : [`${label}: ${value}`]))
  const lines: ReadonlyArray<Line> = [
    { level: 1, text: tidy(deal.name) || "Deal" },
    ...facts,
    ...section("Summary", summaryLines(deal.summary)),
    ...section("Drivers", deal.drivers.map(driverLine)),
    ...section(
      "Scorecard",
      deal.scores.flatMap(({ name, score, explanation }) =>
        score === null && explanation === null
          ? []
          : [`${name}${score === null ? "" : `, ${score} of 5`}${explanation === null ? "" : `: ${explanation}`}`],
      ),
    ),
    ...section("Features", deal.features.map(featureLine)),
    ...section(
      "Answers",
      deal.answers.map(({ name, text }) => `${name}: ${text}`),
    ),
  ]
  return layOut(lines)
}

const mood = (positive: boolean | null) => (positive === null ? "" : positive ? " (positive)" : " (negative)")

const driverLine = ({ name, category, positive, summary }: RecordedDeal["drivers"][number]) =>
  `${name}${category === null ? "" : `, ${category}`}${mood(positive)}${summary === null ? "" : `: ${summary}`}`

const featureLine = ({ name, product, sentiment, influence_summary }: RecordedDeal["features"][number]) =>
  `${name}${product === null ? "" : ` of ${product}`}${mood(sentiment)}${influence_summary === null ? "" : `: ${influence_summary}`}`

const section = (title: string, lines: ReadonlyArray<Line>): ReadonlyArray<Line> =>
  lines.length === 0 ? [] : [{ level: 2, text: title }, ...lines]

/** A summary is a text, or an object whose members are sections; whatever it holds is told. */
const summaryLines = (value: unknown, level = 3): ReadonlyArray<Line> => {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.flatMap((each) => summaryLines(each, level))
  if (typeof value !== "object") return String(value).split(/\n+/)
  return Object.entries(value).flatMap(([key, part]): ReadonlyArray<Line> => {
    const title = spoken(key)
    if (typeof part === "number" || typeof part === "boolean") return [`${title}: ${part}`]
    const lines = summaryLines(part, level + 1)
    return lines.length === 0 ? [] : [{ level: Math.min(level, 6), text: title }, ...lines]
  })
}

/** `executiveSummary` and `executive_summary` as a person writes them. */
export const spoken = (key: string): string => {
  const words = key
    .replaceAll(/[_-]+/g, " ")
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const tidy = (text: string) => text.replaceAll(/\s+/g, " ").trim()

/** Of a long line, each up to a blank where there is one. */
const partsOf = (line: string) => line.match(PART) ?? []
const PART = new RegExp(`.{1,${MOST}}(?: |$)|.{${MOST}}`, "gu")

const layOut = (lines: ReadonlyArray<Line>): RenderedRecord => {
  const headings: Array<RecordHeading> = []
  const chunks: Array<RecordChunk> = []
  const path: Array<{ readonly level: number; readonly text: string }> = []
  let body = ""
  for (const line of lines) {
    const text = tidy(typeof line === "string" ? line : line.text)
    if (text === "") continue
    const gap = body === "" ? "" : typeof line === "string" && headings.at(-1)?.end !== body.length ? "\n" : "\n\n"
    const start = body.length + gap.length
    const end = start + text.length
    body += gap + text
    const chunk = chunks.at(-1)
    const opens = typeof line !== "string" && line.level <= 2 && start - (chunk?.start ?? start) > ENOUGH
    if (typeof line !== "string") {
      headings.push({ start, end, level: line.level })
      while (path.length > 0 && path.at(-1)!.level >= line.level) path.pop()
      path.push({ level: line.level, text })
    }
    if (chunk === undefined || opens || end - chunk.start > MOST) {
      const titles = path.map((heading) => heading.text)
      let from = start
      for (const part of typeof line === "string" ? partsOf(text) : [text]) {
        chunks.push({ start: from, end: from + part.trimEnd().length, headings: titles })
        from += part.length
      }
    } else {
      chunks[chunks.length - 1] = { ...chunk, end }
    }
  }
  return { body, headings, chunks }
}
