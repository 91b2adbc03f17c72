import * as Effect from "effect/Effect"
import * as Flag from "effect/cli/Flag"

/** A flag that is off by default, and has no negation. */
export const toggle = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withoutNegation, Flag.withDefault(false))

/** A text that may be absent. */
export const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

export const json = toggle("json", "Print only the result, as JSON, on stdout")
export const organization = Flag.String("org").pipe(Flag.withDescription("The organization's id"))

/** Loads what a command does when it is run. */
export const lazily =
  <Input, A, E, R>(load: () => Promise<(input: Input) => Effect.Effect<A, E, R>>) =>
  (input: Input) =>
    Effect.flatMap(Effect.promise(load), (handle) => handle(input))
