import { mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"

interface Server {
  readonly run: () => Promise<{ readonly port: number }>
  readonly close: () => Promise<void>
}

/** An S3 server with an empty bucket, named by the first argument. It sends its port to the parent and ends with it. */
// It ships no types, and is loaded only where it is needed.
const S3rver = createRequire(import.meta.url)("s3rver") as new (options: object) => Server
const directory = mkdtempSync(join(tmpdir(), "sightline-s3-"))
const server = new S3rver({
  directory,
  port: 0,
  address: "127.0.0.1",
  silent: true,
  configureBuckets: [{ name: process.argv[2] }],
})
const { port } = await server.run()
process.send?.(port)
process.once("disconnect", () => {
  rmSync(directory, { recursive: true, force: true })
  process.exit(0)
})
