import { mkdtemp, open, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import type { Format } from "../../core/library/document.ts"
import {
  type Recording,
  Transcriber,
  TranscriptionFailed,
  TranscriptionUnavailable,
} from "../../core/ports/Transcriber.ts"
import { find, run } from "./programs.ts"
import { loudness, RATE, type Stretch, stretches } from "./pauses.ts"
import { asDocument, type Segment } from "./segments.ts"
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
              const directory = yield* temporary
              yield* copy(recording, join(directory, ORIGINAL))
              yield* decode(ffmpeg, directory, recording.format)
              const parts = yield* attempt(() => cut(join(directory, SOUND)))
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

const WARNING =
  "transcribed by the local engine, which knows English and mishears often: check the recording before you quote it"

const ORIGINAL = "original"
const SOUND = "sound.raw"
/** Stretches heard by one run of the engine: progress is told, and a deadline set, after each. */
const GROUP = 6
const MOST_FRAMES = 2_000
const MOST_SECONDS = 4 * 3600
const PIECE = 4 * 1024 * 1024

const unavailable = () =>
  new TranscriptionUnavailable({ reason: "the local transcriber could not work; is the disk full?" })
const attempt = <A>(action: () => Promise<A>) => Effect.tryPromise({ try: action, catch: unavailable })

const temporary = Effect.acquireRelease(
  attempt(() => mkdtemp(join(tmpdir(), "sightline-speech-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }).catch(() => {})),
)

const copy = Effect.fnUntraced(function* ({ read, size }: Recording, path: string) {
  const file = yield* Effect.acquireRelease(
    attempt(() => open(path, "wx", 0o600)),
    (opened) => Effect.promise(() => opened.close()),
  )
  for (let at = 0; at < size; at += PIECE) {
    const bytes = yield* read(at, Math.min(size, at + PIECE))
    yield* attempt(() => file.writeFile(bytes))
  }
})

/** What ffmpeg may take the file for, whatever it says of itself: no playlists, no addresses. */
const DEMUXER: Partial<Record<Format, string>> = { mp3: "mp3", wav: "wav", m4a: "mov", mp4: "mov" }

const decode = Effect.fnUntraced(function* (ffmpeg: string, directory: string, format: Format) {
  const input = ["-protocol_whitelist", "file", "-f", DEMUXER[format] ?? format, "-i", ORIGINAL]
  const output = ["-map", "0:a:0", "-t", String(MOST_SECONDS), "-ac", "1", "-ar", String(RATE), "-f", "s16le", SOUND]
  yield* run(ffmpeg, ["-nostdin", "-v", "error", "-threads", "1", ...input, ...output], {
    directory,
    seconds: 900,
  }).pipe(
    Effect.mapError(({ tooSlow }) =>
      tooSlow
        ? new TranscriptionFailed({ reason: "this recording took too long to decode; upload a shorter one" })
        : new TranscriptionFailed({
            reason:
              "this recording has no sound that can be decoded: it has none, or it is damaged or cut off; export it again and upload the new file",
          }),
    ),
  )
})

/** Cut at pauses, the sound never whole in memory. */
const cut = async (path: string): Promise<ReadonlyArray<Stretch>> => {
  const { size } = await stat(path)
  const frames = new Float32Array(Math.floor(size / 2 / (RATE / 100)))
  const file = await open(path, "r")
  try {
    const buffer = new Int16Array(RATE * 60)
    for (let at = 0; at < frames.length;) {
      const { bytesRead } = await file.read(new Uint8Array(buffer.buffer), 0, buffer.byteLength, at * (RATE / 100) * 2)
      const heard = loudness(buffer.subarray(0, Math.floor(bytesRead / 2)))
      if (heard.length === 0) break
      frames.set(heard, at)
      at += heard.length
    }
  } finally {
    await file.close()
  }
  return stretches(frames, MOST_FRAMES)
}

/** Slow to hear is ten times as long as to say. */
const SLOWNESS = 10

const hear = Effect.fnUntraced(function* (pocketsphinx: string, directory: string, parts: ReadonlyArray<Stretch>) {
  const control = parts.map(({ from, to }) => `sound ${from} ${to} ${from}`).join("\n")
  yield* attempt(() => writeFile(join(directory, "control"), `${control}\n`))
  const files = ["-adcin", "yes", "-adchdr", "0", "-cepdir", ".", "-cepext", ".raw", "-ctl", "control", "-ctm", "words"]
  const seconds = 60 + (SLOWNESS * parts.reduce((frames, { from, to }) => frames + to - from, 0)) / 100
  yield* run(pocketsphinx, [...files, ...TUNING, "-logfn", "/dev/null"], { directory, seconds }).pipe(
    Effect.mapError(({ tooSlow }) =>
      tooSlow
        ? new TranscriptionUnavailable({ reason: "the local transcriber took too long; the server is busy" })
        : new TranscriptionFailed({
            reason:
              "the local transcriber failed; install Debian's pocketsphinx and pocketsphinx-en-us where the server runs, then reprocess the document",
          }),
    ),
  )
  return wordsOf(yield* attempt(() => readFile(join(directory, "words"), "utf8")))
})

/** With the silence left in, so that times are those of the recording; wider than the engine's own choice, for it is judged by its words. */
const TUNING = ["-remove_silence", "no", "-fwdflatlw", "12", "-bestpathlw", "14", "-beam", "1e-60", "-wbeam", "1e-40"]
