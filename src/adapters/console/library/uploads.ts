import { signal } from "@preact/signals"
import { type DealUpload, type LibraryUpload, type Output, SightlineError } from "../../client/client.ts"
import { CONTENT_TYPES } from "../../client/endpoints.ts"
import { client, clientWithProgress, queries } from "../common/api.ts"
import { t } from "../common/texts.ts"

type Run = Output<"library", "run">

export interface Upload {
  readonly key: string
  readonly name: string
  /** The deal on whose page it shows; undefined for one that shows in the library. */
  readonly deal?: string | undefined
  readonly state: "waiting" | "sending" | "reading" | "ready" | "duplicate" | "failed"
  /** From 0 to 1: what was sent, then what was read. */
  readonly progress?: number | undefined
  readonly stage?: string | undefined
  readonly reason?: string | undefined
  readonly warnings?: Run["warnings"] | undefined
}

/** The subject of the file: a deal, or a competitor. */
type Given = Omit<DealUpload, "file"> | Omit<LibraryUpload, "file">
type Waiting = Pick<Upload, "key" | "deal"> & { readonly file: File; readonly given: Given }

/** The files that this tab sends, and the runs that read them. They go on while the reader visits other pages. */
export const uploads = signal<ReadonlyArray<Upload>>([])

const KEPT = "sightline.uploads"
/** A recording may take longer than it plays. */
const MAX_RUN_MS = 12 * 3_600_000

const waiting: Array<Waiting> = []
let isSending = false
let keys = 0

const change = (key: string, to: Partial<Upload>) => {
  uploads.value = uploads.value.map((each) => (each.key === key ? { ...each, ...to } : each))
}

interface Kept extends Pick<Upload, "name" | "deal"> {
  readonly run: string
}

const readKept = (): ReadonlyArray<Kept> => JSON.parse(sessionStorage.getItem(KEPT) ?? "[]")
const keep = (all: ReadonlyArray<Kept>) => sessionStorage.setItem(KEPT, JSON.stringify(all))

export const dismiss = (key: string) => {
  uploads.value = uploads.value.filter((each) => each.key !== key)
}

/** The list has the states of documents, and a competitor's page its documents. */
export const reloadDocuments = () => queries.invalidateQueries({ queryKey: ["documents"] })

const follow = async (key: string, kept: Kept) => {
  const { run } = kept
  change(key, { state: "reading", progress: undefined, stage: "queued" })
  keep([...readKept().filter((each) => each.run !== run), kept])
  void reloadDocuments()
  try {
    const { warnings } = await client.waitForRun(run, {
      timeoutMs: MAX_RUN_MS,
      onProgress: ({ stage, progress }) => change(key, { stage, progress }),
    })
    change(key, { state: "ready", warnings })
  } catch (error) {
    change(key, { state: "failed", reason: (error as Error).message })
  }
  keep(readKept().filter((each) => each.run !== run))
  void reloadDocuments()
  // A document of a deal begins its analysis, or makes the last one stale.
  void queries.invalidateQueries({ queryKey: ["analysis"] })
}

/** Words for readers, where the server's are for programs. */
const reasonOf = (error: unknown, { name, size }: File) => {
  if (size === 0) return t("upload.empty")
  if (!(error instanceof SightlineError && error.status === 415)) return (error as Error).message
  return Object.hasOwn(CONTENT_TYPES, name.slice(name.lastIndexOf(".") + 1).toLowerCase())
    ? t("upload.otherContents")
    : t("upload.otherKind", { formats: t("upload.formats") })
}

const send = async ({ key, deal, file, given }: Waiting) => {
  change(key, { state: "sending", progress: 0 })
  try {
    const sender = clientWithProgress((progress) => change(key, { progress }))
    const { run_id, duplicate } = await ("deal_id" in given
      ? sender.library.uploadToDeal({ ...given, file } as DealUpload)
      : sender.library.uploadToLibrary({ ...given, file } as LibraryUpload))
    if (duplicate === true) change(key, { state: "duplicate" })
    else void follow(key, { run: run_id, name: file.name, deal })
  } catch (error) {
    change(key, { state: "failed", reason: reasonOf(error, file) })
  }
}

/** A page that closes loses the files that it has not sent. */
const warn = (event: BeforeUnloadEvent) => event.preventDefault()

/** Sends one file at a time, so that the first is readable soon. */
const sendAll = async () => {
  if (isSending) return
  isSending = true
  addEventListener("beforeunload", warn)
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await send(next)
  removeEventListener("beforeunload", warn)
  isSending = false
}

const add = (about: Pick<Upload, "name" | "deal">): string => {
  const key = String(++keys)
  uploads.value = [...uploads.value, { key, ...about, state: "waiting" }]
  return key
}

/** Sends files one after the other. Their progress shows on the page of the deal, or in the library. */
export const upload = (files: Iterable<File>, given: Given, deal?: string) => {
  for (const file of files) waiting.push({ key: add({ name: file.name, deal }), deal, file, given })
  void sendAll()
}

/** Reads a document again, after a failure or for what readers have learnt since. */
export const readAgain = async ({ id, file_name }: Output<"library", "get">, deal?: string) => {
  const { run_id } = await client.library.reprocess({ id })
  const about = { name: file_name, deal }
  void follow(add(about), { run: run_id, ...about })
}

let isResumed = false

/** Follows the runs that the page before a reload followed. */
export const resume = () => {
  if (isResumed) return
  isResumed = true
  for (const kept of readKept()) void follow(add({ name: kept.name, deal: kept.deal }), kept)
}
