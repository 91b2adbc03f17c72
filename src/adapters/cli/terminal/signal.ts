import process from "node:process"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

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

/** A stop signal ended a command. */
export class Stopped extends Schema.TaggedError<Stopped>()("Stopped", { message: Schema.String }) {}

/** Interrupts an effect at a stop signal, which releases what it holds. `outcome` says what is left of it. */
export const stopAtSignal =
  (outcome: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | Stopped, R> =>
    Effect.raceFirst(
      effect,
      Effect.flatMap(signal, (name) => Effect.fail(new Stopped({ message: `${name}: ${outcome}` }))),
    )
