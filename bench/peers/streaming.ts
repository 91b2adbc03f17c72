// Sightline with a slow answerer: a word every 100 ms, for as many ms as the question says. To "memory" it answers with the bytes in
// use after a garbage collection.
import "../../src/adapters/serving/withoutAsyncContext.ts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { layerPglite } from "../../src/adapters/database/pglite.ts"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { hash } from "../../src/core/access/secret.ts"
import { Answerer } from "../../src/core/answers/Answerer.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"

/** Makes the keys of this many organizations, each with 300 requests a minute. */
export const KEYS = ["a-key-of-the-bench", "another-of-the-bench", "the-last-of-the-bench"]

declare const gc: () => void
const inUse = () => {
  if ("Bun" in globalThis) Bun.gc(true)
  else for (let round = 0; round < 3; round++) gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const slow = Layer.succeed(Answerer, {
  kind: "extractive",
  answer: (_, messages) => {
    const question = messages.at(-1)?.content ?? ""
    if (question === "memory") return Stream.sync(() => ({ type: "content_delta", content: String(inUse()) }))
    return Stream.range(1, Number(question) / 100).pipe(
      Stream.mapEffect((n) => Effect.as(Effect.sleep("100 millis"), { type: "content_delta", content: `word ${n} ` })),
    )
  },
})

const prepare = Effect.forEach(
  KEYS,
  Effect.fnUntraced(function* (secret) {
    const { id } = yield* (yield* Organizations).create({ name: "bench", plan: "enterprise" })
    const key = yield* (yield* ApiKeys).create(id, { name: "bench", role: "owner", requestsPerMinute: 100_000 })
    const digest = yield* hash(secret)
    const { sql, transaction } = yield* Database
    yield* transaction(id, sql`update api_keys set hash = ${digest} where org_id = ${id} and id = ${key.id}`)
  }),
)

const runtime = await ("Bun" in globalThis
  ? import("../../src/adapters/bun.ts")
  : "Deno" in globalThis
    ? import("../../src/adapters/deno.ts")
    : import("../../src/adapters/node.ts"))

if (process.env["PORT"] !== undefined) {
  const served = runtime.serve({ database: layerPglite(), answerer: slow, prepare, port: Number(process.env["PORT"]) })
  await Effect.runPromise(Effect.scoped(Effect.andThen(served, Effect.never)))
}
