import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { layerLocal } from "../../src/adapters/speech/local.ts"
import { Transcriber } from "../../src/core/ports/Transcriber.ts"
import { needs } from "../support/needs.ts"
import {
  amidSilence,
  audio,
  decoded,
  hasAudio,
  programs,
  recordingOf,
  transcripts,
  wordErrors,
} from "../support/recordings.ts"
import { Web } from "../support/web.ts"
import { chunksOf, harness, send, type StoredChunk } from "./recording.ts"

const file = (name: string) => new Uint8Array(readFileSync(join(audio, name)))

const local = programs === undefined ? Transcriber.layerNone : layerLocal(programs)

const lacking = { ...needs("ffmpeg and pocketsphinx", programs !== undefined), ...needs("shared/data/audio", hasAudio) }

describe("the local engine", lacking, () => {
  layer(harness(local), { excludeTestServices: true })((it) => {
    it.effect("transcribes an MP3 into a document whose citations name the second", () =>
      Effect.gen(function* () {
        const { org, key, id, run, document } = yield* send(file("jfk.mp3"), "speech.mp3", "audio/mpeg")
        assert.strictEqual(document.status, "ready", JSON.stringify(document))
        const chunks = yield* chunksOf(org, id)
        const [{ body, places }] = chunks as [StoredChunk]
        const cited = places.find(({ start, end }) => body.slice(start, end).includes("country"))
        assert.isTrue(cited?.place.kind === "time" && cited.place.start > 5 && cited.place.start < 10)
        const { json } = yield* (yield* Web).request(`/api/v1/runs/${run}`, key)
        assert.strictEqual(json.status, "completed")
      }),
    )

    it.effect("transcribes the sound of a video", () =>
      Effect.gen(function* () {
        const { document } = yield* send(file("hi.mp4"), "hi.mp4", "video/mp4")
        assert.strictEqual(document.status, "ready", JSON.stringify(document))
      }),
    )

    it.effect("fails for a video without sound and for music without speech, each with its reason", () =>
      Effect.gen(function* () {
        for (const [name, type, reason] of [
          ["no-audio.mp4", "video/mp4", /no sound that can be decoded/],
          ["music-tagged.m4a", "audio/mp4", /contains no speech/],
        ] as const) {
          const { document } = yield* send(file(name), name, type)
          assert.strictEqual(document.status, "failed", name)
          assert.match(document.failure_reason, reason)
        }
      }),
    )
  })

  layer(local, { excludeTestServices: true })((it) => {
    it.effect("transcribes the same words and times with long silence before and after", () =>
      Effect.gen(function* () {
        const { words } = transcripts().find((each) => each.file === "jfk.wav")!
        const bytes = amidSilence(decoded(file("jfk.wav"), "wav"), 48_000, 3)
        const { transcribe } = yield* Transcriber
        const { elements } = yield* transcribe(recordingOf(bytes, "wav"), () => Effect.void)
        const heard = elements.flatMap(({ text }) => text.split(" "))
        assert.isAtMost(wordErrors(words, heard), words.length / 3)
        const places = elements.map(({ place }) => (place.kind === "time" ? place : assert.fail(place.kind)))
        assert.closeTo(places[0]!.start, 3.29, 0.1)
        assert.closeTo(places.at(-1)!.end, 13.45, 0.1)
      }),
    )

    it.effect("transcribes most words correctly", () =>
      Effect.gen(function* () {
        const transcriber = yield* Transcriber
        const total = { words: 0, wrong: 0 }
        for (const { file: name, format, words } of transcripts()) {
          const { elements } = yield* transcriber.transcribe(recordingOf(file(name), format), () => Effect.void)
          total.words += words.length
          total.wrong += wordErrors(
            words,
            elements.flatMap(({ text }) => text.split(" ")),
          )
        }
        console.log(`local engine: word error rate ${(total.wrong / total.words).toFixed(3)} of ${total.words} words`)
        assert.isBelow(total.wrong / total.words, 0.35)
      }),
    )
  })
})
