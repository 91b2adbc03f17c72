import { unzipSync, zipSync } from "fflate"
import { LIMITS } from "../../../src/ingest/document.ts"
import { readXlsx } from "../../../src/ingest/formats/office/readXlsx.ts"
import { assert } from "@effect/vitest"
import { codeOf } from "./codeOf.ts"
import { sheetOf, xlsx } from "./office.ts"

export const sheet = (rows: string) => xlsx([{ name: "S", xml: sheetOf(rows) }])

/** The same file without compression, so that the limit on ratio does not stop it before the tested limit. */
export const stored = (bytes: Uint8Array): Uint8Array => zipSync(unzipSync(bytes), { level: 0 })

export const refused = async (code: string, reading: Promise<unknown>) =>
  assert.strictEqual((await codeOf(reading)).code, code)

/** Runs a test with limits of a `part`-th, so that files of a `part`-th reach them. */
export const withLimits = async (part: number, test: () => Promise<void>) => {
  const { cells, characters } = LIMITS
  Object.assign(LIMITS, { cells: cells / part, characters: characters / part })
  try {
    await test()
  } finally {
    Object.assign(LIMITS, { cells, characters })
  }
}

/** Reads sheets that exceed the limits of cells and text, with a `part`-th of their size. */
export const stopsAtCells = async (part: number) => {
  const { cells } = LIMITS
  await refused("too-large", readXlsx(stored(sheet(`<row>${"<c/>".repeat(cells)}</row>`))))
  await refused("too-large", readXlsx(stored(sheet("<row/>".repeat(cells + 1)))))
  await refused(
    "too-large",
    readXlsx(stored(sheet("<row><c><v>1</v></c></row>".repeat(Math.min(cells / 2, 1_000_000) + 1)))),
  )
  await refused("unsafe", readXlsx(sheet("<row/>".repeat(10_000_000 / part))))
  const strings = `<sst><si><t>${"a lot of text ".repeat(40_000 / part)}</t></si></sst>`
  const use = '<c t="s"><v>0</v></c>'
  for (const rows of [`<row>${use}</row>`.repeat(1000), `<row>${use.repeat(1000)}</row>`]) {
    await refused("too-large", readXlsx(xlsx([{ name: "S", xml: sheetOf(rows) }], { strings })))
  }
}

/** A workbook with five rows of a cell in each number format: broken ones, endless ones and `many` others. */
export const brokenNumberFormats = (many: number) => {
  const codes = [
    "[".repeat(255),
    '"'.repeat(255),
    "0.0E+".repeat(51),
    "#,".repeat(127),
    "_*".repeat(127),
    "y".repeat(100_000),
    "[&gt;1]".repeat(60),
    ";".repeat(200),
    ...Array.from({ length: many }, (_, at) => `0.0"${at}"`),
  ]
  const formats = codes.map(
    (code, at) => `<numFmt numFmtId="${at + 200}" formatCode="${code.replaceAll('"', "&quot;")}"/>`,
  )
  const uses = codes.map((_, at) => `<xf numFmtId="${at + 200}"/>`)
  const styles = `<styleSheet><numFmts>${formats.join("")}</numFmts><cellXfs>${uses.join("")}</cellXfs></styleSheet>`
  const rows = ["1e300", "-1e300", "5e-324", "0.1", "46112"].map(
    (value) => `<row>${codes.map((_, at) => `<c s="${at}"><v>${value}</v></c>`).join("")}</row>`,
  )
  return stored(xlsx([{ name: "S", xml: sheetOf(rows.join("")) }], { styles }))
}
