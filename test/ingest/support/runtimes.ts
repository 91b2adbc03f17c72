import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

export const RUNTIMES = { node: [], bun: [], deno: ["run", "-A", "--quiet"] } as const
export type Runtime = keyof typeof RUNTIMES

/** The program and arguments that run a file of this folder on a runtime. */
export const commandOf = (runtime: Runtime, file: string): readonly [string, ReadonlyArray<string>] => [
  fileURLToPath(new URL(`../../../node_modules/.bin/${runtime}`, import.meta.url)),
  [...RUNTIMES[runtime], fileURLToPath(new URL(file, import.meta.url))],
]

/** Runs `hostileProgram.ts`. */
export const runHostileProgram = async (runtime: Runtime, ...args: ReadonlyArray<string>) => {
  const [program, before] = commandOf(runtime, "hostileProgram.ts")
  const { stdout } = await promisify(execFile)(program, [...before, ...args])
  return JSON.parse(stdout) as ReadonlyArray<string>
}

/** The program's results for the first six hostile files, each followed by a good one. */
export const HOSTILE_OUTCOMES = ["too-slow", "too-large", "too-large", "damaged", "damaged", "encrypted"].flatMap(
  (code) => [code, "3 bytes"],
)
