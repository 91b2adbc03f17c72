import type { DocumentFormat } from "../../../src/ingest/readers.ts"
import { Sandbox } from "../../../src/ingest/Sandbox.ts"
import { UnreadableError } from "../../../src/ingest/UnreadableError.ts"
import { pagesOf } from "./pdf.ts"

const outcomes: Array<string> = []
for (const how of ["forever", "hog", "buffers", "exit", "fault", "encrypted"]) {
  const seconds = how === "forever" ? 1 : 30
  const hostile = new Sandbox({ seconds, heapMegabytes: 96, worker: new URL("hostile.ts", import.meta.url) })
  const outcome = hostile.read(new Uint8Array(3), how as DocumentFormat).then(
    () => "read",
    (cause) => (cause instanceof UnreadableError ? cause.code : String(cause)),
  )
  const next = hostile.read(new Uint8Array(3), "good" as DocumentFormat)
  outcomes.push(await outcome)
  outcomes.push((await next).elements[0]!.text)
  await hostile.close()
}
const { elements } = await new Sandbox().read(pagesOf([[{ text: "In a thread", y: 700 }]]), "pdf")
console.log(JSON.stringify([...outcomes, elements[0]!.text]))
