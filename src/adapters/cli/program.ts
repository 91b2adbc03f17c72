import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import { invoke } from "./commands.ts"
import { execute, type Failure } from "./execute.ts"

/** Runs the command line and returns the exit code. */
export const run = (args: ReadonlyArray<string>): Promise<number> =>
  execute(
    Effect.catch(invoke(args.length === 0 ? ["--help"] : args), reportMisuse).pipe(
      Effect.provide([NodeServices.layer, quiet, plain]),
    ),
  )

const quiet = CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.LogLevel] })

/** Reports a wrong invocation in a line or two on stderr, so that stdout holds results only. */
const plain = CliOutput.layerPresenter({
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Effect.sync(() => {
          for (const { message } of event.errors) console.error(`sightline: ${message}`)
          console.error(`Try '${event.commandPath.join(" ")} --help'.`)
        })
      : CliOutput.defaultPresenter.present(event),
})

/** Requested help is a success. A wrong invocation is already reported. */
const reportMisuse = (error: Failure): Effect.Effect<void, Failure> => {
  if (!CliError.isCliError(error)) return Effect.fail(error)
  return error._tag === "ShowHelp" && error.errors.length === 0
    ? Effect.void
    : Effect.fail({ _tag: "Misused", message: "" })
}
