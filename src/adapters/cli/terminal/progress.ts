import process from "node:process"
import * as Effect from "effect/Effect"
import type { ImportCounts } from "../../../core/import/Import.ts"

/** Overwrites one status line on stderr, if it is a terminal. */
export const showStatus = (text: string): void => {
  if (process.stderr.isTTY === true) process.stderr.write(`\r\u001B[K${text}`)
}

export const statusLine = (text: string) => Effect.sync(() => showStatus(text))

/** Shows an import's progress. */
export const progress = (label: string) => {
  const began = performance.now()
  return {
    update: ({ received, created, updated, unchanged, deleted, failed }: ImportCounts) => {
      const done = created + updated + unchanged + deleted + failed
      const rate = Math.round(done / Math.max((performance.now() - began) / 1000, 0.001))
      return statusLine(`${label}: ${count(done)} of ${count(received)} records read, ${count(rate)}/s`)
    },
    clear: statusLine(""),
    seconds: () => (performance.now() - began) / 1000,
  }
}

export const count = (number: number) => number.toLocaleString("en-US")

/** Characters of a progress bar. */
const BAR_WIDTH = 24

/** Renders a progress bar, `####----`; `progress` runs from 0 to 1. */
export const bar = (progress: number) => {
  const done = Math.round(Math.min(Math.max(progress, 0), 1) * BAR_WIDTH)
  return "#".repeat(done) + "-".repeat(BAR_WIDTH - done)
}
