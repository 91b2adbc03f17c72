import { createHash } from "node:crypto"
import type { Shot } from "./client.ts"
import { contest, type Effort, type Entry, type Figures, median, type Peer, type Sample } from "./contest.ts"
import type { BenchDatabase } from "./database.ts"
import { type Program, type startClient, startProgram } from "./servers.ts"

export const LIST = "/api/v1/deals"

/** What a scenario needs. */
export interface Bench {
  readonly client: ReturnType<typeof startClient>
  readonly database: BenchDatabase
  readonly effort: Effort
  readonly quick: boolean
  readonly peers: ReadonlyMap<string, Peer>
}

type Key = BenchDatabase["keys"][number]

export const headersOf = ({ org, key }: Key) => ({
  authorization: `Bearer ${key}`,
  "x-organization": org,
  accept: "application/json",
})

export const start = (database: BenchDatabase, program: Program) =>
  startProgram(
    {
      ...program,
      environment: {
        BENCH_DATABASE_URL: database.url,
        SIGHTLINE_DATABASE_URL: database.url,
        // All instances of a database share one; without it, a data directory has its own.
        SIGHTLINE_SIGNING_SECRET: "a secret that only the bench uses",
        ...program.environment,
      },
    },
    { path: `${LIST}?page_size=1`, headers: headersOf(database.keys[0]!) },
  )

export const peersOf = (bench: Bench, ...names: ReadonlyArray<string>): ReadonlyArray<Peer> =>
  names.flatMap((name) => bench.peers.get(name) ?? [])

/** The same request for every peer. */
export const shot = (path: string, key: Key, status = 200, bytes?: number): Shot => ({
  request: `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${Object.entries(headersOf(key))
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`,
  status,
  bytes,
})

/** Makes the request for each organization. Fails unless all these peers answer with the same bytes. */
export const shotsFor = async (
  database: BenchDatabase,
  peers: ReadonlyArray<Peer>,
  path: string,
): Promise<ReadonlyArray<Shot>> => {
  const shots: Array<Shot> = []
  for (const key of database.keys) {
    const bodies = new Map<string, string>()
    let bytes = 0
    for (const { name, server } of peers) {
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
        headers: { ...headersOf(key), "accept-encoding": "identity" },
      })
      const body = Buffer.from(await response.arrayBuffer())
      const beginning = `${name}: ${response.status} ${body.toString("utf8", 0, 1500)}`
      if (response.status !== 200) throw new Error(`${path}\n${beginning}`)
      bytes = body.length
      bodies.set(createHash("sha256").update(body).digest("hex"), beginning)
    }
    if (bodies.size !== 1) throw new Error(`bodies differ for ${path}\n${[...bodies.values()].join("\n")}`)
    shots.push(shot(path, key, 200, bytes))
  }
  return shots
}

export const race = (bench: Bench, entries: ReadonlyArray<Entry>, effort: Partial<Effort> = {}) =>
  contest(bench.client, bench.database.postmaster, entries, { ...bench.effort, ...effort })

/** `a` over `b`; undefined if either did not run. */
export const ratio = (
  results: ReadonlyMap<string, Figures>,
  a: string,
  b: string,
  field: keyof Sample = "total",
): number | undefined => {
  const [left, right] = [results.get(a), results.get(b)]
  return left === undefined || right === undefined ? undefined : left[field] / right[field]
}

/** The ratios of `a` to `b` round by round, which a change of the machine's speed between rounds does not touch; undefined if either did not run. */
export const ratiosByRound = (
  results: ReadonlyMap<string, Figures>,
  a: string,
  b: string,
  field: keyof Sample = "total",
) => {
  const [left, right] = [results.get(a), results.get(b)]
  if (left === undefined || right === undefined) return undefined
  const ratios = left.rounds.map((round, index) => round[field] / right.rounds[index]![field])
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) }
}
