import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { readConversation } from "../../src/core/answers/questions/turns/conversation.ts"
import { correctQuestion } from "../../src/core/answers/questions/plan/correct.ts"
import { Effort, MAX_COMPARISONS, MAX_PARTS } from "../../src/core/answers/questions/names/Effort.ts"
import { indexNames } from "../../src/core/answers/questions/names/loadNames.ts"
import type { Kind, WorkspaceNames } from "../../src/core/answers/questions/words/names.ts"
import { explainUnknown } from "../../src/core/answers/questions/reply/refusal.ts"
import { correctSpelling } from "../../src/core/answers/questions/names/spelling.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { makeRandom } from "../support/random.ts"

const KINDS: ReadonlyArray<Kind> = [
  "competitor",
  "owner",
  "feature",
  "reason",
  "segment",
  "region",
  "deal_type",
  "product",
  "industry",
]
const TODAY = { now: new Date("2026-01-15"), fiscalStart: 1 }
const { below, pick } = makeRandom(3)
const syllable = () => `${pick([..."bdfgklmnprstv"])}${pick([..."aeiou"])}`
const word = () => {
  const letters = Array.from({ length: 2 + below(3) }, syllable).join("")
  return `${letters.charAt(0).toUpperCase()}${letters.slice(1)}`
}
const NAMES: WorkspaceNames = {
  names: KINDS.flatMap((kind) =>
    Array.from({ length: 5_000 }, (_, n) => ({ kind, value: `${kind}_${n}`, name: `${word()} ${word()}` })),
  ),
  stages: [],
  fiscalStart: 1,
  timezone: "UTC",
  metrics: [],
  properties: [],
}

/** Counts the turns of the event loop until `stop`. */
const countTurns = () => {
  let turns = 0
  const tick = () => {
    turns++
    next = setImmediate(tick)
  }
  let next = setImmediate(tick)
  return () => {
    clearImmediate(next)
    return turns
  }
}

describe("questions among 45,000 names", () => {
  it.live("of 500 unknown words in six turns look up 24 parts, with 2,000 comparisons and 24 statements", () => {
    let statements = 0
    const database = {
      sql: (() => ({})) as unknown as SqlClient,
      scoped: () => Effect.sync(() => (statements++, [])),
    } as unknown as Database["Service"]
    return Effect.gen(function* () {
      yield* indexNames(NAMES.names)
      const effort = new Effort()
      let names = NAMES
      let last = ""
      const turns: Array<{ readonly question: string; readonly namesRows: boolean }> = []
      const stop = countTurns()
      for (let turn = 0; turn < 6; turn++) {
        const asked = `how many deals ${Array.from({ length: 84 }, () => `${word().toLowerCase()}x`).join(" and about ")}`
        const corrected = yield* correctQuestion("org", asked, names, TODAY, effort)
        names = corrected.names
        last = corrected.question
        turns.push({ question: last, namesRows: false })
      }
      // Before each question is read, and before its parts are looked up.
      assert.isAtLeast(stop(), 10)
      const unknown = readConversation(turns, names, TODAY)?.slots.unknown ?? []
      assert.isAbove(unknown.length, MAX_PARTS)
      assert.include(explainUnknown(last, unknown, names, TODAY, effort), `${unknown.length - MAX_PARTS} more parts`)
      assert.isAtMost(effort.comparisons, MAX_COMPARISONS)
      assert.isAtMost(effort.parts, MAX_PARTS)
      assert.isAtMost(statements, MAX_PARTS)
      assert.isAbove(effort.comparisons, 0)
    }).pipe(Effect.provideService(Database, database))
  })

  it.live("prepare the names in slices, with turns of the event loop between", () =>
    Effect.gen(function* () {
      const stop = countTurns()
      yield* indexNames([...NAMES.names])
      assert.isAtLeast(stop(), 10)
    }),
  )

  it("find a misspelt name, which few of them may be", () => {
    const names = [...NAMES.names, { kind: "competitor" as const, value: "quz", name: "Quixwaxy" }]
    const effort = new Effort()
    assert.deepInclude(correctSpelling("Quixwayx", names, effort), { meant: "Quixwaxy", isName: true })
    assert.isBelow(effort.comparisons, 100)
  })
})
