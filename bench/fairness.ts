import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import { layerPglite } from "../src/adapters/database/pglite.ts"
import { ApiKeys } from "../src/core/keys/ApiKeys.ts"
import { renderStored } from "../src/core/deals/rows/stored.ts"
import * as Sightline from "../src/core/Sightline.ts"
import { asBackground } from "../src/core/storage/CurrentClass.ts"
import { Database } from "../src/core/storage/Database.ts"
import { BEFORE, connect, dropIndexes, run, startServer } from "./support/database.ts"
import { type Load, LOADS, startLoad } from "./support/loads.ts"
import { heading, judge, summary, table } from "./support/report.ts"
import { GENEROUS, seed } from "./support/seed.ts"
import { type Program, startProgram } from "./support/servers.ts"
import { CATALOGUE, ORG } from "./support/workspaces.ts"

const OTHER = "org_bench_2"
const OTHER_DEALS = 5_000

/** Gives the organization that lists its own deals: the first of the one that reports. */
const COPIES = ["deals", "deal_competitors", "deal_drivers"].map(
  (name) => `do $do$ declare names text; begin
    select string_agg(quote_ident(attname), ',' order by attnum) into names from pg_attribute
      where attrelid = '${name}'::regclass and attnum > 0 and not attisdropped and attgenerated = '';
    execute format($q$insert into ${name} (%s) select %s from ${name} where org_id = '${ORG}' and ${name === "deals" ? "id" : "deal_id"} in
      (select id from deals where org_id = '${ORG}' order by id limit ${OTHER_DEALS})$q$, names,
      replace(names, 'org_id', quote_literal('${OTHER}')));
  end $do$`,
)

const finish = Effect.gen(function* () {
  const { sql, transaction } = yield* Database
  const keys = yield* ApiKeys
  for (const org of [OTHER, ORG]) {
    const rows = yield* transaction(
      org,
      sql<{ id: string }>`select id from deals where org_id = ${org} order by id limit ${OTHER_DEALS}`,
    )
    const ids = rows.map(({ id }) => id)
    for (let from = 0; from < ids.length; from += 500)
      yield* transaction(org, renderStored(sql, org, ids.slice(from, from + 500)))
  }
  const keyOf = (org: string) => Effect.map(keys.create(org, { name: "bench", role: "admin" }), ({ key }) => key)
  return { heavy: yield* keyOf(ORG), light: yield* keyOf(OTHER) }
})

type Keys = Effect.Success<typeof finish>

const LIST = "/api/v1/deals?page_size=50"

interface Round {
  readonly quiet: ReadonlyArray<number>
  readonly loaded: ReadonlyArray<number>
  readonly done: number
  readonly refused: number
  readonly failed: number
  /** Lists a second of one organization alone, ten at once. */
  readonly alone: number
}

