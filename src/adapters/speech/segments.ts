import * as Effect from "effect/Effect"
import type { Element, ReadDocument, Warning } from "../../core/ports/document.ts"
import { noSpeech, type Recording, TranscriptionFailed } from "../../core/ports/Transcriber.ts"

/** Transcribed speech; times in seconds of the whole recording. */
export interface Segment {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly speaker?: string | undefined
}

/** Converts segments to a document. Times are whole milliseconds, never negative and never reversed within a segment. */
export const asDocument = (
  segments: ReadonlyArray<Segment>,
  warnings: ReadonlyArray<Warning>,
): Effect.Effect<ReadDocument, TranscriptionFailed> => {
  const elements = segments
    .toSorted((a, b) => a.start - b.start)
    .flatMap(({ start, end, text, speaker }) => {
      const said = text.replaceAll("\0", "").trim()
      const from = milliseconds(Math.max(0, start))
      const place = { kind: "time", start: from, end: Math.max(from, milliseconds(end)), speaker } as const
      return said === "" ? [] : [{ kind: "speech", text: said, place } satisfies Element]
    })
  return elements.length === 0 ? Effect.fail(noSpeech) : Effect.succeed({ elements, warnings })
}

const milliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000

/** Adapts a recording to promises; rejects with the store's own errors. */
export const byteSource = ({ size, read }: Recording) => ({
  size,
  read: (start: number, end: number, signal?: AbortSignal) =>
    Effect.runPromise(read(start, end), signal === undefined ? {} : { signal }),
})
