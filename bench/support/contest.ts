import type { Shot } from "./client.ts"
import { cpuOf, cpuOfCluster } from "./cpu.ts"
import type { RunningServer, startClient } from "./servers.ts"

/** A server under its name in the tables. */
export interface Peer {
  readonly name: string
  readonly server: RunningServer
}

/** One line of a contest: a server and its requests. */
export interface Entry {
  readonly name: string
  readonly server: RunningServer
  readonly shots: ReadonlyArray<Shot>
  /** The part of the effort's requests that this line gets; 1 by default. Slow replies need fewer for the same time. */
  readonly share?: number
  /** In place of the effort's. */
  readonly warmUp?: number
}

/** The cost of one request in one round. CPU in microseconds, latency in milliseconds. */
export interface Sample {
  readonly perSecond: number
  readonly app: number
  readonly database: number
  /** App and database together. */
  readonly total: number
  readonly p50: number
  readonly p99: number
}

/** The cost of one request for one peer: medians over the rounds. */
export interface Figures extends Sample {
  readonly name: string
  readonly rounds: ReadonlyArray<Sample>
  /** The spread of the rounds' totals: (max - min) / median. */
  readonly spread: number
}

export interface Effort {
  readonly rounds: number
  readonly requests: number
  /** Unmeasured requests before the first round. They warm up pools, cached plans and V8, which compiles during the first thousands. */
  readonly warmUp: number
  readonly concurrency: number
}

/** Runs rounds of A B C, A B C, …, so that a disturbance of the machine affects all of them. */
export const contest = async (
  client: ReturnType<typeof startClient>,
  postmaster: number,
  entries: ReadonlyArray<Entry>,
  { rounds, requests, warmUp, concurrency }: Effort,
): Promise<ReadonlyMap<string, Figures>> => {
  const samples = new Map<string, Array<Sample>>(entries.map(({ name }) => [name, []] as const))
  for (let round = 0; round <= rounds; round++) {
    for (const { name, server, shots, share = 1, ...entry } of entries) {
      const count = round === 0 ? (entry.warmUp ?? warmUp) : Math.ceil(requests * share)
      const before = { app: cpuOf(server.pid), database: cpuOfCluster(postmaster) }
      const { seconds, p50, p99 } = await client
        .fire({ port: server.port, shots, requests: count, concurrency })
        .catch((error: unknown) => {
          throw new Error(`${name}: ${String(error)}`)
        })
      if (round === 0) continue
      const app = (cpuOf(server.pid) - before.app) / count
      const database = (cpuOfCluster(postmaster) - before.database) / count
      samples.get(name)!.push({ perSecond: count / seconds, app, database, total: app + database, p50, p99 })
    }
  }
  return new Map(
    [...samples].map(([name, taken]) => {
      const of = (field: keyof (typeof taken)[number]) => median(taken.map((sample) => sample[field]))
      const totals = taken.map(({ total }) => total)
      return [
        name,
        {
          name,
          rounds: taken,
          perSecond: of("perSecond"),
          app: of("app"),
          database: of("database"),
          total: of("total"),
          p50: of("p50"),
          p99: of("p99"),
          spread: (Math.max(...totals) - Math.min(...totals)) / median(totals),
        },
      ]
    }),
  )
}

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
