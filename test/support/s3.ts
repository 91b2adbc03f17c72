import { mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

interface Server {
  readonly run: () => Promise<{ readonly port: number }>
  readonly close: () => Promise<void>
}

export const BUCKET = "sightline"
export const CREDENTIALS = { accessKeyId: "S3RVER", secretAccessKey: Redacted.make("S3RVER") }

/** An S3 server of this machine with an empty bucket, until the scope closes; its address. */
export const s3Server = Effect.acquireRelease(
  Effect.promise(async () => {
    // It ships no types, and is loaded by those who need it.
    const S3rver = createRequire(import.meta.url)("s3rver") as new (options: object) => Server
    const directory = mkdtempSync(join(tmpdir(), "sightline-s3-"))
    const server = new S3rver({
      directory,
      port: 0,
      address: "127.0.0.1",
      silent: true,
      configureBuckets: [{ name: BUCKET }],
    })
    const { port } = await server.run()
    return { server, directory, endpoint: `http://127.0.0.1:${port}` }
  }),
  ({ server, directory }) =>
    Effect.promise(async () => {
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    }),
).pipe(Effect.map(({ endpoint }) => endpoint))
