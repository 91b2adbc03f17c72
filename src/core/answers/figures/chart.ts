import { type Html, markup } from "../../library/viewer/html.ts"
import { GRAINS } from "../questions/words/lexicon.ts"

export interface Point {
  readonly name: string
  readonly value: number
  /** The value in words. */
  readonly shown: string
  readonly isCited: boolean
}

const MAX_BARS = 8
const MAX_POINTS = 60
/** In pixels. Widths are shares of the picture, so that its text keeps its size on every screen. */
const BAR_STEP = 40
const LINE_HEIGHT = 160
/** A longer name is cut before the value: the table below has all of it. */
const NAME_HEIGHT = 20
const PADDING = 24

/** Draws the first measure of a report: a line over time, or bars. Undefined if there is nothing to compare. */
export const drawChart = (
  title: string,
  groupBy: ReadonlyArray<string>,
  points: ReadonlyArray<Point>,
): Html | undefined => {
  const max = Math.max(...points.map(({ value }) => value))
  if (points.length < 2 || max <= 0 || points.some(({ value }) => value < 0)) return undefined
  const isOverTime = groupBy.length === 1 && GRAINS.some(([grain]) => groupBy[0]!.endsWith(`.${grain}`))
  const drawn = isOverTime ? points.slice(-MAX_POINTS) : keepFirst(points)
  const rest = points.length - drawn.length
  return markup`<figure class="chart"><figcaption>${title}${rest > 0 && (isOverTime ? `, the last ${drawn.length}` : `, ${drawn.length} of ${points.length}`)}</figcaption>${isOverTime ? drawLine(title, drawn, max) : drawBars(title, drawn, max)}</figure>`
}

/** The first bars, and the cited one. */
const keepFirst = (points: ReadonlyArray<Point>) => points.filter((point, index) => index < MAX_BARS || point.isCited)

const percent = (share: number) => `${Math.round(share * 1000) / 10}%`

const label = (title: string, points: ReadonlyArray<Point>) =>
  `${title}: ${points.map(({ name, shown }) => `${name} ${shown}`).join(", ")}`

const drawBars = (title: string, points: ReadonlyArray<Point>, max: number) =>
  markup`<svg role="img" aria-label="${label(title, points)}" width="100%" height="${points.length * BAR_STEP}">${points.map(
    ({ name, value, shown, isCited }, n) =>
      markup`<g${isCited && markup` class="cited"`}><svg class="name" y="${n * BAR_STEP}" width="70%" height="${NAME_HEIGHT}"><text x="0" y="15">${name}</text></svg><text x="100%" y="${n * BAR_STEP + 15}" text-anchor="end">${shown}</text><rect class="ground" x="0" y="${n * BAR_STEP + 22}" width="100%" height="8" rx="2"/><rect x="0" y="${n * BAR_STEP + 22}" width="${percent(value / max)}" height="8" rx="2"/></g>`,
  )}</svg>`

const drawLine = (title: string, points: ReadonlyArray<Point>, max: number) => {
  const bottom = LINE_HEIGHT - PADDING
  // Beside the edges, so that the first and last dot are whole.
  const x = (n: number) => 1 + (98 * n) / (points.length - 1)
  const y = (value: number) => bottom - (value / max) * (bottom - PADDING)
  const first = points[0]!
  const last = points.at(-1)!
  const top = points.find(({ value }) => value === max)!
  return markup`<svg role="img" aria-label="${label(title, points)}" width="100%" height="${LINE_HEIGHT}"><text x="0" y="14">highest: ${top.shown}, ${top.name}</text><line x1="0" x2="100%" y1="${bottom}" y2="${bottom}"/><svg viewBox="0 0 100 ${LINE_HEIGHT}" preserveAspectRatio="none" width="100%" height="${LINE_HEIGHT}"><polyline points="${points.map(({ value }, n) => `${x(n).toFixed(2)},${y(value).toFixed(1)}`).join(" ")}" vector-effect="non-scaling-stroke"/></svg>${points.map(
    ({ name, value, shown, isCited }, n) =>
      markup`<circle${isCited && markup` class="cited"`} cx="${x(n).toFixed(2)}%" cy="${y(value).toFixed(1)}" r="${isCited ? 5 : 3}"><title>${name}: ${shown}</title></circle>`,
  )}<text x="0" y="${LINE_HEIGHT - 6}">${first.name}</text><text x="100%" y="${LINE_HEIGHT - 6}" text-anchor="end">${last.name}</text></svg>`
}
