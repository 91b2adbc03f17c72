import type { DocumentFormat } from "../../../src/ingest/readers.ts"
import { Sandbox } from "../../../src/ingest/sandbox/Sandbox.ts"
import { UnreadableError } from "../../../src/ingest/UnreadableError.ts"
import { late } from "../../support/until.ts"
import { pagesOf } from "./pdf.ts"

/** `node hostileProgram.ts memory` measures memory too. */
const measures = process.argv.includes("memory")
const outcomes: Array<string> = []
const resident = process.memoryUsage.rss()
for (const how of ["forever", "hog", "buffers", "exit", "fault", "encrypted", "hog", "buffers"]) {
  // If earlier threads left free memory, excess shows late, and Deno's threads end at the limit of wall time.
  const [cpuSeconds, wallSeconds] = how === "forever" ? [1, 600] : outcomes.length < 12 ? [30, 600] : [12, 40]
  const worker = new URL("hostile.ts", import.meta.url)
  const hostile = new Sandbox({ cpuSeconds, wallSeconds, heapMegabytes: 96, worker })
  const outcome = hostile.read(new Uint8Array(3), how as DocumentFormat).then(
    () => "read",
    (cause) => (cause instanceof UnreadableError ? cause.code : String(cause)),
  )
  const next = hostile.read(new Uint8Array(3), "good" as DocumentFormat)
  outcomes.push(await outcome)
  outcomes.push((await next).text)
  await hostile.close()
}
const document = await new Sandbox().read(pagesOf([[{ text: "In a thread", y: 700 }]]), "pdf")
// The memory of hostile documents must not add up, even on Bun, where a thread's heap has no limit, and on Deno, which returns none.
if (measures) {
  await late(500)
  const kept = (process.memoryUsage.rss() - resident) / 1024 ** 2
  outcomes.push(kept < 320 ? "bounded" : `${kept.toFixed(0)} MiB kept`)
}
console.log(JSON.stringify([...outcomes, document.text]))
