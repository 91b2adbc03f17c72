import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import * as Effect from "effect/Effect"
import { freePort } from "./postgres.ts"

const external = process.env["SIGHTLINE_REDIS_URL"]
const installed = spawnSync("redis-server", ["--version"]).status === 0

/** Whether the tests have a Redis: the one of SIGHTLINE_REDIS_URL, or a `redis-server` that they can start. */
export const hasRedis = external !== undefined || installed
/** Whether the tests can also stop it. */
export const ownsRedis = installed

/** Starts a Redis on a free local port, without persistence. */
export const startRedis = async (port?: number): Promise<{ readonly process: ChildProcess; readonly port: number }> => {
  const chosen = port ?? (await freePort())
  const options = ["--port", String(chosen), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
  const server = spawn("redis-server", options, { stdio: ["ignore", "pipe", "ignore"] })
  await new Promise<void>((resolve, reject) => {
    server.once("exit", () => reject(new Error("redis-server ended at its start")))
    server.stdout.on("data", (text: Uint8Array) => {
      if (text.toString().includes("Ready to accept connections")) resolve()
    })
  })
  return { process: server, port: chosen }
}

export const stopRedis = async (server: ChildProcess) => {
  if (server.exitCode !== null || server.signalCode !== null) return
  server.kill("SIGKILL")
  await once(server, "exit")
}

/** The address of a Redis that runs until the scope closes. */
export const redisUrl =
  external === undefined
    ? Effect.map(
        Effect.acquireRelease(
          Effect.promise(() => startRedis()),
          (server) => Effect.promise(() => stopRedis(server.process)),
        ),
        ({ port }) => `redis://127.0.0.1:${port}`,
      )
    : Effect.succeed(external)
