import { basename, extname } from "node:path"
import * as Effect from "effect/Effect"
import type { Document } from "../../../core/library/contract.ts"
import { CONTENT_TYPES } from "../../../ingest/safety/sniff.ts"
import type { Client, Output, Progress, SightlineErrorCode } from "../../client/client.ts"
import type { Calls, Refused } from "../connection/client.ts"
import type { reachOperator } from "../connection/operator.ts"
import { bar, showStatus } from "../terminal/progress.ts"
import { sendFile, Unreadable } from "./file.ts"

/** A deal, by one of its ids, or a competitor, by id or name. */
export type Target =
  | { readonly deal_id?: string; readonly crm_one_id?: string; readonly crm_two_id?: string }
  | { readonly type: "asset" | "intel"; readonly competitor: string }

interface Destination {
  readonly org: string
  readonly target: Target
  /** Waits until the files are read. */
  readonly wait: boolean
  /** Makes files new versions of documents of their names. */
  readonly replaces_same_name: boolean
}

/** The outcome of one file. `error`: the server refused it or cannot read it. */
export interface UploadOutcome {
  readonly file: string
  readonly document?: Document
  readonly run_id?: string
  readonly duplicate?: true
  readonly error?: string
  /** The failure does not lie in the file: another attempt may succeed. */
  readonly temporary?: true
}

export const uploadFiles = Effect.fnUntraced(function* (
  operator: Effect.Success<typeof reachOperator>,
  { org, target, wait, replaces_same_name }: Destination,
  files: ReadonlyArray<string>,
) {
  yield* operator.call((client, signal) => client.organizations.find(org, { signal }))
  const { call } = operator.within(org)
  const resolved = "competitor" in target ? yield* resolveCompetitor(call, target) : target

  const take = Effect.fnUntraced(function* (file: string) {
    const content_type = typeOf(file)
    if (content_type === undefined) {
      const endings = Object.keys(CONTENT_TYPES).join(", ")
      return yield* new Unreadable({ message: `its extension is not one that can be read: ${endings}` })
    }
    const receipt = yield* sendFile(file, "it", ({ size, content }) => {
      const given = { file: content, file_name: basename(file), content_type, replaces_same_name }
      const onProgress = ({ sentBytes }: Progress) => show(file, sentBytes / (size ?? 1), "storing")
      return call((client, signal) =>
        "type" in resolved
          ? client.library.uploadToLibrary({ ...given, ...resolved }, { signal, onProgress })
          : client.library.uploadToDeal({ ...given, ...resolved }, { signal, onProgress }),
      )
    })
    return { file, ...receipt } satisfies UploadOutcome
  })

  /** Waits until the document's run ends, in this or another process. The document says how it ended. */
  const read = Effect.fnUntraced(function* (outcome: UploadOutcome) {
    const { file, document, run_id: run = "" } = outcome
    if (document === undefined) return outcome
    const onProgress = ({ progress, stage }: Output<"library", "run">) => show(file, progress, stage)
    const ended = call((client, signal) => client.waitForRun(run, { signal, timeoutMs: MAX_WAIT_MS, onProgress }))
    // The run of a document that is there already may be forgotten.
    if (run !== "") yield* Effect.catchIf(ended, isOver, () => Effect.void)
    const now = yield* call((client, signal) => client.library.get({ id: document.id }, { signal }))
    return { ...outcome, document: now, ...(now.failure_reason !== null && { error: now.failure_reason }) }
  })

  const taken = yield* Effect.forEach(files, (file) => failing(file, take(file)))
  return wait ? yield* Effect.forEach(taken, (outcome) => failing(outcome.file, read(outcome))) : taken
})

const isOver = ({ code }: Refused) => code === "run_failed" || code === "not_found"

/** A day: recordings take hours, and wait behind others. */
const MAX_WAIT_MS = 86_400_000

/** The competitor that has the id, else the one of the name. */
const resolveCompetitor = Effect.fnUntraced(function* (
  call: Calls<Client>["call"],
  { type, competitor }: Extract<Target, { readonly competitor: string }>,
) {
  const hasId = yield* call(async (client, signal) => {
    for await (const { id } of client.workspace.list.each({ kind: "competitors" }, { signal }))
      if (id === competitor) return true
    return false
  })
  return hasId ? { type, competitor_id: competitor } : { type, competitor_name: competitor }
})

const show = (file: string, progress: number, stage: string) => showStatus(`${file}: [${bar(progress)}] ${stage}`)

/** An import may add a missing deal or competitor, and another upload of the same name ends. */
const TEMPORARY: ReadonlySet<string> = new Set<SightlineErrorCode>([
  "network_error",
  "timeout",
  "service_unavailable",
  "internal_error",
  "not_found",
  "conflict",
])

const failing = <E extends Unreadable | Refused, R>(file: string, effect: Effect.Effect<UploadOutcome, E, R>) =>
  Effect.catch(effect, (error) =>
    Effect.succeed<UploadOutcome>({
      file,
      error: error.message,
      ...(error._tag === "Refused" && TEMPORARY.has(error.code) && { temporary: true }),
    }),
  )

const ENDINGS: Readonly<Record<string, string>> = { markdown: "md", text: "txt" }

const typeOf = (file: string): string | undefined => {
  const ending = extname(file).slice(1).toLowerCase()
  return Object.entries(CONTENT_TYPES).find(([format]) => format === (ENDINGS[ending] ?? ending))?.[1][0]
}

export const lineOf = ({ file, document, duplicate, error }: UploadOutcome) => {
  const id = document === undefined ? "" : ` (${document.id})`
  if (error !== undefined) return `${file}${id}: failed: ${error}`
  return `${file}${id}: ${document?.status ?? ""}${duplicate === true ? ", already there" : ""}`
}
