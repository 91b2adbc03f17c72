import { OURS_NODE } from "../programs.ts"
import { type Bench, headersOf, LIST, race, ratio, shot } from "../support/bench.ts"
import type { Shot } from "../support/client.ts"
import { figures, heading, judge } from "../support/report.ts"

/** Fails unless page 1,000 exists and is full. */
const PAGE = 1000

/** Compares page 1,000, by its cursor, with the first page. */
export const paging = async (bench: Bench) => {
  const peer = bench.peers.get(OURS_NODE)
  if (peer === undefined) return
  const size = Math.min(100, Math.floor(bench.database.deals / bench.database.keys.length / (PAGE + 10)))
  if (size < 1) return
  heading(`Page 1,000 of ${size} by cursor, and page 0`)
  const first: Array<Shot> = []
  const far: Array<Shot> = []
  for (const key of bench.database.keys) {
    const path = `${LIST}?page_size=${size}`
    first.push(shot(path, key))
    const response = await fetch(`http://127.0.0.1:${peer.server.port}${path}&page_index=${PAGE - 2}`, {
      headers: headersOf(key),
    })
    const link = /<([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1]
    if (link === undefined) throw new Error(`no Link header on page ${PAGE - 2}: ${await response.text()}`)
    await response.arrayBuffer()
    const { pathname, search } = new URL(link, "http://localhost")
    far.push(shot(pathname + search, key))
  }
  const results = await race(bench, [
    { name: "page 0", server: peer.server, shots: first },
    { name: "page 1,000", server: peer.server, shots: far },
  ])
  figures(results.values())
  console.log()
  judge("page 1,000 by cursor / page 0: total CPU", ratio(results, "page 1,000", "page 0"), 1.2)
}
