import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { Format } from "../../src/core/ports/document.ts"
import type { Recording } from "../../src/core/ports/Transcriber.ts"
import { findPrograms } from "../../src/adapters/speech/local.ts"

/** The folder of speech recordings, next to the checkout. */
export const audio = join(import.meta.dirname, "../../../shared/data/audio")
export const hasAudio = existsSync(audio)

export const programs = await findPrograms()

export const recordingOf = (bytes: Uint8Array, format: Format): Recording => ({
  format,
  size: bytes.length,
  read: (start, end) => Effect.sync(() => bytes.slice(start, end)),
})

/** The seconds at which a tone starts in the minute of silence. */
export const TONES = [0.5, 3.71, 7.002, 11.25, 14.9, 19.333, 24.4, 28.05, 33.3, 38.123, 44.4, 52.7, 58.2]

/** That minute as a WAV: 16 bits, one channel. */
export const tones = (rate: number): Uint8Array => {
  const samples = new Int16Array(60 * rate)
  for (const tone of TONES) {
    for (let n = 0; n < rate / 10; n++) {
      samples[Math.round(tone * rate) + n] = 20_000 * Math.cos((2 * Math.PI * 1000 * n) / rate)
    }
  }
  return wavOf(samples, rate)
}

const wavOf = (samples: Int16Array, rate: number): Uint8Array => {
  const header = new DataView(new ArrayBuffer(44))
  const text = (at: number, letters: string) =>
    [...letters].forEach((letter, n) => header.setUint8(at + n, letter.charCodeAt(0)))
  text(0, "RIFF")
  header.setUint32(4, 36 + samples.byteLength, true)
  text(8, "WAVEfmt ")
  header.setUint32(16, 16, true)
  header.setUint16(20, 1, true)
  header.setUint16(22, 1, true)
  header.setUint32(24, rate, true)
  header.setUint32(28, rate * 2, true)
  header.setUint16(32, 2, true)
  header.setUint16(34, 16, true)
  text(36, "data")
  header.setUint32(40, samples.byteLength, true)
  return new Uint8Array(Buffer.concat([new Uint8Array(header.buffer), new Uint8Array(samples.buffer)]))
}

/** Finds the seconds at which a tone starts in samples. */
export const onsets = (samples: Int16Array, rate: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  let last = -Infinity
  for (const [n, sample] of samples.entries()) {
    if (Math.abs(sample) <= 5000) continue
    if (n - last > rate / 2) found.push(n / rate)
    last = n
  }
  return found
}

const inDirectory = <A>(work: (directory: string) => A): A => {
  const directory = mkdtempSync(join(tmpdir(), "sightline-recording-"))
  try {
    return work(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const ffmpeg = (...args: ReadonlyArray<string>) => {
  const { status, stderr } = spawnSync(programs!.ffmpeg, ["-nostdin", "-v", "error", ...args])
  if (status !== 0) throw new Error(stderr.toString())
}

/** Converts a WAV to another format; an `mp4` gets a video track. */
export const encoded = (wav: Uint8Array, extension: string): Uint8Array =>
  inDirectory((directory) => {
    const [from, to] = [join(directory, "in.wav"), join(directory, `out.${extension}`)]
    writeFileSync(from, wav)
    const pictures = ["-f", "lavfi", "-i", "color=size=64x64:rate=5:duration=60", "-c:v", "mpeg4"]
    ffmpeg("-i", from, ...(extension === "mp4" ? pictures : []), to)
    return new Uint8Array(readFileSync(to))
  })

/** Decodes audio to samples at 48 kHz, one channel. */
export const decoded = (bytes: Uint8Array, extension: string): Int16Array =>
  inDirectory((directory) => {
    const [from, to] = [join(directory, `in.${extension}`), join(directory, "out.raw")]
    writeFileSync(from, bytes)
    ffmpeg("-i", from, "-ac", "1", "-ar", "48000", "-f", "s16le", to)
    const raw = readFileSync(to)
    return new Int16Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length))
  })

/** Makes a WAV of speech samples at `rate`, with `seconds` of faint noise before and after. */
export const amidSilence = (said: Int16Array, rate: number, seconds: number): Uint8Array => {
  // Seeded noise, so that every run is the same.
  let seed = 1
  const samples = Int16Array.from({ length: said.length + 2 * seconds * rate }, () => {
    seed = (seed * 48_271) % 2_147_483_647
    return (seed % 200) - 100
  })
  samples.set(said, seconds * rate)
  return wavOf(samples, rate)
}

/** The recordings that have a transcript. */
export const transcripts = () =>
  readFileSync(join(audio, "transcripts.tsv"), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => {
      const [file = "", text = ""] = line.split("\t")
      return { file, format: file.endsWith(".mp3") ? ("mp3" as const) : ("wav" as const), words: text.split(" ") }
    })

/** Counts the words to change, drop or add to turn the transcription into the reference (edit distance). */
export const wordErrors = (said: ReadonlyArray<string>, heard: ReadonlyArray<string>): number => {
  let row = Array.from({ length: heard.length + 1 }, (_, n) => n)
  for (const [i, word] of said.entries()) {
    const next = [i + 1]
    for (const [j, other] of heard.entries()) {
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (word === other ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1)!
}
