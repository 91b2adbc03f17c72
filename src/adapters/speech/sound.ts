import { mkdtemp, open, rm, stat, statfs } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { Format } from "../../core/ports/document.ts"
import { type Recording, TranscriptionFailed, TranscriptionUnavailable } from "../../core/ports/Transcriber.ts"
import { LIMITS } from "../../ingest/document.ts"
import { tooLong } from "../../ingest/sandbox/errors.ts"
import { loudness, SAMPLE_RATE, type Stretch, stretches } from "./pauses.ts"
import { type ProgramFailed, run } from "../programs.ts"

/** The file of a recording's sound: raw 16-bit samples, one channel, `SAMPLE_RATE` per second, no header. */
export const SOUND = "sound.raw"
const ORIGINAL = "original"
const MAX_STRETCH_FRAMES = 2_000
const FRAMES_PER_SECOND = 100
const PIECE_BYTES = 4 * 1024 * 1024

/** Decodes a recording into `SOUND` of a temporary directory, which the scope removes; returns the stretches to transcribe. */
export const decodeSound = Effect.fnUntraced(function* (ffmpeg: string, recording: Recording) {
  const directory = yield* temporary
  yield* copy(recording, join(directory, ORIGINAL))
  yield* decode(ffmpeg, directory, recording.format)
  const parts = yield* attempt(() => cut(join(directory, SOUND)))
  if ((parts.at(-1)?.to ?? 0) > LIMITS.recordingSeconds * FRAMES_PER_SECOND) {
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
  for (let at = 0; at < size; at += PIECE_BYTES) {
    const bytes = yield* read(at, Math.min(size, at + PIECE_BYTES))
    yield* attempt(() => file.writeFile(bytes))
  }
})

/** The only demuxer that ffmpeg may use, whatever the file claims: no playlists, no addresses. */
const DEMUXER: Partial<Record<Format, string>> = { mp3: "mp3", wav: "wav", m4a: "mov", mp4: "mov" }

const decode = Effect.fnUntraced(function* (ffmpeg: string, directory: string, format: Format) {
  const input = ["-protocol_whitelist", "file", "-f", DEMUXER[format] ?? format, "-i", ORIGINAL]
  // One second above the limit reveals a longer recording.
  const seconds = String(LIMITS.recordingSeconds + 1)
  const output = ["-map", "0:a:0", "-t", seconds, "-ac", "1", "-ar", String(SAMPLE_RATE), "-f", "s16le", SOUND]
  yield* run(ffmpeg, ["-nostdin", "-v", "error", "-threads", "1", ...input, ...output], {
    directory,
    seconds: 900,
  }).pipe(Effect.catch((failed) => explainFailure(failed, directory)))
})

/** Free bytes below which a disk counts as full. */
const MIN_FREE_BYTES = 16 * 1024 * 1024

/** ffmpeg's exit status only says that it failed, so this checks the disk. */
const isFull = (directory: string) =>
  Effect.promise(() =>
    statfs(directory).then(
      ({ bavail, bsize }) => bavail * bsize < MIN_FREE_BYTES,
      () => false,
    ),
  )

const explainFailure = Effect.fnUntraced(function* ({ status, tooSlow }: ProgramFailed, directory: string) {
  if (tooSlow)
    return yield* new TranscriptionFailed({ reason: "this recording took too long to decode; upload a shorter one" })
  if (yield* isFull(directory)) return yield* unavailable()
  // ffmpeg did not start, or a signal ended it.
  if (status === null) return yield* new TranscriptionUnavailable({ reason: "ffmpeg could not run to its end" })
  return yield* new TranscriptionFailed({
    reason:
      "this recording has no sound that can be decoded: it has no audio track, or is damaged or cut off; export it again and upload the new file",
  })
})

/** Cuts the sound at pauses without loading all of it. */
const cut = async (path: string): Promise<ReadonlyArray<Stretch>> => {
  const { size } = await stat(path)
  const frames = new Float32Array(Math.floor(size / 2 / (SAMPLE_RATE / 100)))
  const file = await open(path, "r")
  try {
    const buffer = new Int16Array(SAMPLE_RATE * 60)
    for (let at = 0; at < frames.length;) {
      const { bytesRead } = await file.read(
        new Uint8Array(buffer.buffer),
        0,
        buffer.byteLength,
        at * (SAMPLE_RATE / 100) * 2,
      )
      const heard = loudness(buffer.subarray(0, Math.floor(bytesRead / 2)))
      if (heard.length === 0) break
      frames.set(heard, at)
      at += heard.length
    }
  } finally {
    await file.close()
  }
  return stretches(frames, MAX_STRETCH_FRAMES)
}

/** Reads a stretch of a file of raw samples. */
export const readSamples = async (path: string, { from, to }: Stretch): Promise<Int16Array> => {
  const samples = new Int16Array(((to - from) * SAMPLE_RATE) / FRAMES_PER_SECOND)
  const file = await open(path, "r")
  try {
    const { bytesRead } = await file.read(
      new Uint8Array(samples.buffer),
      0,
      samples.byteLength,
      (from * SAMPLE_RATE * 2) / FRAMES_PER_SECOND,
    )
    return samples.subarray(0, bytesRead >> 1)
  } finally {
    await file.close()
  }
}
