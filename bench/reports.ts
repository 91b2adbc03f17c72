import { cpus } from "node:os"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { layerPglite } from "../src/adapters/database/pglite.ts"
import { layerPostgres } from "../src/adapters/database/postgres.ts"
import { BaseUrl } from "../src/core/http/addresses/BaseUrl.ts"
import { layerReports } from "../src/core/reports/layerReports.ts"
import { Reports } from "../src/core/reports/Reports.ts"
import { Database } from "../src/core/storage/Database.ts"
import { OURS_NODE, PROGRAMS } from "./programs.ts"
import { median } from "./support/contest.ts"
import { cpuOf, cpuOfCluster, ownCpu } from "./support/cpu.ts"
import { connect, startServer } from "./support/database.ts"
import { type Compared, NAMED, randomQueries } from "./support/reportQueries.ts"
import { heading, judge, summary, table } from "./support/report.ts"
import { startProgram } from "./support/servers.ts"
import { CATALOGUE, makeWorkspaceDatabase, ORG } from "./support/workspaces.ts"
import { seed } from "./support/seed.ts"

/** CPU of a report over that of the same SQL by hand, without row-level security. */
const MAX_OVER_HAND = 1.15
/** CPU milliseconds of a report over HTTP whose workspace has not changed since the last time. */
const MAX_REPEATED_MS = 2
const REPEATED = 300

interface Line extends Compared {
  /** CPU milliseconds of one run, of the database and of this process. */
  readonly ours: number
  readonly groupsByHand: number
  readonly byHand: number
}

/** Runs both sides in turns, and so often that kernel ticks of 10 ms do not matter. */
const measure = async (
  queries: ReadonlyArray<Compared>,
  rounds: number,
  cpuMs: () => number,
  run: { readonly ours: (query: Compared) => Promise<unknown>; readonly hand: (sql: string) => Promise<unknown> },
): Promise<ReadonlyArray<Line>> => {
  const lines: Array<Line> = []
  for (const query of queries) {
    const spent = { ours: 0, groups: 0, totals: 0 }
    const timed = async (side: keyof typeof spent, work: () => Promise<unknown>) => {
      const before = cpuMs()
      await work()
      spent[side] += cpuMs() - before
    }
    await run.ours(query)
    await run.hand(query.groups)
    for (let round = 0; round < rounds; round++) {
      await timed("ours", () => run.ours(query))
      await timed("groups", () => run.hand(query.groups))
      await timed("totals", () => run.hand(query.totals))
    }
    const { ours, groups, totals } = spent
    lines.push({ ...query, ours: ours / rounds, groupsByHand: groups / rounds, byHand: (groups + totals) / rounds })
  }
  return lines
}

const layerOurs = layerReports.pipe(
  Layer.provide(
    Layer.succeed(BaseUrl, {
      get: Effect.succeed("http://host"),
      forCaller: Effect.succeed("http://host"),
      known: Effect.succeed("http://host"),
      listensAt: () => {},
    }),
  ),
)

/** Each run has a service of its own, whose cache is empty. */
const runOurs = (query: Compared) =>
  Effect.provide(
    Effect.flatMap(Reports, (reports) => reports.run(ORG, query.query)),
    Layer.fresh(layerOurs),
  )

const onPostgres = async (
  server: Awaited<ReturnType<typeof startServer>>,
  deals: number,
  rounds: number,
  n: number,
) => {
  const { url, key } = await makeWorkspaceDatabase(server, deals)
  const admin = await connect(url)
  await admin.query("set plan_cache_mode = force_custom_plan; set jit = off")
  const cpuMs = () => cpuOfCluster(server.postmaster) / 1000 + ownCpu() * 1000
  const database = Database.layer.pipe(Layer.provide(layerPostgres({ url: Redacted.make(url), connections: 1 })))
  const lines = await Effect.runPromise(
    Effect.provide(
      Effect.flatMap(Effect.context<Database>(), (context) =>
        Effect.promise(() =>
          measure([...NAMED, ...randomQueries(4, n)], rounds, cpuMs, {
            ours: (query) => Effect.runPromise(Effect.provideContext(runOurs(query), context)),
            hand: (sql) => admin.query(sql),
          }),
        ),
      ),
      database,
    ),
  )
  const repeated = await measureRepeated(server.postmaster, url, key, admin)
  await admin.end()
  return { deals, lines, repeated }
}

