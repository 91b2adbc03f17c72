import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { encodeQuery } from "../../src/adapters/database/copyReply.ts"
import { openEngine } from "../../src/adapters/database/engine.ts"

setFlagsFromString("--expose-gc")
const collect: () => void = runInNewContext("gc")
const megabytes = () => {
  collect()
  return process.memoryUsage().heapUsed / 1024 / 1024
}

describe("the embedded engine", () => {
  it.live("keeps nothing of what it has answered", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { exec } = yield* openEngine({})
        const question = encodeQuery("select repeat('x', 50000)")
        const ask = Effect.promise(() => exec(question))
        assert.isAbove((yield* ask).length, 50_000)
        const before = megabytes()
        yield* Effect.repeat(ask, { times: 1000 })
        assert.isBelow(megabytes() - before, 10)
      }),
    ),
  )
})
