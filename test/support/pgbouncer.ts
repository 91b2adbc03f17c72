import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "./postgres.ts"
import { until } from "./until.ts"

export const hasPgBouncer = spawnSync("pgbouncer", ["--version"]).status === 0

export interface PgBouncer {
  /** The same address, through the pooler. */
  readonly through: (url: string) => string
  readonly start: () => Promise<void>
  /** Drops every connection at once. */
  readonly stop: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Starts PgBouncer in transaction mode in front of the server of `url`, with few connections to it. `logins`: others, with their passwords. */
export const startPgBouncer = async (
  url: string,
  serverConnections = 3,
  logins: Readonly<Record<string, string>> = {},
): Promise<PgBouncer> => {
  const { hostname, port, username, password } = new URL(url)
  const directory = mkdtempSync(join(tmpdir(), "sightline-pgbouncer-"))
  const listening = await freePort()
  const settings = [
    "[databases]",
    `* = host=${hostname} port=${port}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${listening}`,
    "unix_socket_dir =",
    "pool_mode = transaction",
    `default_pool_size = ${serverConnections}`,
    "max_client_conn = 1000",
    "auth_type = plain",
    `auth_file = ${join(directory, "users")}`,
  ]
  const users = Object.entries({ [username]: password, ...logins }).map(([name, secret]) => `"${name}" "${secret}"\n`)
  writeFileSync(join(directory, "users"), users.join(""))
  writeFileSync(join(directory, "pgbouncer.ini"), `${settings.join("\n")}\n`)
  chmodSync(directory, 0o755)
  let child: ChildProcess | undefined

  const start = async () => {
    // It refuses to run as root.
    const user = process.getuid?.() === 0 ? ["-u", "nobody"] : []
    child = spawn("pgbouncer", [...user, join(directory, "pgbouncer.ini")], { stdio: "ignore" })
    await until("PgBouncer listens", () => {
      if (child?.exitCode !== null) throw new Error("PgBouncer does not start")
      return accepts(listening)
    })
  }
  const stop = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill("SIGKILL")
    await once(child, "exit")
  }
  await start()
  return {
    through: (direct) => {
      const pooled = new URL(direct)
      pooled.host = `127.0.0.1:${listening}`
      return pooled.href
    },
    start,
    stop,
    close: async () => {
      await stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = connect(port, "127.0.0.1")
    probe.once("connect", () => resolve(true)).once("error", () => resolve(false))
    probe.once("close", () => probe.destroy())
    probe.once("connect", () => probe.end())
  })
