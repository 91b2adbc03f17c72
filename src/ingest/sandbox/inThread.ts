import type { ReadAndCut } from "../document.ts"
import { assembleDocument, type Part } from "../part.ts"
import { type DocumentFormat, READERS } from "../readers.ts"
import { UnreadableError } from "../UnreadableError.ts"
import { crashed } from "./errors.ts"
import { answer } from "./workerProtocol.ts"

/** Reads a document in the calling thread. Nothing limits its time and memory. */
export const readInThread = async (bytes: Uint8Array, format: DocumentFormat): Promise<ReadAndCut> => {
  const parts: Array<Part> = []
  const last = await answer(READERS, format, bytes, (message) => {
    if (message.outcome === "part") parts.push(message.part)
  })
  if (last.outcome === "read") return assembleDocument(parts, last.warnings)
  if (last.outcome === "unreadable") throw new UnreadableError(last.code, last.reason)
  throw crashed(last.outcome === "fault" ? last.message : last.outcome)
}
