// A server over an embedded database with the double as its answerer: prints its address and a key, then how each answer ended.
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { layerPglite } from "../../src/adapters/database/pglite.ts"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { layerDouble } from "./double.ts"
import { UNLIMITED, UNLIMITED_PLANS } from "../support/unlimited.ts"

const runtime = await ("Bun" in globalThis
  ? import("../../src/adapters/bun.ts")
  : "Deno" in globalThis
    ? import("../../src/adapters/deno.ts")
    : import("../../src/adapters/node.ts"))

const [, , url = "memory:"] = process.argv
let key = ""

const program = Effect.gen(function* () {
  const serving = yield* runtime.serve({
    database: url === "memory:" ? layerPglite() : layerPostgres({ url: Redacted.make(url) }),
    answerer: layerDouble(
      (how) => console.log(JSON.stringify({ ended: how })),
      () => console.log(JSON.stringify({ started: true })),
    ),
    port: 0,
    plans: UNLIMITED_PLANS,
    prepare: Effect.gen(function* () {
      const { id } = yield* (yield* Organizations).create({ name: "Acme", plan: UNLIMITED })
      key = (yield* (yield* ApiKeys).create(id, { name: "t", role: "owner", requestsPerMinute: 100_000 })).key
    }),
  })
  console.log(JSON.stringify({ url: serving.url, key }))
  yield* Effect.never
})

await Effect.runPromise(Effect.scoped(program))
