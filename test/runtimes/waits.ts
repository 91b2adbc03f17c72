// Run by Deno: prints the bytes that a fiber holds after each round of waits.
import "../../src/adapters/deno.ts"
import process from "node:process"
import * as Effect from "effect/Effect"

declare const gc: () => void

const wait = Effect.callback<void>((resume) => queueMicrotask(() => resume(Effect.void)))
const waits = Effect.forEach(Array.from({ length: 20_000 }), () => wait, { discard: true })
const held = Effect.sync(() => {
  gc()
  return process.memoryUsage().heapUsed
})
const rounds = Effect.forEach([1, 2, 3], () => Effect.andThen(waits, held))
console.log(JSON.stringify(await Effect.runPromise(rounds)))
