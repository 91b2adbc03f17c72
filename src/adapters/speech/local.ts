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
import { find, run } from "../programs.ts"
import { FRAME_SAMPLES, loudness, speech, type Stretch } from "./pauses.ts"
import { asDocument, type Segment } from "./segments.ts"
import { attempt, readSamples, SOUND, decodeSound } from "./sound.ts"
import { type Word, wordsOf, joinWords } from "./words.ts"

/** The paths of the local engine's programs. */
export interface Programs {
  readonly ffmpeg: string
  readonly pocketsphinx: string
}

/** Finds both programs, as Debian's packages `ffmpeg` and `pocketsphinx` install them; undefined if one is missing. */
export const findPrograms = async (): Promise<Programs | undefined> => {
  const [ffmpeg, pocketsphinx] = await Promise.all([find("ffmpeg"), find("pocketsphinx_batch")])
  return ffmpeg === undefined || pocketsphinx === undefined ? undefined : { ffmpeg, pocketsphinx }
}

/** Transcribes on this machine: English only, without punctuation, often wrong. One recording at a time. */
export const layerLocal = ({ ffmpeg, pocketsphinx }: Programs) =>
  Layer.effect(
    Transcriber,
    Effect.map(Semaphore.make(1), (one) =>
      Transcriber.of({
        transcribe: <E>(recording: Recording, report: (part: number) => Effect.Effect<void, E>) =>
          Effect.scoped(
            Effect.gen(function* () {
              const { directory, parts } = yield* decodeSound(ffmpeg, recording)
              const words: Array<Word> = []
              for (let n = 0; n < parts.length; n += STRETCHES_PER_RUN) {
                words.push(...(yield* hear(pocketsphinx, directory, parts.slice(n, n + STRETCHES_PER_RUN))))
                yield* report(Math.min(1, (n + STRETCHES_PER_RUN) / parts.length))
              }
              const segments: ReadonlyArray<Segment> = joinWords(words)
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

/** Stretches per run of the engine: each run has a deadline and then reports progress. */
const STRETCHES_PER_RUN = 6

/** The deadline of a run in multiples of its sound's length. */
const MAX_SLOWDOWN = 10

const hear = Effect.fnUntraced(function* (pocketsphinx: string, directory: string, parts: ReadonlyArray<Stretch>) {
  const kept = yield* attempt(() => shorten(directory, parts))
  const files = ["-adcin", "yes", "-adchdr", "0", "-cepdir", ".", "-cepext", ".raw", "-ctl", "control", "-ctm", "words"]
  const seconds = 60 + (MAX_SLOWDOWN * parts.reduce((frames, { from, to }) => frames + to - from, 0)) / 100
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
 * Writes the speech of `parts` with shortened pauses, and a control file with its offsets; returns the kept stretches.
 * The engine normalizes by the mean of all sound, which then is the mean of speech, as in its training data.
 */
const shorten = async (directory: string, parts: ReadonlyArray<Stretch>) => {
  const heard = await open(join(directory, "heard.raw"), "w", 0o600)
  const all: Array<ReadonlyArray<Stretch>> = []
  let control = ""
  let at = 0
  try {
    for (const part of parts) {
      const samples = await readSamples(join(directory, SOUND), part)
      const kept = speech(loudness(samples))
      const from = at
      for (const stretch of kept) {
        await heard.writeFile(samples.subarray(stretch.from * FRAME_SAMPLES, stretch.to * FRAME_SAMPLES))
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
 * The engine's own silence removal would lose the recording's times. Its phone lookahead is a guess that saves a fifth of
 * the work; shortened pauses save more. All other settings are defaults.
 */
const SETTINGS = ["-remove_silence", "no", "-pl_window", "0"]
