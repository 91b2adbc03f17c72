import process from "node:process"
import * as Effect from "effect/Effect"

const SIGNALS = ["SIGTERM", "SIGINT"] as const

/** Waits for the first stop signal. A second one ends the process at once. */
export const signal = Effect.callback<string>((resume) => {
  let first = true
  const handle = (name: string) => {
    if (!first) process.exit(1)
    first = false
    resume(Effect.succeed(name))
  }
  for (const name of SIGNALS) process.on(name, handle)
})
