import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

const PROGRAM = fileURLToPath(new URL("./s3Program.ts", import.meta.url))

export const BUCKET = "sightline"
export const CREDENTIALS = { accessKeyId: "S3KEY", secretAccessKey: Redacted.make("S3SECRET") }

/** Starts a local S3 server with an empty bucket, in its own process, until the scope closes. Returns its address. */
export const s3Server = Effect.acquireRelease(
  Effect.sync(() => fork(PROGRAM, [BUCKET], { stdio: ["ignore", "ignore", "inherit", "ipc"] })),
  (server: ChildProcess) =>
    Effect.promise(async () => {
      const ended = once(server, "exit")
      server.disconnect()
      await ended
    }),
).pipe(
  Effect.flatMap((server) => Effect.promise(() => once(server, "message"))),
  Effect.map(([port]) => `http://127.0.0.1:${port}`),
)
