import type { Attributes } from "./xml.ts"

const MAX_NAMED = 20
const MAX_COLUMN = 16_384
/** Each range of columns is checked for each column with a value. */
const MAX_RANGES = 1000

export const isOn = (value: string | undefined): boolean => value === "1" || value === "true"

export const writeLetter = (column: number): string =>
  column === 0 ? "" : writeLetter(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26))

/** Collects the ranges of hidden columns, which a sheet has before its rows. Columns count from 1. */
export const makeHiddenColumns = () => {
  const ranges: Array<readonly [first: number, last: number]> = []
  const has = (column: number): boolean => ranges.some(([first, last]) => column >= first && column <= last)
  return {
    add: ({ min, max, hidden }: Attributes): void => {
      if (isOn(hidden) && ranges.length < MAX_RANGES) ranges.push([Number(min), Math.min(Number(max), MAX_COLUMN)])
    },
    isEmpty: (): boolean => ranges.length === 0,
    has,
    /** Those up to a limit. */
    list: (max: number): ReadonlyArray<number> =>
      ranges.length === 0 ? [] : Array.from({ length: max }, (_, at) => at + 1).filter(has),
  }
}

/** Collects the hidden rows and columns of a sheet that hold values. Columns count from 1. */
export const makeHidden = () => {
  const hiddenColumns = makeHiddenColumns()
  const columns = new Set<number>()
  let rows = 0
  let isHiddenRow = false
  return {
    columns: hiddenColumns.add,
    row: ({ hidden }: Attributes): void => {
      isHiddenRow = isOn(hidden)
    },
    /** A cell of the row with a value. */
    cell: (column: number): void => {
      if (isHiddenRow) rows++
      isHiddenRow = false
      if (hiddenColumns.isEmpty() || columns.has(column)) return
      if (hiddenColumns.has(column)) columns.add(column)
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
