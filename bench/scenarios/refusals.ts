import * as Effect from "effect/Effect"
import { makeSecret } from "../../src/core/access/secret.ts"
import { DUTY_FASTIFY, EFFECT, FLOOR, OURS_BUN, OURS_DENO, OURS_NODE } from "../programs.ts"
import { type Bench, LIST, peersOf, race, ratiosByRound, shot, shotsFor } from "../support/bench.ts"
import type { Entry } from "../support/contest.ts"
import { spendLimits } from "../support/database.ts"
import { figures, heading, judge, table } from "../support/report.ts"

/** The most CPU time of a refusal on Node, as a multiple of a constant reply's. */
const MOST_TIMES_CONSTANT = 3.5

const UNKNOWN = "401, unknown key"
const COUNT = "count"
const COUNT_PATH = `${LIST}?count=true`
/** A count takes some forty times as long as a refusal. */
const COUNT_EFFORT = { share: 1 / 20, warmUp: 5000 }

/** Counts the calls of `admit` in the database. An idle session reports its counts within ten seconds. */
const admissions = async ({ database }: Bench) => {
  await new Promise((resolve) => setTimeout(resolve, 11_000))
  const { rows } = await database.admin.query<{ calls: number }>(
    "select coalesce(sum(calls), 0)::int as calls from pg_stat_user_functions where funcname = 'admit'",
  )
  if (rows[0]!.calls === 0) throw new Error("the database does not count its functions' calls")
  return rows[0]!.calls
}

const lineOf = (peer: string, reply: string) => `${peer}: ${reply}`

/** Races refusals of every kind and the count of everything, in turns with a constant and with a count by hand. */
export const refusals = async (bench: Bench) => {
  const { spent } = bench.database
  const stranger = { org: "-", key: await Effect.runPromise(makeSecret("live")) }
  const refused = [
    ["401, malformed key", shot(LIST, { org: "-", key: stranger.key.slice(0, -1) }, 401)],
    [UNKNOWN, shot(LIST, stranger, 401)],
    ["429, limit of the key", shot(LIST, spent.key, 429)],
    ["429, limit of the organization", shot(LIST, spent.organization, 429)],
    ["429, limit of the month", shot(LIST, spent.monthly, 429)],
  ] as const
  const ours = peersOf(bench, OURS_NODE, OURS_BUN, OURS_DENO)
  const counters = peersOf(bench, OURS_NODE, DUTY_FASTIFY)
  const counts = await shotsFor(bench.database, counters, COUNT_PATH)
  const entries: ReadonlyArray<Entry> = [
    ...peersOf(bench, FLOOR, EFFECT).map((peer) => ({ ...peer, shots: [shot(LIST, stranger, 401)], share: 2 })),
    ...ours.flatMap(({ name, server }) =>
      refused.map(([reply, each]) => ({ name: lineOf(name, reply), server, shots: [each] })),
    ),
    ...peersOf(bench, DUTY_FASTIFY).map(({ name, server }) => ({
      name: lineOf(name, UNKNOWN),
      server,
      shots: [shot(LIST, stranger, 401)],
      share: 1 / 2,
    })),
    ...counters.map(({ name, server }) => ({ name: lineOf(name, COUNT), server, shots: counts, ...COUNT_EFFORT })),
  ]

  heading("Refused: 401 and 429; and a count of everything")
  await spendLimits(bench.database)
  const spending = setInterval(() => void spendLimits(bench.database), 20_000)
  try {
    // A refusal takes so little time that fewer requests would measure compilers and clock ticks.
    const effort = { rounds: bench.quick ? 5 : 9, requests: 8000, warmUp: 20_000 }
    const results = await race(bench, entries, effort)
    figures(results.values())
    console.log()

    const against = [
      ...refused.map(([reply]) => ({ reply, to: FLOOR, field: "app", most: MOST_TIMES_CONSTANT }) as const),
      { reply: COUNT, to: lineOf(DUTY_FASTIFY, COUNT), field: "total", most: 1.1 } as const,
    ].flatMap(({ reply, to, field, most }) => {
      const ratios = ratiosByRound(results, lineOf(OURS_NODE, reply), to, field)
      return ratios === undefined ? [] : [{ reply, to, field, most, ratios }]
    })
    table(
      ["Sightline on Node, by round", "over", "CPU", "median", "least", "most"],
      against.map(({ reply, to, field, ratios: { median, least, most } }) => [
        reply,
        to,
        field,
        ...[median, least, most].map((each) => each.toFixed(2)),
      ]),
    )
    console.log()
    for (const { reply, to, field, most, ratios } of against)
      judge(`${reply}: ${field} CPU, Node / ${to}`, ratios.median, most)

    // The server remembers a denial for five seconds, so that only the first one reaches the database.
    const before = await admissions(bench)
    for (const [, each] of refused) {
      for (const { server } of ours) {
        const few = { port: server.port, shots: [each], concurrency: 8 }
        await bench.client.fire({ ...few, requests: 1 })
        await bench.client.fire({ ...few, requests: 1000 })
      }
    }
    // The shape of a malformed key refuses it.
    const first = ours.length * (refused.length - 1)
    judge("database asked, in 1,000 known refusals of each kind", (await admissions(bench)) - before - first, 0)
  } finally {
    clearInterval(spending)
  }
}
