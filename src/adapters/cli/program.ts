import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import { invoke } from "./commands.ts"

/** Runs the command line; the exit code: 0 done, 1 failed, 2 used wrongly. */
export const run = async (args: ReadonlyArray<string>): Promise<number> => {
  const exit = await Effect.runPromiseExit(
    invoke(args.length === 0 ? ["--help"] : args).pipe(
      Effect.provide([NodeServices.layer, quiet, plain, Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])]),
      Effect.scoped,
    ),
  )
  return Exit.isSuccess(exit) ? 0 : report(exit.cause)
}

const quiet = CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.LogLevel] })

/** A wrong invocation is told in a line or two on stderr, so that stdout holds results only. */
const plain: Layer.Layer<never> = CliOutput.layerPresenter({
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Effect.sync(() => {
          for (const { message } of event.errors) console.error(`sightline: ${message}`)
          console.error(`Try '${event.commandPath.join(" ")} --help'.`)
        })
      : CliOutput.defaultPresenter.present(event),
})

/** One line for what a person can mend; a fault of ours is told whole, to be reported. */
const report = (cause: Cause.Cause<{ readonly _tag: string; readonly message: string }>): number => {
  const error = cause.reasons.find(Cause.isFailReason)?.error
  if (error === undefined) {
    console.error(`sightline: unexpected failure; please report it with this:\n${Cause.pretty(cause)}`)
    return 1
  }
  if (CliError.isCliError(error)) return error._tag === "ShowHelp" && error.errors.length === 0 ? 0 : 2
  for (const line of error.message.split("\n")) console.error(`sightline: ${line}`)
  return error._tag === "InvalidConfiguration" || error._tag === "Usage" ? 2 : 1
}
