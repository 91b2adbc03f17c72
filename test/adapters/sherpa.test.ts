import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerSherpa, type Sherpa } from "../../src/adapters/speech/sherpa.ts"
import { Transcriber } from "../../src/core/ports/Transcriber.ts"
import { programs, recordingOf, tones } from "../support/recordings.ts"
import { needs } from "../support/needs.ts"

/** A folder with files of these names, as a model is unpacked to. */
const folder = (names: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const directory = mkdtempSync(join(tmpdir(), "sightline-sherpa-"))
      for (const name of names) writeFileSync(join(directory, name), "")
      return directory
    }),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true })),
  )

/** Stands for the package, of which no model can be had here: says how long it heard each stretch, and how loud it was. */
const double = () => {
  const configs: Array<any> = []
  const sherpa: Sherpa = {
    OfflineRecognizer: {
      createAsync: async (config) => {
        configs.push(config)
        let heard = new Float32Array()
        return {
          createStream: () => ({ acceptWaveform: ({ samples }) => void (heard = new Float32Array(samples)) }),
          decodeAsync: async () => ({
            text: `${(heard.length / 16_000).toFixed(0)} s, ${heard.reduce((most, sample) => Math.max(most, sample), 0).toFixed(1)}`,
          }),
        }
      },
    },
  }
  return { configs, load: async () => sherpa }
}

const WHISPER = ["tiny-encoder.onnx", "tiny-encoder.int8.onnx", "tiny-decoder.int8.onnx", "tiny-tokens.txt"]

const failure = (layer: ReturnType<typeof layerSherpa>) => Effect.flip(Effect.scoped(Layer.build(layer)))

describe("a model of sherpa-onnx", needs("ffmpeg and pocketsphinx", programs !== undefined), () => {
  it.live("hears a recording in stretches, at their seconds", () =>
    Effect.gen(function* () {
      const directory = yield* folder(WHISPER)
      const { configs, load } = double()
      const told: Array<number> = []
      const { elements } = yield* Transcriber.use(({ transcribe }) =>
        transcribe(recordingOf(tones(16_000), "wav"), (part) => Effect.sync(() => void told.push(part))),
      ).pipe(Effect.provide(layerSherpa({ directory, load })))
      const [first, ...rest] = elements
      assert.match(first!.text, /^1\d s, 0\.6$/)
      let end = 0
      for (const { place } of elements) {
        assert.isTrue(place.kind === "time" && place.start === end)
        end = place.kind === "time" ? place.end : 0
      }
      assert.strictEqual(end, 60)
      assert.isAbove(rest.length, 1)
      assert.strictEqual(told.at(-1), 1)
      assert.deepStrictEqual(
        configs.map(({ modelConfig }) => modelConfig.whisper),
        [{ encoder: join(directory, "tiny-encoder.int8.onnx"), decoder: join(directory, "tiny-decoder.int8.onnx") }],
      )
    }).pipe(Effect.scoped),
  )

  it.live("is known by its files, and says what is missing", () =>
    Effect.gen(function* () {
      const { load } = double()
      const kinds = [
        [["encoder.onnx", "decoder.onnx", "joiner.onnx", "tokens.txt"], "transducer"],
        [["model.int8.onnx", "tokens.txt"], "senseVoice"],
      ] as const
      for (const [names, kind] of kinds) {
        const directory = yield* folder(names)
        const { configs, load } = double()
        yield* Transcriber.use(({ transcribe }) => transcribe(recordingOf(tones(8000), "wav"), () => Effect.void)).pipe(
          Effect.provide(layerSherpa({ directory, load })),
        )
        assert.property(configs[0].modelConfig, kind)
      }
      const empty = yield* folder(["readme.txt"])
      for (const directory of [empty, join(empty, "absent")]) {
        assert.match((yield* failure(layerSherpa({ directory, load }))).message, /there is none.*tokens\.txt/)
      }
      const whole = yield* folder(WHISPER)
      const { message } = yield* failure(layerSherpa({ directory: whole }))
      assert.match(message, /SIGHTLINE_TRANSCRIPTION_URL.*npm install sherpa-onnx-node/)
      const broken = layerSherpa({
        directory: whole,
        load: async () => ({ OfflineRecognizer: { createAsync: () => Promise.reject(new Error("not a model")) } }),
      })
      const refused = yield* Effect.flip(
        Transcriber.use(({ transcribe }) => transcribe(recordingOf(tones(8000), "wav"), () => Effect.void)).pipe(
          Effect.provide(broken),
        ),
      )
      assert.strictEqual(refused._tag, "TranscriptionFailed")
      assert.match("reason" in refused ? refused.reason : "", /check that it is whole, then reprocess/)
    }).pipe(Effect.scoped),
  )
})
