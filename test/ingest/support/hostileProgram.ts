import type { DocumentFormat } from "../../../src/ingest/readers.ts"
import { Sandbox } from "../../../src/ingest/Sandbox.ts"
import { UnreadableError } from "../../../src/ingest/UnreadableError.ts"
import { pagesOf } from "./pdf.ts"

const hostile = new Sandbox({ seconds: 2, heapMegabytes: 96, worker: new URL("hostile.ts", import.meta.url) })
const outcomes: Array<string> = []
for (const how of ["forever", "hog", "buffers", "exit", "fault", "encrypted"]) {
  const reading = hostile.read(new Uint8Array(3), how as DocumentFormat)
  outcomes.push(
    await reading.then(
      () => "read",
      (cause) => (cause instanceof UnreadableError ? cause.code : String(cause)),
    ),
  )
  const next = await hostile.read(new Uint8Array(3), "good" as DocumentFormat)
  outcomes.push(next.elements[0]!.text)
}
await hostile.close()
const { elements } = await new Sandbox().read(pagesOf([[{ text: "In a thread", y: 700 }]]), "pdf")
console.log(JSON.stringify([...outcomes, elements[0]!.text]))