const askOf = (port: number) => async (path: string, key: string) => {
  const began = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${key}` } })
  await response.arrayBuffer()
  return { ms: performance.now() - began, status: response.status }
}

const measure = async (port: number, keys: Keys, seconds: number, load: Load): Promise<Round> => {
  const ask = askOf(port)
  const listFor = async (endMs: number) => {
    const taken: Array<number> = []
    while (performance.now() < endMs || taken.length < 3) {
      const { ms, status } = await ask(LIST, keys.light)
      if (status !== 200) throw new Error(`a list answered ${status}`)
      taken.push(ms)
    }
    return taken
  }
  const loading = await startLoad(load, port, keys.heavy)
  await listFor(0)
  const quiet = await listFor(performance.now() + (seconds * 1000) / 2)
  const aloneEnd = performance.now() + (seconds * 1000) / 2
  const lists = await Promise.all(Array.from({ length: 10 }, () => listFor(aloneEnd)))
  const counts = { done: 0, refused: 0, failed: 0 }
  const over = new AbortController()
  const busy = Array.from({ length: loading.inFlight }, async () => {
    while (!over.signal.aborted) {
      const { status, retryAfter } = await loading.next(over.signal).catch(() => ({ status: 0, retryAfter: 1 }))
      if (status === 200) counts.done++
      else if (status === 429) {
        counts.refused++
        await new Promise((resolve) => setTimeout(resolve, Math.min(retryAfter, 5) * 1000))
      } else if (status >= 400 && status < 500) throw new Error(`a request of ${load} answered ${status}`)
      else if (!over.signal.aborted) counts.failed++
    }
  })
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const loaded = await listFor(performance.now() + seconds * 1000)
  over.abort()
  await Promise.all(busy)
  return { quiet, loaded, ...counts, alone: (lists.flat().length / seconds) * 2 }
}

const at = (values: ReadonlyArray<number>, q: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * q) - 1] ?? NaN
const span = (values: ReadonlyArray<number>) => `${Math.min(...values).toFixed(0)}-${Math.max(...values).toFixed(0)}`

const MAIN = "src/adapters/cli/main.js"

/** Each program takes its turn in each round. */
const contest = async (
  title: string,
  environment: Readonly<Record<string, string>>,
  keys: Keys,
  options: {
    readonly seconds: number
    readonly rounds: number
    readonly other: string | undefined
    readonly boundMs: number
    readonly load: Load
  },
) => {
  const programs = new Map<string, Program>([["this", { runtime: "node", script: MAIN, args: ["serve"], environment }]])
  if (options.other !== undefined)
    programs.set("the other", { runtime: "node", args: [join(options.other, MAIN), "serve"], environment })
  const rounds = new Map([...programs.keys()].map((name) => [name, [] as Array<Round>]))
  for (let round = 0; round < options.rounds; round++) {
    for (const [name, program] of programs) {
      const server = await startProgram(program, { path: LIST, headers: { authorization: `Bearer ${keys.light}` } })
      try {
        rounds.get(name)!.push(await measure(server.port, keys, options.seconds, options.load))
      } finally {
        await server.stop()
      }
    }
  }
  heading(`${title}: beside ${options.load}`)
  table(
    [
      "checkout",
      "quiet p50 ms",
      "quiet p99",
      "loaded p50",
      "loaded p99",
      "p99 of rounds",
      `${options.load} done`,
      "429",
      "other",
      "lone lists/s",
      "of rounds",
    ],
    [...rounds].map(([name, all]) => {
      const quiet = all.flatMap((each) => each.quiet)
      const loaded = all.flatMap((each) => each.loaded)
      const sum = (of: "done" | "refused" | "failed") => String(all.reduce((total, each) => total + each[of], 0))
      const alone = all.map((each) => each.alone)
      return [
        name,
        ...[at(quiet, 0.5), at(quiet, 0.99), at(loaded, 0.5), at(loaded, 0.99)].map((ms) => ms.toFixed(0)),
        span(all.map((each) => at(each.loaded, 0.99))),
        sum("done"),
        sum("refused"),
        sum("failed"),
        (alone.reduce((total, each) => total + each, 0) / alone.length).toFixed(0),
        span(alone),
      ]
    }),
  )
  console.log()
  const own = rounds.get("this")!
  const bound = Math.max(
    options.boundMs,
    3 *
      at(
        own.flatMap((each) => each.quiet),
        0.99,
      ),
  )
  judge(
    `${title}: p99 of a list beside ${options.load}`,
    at(
      own.flatMap((each) => each.loaded),
      0.99,
    ),
    bound,
    "ms",
  )
}

/**
 * One organization keeps ten heavy reports in flight, ten pages of figures without a key, ten long questions of unknown words, or an
 * import of bad rows; another lists. `--postgres 200000 --pglite 30000`: deals; 0 leaves an engine out. `--loads reports,views`,
 * `--seconds 20`, `--rounds 2`. `--other <directory>`: another checkout, with `node_modules`, takes turns with this one.
 */
export const main = async (args: ReadonlyArray<string>) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      postgres: { type: "string" },
      pglite: { type: "string" },
      seconds: { type: "string", default: "20" },
      rounds: { type: "string", default: "2" },
      other: { type: "string" },
      loads: { type: "string", default: LOADS.join(",") },
    },
  })
  const loads = LOADS.filter((load) => values.loads.split(",").includes(load))
  const [postgres, pglite] = [
    values.postgres ?? (values.quick ? 20_000 : 200_000),
    values.pglite ?? (values.quick ? 3_000 : 30_000),
  ].map(Number)
  const options = { seconds: Number(values.seconds), rounds: Number(values.rounds), other: values.other }
  if (postgres! > 0) {
    const server = await startServer()
    try {
      const url = new URL(server.url)
      url.pathname = "/fairness"
      const maintenance = await connect(server.url)
      await maintenance.query("create database fairness")
      await maintenance.end()
      const keys = await run(url.href, async (services) => {
        const admin = await connect(url.href)
        for (const statement of BEFORE) await admin.query(statement)
        const indexes = await dropIndexes(admin)
        for (const statement of [...seed(postgres!, 1), ...CATALOGUE, ...COPIES, GENEROUS, ...indexes])
          await admin.query(statement)
        await admin.query("vacuum (analyze)")
        await admin.end()
        return services(finish)
      })
      const title = `PostgreSQL, ${postgres!.toLocaleString("en")} deals`
      for (const load of loads)
        await contest(title, { SIGHTLINE_DATABASE_URL: url.href }, keys, { ...options, boundMs: 300, load })
    } finally {
      await server.stop()
    }
  }
  if (pglite! > 0) {
    const directory = mkdtempSync(join(tmpdir(), "sightline-fairness-"))
    try {
      const data = join(directory, "postgres")
      const making = Effect.gen(function* () {
        const { sql, transaction } = yield* Database
        for (const statement of [...seed(pglite!, 1), ...CATALOGUE, ...COPIES, GENEROUS, "analyze"])
          yield* transaction(ORG, Effect.andThen(sql`set local role none`, sql`${sql.literal(statement)}`))
        return yield* finish
      }).pipe(asBackground)
      const keys = await Effect.runPromise(
        Effect.provide(making, Sightline.layer({ database: layerPglite({ directory: data }) })),
      )
      const title = `PGlite, ${pglite!.toLocaleString("en")} deals`
      for (const load of loads)
        await contest(title, { SIGHTLINE_DATA_DIR: directory }, keys, { ...options, boundMs: 2_500, load })
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }
  summary()
}
