import { createHash } from "node:crypto"
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { finished } from "node:stream/promises"
import { stringify } from "csv-stringify"
import Papa from "papaparse"
import postgres from "postgres"
import { COLUMN_SETS, exportStatement, type PeerExport } from "../support/peerExport.ts"
import { databaseUrl, SETTINGS } from "./deals.ts"

/** An export as one would write it by hand: a cursor, a library that writes CSV, a file. */

const PAGE = 1000
const megabytes = () => process.memoryUsage().rss / 1024 / 1024

const write = async (library: string, set: string, path: string): Promise<PeerExport> => {
  // A date stays text in the file; the driver parses only its own types.
  const sql = postgres(databaseUrl, {
    max: 1,
    connection: SETTINGS,
    types: { date: { to: 1082, from: [1082], serialize: String, parse: String } },
  })
  await sql`select 1`
  const columns = COLUMN_SETS[set]!
  const hash = createHash("sha256")
  const file = createWriteStream(path)
  const baseMegabytes = megabytes()
  let peakMegabytes = baseMegabytes
  let rows = 0
  const began = performance.now()
  const before = process.cpuUsage()
  const out = async (text: string) => {
    hash.update(text)
    if (!file.write(text)) await once(file, "drain")
    peakMegabytes = Math.max(peakMegabytes, megabytes())
  }
  const cellsOf = (row: Record<string, unknown>) =>
    columns.map((name) => {
      const value = row[name]
      if (value instanceof Date) return value.toISOString()
      if (typeof value === "boolean") return String(value)
      return typeof value === "object" && value !== null ? JSON.stringify(value) : value
    })
  const cursor = sql.unsafe(exportStatement(set)).cursor(PAGE)
  if (library === "papaparse") {
    await out(`${Papa.unparse([[...columns]])}\r\n`)
    for await (const page of cursor) {
      rows += page.length
      await out(`${Papa.unparse(page.map(cellsOf), { newline: "\r\n", escapeFormulae: true })}\r\n`)
    }
  } else {
    const made = stringify({ record_delimiter: "windows", escape_formulas: true, columns: [...columns], header: true })
    const drained = (async () => {
      for await (const chunk of made) await out(String(chunk))
    })()
    for await (const page of cursor) {
      rows += page.length
      for (const row of page) if (!made.write(cellsOf(row))) await once(made, "drain")
    }
    made.end()
    await drained
  }
  file.end()
  await finished(file)
  const milliseconds = performance.now() - began
  const { user, system } = process.cpuUsage(before)
  await sql.end()
  return { milliseconds, cpu: user + system, rows, baseMegabytes, peakMegabytes, sha256: hash.digest("hex") }
}

if (import.meta.main) {
  const [library = "", set = "", path = ""] = process.argv.slice(2)
  console.log(JSON.stringify(await write(library, set, path)))
}
