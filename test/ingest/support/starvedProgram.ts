import type { DocumentFormat } from "../../../src/ingest/readers.ts"
import { Sandbox } from "../../../src/ingest/sandbox/Sandbox.ts"
import { UnreadableError } from "../../../src/ingest/UnreadableError.ts"

/** Reads a file that needs half a second of CPU time and a file that never ends, with a limit of one second each. */
const sandbox = new Sandbox({ cpuSeconds: 1, wallSeconds: 600, worker: new URL("hostile.ts", import.meta.url) })
const read = (how: string) =>
  sandbox.read(new Uint8Array(3), how as DocumentFormat).then(
    ({ text }) => text,
    (cause) => (cause instanceof UnreadableError ? cause.code : String(cause)),
  )
await read("good")
const began = performance.now()
console.log("begins")
const worked = await read("working")
const workedMs = performance.now() - began
console.log(JSON.stringify({ worked, workedMs, forever: await read("forever") }))
await sandbox.close()
