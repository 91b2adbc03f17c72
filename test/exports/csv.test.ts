import { spawnSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import Papa from "papaparse"
import { FORMULA } from "../../src/core/common/formula.ts"
import { type CellKind, type CsvColumn, CsvEncoder, type Framing } from "../../src/core/exports/csv.ts"
import { makeRandom, type Random } from "../support/random.ts"
import { needs } from "../support/needs.ts"

type Cell = string | Date | null

/** Encodes rows as PostgreSQL sends them. */
const framed = (rows: ReadonlyArray<ReadonlyArray<Cell>>, framing: Framing) => {
  const parts: Array<Buffer> = []
  const int = (size: 2 | 4, value: number) => {
    const bytes = Buffer.alloc(size)
    if (size === 2) bytes.writeInt16BE(value)
    else bytes.writeInt32BE(value)
    parts.push(bytes)
  }
  if (framing === "copy") parts.push(Buffer.from("PGCOPY\n\u00ff\r\n\0", "latin1"), Buffer.alloc(8))
  for (const row of rows) {
    int(framing === "copy" ? 2 : 4, row.length)
    for (const cell of row) {
      if (framing === "records") int(4, 25)
      const sent = cell instanceof Date ? microseconds(cell) : cell === null ? null : Buffer.from(cell)
      int(4, sent?.length ?? -1)
      if (sent !== null) parts.push(sent)
    }
  }
  if (framing === "copy") int(2, -1)
  return Buffer.concat(parts)
}

/** Microseconds past the millisecond, which the CSV omits. */
const microseconds = (date: Date) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE((BigInt(date.getTime()) - BigInt(Date.UTC(2000, 0, 1))) * 1000n + BigInt(date.getTime() & 511))
  return bytes
}

const written = (
  columns: ReadonlyArray<CsvColumn>,
  rows: ReadonlyArray<ReadonlyArray<Cell>>,
  { framing = "copy", safe = true, random }: { framing?: Framing; safe?: boolean; random?: Random } = {},
) => {
  const encoder = new CsvEncoder(columns, framing, safe)
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

const columnsOf = (...kinds: ReadonlyArray<CellKind>): ReadonlyArray<CsvColumn> =>
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
      for (const safe of [true, false]) {
        const expected = `${Papa.unparse(
          { fields: columns.map(({ selector }) => selector), data: cells.map((row) => row.map(({ value }) => value)) },
          { newline: "\r\n", escapeFormulae: safe ? FORMULA : false },
        )}\r\n`
        for (const framing of ["copy", "records"] as const) {
          const rows = cells.map((row) => row.map(({ sent }) => sent))
          const bytes = written(columns, rows, { framing, safe, random })
          assert.strictEqual(bytes.toString(), expected, `seed ${seed}, ${framing}`)
        }
      }
    }
  })

  it("escapes every formula that papaparse escapes and those that it misses, but no number", () => {
    const own = (value: string) => Papa.unparse([[value]], { escapeFormulae: true }) !== Papa.unparse([[value]])
    for (const value of PIECES) if (own(value)) assert.match(value, FORMULA, JSON.stringify(value))
    for (const missed of ["\n=1", " =1", "\uff1d1", "\u00a0=1", "=1\n+2", "\u0001=1"]) {
      assert.strictEqual(
        written(columnsOf("text"), [[missed]])
          .toString()
          .slice(8, 10),
        `"'`,
        JSON.stringify(missed),
      )
    }
    for (const harmless of ["a=1", "1-2", "x@y", "'=1", "#", "(1)", "🟰"]) assert.notMatch(harmless, FORMULA)
    assert.strictEqual(written(columnsOf("number", "json"), [["-5", "-6"]]).toString(), "number_0,json_1\r\n-5,-6\r\n")
    assert.strictEqual(written(columnsOf("text"), [["-5"]], { safe: false }).toString(), "text_0\r\n-5\r\n")
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
    const csv = written(columnsOf("text", "text"), rows, { safe: false })
    const read = spawnSync("python3", ["-c", script], { input: csv, maxBuffer: 1e8 })
    assert.deepStrictEqual(JSON.parse(read.stdout.toString()), [["text_0", "text_1"], ...rows])
  })
})
