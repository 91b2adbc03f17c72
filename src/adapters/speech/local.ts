import { open, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import type { Warning } from "../../core/ports/document.ts"
import {
  type Recording,
  Transcriber,
  TranscriptionFailed,
  TranscriptionUnavailable,
} from "../../core/ports/Transcriber.ts"
import { find, run } from "./programs.ts"
import { FRAME, loudness, speech, type Stretch } from "./pauses.ts"
import { asDocument, type Segment } from "./segments.ts"
import { attempt, samplesOf, SOUND, soundOf } from "./sound.ts"
import { type Word, wordsOf, spoken } from "./words.ts"

/** The programs of the local engine, where they are. */
export interface Programs {
  readonly ffmpeg: string
  readonly pocketsphinx: string
}

/** Both programs, as Debian's packages `ffmpeg` and `pocketsphinx` install them; undefined unless both are there. */
export const findPrograms = async (): Promise<Programs | undefined> => {
  const [ffmpeg, pocketsphinx] = await Promise.all([find("ffmpeg"), find("pocketsphinx_batch")])
  return ffmpeg === undefined || pocketsphinx === undefined ? undefined : { ffmpeg, pocketsphinx }
}

/** English, word by word, without punctuation and often wrong; on this machine alone. One recording at a time. */
export const layerLocal = ({ ffmpeg, pocketsphinx }: Programs) =>
  Layer.effect(
    Transcriber,
    Effect.map(Semaphore.make(1), (one) =>
      Transcriber.of({
        transcribe: <E>(recording: Recording, report: (part: number) => Effect.Effect<void, E>) =>
          Effect.scoped(
            Effect.gen(function* () {
              const { directory, parts } = yield* soundOf(ffmpeg, recording)
              const words: Array<Word> = []
              for (let n = 0; n < parts.length; n += GROUP) {
                words.push(...(yield* hear(pocketsphinx, directory, parts.slice(n, n + GROUP))))
                yield* report(Math.min(1, (n + GROUP) / parts.length))
              }
              const segments: ReadonlyArray<Segment> = spoken(words)
              return yield* asDocument(segments, [WARNING])
            }),
          ).pipe(one.withPermits(1)),
      }),
    ),
  )

const WARNING: Warning = {
  code: "transcript_rough",
  message:
    "The local engine transcribed this recording. It supports only English and makes many mistakes: check the recording before you quote it.",
}

/** Stretches heard by one run of the engine: progress is told, and a deadline set, after each. */
const GROUP = 6

/** Slow to hear is ten times as long as to say. */
const SLOWNESS = 10

const hear = Effect.fnUntraced(function* (pocketsphinx: string, directory: string, parts: ReadonlyArray<Stretch>) {
  const kept = yield* attempt(() => shorten(directory, parts))
  const files = ["-adcin", "yes", "-adchdr", "0", "-cepdir", ".", "-cepext", ".raw", "-ctl", "control", "-ctm", "words"]
  const seconds = 60 + (SLOWNESS * parts.reduce((frames, { from, to }) => frames + to - from, 0)) / 100
  yield* run(pocketsphinx, [...files, ...SETTINGS, "-logfn", "/dev/null"], { directory, seconds }).pipe(
    Effect.mapError(({ tooSlow }) =>
      tooSlow
        ? new TranscriptionUnavailable({ reason: "the local transcriber took too long; the server is busy" })
        : new TranscriptionFailed({
            reason:
              "the local transcriber failed; install Debian's pocketsphinx and pocketsphinx-en-us on the server, then reprocess the document",
          }),
    ),
  )
  return wordsOf(yield* attempt(() => readFile(join(directory, "words"), "utf8")), kept)
})

/**
 * Writes what is heard of `parts`, pauses shortened, and where in it each is; what was kept of each.
 * The mean by which the engine judges all sound is then that of speech, as in what it learnt from.
 */
const shorten = async (directory: string, parts: ReadonlyArray<Stretch>) => {
  const heard = await open(join(directory, "heard.raw"), "w", 0o600)
  const all: Array<ReadonlyArray<Stretch>> = []
  let control = ""
  let at = 0
  try {
    for (const part of parts) {
      const samples = await samplesOf(join(directory, SOUND), part)
      const kept = speech(loudness(samples))
      const from = at
      for (const stretch of kept) {
        await heard.writeFile(samples.subarray(stretch.from * FRAME, stretch.to * FRAME))
        at += stretch.to - stretch.from
      }
      if (at > from) control += `heard ${from} ${at} ${all.length}\n`
      all.push(kept.map((stretch) => ({ from: part.from + stretch.from, to: part.from + stretch.to })))
    }
  } finally {
    await heard.close()
  }
  await writeFile(join(directory, "control"), control)
  return all
}

/**
 * The engine's own removal of silence loses the recording's times. It guesses which phones come next to save a fifth of
 * the work: left out, as the pauses save more. All else is its own choice.
 */
const SETTINGS = ["-remove_silence", "no", "-pl_window", "0"]
