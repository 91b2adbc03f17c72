import { signal } from "@preact/signals"
import type { Import, Output } from "../../client/client.ts"
import { clientWithProgress, queries } from "../common/api.ts"

export type Report = Output<"workspace", "import">

export type Importing =
  | { readonly state: "idle" }
  | { readonly state: "running"; readonly name: string; readonly sent: number }
  | { readonly state: "done"; readonly name: string; readonly report: Report }
  | { readonly state: "failed"; readonly name: string; readonly reason: string }

/** The import of this tab. It goes on while the reader visits other pages. */
export const importing = signal<Importing>({ state: "idle" })

/** If the page closes, the part that was sent is imported, but the rest of the file is not. */
const warn = (event: BeforeUnloadEvent) => event.preventDefault()

export const runImport = async (name: string, input: Import) => {
  importing.value = { state: "running", name, sent: 0 }
  addEventListener("beforeunload", warn)
  try {
    const sender = clientWithProgress((sent) => (importing.value = { state: "running", name, sent }))
    importing.value = { state: "done", name, report: await sender.workspace.import(input) }
    void queries.invalidateQueries()
  } catch (error) {
    importing.value = { state: "failed", name, reason: (error as Error).message }
  }
  removeEventListener("beforeunload", warn)
}
