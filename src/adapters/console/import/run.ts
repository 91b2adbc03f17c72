import { signal } from "@preact/signals"
import { type Import, type Output, SightlineError } from "../../client/client.ts"
import { client, clientWithProgress, isOffline, queries } from "../common/api.ts"
import { current, signedIn } from "../common/session.ts"
import { t } from "../common/texts.ts"

export type Report = Output<"workspace", "import">
type Query = Omit<Import, "file" | "csv" | "ndjson" | "records">

export type Importing =
  | { readonly state: "idle" }
  | { readonly state: "running"; readonly name: string; readonly sent: number }
  | { readonly state: "done"; readonly name: string; readonly report: Report }
  | { readonly state: "failed"; readonly name: string; readonly reason: string; readonly isOutdated: boolean }

/** The import of this tab. It goes on while the reader visits other pages. */
export const importing = signal<Importing>({ state: "idle" })

/** The key of the replies of dry runs. */
export const DRY_RUN = "dry run"

/** The types that say so; the bytes of every other file decide what it is. */
const isNdjson = ({ name }: File) => /\.(?:ndjson|jsonl)$/i.test(name)

export const makeInput = (query: Query, file: File): Import =>
  isNdjson(file) ? { ...query, ndjson: file } : { ...query, file }

/** If the page closes, the part that was sent is imported, but the rest of the file is not. */
const warn = (event: BeforeUnloadEvent) => event.preventDefault()

export const runImport = async (query: Query, file: File) => {
  const { name } = file
  importing.value = { state: "running", name, sent: 0 }
  addEventListener("beforeunload", warn)
  try {
    const sender = clientWithProgress((sent) => (importing.value = { state: "running", name, sent }))
    importing.value = { state: "done", name, report: await sender.workspace.import(makeInput(query, file)) }
    await showWritten()
  } catch (error) {
    const outdated = query.plan_id === undefined ? undefined : whyOutdated(error)
    const reason = outdated ?? (await explain(error, file))
    importing.value = { state: "failed", name, reason, isOutdated: outdated !== undefined }
  }
  removeEventListener("beforeunload", warn)
}

/** Loads again what an import or its undo may have changed: every page, and the names and settings of the workspace. */
export const showWritten = async () => {
  void queries.invalidateQueries()
  try {
    const workspace = await client.workspace.get({})
    signedIn.value = { ...current(), workspace }
  } catch {
    // Pages show the names that they had; the records are written all the same.
  }
}

/** Why an import by a plan is refused before it begins: the plan is gone, or says no longer what would happen. */
const whyOutdated = (error: unknown): string | undefined => {
  if (!(error instanceof SightlineError)) return undefined
  if (error.status === 404) return t("import.planGone")
  if (error.status !== 409) return undefined
  const { changes } = error.details as { readonly changes?: ReadonlyArray<string> }
  return changes === undefined
    ? t("import.otherHeader", { reason: error.message })
    : t("import.workspaceChanged", { changes: changes.join("; ") })
}

/** A file that was saved again after it was chosen can no longer be read, which looks like a server out of reach. */
export const explain = async (error: unknown, file: File): Promise<string> => {
  const isLost = isOffline(error) && (await file.slice(0, 1).arrayBuffer()).byteLength === 0
  return isLost ? t("import.fileChanged", { name: file.name }) : (error as Error).message
}
