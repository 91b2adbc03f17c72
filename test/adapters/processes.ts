import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { freePort } from "../support/postgres.ts"
import { until } from "../support/until.ts"

export const MAIN = fileURLToPath(new URL("../../src/adapters/cli/main.js", import.meta.url))

/** How each runtime runs the command line from source. */
export const RUNTIMES = {
  Node: [process.execPath, MAIN],
  Bun: ["bun", MAIN],
  Deno: ["deno", "run", "-A", "--quiet", MAIN],
} as const
export type Runtime = keyof typeof RUNTIMES

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the command line, that of another version, or a program, in a process of its own. `settings` are its only variables of Sightline. */
export const start = (
  runtime: Runtime | readonly [program: string],
  args: ReadonlyArray<string>,
  settings: Record<string, string>,
  { cwd, main = MAIN }: { readonly cwd?: string; readonly main?: string } = {},
) => {
  const parts = typeof runtime === "string" ? RUNTIMES[runtime] : runtime
  const [command = "", ...before] = parts.map((part) => (part === MAIN ? main : part))
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(SIGHTLINE_|PORT$|HOST$)/.test(name)),
  )
  const child = spawn(command, [...before, ...args], { env: { ...inherited, ...settings }, cwd })
  let stdout = ""
  let stderr = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code) => resolve({ code, stdout, stderr }))
  })
  return { child, finished, stdout: () => stdout, stderr: () => stderr }
}

export const run = (
  args: ReadonlyArray<string>,
  settings: Record<string, string>,
  stdin?: string,
): Promise<Finished> => {
  const { child, finished } = start("Node", args, settings)
  endInput(child, stdin)
  return finished
}

const endInput = (child: ChildProcess, text = "") => child.stdin?.end(text)

/** Starts on a free port. Another process may take the port first, so it tries three. */
export const onFreePort = async <A>(begin: (port: number) => Promise<A>): Promise<A> => {
  for (let tries = 1; ; tries++) {
    try {
      return await begin(await freePort())
    } catch (error) {
      if (tries === 3) throw error
    }
  }
}

/** Starts a server on a free port and waits until it answers. */
export const startServer = async (
  runtime: Runtime | readonly [program: string],
  settings: Record<string, string>,
  main = MAIN,
) => {
  const server = start(runtime, ["serve", "--json"], { PORT: "0", ...settings }, { main })
  await until("the server listens", () => server.stdout().includes("\n") || server.child.exitCode !== null)
  if (server.child.exitCode !== null) throw new Error(`the server did not start: ${server.stderr()}`)
  const { url } = JSON.parse(server.stdout()) as { readonly url: string }
  return { ...server, url }
}
