import { mkdtemp, open, rm, stat, statfs } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { Format } from "../../core/ports/document.ts"
import { type Recording, TranscriptionFailed, TranscriptionUnavailable } from "../../core/ports/Transcriber.ts"
import { LIMITS } from "../../ingest/document.ts"
import { tooLong } from "../../ingest/sandbox/errors.ts"
import { loudness, RATE, type Stretch, stretches } from "./pauses.ts"
import { type ProgramFailed, run } from "./programs.ts"

/** A recording's sound on disk: raw samples of 16 bits, one channel, `RATE` a second, without a header. */
export const SOUND = "sound.raw"
const ORIGINAL = "original"
const MOST_FRAMES = 2_000
const FRAMES = 100
const PIECE = 4 * 1024 * 1024

/** Decodes a recording into `SOUND` of a directory of its own, which goes with the scope; the stretches to hear it in. */
export const soundOf = Effect.fnUntraced(function* (ffmpeg: string, recording: Recording) {
  const directory = yield* temporary
  yield* copy(recording, join(directory, ORIGINAL))
  yield* decode(ffmpeg, directory, recording.format)
  const parts = yield* attempt(() => cut(join(directory, SOUND)))
  if ((parts.at(-1)?.to ?? 0) > LIMITS.recordingSeconds * FRAMES) {
    return yield* new TranscriptionFailed({ reason: tooLong().reason })
  }
  return { directory, parts }
})

const unavailable = () =>
  new TranscriptionUnavailable({ reason: "the local transcriber could not work; is the disk full?" })
export const attempt = <A>(action: () => Promise<A>) => Effect.tryPromise({ try: action, catch: unavailable })

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
  // A second more than is taken tells that there is more.
  const seconds = String(LIMITS.recordingSeconds + 1)
  const output = ["-map", "0:a:0", "-t", seconds, "-ac", "1", "-ar", String(RATE), "-f", "s16le", SOUND]
  yield* run(ffmpeg, ["-nostdin", "-v", "error", "-threads", "1", ...input, ...output], {
    directory,
    seconds: 900,
  }).pipe(Effect.catch((failed) => undecoded(failed, directory)))
})

/** What is left on a disk that is full to all who write more than a little. */
const FULL = 16 * 1024 * 1024

/** ffmpeg says by its status no more than that it failed. */
const isFull = (directory: string) =>
  Effect.promise(() =>
    statfs(directory).then(
      ({ bavail, bsize }) => bavail * bsize < FULL,
      () => false,
    ),
  )

const undecoded = Effect.fnUntraced(function* ({ status, tooSlow }: ProgramFailed, directory: string) {
  if (tooSlow)
    return yield* new TranscriptionFailed({ reason: "this recording took too long to decode; upload a shorter one" })
  if (yield* isFull(directory)) return yield* unavailable()
  // It could not be started, or was ended from outside.
  if (status === null) return yield* new TranscriptionUnavailable({ reason: "ffmpeg could not run to its end" })
  return yield* new TranscriptionFailed({
    reason:
      "this recording has no sound that can be decoded: it has no audio track, or is damaged or cut off; export it again and upload the new file",
  })
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

/** What sounds in a stretch of a file of raw samples. */
export const samplesOf = async (path: string, { from, to }: Stretch): Promise<Int16Array> => {
  const samples = new Int16Array(((to - from) * RATE) / FRAMES)
  const file = await open(path, "r")
  try {
    const { bytesRead } = await file.read(
      new Uint8Array(samples.buffer),
      0,
      samples.byteLength,
      (from * RATE * 2) / FRAMES,
    )
    return samples.subarray(0, bytesRead >> 1)
  } finally {
    await file.close()
  }
}
