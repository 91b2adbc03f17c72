import process from "node:process"
import * as Effect from "effect/Effect"
import type { ImportCounts } from "../../core/workspace/Import.ts"

/** One line on a terminal's stderr, written over as the work goes on; nothing where nobody watches. */
export const progress = (label: string) => {
  const began = performance.now()
  const shown = process.stderr.isTTY === true
  const write = (text: string) => Effect.sync(() => void (shown && process.stderr.write(`\r\u001B[K${text}`)))
  return {
    update: ({ received, created, updated, unchanged, failed }: ImportCounts) => {
      const done = created + updated + unchanged + failed
      const rate = Math.round(done / Math.max((performance.now() - began) / 1000, 0.001))
      return write(`${label}: ${count(done)} of ${count(received)} records read, ${count(rate)}/s`)
    },
    clear: write(""),
    seconds: () => (performance.now() - began) / 1000,
  }
}

export const count = (number: number) => number.toLocaleString("en-US")
