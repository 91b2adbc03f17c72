import * as Effect from "effect/Effect"
import { makeSecret } from "../../src/core/access/secret.ts"
import { DUTY_FASTIFY, FLOOR, OURS_BUN, OURS_DENO, OURS_NODE } from "../programs.ts"
import { type Bench, LIST, peersOf, race, shot } from "../support/bench.ts"
import { figures, heading, judge } from "../support/report.ts"

/** Counts the calls of `admit` in the database. An idle session reports its counts within ten seconds. */
const admissions = async ({ database }: Bench) => {
  await new Promise((resolve) => setTimeout(resolve, 11_000))
  const { rows } = await database.admin.query<{ calls: number }>(
    "select coalesce(sum(calls), 0)::int as calls from pg_stat_user_functions where funcname = 'admit'",
  )
  if (rows[0]!.calls === 0) throw new Error("the database does not count its functions' calls")
  return rows[0]!.calls
}

/** Refuses a well-formed key that does not exist, and a key whose organization has used up its month. */
export const refusals = async (bench: Bench) => {
  const unknown = await Effect.runPromise(makeSecret("live"))
  // A refusal takes so little time that fewer requests would measure compilers and clock ticks.
  const effort = { rounds: 3, requests: 8000, warmUp: 20_000 }

  heading("Refused: 401, a well-formed key that nobody has")
  const strangers = await race(
    bench,
    peersOf(bench, OURS_NODE, OURS_BUN, OURS_DENO, DUTY_FASTIFY, FLOOR).map((peer) => ({
      ...peer,
      shots: [shot(LIST, { org: "-", key: unknown }, 401)],
    })),
    effort,
  )
  figures(strangers.values())
  console.log()
  const floor = strangers.get(FLOOR)?.app
  const judged = (status: string, app: number | undefined) => {
    judge(`${status}: app CPU on Node`, app, 60, "us")
    // Where the target in microseconds was set, a constant took 17.
    judge(`${status}: app CPU, Node / a constant`, app && floor && app / floor, 60 / 17)
  }
  judged("401", strangers.get(OURS_NODE)?.app)

  heading("Refused: 429, an organization that has spent its month")
  const shots = [shot(LIST, { org: "org_spent", key: bench.database.spentKey }, 429)]
  const ours = peersOf(bench, OURS_NODE, OURS_BUN, OURS_DENO)
  const spent = await race(
    bench,
    ours.map((peer) => ({ ...peer, shots })),
    effort,
  )
  figures(spent.values())
  console.log()
  judged("429", spent.get(OURS_NODE)?.app)

  // The server remembers a denial for five seconds, so that only the first one reaches the database.
  const before = await admissions(bench)
  for (const { server } of ours) {
    const few = { port: server.port, shots, concurrency: 8 }
    await bench.client.fire({ ...few, requests: 1 })
    await bench.client.fire({ ...few, requests: 1000 })
  }
  const after = await admissions(bench)
  judge("429: database asked, in 1,000 known denials of each server", after - before - ours.length, 0)
}
