import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { layerLocal } from "../../src/adapters/speech/local.ts"
import { Transcriber } from "../../src/core/ports/Transcriber.ts"
import type { Placed } from "../../src/core/ports/document.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Import } from "../../src/core/workspace/Import.ts"
import { engines } from "../support/engines.ts"
import {
  amidSilence,
  audio,
  decoded,
  hasAudio,
  programs,
  recordingOf,
  tones,
  transcripts,
  wordErrors,
} from "../support/recordings.ts"
import { layerLibrary, layerWeb, Web } from "../support/web.ts"
import { needs } from "../support/needs.ts"

const [engine] = engines

const harness = (transcriber: Layer.Layer<Transcriber>) =>
  Layer.unwrap(Effect.sync(() => layerWeb(engine!.database, layerLibrary([], transcriber))))

const send = Effect.fnUntraced(function* (bytes: Uint8Array<ArrayBuffer>, file_name: string, content_type: string) {
  const web = yield* Web
  const { org, key } = yield* web.tenant()
  yield* (yield* Import).records(org, Stream.succeed({ type: "deal", id: "d1", name: "Renewal" }))
  const body = new FormData()
  body.append("file_name", file_name)
  body.append("content_type", content_type)
  body.append("deal_id", "d1")
  body.append("file", new Blob([bytes]), file_name)
  const { status, text, json } = yield* web.request("/api/v1/deals/documents", key, { method: "POST", body })
  assert.strictEqual(status, 200, text)
  return {
    org,
    key,
    id: json.document.id as string,
    run: json.run_id as string,
    document: yield* settled(key, json.document.id),
  }
})

const settled = Effect.fnUntraced(function* (key: string, id: string) {
  const web = yield* Web
  for (let look = 0; look < 200; look++) {
    const { json } = yield* web.request(`/api/v1/documents/${id}`, key)
    if (json.status !== "processing") return json
    yield* Effect.sleep("700 millis")
  }
  return yield* Effect.die("the recording was not heard")
})

const wav = () => new Uint8Array(tones(8000))
const file = (name: string) => new Uint8Array(readFileSync(join(audio, name)))

describe("a recording without a transcriber", () => {
  layer(harness(Transcriber.layerNone), { excludeTestServices: true })((it) => {
    it.effect("is stored, and its failure reason says what to do", () =>
      Effect.gen(function* () {
        const { key, id, document } = yield* send(wav(), "call.wav", "audio/wav")
        assert.strictEqual(document.status, "failed")
        assert.match(document.failure_reason, /no transcriber is configured.*reprocess/)
        const original = yield* (yield* Web).request(`/api/v1/documents/${id}/original`, key)
        assert.strictEqual(original.status, 200)
      }),
    )
  })
})

const spoken = { kind: "time", start: 2.5, end: 4, speaker: "Ada" } as const
const half = { fails: true }
const scripted = Layer.succeed(Transcriber, {
  transcribe: (recording, report) =>
    half.fails
      ? Transcriber.use(({ transcribe }) => transcribe(recording, report)).pipe(Effect.provide(Transcriber.layerNone))
      : Effect.gen(function* () {
          const head = yield* recording.read(0, 4)
          yield* report(0.5)
          const text = new TextDecoder().decode(head)
          return { elements: [{ kind: "speech", text, place: spoken }], warnings: [] }
        }),
})

describe("a recording with a transcriber", () => {
  layer(harness(scripted), { excludeTestServices: true })((it) => {
    it.effect("is transcribed when reprocessed, and its chunks have speaker and second", () =>
      Effect.gen(function* () {
        const web = yield* Web
        const { org, key, id, document } = yield* send(wav(), "call.wav", "audio/wav")
        assert.strictEqual(document.status, "failed")
        half.fails = false
        yield* web.request(`/api/v1/documents/${id}/reprocess`, key, { method: "POST" })
        assert.strictEqual((yield* settled(key, id)).status, "ready")
        assert.deepStrictEqual(yield* chunksOf(org, id), [
          { body: "RIFF", places: [{ start: 0, end: 4, place: spoken }] },
        ])
      }),
    )
  })
})

interface StoredChunk {
  readonly body: string
  readonly places: ReadonlyArray<Placed>
}

const chunksOf = Effect.fnUntraced(function* (org: string, id: string) {
  const database = yield* Database
  return yield* database.scoped<StoredChunk>(
    org,
    database.sql`select body, places from document_chunks where org_id = scope.org and document_id = ${id} order by n`,
  )
})

const endless = Layer.succeed(Transcriber, { transcribe: () => Effect.never })

describe("slow recordings", () => {
  layer(harness(endless), { excludeTestServices: true })((it) => {
    it.effect("do not delay documents", () =>
      Effect.gen(function* () {
        const web = yield* Web
        const { org, key } = yield* web.tenant()
        yield* (yield* Import).records(org, Stream.succeed({ type: "deal", id: "d1", name: "Renewal" }))
        const upload = (file_name: string, content_type: string, bytes: Uint8Array<ArrayBuffer>) => {
          const body = new FormData()
          for (const [field, value] of Object.entries({ file_name, content_type, deal_id: "d1" })) {
            body.append(field, value)
          }
          body.append("file", new Blob([bytes]), file_name)
          return Effect.map(web.request("/api/v1/deals/documents", key, { method: "POST", body }), ({ json }) => json)
        }
        for (let n = 0; n < 4; n++) yield* upload(`call${n}.wav`, "audio/wav", new Uint8Array(tones(8000 + n)))
        const { document } = yield* upload("notes.md", "text/markdown", new TextEncoder().encode("# Notes\n"))
        assert.strictEqual((yield* settled(key, document.id)).status, "ready")
        const { json } = yield* web.request("/api/v1/documents?status=processing", key)
        assert.lengthOf(json.data, 4)
      }),
    )
  })
})

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
