import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { layerLocal } from "../../src/adapters/speech/local.ts"
import { Transcriber } from "../../src/core/ports/Transcriber.ts"
import { audio, hasAudio, programs, recordingOf, transcripts, wordErrors } from "../../test/support/recordings.ts"
import { heading, judge, table } from "../support/report.ts"

/** Counts the words that the local engine mishears, drops or invents in `../shared/data/audio`. */
export const speech = async () => {
  if (programs === undefined || !hasAudio) return
  heading("The local engine: word error rate")
  const rows: Array<ReadonlyArray<string>> = []
  const total = { words: 0, wrong: 0 }
  for (const { file, format, words } of transcripts()) {
    const began = performance.now()
    const { elements } = await Effect.runPromise(
      Transcriber.use(({ transcribe }) =>
        transcribe(recordingOf(new Uint8Array(readFileSync(join(audio, file))), format), () => Effect.void),
      ).pipe(Effect.provide(layerLocal(programs))),
    )
    const wrong = wordErrors(
      words,
      elements.flatMap(({ text }) => text.split(" ")),
    )
    total.words += words.length
    total.wrong += wrong
    rows.push([file, String(words.length), String(wrong), ((performance.now() - began) / 1000).toFixed(1)])
  }
  table(["recording", "words", "wrong", "seconds"], rows)
  console.log("")
  judge(`word error rate of ${total.words} words`, total.wrong / total.words, 0.26)
}
