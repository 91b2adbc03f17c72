import { execFileSync } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { Client } from "pg"
import { CITUS_PROGRAM } from "../test/support/citusCluster.ts"
import { freePort } from "../test/support/postgres.ts"
import { OURS_NODE, PROGRAMS } from "./programs.ts"
import { median } from "./support/contest.ts"
import { cpuOf, cpuOfCluster } from "./support/cpu.ts"
import { heading, judge, summary, table } from "./support/report.ts"
import { startProgram } from "./support/servers.ts"

const OPERATOR_KEY = "operator-key-of-the-bench-with-32-characters"

interface Side {
  readonly name: string
  readonly origin: string
  readonly keys: ReadonlyArray<string>
  readonly orgs: ReadonlyArray<string>
  readonly url: string
  /** CPU microseconds of the service, and of its database's servers. */
  readonly cpu: () => { readonly app: number; readonly database: number }
}

const IMPORT = "import of 500 deals, and their rendering for search"

/** Limits of the ratios: total CPU on Citus over that on one server. */
const BOUNDS: Readonly<Record<string, number>> = {
  "list of 50": 1.6,
  "feed, a page of 100": 1.3,
  [IMPORT]: 1.3,
  "export, all deals": 1.3,
}

/** One server against a coordinator and two workers, on this machine. `--organizations n`, `--deals n` each, `--only import`, `--quick`. */
export const main = async (args: ReadonlyArray<string>) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      organizations: { type: "string" },
      deals: { type: "string" },
      only: { type: "string", default: "" },
    },
  })
  if (CITUS_PROGRAM === undefined) return console.log("TEST_CITUS_PROGRAM names no program that starts Citus clusters")
  const program = CITUS_PROGRAM
  const organizations = Number(values.organizations ?? (values.quick ? 6 : 300))
  const deals = Number(values.deals ?? (values.quick ? 500 : 2000))
  const directory = mkdtempSync(join(tmpdir(), "sightline-bench-citus-"))
  chmodSync(directory, 0o755)
  console.log(
    `${cpus().length} x ${cpus()[0]?.model}; ${organizations} organizations with ${deals} deals each; all share the machine`,
  )
  const closing: Array<() => unknown> = [() => rmSync(directory, { recursive: true, force: true })]
  try {
    const sides: Array<Side> = []
    for (const name of ["one server", "Citus"]) {
      const side = await startSide(program, name, join(directory, name.replace(" ", "-")), closing)
      sides.push(await fill(side, organizations, deals))
    }
    await compare(sides, { rounds: values.quick ? 3 : 7, requests: values.quick ? 60 : 200, deals, only: values.only })
    await compareFloor(sides, values.quick ? 300 : 2000)
    summary()
  } finally {
    for (const close of closing.toReversed()) await close()
  }
}

/** Both have the same PostgreSQL. Without the extension, the coordinator of a cluster is a server like others. */
const startSide = async (program: string, name: string, directory: string, closing: Array<() => unknown>) => {
  const url = execFileSync(program, ["start", directory, String(await freePort())], { encoding: "utf8" }).trim()
  closing.push(() => execFileSync(program, ["stop", directory]))
  if (name !== "Citus") await query(url, "drop extension citus cascade")
  const { port } = new URL(url)
  const postmasters: Array<number> = []
  for (const each of [0, 1, 2]) {
    const node = url.replace(`:${port}/`, `:${Number(port) + each}/`)
    await query(node, "alter system set autovacuum = off")
    const [row] = await query<{ pid: number }>(
      node,
      "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid, pg_reload_conf()",
    )
    postmasters.push(row!.pid)
  }
  const environment = {
    SIGHTLINE_DATABASE_URL: url,
    SIGHTLINE_OPERATOR_KEY: OPERATOR_KEY,
    SIGHTLINE_SIGNING_SECRET: OPERATOR_KEY,
    SIGHTLINE_DATA_DIR: join(directory, "data"),
  }
  const server = await startProgram({ ...PROGRAMS[OURS_NODE]!, environment }, { path: "/health/ready" })
  closing.push(server.stop)
  await query(
    url,
    `update sightline.plans set requests_per_minute = 1e9, requests_per_key_minute = 1e9, requests_per_month = 1e9, exports_per_month = 1e9`,
  )
  const database = () => postmasters.reduce((sum, pid) => sum + cpuOfCluster(pid), 0)
  return {
    name,
    url,
    origin: `http://127.0.0.1:${server.port}`,
    cpu: () => ({ app: cpuOf(server.pid), database: database() }),
  }
}

