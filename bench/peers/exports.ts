import { createHash } from "node:crypto"
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { finished } from "node:stream/promises"
import { stringify } from "csv-stringify"
import Papa from "papaparse"
import postgres from "postgres"
import { METRICS } from "../../src/core/deals/metrics.ts"
import { databaseUrl, SETTINGS, statementFor } from "./deals.ts"

/** An export as one would write it by hand: a cursor, a library that writes CSV, a file. */

const words = (text: string) => text.split(" ")

/** 25 columns each. `default`: the default columns of a list and the stage's name, two of them JSON; `plain`: text and numbers. */
export const COLUMN_SETS: Readonly<Record<string, ReadonlyArray<string>>> = {
  default: [
    ...words("id name amount status_id previous_status_id close_date created_at owner_id crm_one_id crm_two_id"),
    ...words("deal_analyzed analysis_verified type region deal_competitor_associations drivers"),
    ...METRICS.map((metric) => `wl_${metric}_score`),
    "deal_status",
  ],
  plain: [
    ...words("id name amount status_id previous_status_id close_date created_at updated_at owner_id owner_name"),
    ...words("deal_status client_name crm_one_id crm_two_id type region deal_analyzed analysis_verified"),
    ...METRICS.slice(0, 4).map((metric) => `wl_${metric}_score`),
    ...METRICS.slice(0, 3).map((metric) => `wl_${metric}_explanation`),
  ],
}

const JOINED: Readonly<Record<string, string>> = {
  owner_name: "o.name",
  deal_status: "s.name",
  client_name: "c.name",
}

/** One statement that joins the names, as a careful person writes it. */
export const exportStatement = (set: string): string => {
  const { text } = statementFor("", new URLSearchParams({ columns: COLUMN_SETS[set]!.join(",") }))
  const aggregated = Object.fromEntries(
    [...text.matchAll(/(\(select coalesce\(json_agg[^]*?\)) as (\w+)(?=,| from deals d)/g)].map(([, sql, name]) => [
      name,
      sql,
    ]),
  )
  const cells = COLUMN_SETS[set]!.map((name) => `${JOINED[name] ?? aggregated[name] ?? `d.${name}`} as ${name}`)
  return `select ${cells.join(", ")} from deals d
    left join owners o on o.org_id = d.org_id and o.id = d.owner_id
    left join stages s on s.org_id = d.org_id and s.id = d.status_id
    left join clients c on c.org_id = d.org_id and c.id = d.client_id
    where d.org_id = 'org_bench_1' order by d.created_at desc, d.id collate "C" desc`.replaceAll(/\s+/g, " ")
}

export interface PeerExport {
  readonly milliseconds: number
  /** Microseconds. */
  readonly cpu: number
  readonly rows: number
  readonly baseMegabytes: number
  readonly peakMegabytes: number
  readonly sha256: string
}

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
