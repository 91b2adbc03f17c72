import { readdirSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import { type Recording, Transcriber, TranscriptionFailed } from "../../core/ports/Transcriber.ts"
import { InvalidConfiguration } from "../configuration/configuration.ts"
import { RATE, type Stretch } from "./pauses.ts"
import { find } from "./programs.ts"
import { asDocument, type Segment } from "./segments.ts"
import { samplesOf, SOUND, soundOf } from "./sound.ts"

interface Recognizer {
  readonly createStream: () => Utterance
  readonly decodeAsync: (utterance: Utterance) => Promise<{ readonly text: string }>
}

interface Utterance {
  readonly acceptWaveform: (sound: { readonly sampleRate: number; readonly samples: Float32Array }) => void
}

/** What is used of `sherpa-onnx-node`, 1.13. */
export interface Sherpa {
  readonly OfflineRecognizer: { readonly createAsync: (config: unknown) => Promise<Recognizer> }
}

export interface SherpaOptions {
  /** A folder as sherpa-onnx's models are unpacked to: Whisper, transducer or SenseVoice. */
  readonly directory: string
  /** The engine; the package of that name, which the host installs, unless said. */
  readonly load?: () => Promise<Sherpa>
}

/** A model that the host names, on this machine alone, one recording at a time. Decoding is ffmpeg's. */
export const layerSherpa = ({ directory, load = installed }: SherpaOptions) =>
  Layer.effect(
    Transcriber,
    Effect.gen(function* () {
      const model = yield* Effect.try({ try: () => modelOf(directory), catch: () => noModel(directory) })
      if (model === undefined) return yield* noModel(directory)
      const ffmpeg = yield* Effect.promise(() => find("ffmpeg"))
      if (ffmpeg === undefined) return yield* wrong("needs ffmpeg beside it; install it where the server runs")
      const { OfflineRecognizer } = yield* Effect.tryPromise({
        try: load,
        catch: () =>
          wrong("needs the package sherpa-onnx-node; run npm install sherpa-onnx-node where the server runs"),
      })
      const one = yield* Semaphore.make(1)
      let recognizer: Promise<Recognizer> | undefined
      const hear = (path: string, part: Stretch) =>
        Effect.tryPromise({
          try: async () => {
            recognizer ??= OfflineRecognizer.createAsync({ featConfig: FEATURES, modelConfig: model })
            const engine = await recognizer
            const utterance = engine.createStream()
            utterance.acceptWaveform({ sampleRate: RATE, samples: floats(await samplesOf(path, part)) })
            return (await engine.decodeAsync(utterance)).text
          },
          catch: () => {
            recognizer = undefined
            return new TranscriptionFailed({
              reason: `the model in ${directory} could not hear this; check that it is whole, then reprocess the document`,
            })
          },
        })
      return Transcriber.of({
        transcribe: <E>(recording: Recording, report: (part: number) => Effect.Effect<void, E>) =>
          Effect.scoped(
            Effect.gen(function* () {
              const { directory: folder, parts } = yield* soundOf(ffmpeg, recording)
              const segments: Array<Segment> = []
              for (const [n, part] of parts.entries()) {
                const text = yield* hear(join(folder, SOUND), part)
                segments.push({ start: part.from / FRAMES, end: part.to / FRAMES, text })
                yield* report((n + 1) / parts.length)
              }
              return yield* asDocument(segments, [])
            }),
          ).pipe(one.withPermits(1)),
      })
    }),
  )

const FRAMES = 100
const FEATURES = { sampleRate: RATE, featureDim: 80 }

const wrong = (what: string) =>
  new InvalidConfiguration({ message: `SIGHTLINE_TRANSCRIPTION_URL: a model of sherpa-onnx ${what}` })

const noModel = (directory: string) =>
  wrong(`must lie in the folder, but in ${directory} there is none; name one with its .onnx files and tokens.txt`)

/** The package is no dependency: whoever wants it installs it, for their platform. */
const installed = async (): Promise<Sherpa> => {
  // Spelt so that no bundler looks for what is seldom there.
  const name = ["sherpa", "onnx", "node"].join("-")
  const loaded = (await import(name)) as Sherpa & { readonly default?: Sherpa }
  return loaded.default ?? loaded
}

/** Which files of the folder are what, by the names that sherpa-onnx gives them; the smaller, quantized ones first. */
const modelOf = (directory: string) => {
  const names = readdirSync(directory).toSorted()
  const file = (kind: RegExp) => {
    const found = names.filter((name) => kind.test(name))
    const name = found.find((each) => each.includes("int8")) ?? found[0]
    return name === undefined ? undefined : join(directory, name)
  }
  const tokens = file(/tokens\.txt$/)
  const [encoder, decoder, joiner, single] = [
    /encoder.*\.onnx$/,
    /decoder.*\.onnx$/,
    /joiner.*\.onnx$/,
    /^model.*\.onnx$/,
  ].map(file)
  if (tokens === undefined) return undefined
  const common = { tokens, numThreads: 1, provider: "cpu" }
  if (encoder !== undefined && decoder !== undefined) {
    return joiner === undefined
      ? { ...common, whisper: { encoder, decoder } }
      : { ...common, transducer: { encoder, decoder, joiner } }
  }
  return single === undefined ? undefined : { ...common, senseVoice: { model: single } }
}

const floats = (samples: Int16Array) => Float32Array.from(samples, (sample) => sample / 32_768)
