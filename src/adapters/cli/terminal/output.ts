import * as Effect from "effect/Effect"

/** Prints the result on stdout, as JSON or as lines of text. */
export const print = (json: boolean, result: unknown, lines: ReadonlyArray<string>) =>
  Effect.sync(() => {
    console.log(json ? JSON.stringify(result) : lines.join("\n"))
  })

/** Formats rows under aligned headings. */
export const table = (headings: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>) => {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  return [headings, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  )
}
