import { readNameAlone, readTimeAlone } from "./heads.ts"

/** The share of the lines with only a time beside which is a name. */
const MIN_BESIDE = 0.8
const MIN_LINES = 3

/** "00:05", a tab, a name, a tab and words. */
const COLUMNS = /^([[(]?[\d:.,]{4,15}[\])]?)\t+([^\t]{1,70})\t+(\S[^\t]*)$/

/** The lines of a text, with one space between words. A row of a time, a name and words becomes a turn's line. */
export const linesOf = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.trim().replace(COLUMNS, "$1 $2: $3").replaceAll(/\s+/g, " ").trim())
    .filter((line) => line !== "")

/** Joins names and times that recorders write on lines of their own: "00:05", "Ada Byron", or the other way round. */
export const joinHeads = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const times = lines.flatMap((line, at) => (readTimeAlone(line) === undefined ? [] : [at]))
  if (times.length < MIN_LINES) return lines
  const isHead = (at: number) => {
    const line = lines[at]
    return line !== undefined && readTimeAlone(line) === undefined && readNameAlone(line) !== undefined
  }
  for (const step of [1, -1]) {
    const beside = times.filter((at) => isHead(at + step))
    const names = new Set(beside.map((at) => lines[at + step]))
    if (beside.length < times.length * MIN_BESIDE || names.size > Math.max(beside.length / 2, 2)) continue
    const heads = new Set(beside)
    const joined = new Set(beside.map((at) => at + step))
    return lines.flatMap((line, at) => {
      if (joined.has(at)) return []
      return heads.has(at) ? [`${lines[at + step]!.replace(/:$/, "")} | ${line}`] : [line]
    })
  }
  return lines
}
