import type { Figures } from "./contest.ts"

/** A target: the figure is at most, or at least, `bound`. */
export interface Target {
  readonly what: string
  readonly measured: number
  readonly bound: number
  readonly side: "most" | "least"
  readonly unit?: string
}

const verdicts: Array<Target> = []
const spreads: Array<number> = []

/** The spread of rounds within a line, over all lines so far. */
export const noise = () => {
  const sorted = spreads.toSorted((a, b) => a - b)
  const at = (q: number) => `${((sorted[Math.floor((sorted.length - 1) * q)] ?? 0) * 100).toFixed(0)} %`
  return `rounds of one line lay apart by ${at(0.5)} (median of the lines) to ${at(1)} (worst), as (max - min) / median of total CPU`
}

export const heading = (text: string) => console.log(`\n## ${text}\n`)

export const table = (header: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>) => {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: ReadonlyArray<string>) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join(" | ")} |`
  console.log(
    [
      line(header),
      line(widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`))),
      ...rows.map(line),
    ].join("\n"),
  )
}

const us = (value: number) => value.toFixed(0)

/** Prints the contest of a scenario as a table. */
export const figures = (results: Iterable<Figures>) => {
  const all = [...results]
  spreads.push(...all.map(({ spread }) => spread))
  table(
    ["peer", "requests/s", "app CPU us", "PostgreSQL CPU us", "total CPU us", "p50 ms", "p99 ms", "spread"],
    all.map((each) => [
      each.name,
      us(each.perSecond),
      us(each.app),
      us(each.database),
      us(each.total),
      each.p50.toFixed(1),
      each.p99.toFixed(1),
      `${(each.spread * 100).toFixed(0)} %`,
    ]),
  )
}

/** Prints whether a figure meets its upper bound, and keeps it for `summary`. Ignores a figure that was not measured. */
export const judge = (what: string, measured: number | undefined, most: number, unit?: string) =>
  keep(what, measured, most, "most", unit)

/** `judge` with a lower bound. */
export const judgeLeast = (what: string, measured: number | undefined, least: number, unit?: string) =>
  keep(what, measured, least, "least", unit)

const keep = (
  what: string,
  measured: number | undefined,
  bound: number,
  side: Target["side"],
  unit: string | undefined,
) => {
  if (measured === undefined) return
  const target: Target = { what, measured, bound, side, ...(unit !== undefined && { unit }) }
  verdicts.push(target)
  console.log(sentence(target))
}

const met = ({ measured, bound, side }: Target) => (side === "most" ? measured <= bound : measured >= bound)

const show = (value: number, unit: string | undefined) =>
  unit === undefined ? value.toFixed(value < 1 ? 3 : 2) : `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`

const sentence = (target: Target) =>
  `${met(target) ? "met   " : "MISSED"} ${target.what}: ${show(target.measured, target.unit)} (at ${target.side} ${show(target.bound, target.unit)})`

/** Prints every target that was measured. */
export const summary = () => {
  if (verdicts.length === 0) return
  heading("Targets")
  table(
    ["target", "bound", "measured", "verdict"],
    verdicts.map((target) => [
      target.what,
      `at ${target.side} ${show(target.bound, target.unit)}`,
      show(target.measured, target.unit),
      met(target) ? "met" : `missed by ${(Math.abs(target.measured / target.bound - 1) * 100).toFixed(0)} %`,
    ]),
  )
}
