import { spawn } from "node:child_process"
import { constants } from "node:fs"
import { access } from "node:fs/promises"
import { delimiter, join } from "node:path"
import process from "node:process"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { concat } from "../core/common/bytes.ts"

/** A program failed. `status` is null if a signal ended it or it did not start. */
export class ProgramFailed extends Schema.TaggedError<ProgramFailed>()("ProgramFailed", {
  status: Schema.NullOr(Schema.Finite),
  tooSlow: Schema.Boolean,
}) {}

/** Finds an executable on the search path. Undefined also if this process may not look. */
export const find = async (name: string): Promise<string | undefined> => {
  try {
    for (const directory of (process.env["PATH"] ?? "").split(delimiter).filter((part) => part !== "")) {
      const path = join(directory, name)
      const runs = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
      if (runs) return path
    }
  } catch {
    // Deno without permission to read the environment.
  }
  return undefined
}

interface Limits {
  readonly seconds: number
  /** The limit of virtual memory. */
  readonly maxMegabytes: number
  /** The limit of output, and of each file that the program writes. */
  readonly maxBytes: number
}

/** Limits its own memory, time and files, then becomes the program: nothing outlives a server that is killed for long. */
const LIMITED = 'ulimit -v "$0" && ulimit -t "$1" && ulimit -f "$2" && shift 2 && exec "$@"'
/** The unit of `ulimit -f`, in bytes. */
const FILE_BLOCK = 512

const limit = (path: string, args: ReadonlyArray<string>, { seconds, maxMegabytes, maxBytes }: Limits) => {
  const limits = [maxMegabytes * 1024, Math.ceil(seconds), Math.ceil(maxBytes / FILE_BLOCK)]
  return ["/bin/sh", ["-c", LIMITED, ...limits.map(String), path, ...args]] as const
}

/** Runs a program with only its arguments; kills it on interruption or timeout. Discards its output. */
export const run = (
  path: string,
  args: ReadonlyArray<string>,
  { directory, ...limits }: { readonly directory: string; readonly seconds: number } & Partial<Limits>,
): Effect.Effect<void, ProgramFailed> =>
  Effect.callback<void, ProgramFailed>((resume) => {
    const failed = (status: number | null) => resume(Effect.fail(new ProgramFailed({ status, tooSlow: false })))
    const { maxMegabytes, maxBytes, seconds } = limits
    const [command, given] =
      maxMegabytes === undefined || maxBytes === undefined
        ? [path, args]
        : limit(path, args, { seconds, maxMegabytes, maxBytes })
    const child = spawn(command, [...given], { cwd: directory, env: { LC_ALL: "C" }, stdio: "ignore" })
    child.once("error", () => failed(null))
    child.once("close", (status) => (status === 0 ? resume(Effect.void) : failed(status)))
    return Effect.sync(() => void child.kill("SIGKILL"))
  }).pipe(
    Effect.timeoutOrElse({
      duration: `${limits.seconds} seconds`,
      orElse: () => Effect.fail(new ProgramFailed({ status: null, tooSlow: true })),
    }),
  )

/** Runs a program that reads `input` and returns its output as text; kills it on interruption, timeout or too much output. */
export const pipe = (
  path: string,
  args: ReadonlyArray<string>,
  input: Uint8Array,
  limits: Limits,
): Effect.Effect<string, ProgramFailed> =>
  Effect.callback<string, ProgramFailed>((resume) => {
    const failed = (status: number | null) => resume(Effect.fail(new ProgramFailed({ status, tooSlow: false })))
    const { maxBytes } = limits
    const [command, given] = limit(path, args, limits)
    const child = spawn(command, given, {
      env: { LC_ALL: "C", OMP_THREAD_LIMIT: "1" },
      stdio: ["pipe", "pipe", "ignore"],
    })
    const output: Array<Uint8Array> = []
    let size = 0
    child.stdout.on("data", (chunk: Uint8Array) => {
      size += chunk.length
      if (size <= maxBytes) output.push(chunk)
      else child.kill("SIGKILL")
    })
    child.once("error", () => failed(null))
    child.once("close", (status) =>
      status === 0 && size <= maxBytes
        ? resume(Effect.succeed(new TextDecoder().decode(concat(output))))
        : failed(status),
    )
    // A program that ends early closes its input.
    child.stdin.on("error", () => undefined)
    child.stdin.end(input)
    return Effect.sync(() => void child.kill("SIGKILL"))
  }).pipe(
    Effect.timeoutOrElse({
      duration: `${limits.seconds} seconds`,
      orElse: () => Effect.fail(new ProgramFailed({ status: null, tooSlow: true })),
    }),
  )