/** CPU milliseconds of the server and PostgreSQL for a request that repeats the one before, with a reply of 100 rows. */
const measureRepeated = async (
  postmaster: number,
  url: string,
  key: string,
  admin: Awaited<ReturnType<typeof connect>>,
) => {
  await admin.query(`insert into change_feeds (org_id, last) values ('${ORG}', 1) on conflict do nothing`)
  const headers = { authorization: `Bearer ${key}`, "accept-encoding": "identity" }
  const path = "/api/v1/deals/report?measures=win_rate&group_by=competitor,close_date.quarter"
  const server = await startProgram(
    { ...PROGRAMS[OURS_NODE]!, environment: { SIGHTLINE_DATABASE_URL: url } },
    { path, headers },
  )
  try {
    const ask = async (count: number) => {
      for (let n = 0; n < count; n++) {
        const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers })
        const text = await response.text()
        if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`)
      }
    }
    const cpuMs = () => (cpuOfCluster(postmaster) + cpuOf(server.pid)) / 1000
    await ask(REPEATED)
    const taken: Array<number> = []
    for (let round = 0; round < 5; round++) {
      const before = cpuMs()
      await ask(REPEATED)
      taken.push((cpuMs() - before) / REPEATED)
    }
    return median(taken)
  } finally {
    await server.stop()
  }
}

const onPglite = (deals: number, rounds: number, n: number) =>
  Effect.runPromise(
    Effect.provide(
      Effect.gen(function* () {
        const database = yield* Database
        const { sql, transaction } = database
        const asOwner = (text: string) =>
          transaction(ORG, Effect.andThen(sql`set local role none`, sql`${sql.literal(text)}`))
        for (const statement of [...seed(deals, 1), ...CATALOGUE, "analyze"]) yield* asOwner(statement)
        const context = yield* Effect.context<Database>()
        return yield* Effect.promise(() =>
          measure([...NAMED, ...randomQueries(4, n)], rounds, () => ownCpu() * 1000, {
            ours: (query) => Effect.runPromise(Effect.provideContext(runOurs(query), context)),
            hand: (text) => Effect.runPromise(asOwner(text)),
          }),
        )
      }),
      Database.layer.pipe(Layer.provide(layerPglite({}))),
    ),
  )

const print = (title: string, lines: ReadonlyArray<Line>) => {
  heading(title)
  table(
    ["report", "CPU ms", "by hand: groups ms", "groups and totals ms", "ratio"],
    lines.map(({ name, ours, groupsByHand, byHand }) => [
      name,
      ours.toFixed(1),
      groupsByHand.toFixed(1),
      byHand.toFixed(1),
      (ours / byHand).toFixed(2),
    ]),
  )
  console.log()
}

const sum = (lines: ReadonlyArray<Line>, of: "ours" | "byHand") => lines.reduce((all, line) => all + line[of], 0)

/**
 * Reports against the same SQL by hand: the four of the issue, and four at random (`--seed n`). `--rows 10000,100000` (so by default),
 * `--quick`: 10,000 deals. `--engine PostgreSQL,PGlite`: PGlite has 10,000.
 */
export const main = async (args: ReadonlyArray<string>) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      rows: { type: "string" },
      seed: { type: "string", default: "1" },
      engine: { type: "string", default: "PostgreSQL,PGlite" },
    },
  })
  const sizes = (values.rows ?? (values.quick ? "10000" : "10000,100000")).split(",").map(Number)
  const n = Number(values.seed)
  console.log(`${cpus().length} x ${cpus()[0]?.model}, ${process.platform}; PostgreSQL and the reports share them`)
  if (values.engine.includes("PostgreSQL")) {
    const server = await startServer()
    try {
      const measured: Array<Awaited<ReturnType<typeof onPostgres>>> = []
      for (const deals of sizes) {
        const rounds = Math.max(3, Math.round(300_000 / deals))
        const found = await onPostgres(server, deals, rounds, n)
        measured.push(found)
        const title = `PostgreSQL, ${deals.toLocaleString("en")} deals`
        print(title, found.lines)
        judge(`${title}: CPU / by hand, of all`, sum(found.lines, "ours") / sum(found.lines, "byHand"), MAX_OVER_HAND)
        judge(`${title}: a repeated report over HTTP`, found.repeated, MAX_REPEATED_MS, "ms")
      }
      const [few, many] = [measured[0]!, measured.at(-1)!]
      if (few !== many) {
        const growth = Math.log(sum(many.lines, "ours") / sum(few.lines, "ours"))
        judge("PostgreSQL: slope", growth / Math.log(many.deals / few.deals), 1)
      }
    } finally {
      await server.stop()
    }
  }
  if (values.engine.includes("PGlite")) print("PGlite, 10,000 deals", await onPglite(10_000, values.quick ? 3 : 10, n))
  summary()
}
