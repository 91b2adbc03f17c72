import type { Attachment, PagePicture, ReadAndCut, Recognition } from "../document.ts"
import { assembleDocument, type Part } from "../part.ts"
import { type DocumentFormat, DRAWERS, READERS } from "../readers.ts"
import { UnreadableError } from "../UnreadableError.ts"
import { crashed } from "./errors.ts"
import { type Answer, answer } from "./workerProtocol.ts"

const makeFailure = (last: Answer) => {
  if (last.outcome === "unreadable") return new UnreadableError(last.code, last.reason)
  return crashed(last.outcome === "fault" ? last.message : last.outcome)
}

interface Options {
  readonly recognition?: Recognition
}

/** Reads a document in the calling thread. Nothing limits its time and memory. */
export const readInThread = async (
  bytes: Uint8Array,
  format: DocumentFormat,
  { recognition }: Options = {},
): Promise<ReadAndCut> => {
  const parts: Array<Part> = []
  const attachments: Array<Attachment> = []
  const last = await answer(READERS, DRAWERS, { format, recognition }, bytes, (message) => {
    if (message.outcome === "part") parts.push(message.part)
    else if (message.outcome === "attachment") attachments.push(message.attachment)
  })
  if (last.outcome === "read") return assembleDocument(parts, last.warnings, attachments)
  throw makeFailure(last)
}

/** Draws a page in the calling thread. Nothing limits its time and memory. */
export const drawInThread = async (bytes: Uint8Array, format: DocumentFormat, page: number): Promise<PagePicture> => {
  const last = await answer(READERS, DRAWERS, { format, page }, bytes, () => {})
  if (last.outcome === "drawn") return last.picture
  throw makeFailure(last)
}
