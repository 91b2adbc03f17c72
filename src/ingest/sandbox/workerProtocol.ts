import { parentPort } from "node:worker_threads"
import { setImmediate } from "node:timers/promises"
import { PackageMissing } from "../../core/common/optionalPackage.ts"
import { Cutter } from "../chunk.ts"
import type { Attachment, Element, PagePicture, ReadDocument, Recognition, Unreadable, Warning } from "../document.ts"
import type { Emit } from "../elements.ts"
import type { Part } from "../part.ts"
import type { Drawer, Reader } from "../readers.ts"
import { SHEET_READERS, type SheetChoice } from "../importFiles/sheetReader.ts"
import type { SheetPart } from "../importFiles/sheetPart.ts"
import { UnreadableError } from "../UnreadableError.ts"
import { NEXT_PART } from "./threads.ts"

/** A task for one file: read a document, with the text of its pictures, draw a page, or read the rows of a sheet. */
export interface Work {
  readonly format: string
  /** Reads this sheet of a file of records, part by part: each next part is asked for. */
  readonly sheet?: SheetChoice | undefined
  readonly recognition?: Recognition
  /** Draws this page; undefined: reads the document. */
  readonly page?: number | undefined
}

/** Shared bytes: a Deno thread that received a transferred buffer takes three times the memory from then on. */
export interface Job extends Work {
  readonly bytes: SharedArrayBuffer
}

/** `started`: the thread listens. `part`: the next part of the document, in order. `attachment`: a file in it, whose bytes are shared. `fault`: a reader's error other than `UnreadableError`. */
export type Answer =
  | { readonly outcome: "started" }
  | { readonly outcome: "part"; readonly part: Part }
  | { readonly outcome: "attachment"; readonly attachment: Attachment }
  | { readonly outcome: "read"; readonly warnings: ReadonlyArray<Warning> }
  | { readonly outcome: "drawn"; readonly picture: PagePicture }
  | { readonly outcome: "sheetPart"; readonly part: SheetPart }
  | { readonly outcome: "sheetRead" }
  | { readonly outcome: "unreadable"; readonly code: Unreadable["code"]; readonly reason: string }
  | { readonly outcome: "fault"; readonly message: string }

const PART_ELEMENTS = 1000

/** Sends parts and frees each at once: otherwise a large sheet would exist in memory several times and block the other thread while it is copied. */
const sendParts = async (document: ReadDocument, emit: Emit) => {
  const elements = document.elements as Array<Element>
  while (elements.length > 0) {
    emit(elements.splice(0, PART_ELEMENTS))
    await setImmediate()
  }
}

const share = (bytes: Uint8Array) => {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength))
  shared.set(bytes)
  return shared
}

type Readers = Readonly<Record<string, Reader>>
type Drawers = Readonly<Record<string, Drawer | undefined>>

const read = async (
  reader: Reader | undefined,
  { format, recognition }: Work,
  bytes: Uint8Array,
  post: (answer: Answer) => void,
): Promise<Answer> => {
  if (reader === undefined) return { outcome: "fault", message: `no reader for ${format}` }
  const cutter = new Cutter()
  const emit: Emit = (elements) => post({ outcome: "part", part: cutter.take(elements) })
  const document = await reader(bytes, emit, recognition)
  await sendParts(document, emit)
  post({ outcome: "part", part: cutter.end() })
  for (const attachment of document.attachments ?? []) {
    post({ outcome: "attachment", attachment: { ...attachment, bytes: share(attachment.bytes) } })
  }
  return { outcome: "read", warnings: document.warnings }
}

const draw = async (drawer: Drawer | undefined, { format }: Work, bytes: Uint8Array, page: number): Promise<Answer> => {
  if (drawer === undefined) throw new UnreadableError("unsupported", `Pages of ${format} files cannot be drawn.`)
  return { outcome: "drawn", picture: await drawer(bytes, page) }
}

const readSheet = async (
  { container, ...choice }: SheetChoice,
  bytes: Uint8Array,
  post: (answer: Answer) => void,
  isWanted: () => Promise<void>,
): Promise<Answer> => {
  const reader = await SHEET_READERS[container]()
  for (const part of reader(bytes, choice)) {
    post({ outcome: "sheetPart", part })
    await isWanted()
  }
  return { outcome: "sheetRead" }
}

/** Does the work, posts parts, and returns the last answer. `isWanted` waits until the next part of a sheet is asked for. */
export const answer = async (
  readers: Readers,
  drawers: Drawers,
  work: Work,
  bytes: Uint8Array,
  post: (answer: Answer) => void,
  isWanted: () => Promise<void> = async () => {},
): Promise<Answer> => {
  try {
    if (work.sheet !== undefined) return await readSheet(work.sheet, bytes, post, isWanted)
    return work.page === undefined
      ? await read(readers[work.format], work, bytes, post)
      : await draw(drawers[work.format], work, bytes, work.page)
  } catch (cause) {
    if (cause instanceof UnreadableError) return { outcome: "unreadable", code: cause.code, reason: cause.reason }
    if (cause instanceof PackageMissing) return { outcome: "unreadable", code: "unsupported", reason: cause.message }
    return { outcome: "fault", message: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause) }
  }
}

/** Serves one job at a time: a document in, its parts and a final answer out. */
export const serve = (readers: Readers, drawers: Drawers = {}) => {
  const port = parentPort
  if (port === null) throw new Error("serve runs in a worker thread")
  const post = (message: Answer) => port.postMessage(message)
  let wanted = () => {}
  const isWanted = () => new Promise<void>((resolve) => (wanted = resolve))
  port.on("message", (message: Job | typeof NEXT_PART) => {
    if (message === NEXT_PART) return wanted()
    const { bytes, ...work } = message
    void answer(readers, drawers, work, new Uint8Array(bytes), post, isWanted).then(post)
  })
  post({ outcome: "started" })
}
