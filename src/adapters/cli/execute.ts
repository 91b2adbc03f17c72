import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import type { Scope } from "effect/Scope"

/** Every failure that a command ends with says in its message what a person can do. */
export type Failure = { readonly _tag: string; readonly message: string }

const MISUSE: ReadonlySet<string> = new Set(["InvalidConfiguration", "Usage", "Misused"])

/** Runs a command to its end; the exit code: 0 done, 1 failed, 2 used wrongly. The log goes to stderr. */
export const execute = async (command: Effect.Effect<void, Failure, Scope>): Promise<number> => {
  const exit = await Effect.runPromiseExit(
    Effect.scoped(command).pipe(Effect.provide(Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)]))),
  )
  return Exit.isSuccess(exit) ? 0 : report(exit.cause)
}

/** One line for what a person can mend; a fault of ours is told whole, to be reported. */
const report = (cause: Cause.Cause<Failure>): number => {
  const error = cause.reasons.find(Cause.isFailReason)?.error
  if (error === undefined) {
    console.error(`sightline: unexpected error; please report it with this:\n${Cause.pretty(cause)}`)
    return 1
  }
  for (const line of error.message.split("\n")) if (line !== "") console.error(`sightline: ${line}`)
  return MISUSE.has(error._tag) ? 2 : 1
}
