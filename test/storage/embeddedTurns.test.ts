import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { asHeavy } from "../../src/core/storage/CurrentClass.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { layerEmbedded } from "../support/embedded.ts"

/** Statements that wait for the embedded engine at once, each for longer than the engine keeps the event loop without a pause. */
const WAITING = 6
/** Turns in which a socket is read, and its request asks for the engine. */
const TURNS = 2

layer(Layer.provide(Database.layer, layerEmbedded))("the embedded engine", (it) => {
  it.effect("lets requests in between two long statements, however many wait", () =>
    Effect.gen(function* () {
      const { sql, scoped } = yield* Database
      let turns = 0
      let isWatching = true
      const watch = () => {
        turns++
        if (isWatching) setImmediate(watch)
      }
      setImmediate(watch)
      const ends: Array<number> = []
      const long = sql`select count(*)::int as n from generate_series(1, 300000) a where a % 7 = 3`
      yield* Effect.forEach(
        Array.from({ length: WAITING }),
        () =>
          Effect.tap(asHeavy(scoped("org", long)), () =>
            Effect.sync(() => {
              ends.push(turns)
            }),
          ),
        { concurrency: "unbounded" },
      )
      isWatching = false
      const between = ends.slice(1).map((turn, n) => turn - ends[n]!)
      assert.isAtLeast(Math.min(...between), TURNS, between.join(", "))
    }),
  )
})
