import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import process from "node:process"
import type { Scope } from "effect/Scope"
import { layerLogging } from "../telemetry/logging.ts"

/** A command's failure; its message says what the user can do. */
export type Failure = { readonly _tag: string; readonly message: string }

const MISUSE: ReadonlySet<string> = new Set(["InvalidConfiguration", "Usage", "Misused"])

const logging = layerLogging({
  format: process.env["SIGHTLINE_LOG_FORMAT"],
  level: process.env["SIGHTLINE_LOG_LEVEL"],
  isTerminal: process.stderr.isTTY === true,
})

/** Runs a command and returns the exit code: 0 success, 1 failure, 2 wrong usage. Logs to stderr. */
export const execute = async (command: Effect.Effect<void, Failure, Scope>): Promise<number> => {
  const exit = await Effect.runPromiseExit(Effect.scoped(command).pipe(Effect.provide(logging)))
  return Exit.isSuccess(exit) ? 0 : report(exit.cause)
}

/** Prints the message of an expected failure, and the whole cause of a bug so that users can report it. */
const report = (cause: Cause.Cause<Failure>): number => {
  const error = cause.reasons.find(Cause.isFailReason)?.error
  if (error === undefined) {
    console.error(`sightline: unexpected error; please report it with this:\n${Cause.pretty(cause)}`)
    return 1
  }
  for (const line of error.message.split("\n")) if (line !== "") console.error(`sightline: ${line}`)
  return MISUSE.has(error._tag) ? 2 : 1
}
