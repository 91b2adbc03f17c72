import { spawnSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import Papa from "papaparse"
import { csvLine } from "../../src/core/common/csvLine.ts"
import { guard, unguard } from "../../src/core/common/formula.ts"
import { CsvEncoder } from "../../src/core/exports/csv.ts"
import type { CellKind, FileColumn, Framing } from "../../src/core/exports/frames.ts"
import type { CsvOptions } from "../../src/core/exports/options.ts"
import { makeRandom, type Random, seedOfRun } from "../support/random.ts"
import { needs } from "../support/needs.ts"
import { type Cell, framed } from "./framed.ts"

const written = (
  columns: ReadonlyArray<FileColumn>,
  rows: ReadonlyArray<ReadonlyArray<Cell>>,
  { framing = "copy", random, ...options }: { framing?: Framing; random?: Random } & CsvOptions = {},
) => {
  const encoder = new CsvEncoder(columns, framing, options)
  const bytes = framed(rows, framing)
  const parts: Array<Uint8Array> = []
  for (let from = 0; from < bytes.length;) {
    const size = random === undefined ? bytes.length : 1 + random.below(random.chance(0.5) ? 7 : 3000)
    parts.push(encoder.encode(bytes.subarray(from, from + size)).slice())
    from += size
  }
  parts.push(encoder.end())
  assert.strictEqual(encoder.rows, rows.length)
  return Buffer.concat(parts)
}

const columnsOf = (...kinds: ReadonlyArray<CellKind>): ReadonlyArray<FileColumn> =>
  kinds.map((kind, index) => ({ selector: `${kind}_${index}`, kind }))

const PIECES = [
  "=1+1",
  "+49 30",
  "-",
  "-5",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  "\n=1",
  " =1",
  "\u00a0=1",
  "\u3000-1",
  "\ufeff=1",
  "\uff1d1",
  "\uff0b",
  "\uff0d",
  "\uff20",
  "plain",
  "",
  " ",
  "  two ",
  "a,b",
  'say "hi"',
  '"',
  '""',
  "two\nlines",
  "two\r\nlines",
  "\r",
  "\\.",
  "\\N",
  "'",
  "'=1",
  ";",
  "\t",
  "ünïcode",
  "日本電気",
  "😀",
  "\ufeff",
  "e\u0301",
  "\u202e",
  "\u0001=2",
  "0",
  "1e+15",
  "2026-01-01",
  "true",
  "NULL",
  "x".repeat(3000),
  "a=1",
  "\u200b=1",
  "%0A-3+3+cmd|' /C calc'!D2",
]
const piece = (random: Random): string =>
  random.chance(0.7) ? random.pick(PIECES) : random.pick(PIECES) + random.pick(PIECES)

/** A cell as the database sends it, and the value that papaparse gets for it. */
const cell = (random: Random, kind: CellKind): { readonly sent: Cell; readonly value: unknown } => {
  if (random.chance(0.15)) return { sent: null, value: null }
  const value = piece(random)
  switch (kind) {
    case "text":
      return { sent: value, value }
    case "number": {
      const number = random.pick([0, -5, 100.5, -0.1, 9007199254740991, 1e21, 3])
      return { sent: String(number), value: number }
    }
    case "instant": {
      const [first, last] = [Date.parse("0001-01-01T00:00:00.000Z"), Date.parse("9999-12-31T23:59:59.999Z")]
      const date = new Date(first + Math.floor(random.next() * (last - first)))
      return { sent: date, value: date.toISOString() }
    }
    case "json":
      switch (random.below(4)) {
        case 0:
          return { sent: JSON.stringify(value), value }
        case 1:
          return { sent: "-12.5", value: -12.5 }
        case 2:
          return { sent: "null", value: null }
        default:
          return { sent: JSON.stringify({ a: value }), value: JSON.stringify({ a: value }) }
      }
    default: {
      const json = JSON.stringify(random.chance(0.5) ? [value, { name: value }] : value)
      return { sent: json, value: json }
    }
  }
}

describe("CSV", () => {
  it("is byte for byte what papaparse writes, for random cells in chunks of any size", () => {
    const kinds = ["text", "number", "instant", "json", "structured", "text"] as const
    for (let seed = 1; seed <= 300; seed++) {
      const random = makeRandom(seed)
      const columns = columnsOf(...random.some(kinds, 1, 5))
      const cells = Array.from({ length: 1 + random.below(30) }, () => columns.map(({ kind }) => cell(random, kind)))
      for (const options of [
        {},
        { csvSafe: false },
        { delimiter: ";", bom: true },
        { delimiter: "\t" },
      ] satisfies ReadonlyArray<CsvOptions>) {
        const { csvSafe = true, delimiter = ",", bom = false }: CsvOptions = options
        const guarded = (value: unknown) => (csvSafe && typeof value === "string" ? guard(value) : value)
        const unparsed = Papa.unparse(
          {
            fields: columns.map(({ selector }) => selector),
            data: cells.map((row) => row.map(({ value }) => guarded(value))),
          },
          {
            newline: "\r\n",
            delimiter,
            // papaparse quotes its own delimiter alone.
            quotes: (text) => typeof text === "string" && (/[,;\t]/.test(text) || (csvSafe && unguard(text) !== text)),
          },
        )
        const expected = `${bom ? "\uFEFF" : ""}${unparsed}\r\n`
        for (const framing of ["copy", "records"] as const) {
          const rows = cells.map((row) => row.map(({ sent }) => sent))
          const bytes = written(columns, rows, { framing, random, ...options })
          assert.strictEqual(bytes.toString(), expected, `seed ${seed}, ${framing}, ${JSON.stringify(options)}`)
        }
      }
    }
  })

  it("escapes every formula that papaparse escapes and those that it misses, but no number", () => {
    const own = (value: string) => Papa.unparse([[value]], { escapeFormulae: true }) !== Papa.unparse([[value]])
    for (const value of PIECES) if (own(value)) assert.strictEqual(guard(value), `'${value}`)
    for (const missed of ["\n=1", " =1", "\uff1d1", "\u00a0=1", "=1\n+2", "\u0001=1"]) {
      assert.strictEqual(
        written(columnsOf("text"), [[missed]])
          .toString()
          .slice(8, 10),
        `"'`,
        JSON.stringify(missed),
      )
    }
    for (const harmless of ["a=1", "1-2", "x@y", "'x=1", "#", "(1)", "🟰"])
      assert.strictEqual(guard(harmless), harmless)
    assert.strictEqual(written(columnsOf("number", "json"), [["-5", "-6"]]).toString(), "number_0,json_1\r\n-5,-6\r\n")
    assert.strictEqual(written(columnsOf("text"), [["-5"]], { csvSafe: false }).toString(), "text_0\r\n-5\r\n")
  })

  it("guards text in a way that one removal of an apostrophe reverses, for every text", () => {
    const random = makeRandom(seedOfRun("guard"))
    const texts = Array.from({ length: 20_000 }, () => "'".repeat(random.below(3)) + piece(random) + piece(random))
    for (const text of ["'=1", "''=1", "'\t", "'", "''", "'x", ...PIECES, ...texts]) {
      assert.strictEqual(unguard(guard(text)), text)
    }
    assert.deepStrictEqual([guard("'=1"), guard("=1"), unguard("'=1"), unguard("'x")], ["''=1", "'=1", "=1", "'x"])
  })

  it("writes a decimal comma in numbers alone", () => {
    const columns = columnsOf("number", "json", "json", "text", "structured")
    const row = ["-1234.5", "0.25", '"1.5"', "1.5", '{"a":1.5}']
    const csv = written(columns, [row], { delimiter: ";", decimal: "," }).toString()
    assert.strictEqual(csv.split("\r\n")[1], '-1234,5;0,25;1.5;1.5;"{""a"":1.5}"')
  })

  it("quotes semicolons and tabs whatever the delimiter, because spreadsheets of many countries split there", () => {
    const texts = ["x;=1+1;", "Acme\t=1+1", "a,=1", "plain"]
    const quoted = ['"x;=1+1;"', '"Acme\t=1+1"', '"a,=1"', "plain"]
    for (const delimiter of [",", ";", "\t"] as const) {
      const csv = written(columnsOf("text", "text", "text", "text"), [texts], { delimiter, csvSafe: false })
      assert.strictEqual(csv.toString().split("\r\n")[1], quoted.join(delimiter))
    }
    assert.strictEqual(csvLine(texts), `${quoted.join(",")}\r\n`)
  })

  it("writes longer cells than Excel shows whole, and counts them once however the rows arrive", () => {
    const long = "ü".repeat(40_000)
    const rows = Array.from({ length: 7 }, (_, index) => [
      index % 2 === 0 ? long : "ü".repeat(32_767),
      JSON.stringify(long),
    ])
    const random = makeRandom(3)
    const encoder = new CsvEncoder(columnsOf("text", "json"), "copy")
    const bytes = framed(rows, "copy")
    let characters = 0
    for (let from = 0; from < bytes.length;) {
      const size = 1 + random.below(50_000)
      characters += Buffer.from(encoder.encode(bytes.subarray(from, from + size))).toString("latin1").length
      from += size
    }
    characters += encoder.end().length
    assert.isAbove(characters, 2 * 40_000 * 11)
    const [warning, ...others] = encoder.longCells.warnings("csv", encoder.rows)
    assert.deepStrictEqual(others, [])
    assert.deepInclude(warning, { code: "cell_too_long_for_excel", count: 11 })
    assert.deepStrictEqual(warning?.examples.slice(0, 3), [
      { row: 2, column: "text_0", characters: 40_000 },
      { row: 2, column: "json_1", characters: 40_000 },
      { row: 3, column: "json_1", characters: 40_000 },
    ])
    assert.strictEqual(warning?.examples.length, 5)
  })

  it("quotes a header that needs it", () => {
    const columns = [{ selector: 'crm_it\'s "quoted", ok', kind: "text" as const }]
    assert.strictEqual(written(columns, []).toString(), '"crm_it\'s ""quoted"", ok"\r\n')
  })

  const python = spawnSync("python3", ["-c", "import csv"]).status === 0
  it("reads back in Python's csv module", needs("python3", python), () => {
    const random = makeRandom(7)
    const rows = Array.from({ length: 400 }, () => [piece(random), piece(random)])
    const script = `import csv, io, json, sys
print(json.dumps(list(csv.reader(io.TextIOWrapper(sys.stdin.buffer, "utf-8", newline=""), strict=True))))`
    const csv = written(columnsOf("text", "text"), rows, { csvSafe: false })
    const read = spawnSync("python3", ["-c", script], { input: csv, maxBuffer: 1e8 })
    assert.deepStrictEqual(JSON.parse(read.stdout.toString()), [["text_0", "text_1"], ...rows])
  })
})
