import {
  BARE_BUN,
  BARE_DENO,
  BARE_FASTIFY,
  BARE_NODE,
  DUTY_FASTIFY,
  FLOOR,
  DUTY_NODE,
  EMPTY_DENO,
  OURS_BUN,
  OURS_DENO,
  OURS_NODE,
} from "../programs.ts"
import { type Bench, LIST, peersOf, race, ratio, shotsFor } from "../support/bench.ts"
import type { Peer, Sample } from "../support/contest.ts"
import { figures, heading, judge } from "../support/report.ts"

const compare = async (bench: Bench, title: string, peers: ReadonlyArray<Peer>, path: string, share = 1) => {
  heading(title)
  const shots = await shotsFor(bench.database, peers, path)
  console.log(`GET ${decodeURIComponent(path)}\nBodies equal by SHA-256 on every peer; ${shots[0]!.bytes} bytes.\n`)
  const results = await race(
    bench,
    peers.map((peer) => ({ ...peer, shots })),
    { requests: Math.ceil(bench.effort.requests * share), warmUp: Math.ceil(bench.effort.warmUp * share) },
  )
  figures(results.values())
  console.log()
  return results
}

/** Races every peer for a page of 50 with the default columns. */
export const defaultList = async (bench: Bench) => {
  const answering = [...bench.peers.values()].filter(({ name }) => name !== FLOOR && name !== EMPTY_DENO)
  const results = await compare(bench, "List of 50, default columns", answering, LIST)
  const of = (a: string, b: string, field?: keyof Sample) => ratio(results, a, b, field)
  judge("list: total CPU, Node / same-duty Fastify", of(OURS_NODE, DUTY_FASTIFY), 0.6)
  judge("list: total CPU, Node / bare node:http", of(OURS_NODE, BARE_NODE), 0.8)
  judge("list: total CPU, Bun / bare Hono on Bun", of(OURS_BUN, BARE_BUN), 0.8)
  judge("list: total CPU, Deno / bare Hono on Deno", of(OURS_DENO, BARE_DENO), 0.7)
  judge("list: p99, Node / same-duty Fastify", of(OURS_NODE, DUTY_FASTIFY, "p99"), 1.5)
}

const COLUMNS =
  "id,name,amount,deal_status,owner_name,client_name,close_date,created_at,competitors,wl_product_fit_score"
const STATUS = `status=${encodeURIComponent('["Negotiation","Won"]')}`
const AMOUNT = `amount=${encodeURIComponent('{"min":50000,"max":250000}')}`

const OTHERS = [OURS_NODE, OURS_BUN, OURS_DENO, BARE_NODE, BARE_FASTIFY, DUTY_NODE, DUTY_FASTIFY]

/** Races chosen columns and filters, which have no stored JSON. */
export const chosenList = async (bench: Bench) => {
  const path = `${LIST}?columns=${COLUMNS}&${STATUS}&${AMOUNT}`
  const results = await compare(bench, "List of 50, ten columns, two filters", peersOf(bench, ...OTHERS), path)
  judge("chosen columns and filters: total CPU, Node / same-duty Fastify", ratio(results, OURS_NODE, DUTY_FASTIFY), 1)
  judge(
    "chosen columns and filters: p99, Node / same-duty Fastify",
    ratio(results, OURS_NODE, DUTY_FASTIFY, "p99"),
    1.5,
  )
}

const COUNTERS = [OURS_NODE, BARE_NODE, BARE_FASTIFY, DUTY_FASTIFY]

export const count = async (bench: Bench) => {
  for (const [title, path] of [
    ["Count with two filters", `${LIST}?count=true&${STATUS}&${AMOUNT}`],
    ["Count of everything", `${LIST}?count=true`],
  ] as const) {
    const results = await compare(bench, title, peersOf(bench, ...COUNTERS), path, 0.5)
    judge(`${title.toLowerCase()}: total CPU, Node / same-duty Fastify`, ratio(results, OURS_NODE, DUTY_FASTIFY), 1.1)
  }
}
