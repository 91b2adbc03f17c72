import { cpus } from "node:os"
import * as Effect from "effect/Effect"
import { makeSecret } from "../src/core/access/secret.ts"
import { OURS_BUN, OURS_DENO, OURS_NODE, PROGRAMS } from "./programs.ts"
import { type Bench, LIST, race, shot, start } from "./support/bench.ts"
import type { Shot } from "./support/client.ts"
import type { Figures, Peer } from "./support/contest.ts"
import { makeDatabase, startServer } from "./support/database.ts"
import { figures, heading, judge, summary } from "./support/report.ts"
import { startClient } from "./support/servers.ts"

const DEALS = 1000
const MAX_RATIO = 10
const PATHS = ["/docs", "/openapi.json"]

const page = (path: string, status: number, headers = ""): Shot => ({
  request: `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept-encoding: br, gzip\r\n${headers}\r\n`,
  status,
})

/** Compares the pages that need no key with a request that gets a 401. `--quick`: one round. */
export const main = async (args: ReadonlyArray<string>) => {
  console.log(`${cpus().length} x ${cpus()[0]?.model}, ${process.platform}; PostgreSQL, servers and client share them`)
  const quick = args.includes("--quick")
  const postgres = await startServer()
  const client = startClient()
  const peers = new Map<string, Peer>()
  try {
    const database = await makeDatabase(postgres, DEALS)
    for (const name of [OURS_NODE, OURS_BUN, OURS_DENO]) {
      peers.set(name, { name, server: await start(database, PROGRAMS[name]!) })
    }
    const effort = { rounds: quick ? 1 : 3, requests: 1000, warmUp: 2000, concurrency: 8 }
    const bench: Bench = { client, database, effort, quick, peers }
    const measure = async (title: string, shotOf: (peer: Peer) => Promise<Shot>) => {
      heading(title)
      const entries = await Promise.all(
        [...peers.values()].map(async (peer) => ({ ...peer, shots: [await shotOf(peer)] })),
      )
      const results = await race(bench, entries)
      figures(results.values())
      console.log()
      return results
    }
    const key = await Effect.runPromise(makeSecret("live"))
    const refused = await measure("401, a well-formed key that nobody has", async () =>
      shot(LIST, { org: "-", key }, 401),
    )
    const against = (title: string, results: ReadonlyMap<string, Figures>) => {
      for (const [name, { app }] of results)
        judge(`${title}, ${name}: app CPU / a 401's`, app / refused.get(name)!.app, MAX_RATIO)
    }
    for (const path of PATHS) {
      against(path, await measure(`GET ${path}, compressed`, async () => page(path, 200)))
      const again = async ({ server }: Peer) => {
        const response = await fetch(`http://127.0.0.1:${server.port}${path}`)
        await response.arrayBuffer()
        return page(path, 304, `if-none-match: ${response.headers.get("etag")}\r\n`)
      }
      against(`${path} again`, await measure(`GET ${path} with its ETag: 304`, again))
    }
    summary()
  } finally {
    for (const peer of peers.values()) await peer.server.stop()
    await client.stop()
    await postgres.stop()
  }
}