const fill = async (
  side: Awaited<ReturnType<typeof startSide>>,
  organizations: number,
  deals: number,
): Promise<Side> => {
  const [keys, orgs]: [Array<string>, Array<string>] = [[], []]
  for (let n = 0; n < organizations; n++) {
    const { id } = await send(side.origin, OPERATOR_KEY, "/operator/organizations", {
      name: "Bench",
      plan: "enterprise",
    })
    const made = await send(side.origin, OPERATOR_KEY, `/operator/organizations/${id}/keys`, {
      role: "admin",
      name: "bench",
    })
    await send(side.origin, made.key, "/api/v1/import", lines(deals))
    keys.push(made.key)
    orgs.push(id)
  }
  await rendered(side.url)
  await query(side.url, "vacuum (analyze)")
  return { ...side, keys, orgs }
}

/** Waits until no deal is left to render for search. The session costs Citus little: it keeps one connection to each worker. */
const rendered = async (url: string) => {
  const client = new Client({ connectionString: url, options: "-c citus.max_adaptive_executor_pool_size=1" })
  await client.connect()
  for (const began = performance.now(); ;) {
    const { rows } = await client.query("select from sightline.stale_deal_records limit 1")
    if (rows.length === 0) break
    if (performance.now() - began > MAX_RENDERING_MS) throw new Error("deals are not rendered for search")
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
  await client.end()
}

const MAX_RENDERING_MS = 600_000

interface Extent {
  readonly rounds: number
  readonly requests: number
  readonly deals: number
  /** The beginning of the scenarios' names. */
  readonly only: string
}

const compare = async (sides: ReadonlyArray<Side>, { rounds, requests, deals, only }: Extent) => {
  let imported = 0
  const get = (path: string) => (side: Side, key: string) => send(side.origin, key, `/api/v1${path}`)
  const scenarios: Record<string, readonly [requests: number, act: (side: Side, key: string) => Promise<unknown>]> = {
    "list of 50": [requests, get("/deals?page_size=50")],
    "filter, a page of 50": [requests, get(`/deals?page_size=50&status=${encodeURIComponent('["Won"]')}`)],
    count: [requests, get("/deals?count=true")],
    "one deal": [requests, get("/deals/deal_7")],
    "feed, a page of 100": [requests, get("/changes?page_size=100")],
    search: [requests / 4, get("/deals?page_size=50&searchQuery=rollout")],
    [IMPORT]: [4, (side, key) => send(side.origin, key, "/api/v1/import", lines(500, ++imported * 1000 + deals))],
    "export, all deals": [
      4,
      async (side, key) => {
        const { export_id } = await send(side.origin, key, "/api/v1/deals/export", { columns: ["*"], filters: {} })
        for (let status = ""; status !== "completed";) {
          await new Promise((resolve) => setTimeout(resolve, 100))
          ;({ status } = await send(side.origin, key, `/api/v1/deals/export/${export_id}`))
        }
      },
    ],
  }
  heading("CPU milliseconds of a request: the service and all PostgreSQL servers")
  const rows: Array<ReadonlyArray<string>> = []
  for (const [what, [times, act]] of Object.entries(scenarios)) {
    if (!what.startsWith(only)) continue
    const used = sides.map((): Array<{ app: number; database: number }> => [])
    for (let round = 0; round <= rounds; round++) {
      for (const [at, side] of sides.entries()) {
        const before = side.cpu()
        for (let n = 0; n < times; n++) await act(side, side.keys[(round * times + n) % side.keys.length]!)
        // Otherwise it would count for the side that takes longer, and for the next request.
        if (what === IMPORT) await rendered(side.url)
        const after = side.cpu()
        // The first round fills caches.
        if (round > 0)
          used[at]!.push({
            app: (after.app - before.app) / times / 1000,
            database: (after.database - before.database) / times / 1000,
          })
      }
    }
    const of = (at: number, part: "app" | "database") => median(used[at]!.map((each) => each[part]))
    const [one, many] = [0, 1].map((at) => of(at, "app") + of(at, "database")) as [number, number]
    const parts = sides.map((_, at) => `${of(at, "app").toFixed(2)} + ${of(at, "database").toFixed(2)}`)
    rows.push([what, ...parts, (many / one).toFixed(2)])
    if (BOUNDS[what] !== undefined) judge(`Citus / one server: ${what}`, many / one, BOUNDS[what]!, "")
  }
  table(["request", "one server", "Citus", "total / total"], rows)
}

/** The floor of any program that asks the coordinator: reads one row by its key, in the transaction that sets the organization. */
const compareFloor = async (sides: ReadonlyArray<Side>, times: number) => {
  heading("The floor: one row by its primary key, without the service; PostgreSQL's CPU")
  const rows: Array<ReadonlyArray<string>> = []
  for (const scoped of [false, true]) {
    const used: Array<number> = []
    for (const side of sides) {
      const client = new Client({
        connectionString: side.url,
        options: "-c search_path=sightline,public -c citus.propagate_set_commands=local",
      })
      await client.connect()
      const ask = async (org: string) => {
        if (scoped) await client.query(`begin; set local sightline.organization = '${org}'`)
        await client.query({
          name: "one",
          text: "select name from deals where org_id = $1 and id = 'deal_7'",
          values: [org],
        })
        if (scoped) await client.query("commit")
      }
      for (let n = 0; n < 50; n++) await ask(side.orgs[n % side.orgs.length]!)
      const before = side.cpu().database
      for (let n = 0; n < times; n++) await ask(side.orgs[n % side.orgs.length]!)
      used.push((side.cpu().database - before) / times / 1000)
      await client.end()
    }
    rows.push([
      scoped ? "begin, set local, select, commit" : "select alone",
      ...used.map((each) => each.toFixed(3)),
      (used[1]! / used[0]!).toFixed(2),
    ])
  }
  table(["statements", "one server ms", "Citus ms", "ratio"], rows)
}

const WORDS = ["platform", "rollout", "renewal", "pricing", "security", "pilot", "migration", "support"]

/** Deals as JSON Lines. */
const lines = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => {
    const i = n + from
    return JSON.stringify({
      type: "deal",
      id: `deal_${i}`,
      name: `Client ${i % 200} ${WORDS[i % 8]} ${WORDS[(i * 3) % 7]}`,
      amount: (i * 977) % 400_000,
      status: ["Discovery", "Proposal", "Won", "Lost"][i % 4],
      owner: `Owner ${i % 40}`,
      region: ["EMEA", "AMER", "APAC"][i % 3],
      created_at: new Date(Date.UTC(2025, 0, 1) + i * 540_000).toISOString(),
      competitors: [{ competitor: `Rival ${i % 30}`, is_primary: true }],
    })
  }).join("\n")

const send = async (origin: string, key: string, path: string, body?: object | string): Promise<any> => {
  const reply = await fetch(`${origin}${path}`, {
    ...(body !== undefined && { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) }),
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && {
        "content-type": typeof body === "string" ? "application/x-ndjson" : "application/json",
      }),
    },
  })
  const json = JSON.parse(await reply.text())
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${JSON.stringify(json)}`)
  if (json.failed > 0) throw new Error(JSON.stringify(json.errors.slice(0, 3)))
  return json
}

const query = async <Row extends object>(url: string, statement: string) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}
