import { type ChildProcess, fork, spawn } from "node:child_process"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"
import type { Job, Result } from "./client.ts"

const bin = (name: string) => fileURLToPath(new URL(`../../node_modules/.bin/${name}`, import.meta.url))
/** A file of the repository. */
export const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** The file that `build/binary.ts` writes for the bench. */
export const BINARY = "node_modules/.cache/bench/sightline"

export const RUNTIMES = {
  node: { command: bin("node"), args: [] as Array<string> },
  bun: { command: bin("bun"), args: [] as Array<string> },
  deno: { command: bin("deno"), args: ["run", "-A", "--quiet"] },
  /** As on Deno Deploy. */
  denoServe: {
    command: bin("deno"),
    args: ["serve", "--no-prompt", "--allow-net", "--allow-env", "--host", "127.0.0.1", "--port"],
  },
  /** A program of its own. */
  binary: { command: file(BINARY), args: [] as Array<string> },
} as const
export type Runtime = Exclude<keyof typeof RUNTIMES, "binary" | "denoServe">

export interface Program {
  readonly runtime: keyof typeof RUNTIMES
  /** From the repository's root; the binary has none. */
  readonly script?: string
  readonly args?: ReadonlyArray<string>
  readonly runtimeArgs?: ReadonlyArray<string>
  readonly environment?: Readonly<Record<string, string>>
}

export interface RunningServer {
  readonly pid: number
  readonly port: number
  readonly stop: () => Promise<void>
}

/** Starts a server in a process of its own and waits until `path` answers. `milliseconds`: the time of both. */
export const startProgram = async (
  { runtime, script, args = [], runtimeArgs = [], environment = {} }: Program,
  ready: { readonly path: string; readonly headers?: Readonly<Record<string, string>> },
): Promise<RunningServer & { readonly milliseconds: number }> => {
  const port = await freePort()
  const { command, args: own } = RUNTIMES[runtime]
  const started = performance.now()
  const address = runtime === "denoServe" ? [String(port)] : []
  const child = spawn(
    command,
    [...own, ...address, ...runtimeArgs, ...(script === undefined ? [] : [file(script)]), ...args],
    {
      cwd: file("."),
      env: { ...process.env, PORT: String(port), NODE_ENV: "production", ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    },
  )
  let output = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => (output = (output + chunk).slice(-4000)))
  const name = `${runtime} ${script} ${args.join(" ")}`
  while (performance.now() - started < 90_000) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}:\n${output}`)
    const status = await fetch(`http://127.0.0.1:${port}${ready.path}`, { headers: ready.headers ?? {} }).then(
      async (response) => {
        await response.arrayBuffer()
        return response.status
      },
      () => 0,
    )
    if (status === 200) {
      return { pid: child.pid!, port, milliseconds: performance.now() - started, stop: () => stop(child) }
    }
    await new Promise((resolve) => setTimeout(resolve, 3))
  }
  await stop(child)
  throw new Error(`${name} did not answer in 90 s:\n${output}`)
}

const stop = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    const late = setTimeout(() => child.kill("SIGKILL"), 3000)
    child.once("exit", () => {
      clearTimeout(late)
      resolve()
    })
    child.kill("SIGTERM")
  })

/** Starts the load in a process of its own, so that its CPU time is not measured. */
export const startClient = () => {
  const child = fork(fileURLToPath(new URL("./client.ts", import.meta.url)), {
    execPath: RUNTIMES.node.command,
    env: { ...process.env, BENCH_CLIENT: "1" },
  })
  return {
    fire: (job: Job) =>
      new Promise<Result>((resolve, reject) => {
        child.once("message", (message: { readonly result?: Result; readonly error?: string }) =>
          message.result ? resolve(message.result) : reject(new Error(message.error)),
        )
        child.send(job)
      }),
    stop: () => stop(child),
  }
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer()
    probe.once("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
