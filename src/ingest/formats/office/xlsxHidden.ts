import type { Attributes } from "./xml.ts"

const MAX_NAMED = 20
const MAX_COLUMN = 16_384
/** Each range of columns is checked for each column with a value. */
const MAX_RANGES = 1000

const isOn = (value: string | undefined) => value === "1" || value === "true"

export const writeLetter = (column: number): string =>
  column === 0 ? "" : writeLetter(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26))

/** Collects the hidden rows and columns of a sheet that hold values. Columns count from 1. */
export const makeHidden = () => {
  const ranges: Array<readonly [first: number, last: number]> = []
  const columns = new Set<number>()
  let rows = 0
  let isHiddenRow = false
  return {
    columns: ({ min, max, hidden }: Attributes): void => {
      if (isOn(hidden) && ranges.length < MAX_RANGES) ranges.push([Number(min), Math.min(Number(max), MAX_COLUMN)])
    },
    row: ({ hidden }: Attributes): void => {
      isHiddenRow = isOn(hidden)
    },
    /** A cell of the row with a value. */
    cell: (column: number): void => {
      if (isHiddenRow) rows++
      isHiddenRow = false
      if (ranges.length === 0 || columns.has(column)) return
      if (ranges.some(([first, last]) => column >= first && column <= last)) columns.add(column)
    },
    /** Undefined if nothing is hidden. */
    describe: (): string | undefined => {
      const letters = [...columns].toSorted((a, b) => a - b).map(writeLetter)
      const named = letters.slice(0, MAX_NAMED).join(", ") + (letters.length > MAX_NAMED ? " and more" : "")
      const parts = [
        ...(letters.length === 0 ? [] : [`${letters.length === 1 ? "column" : "columns"} ${named}`]),
        ...(rows === 0 ? [] : [rows === 1 ? "1 row" : `${rows.toLocaleString("en")} rows`]),
      ]
      return parts.length === 0 ? undefined : parts.join(" and ")
    },
  }
}
