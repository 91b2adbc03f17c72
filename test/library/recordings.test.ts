import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Transcriber } from "../../src/core/ports/Transcriber.ts"
import { Import } from "../../src/core/import/Import.ts"
import { tones } from "../support/recordings.ts"
import { Web } from "../support/web.ts"
import { chunksOf, harness, send } from "./recording.ts"
import { untilRead } from "./untilReply.ts"

const wav = () => new Uint8Array(tones(8000))

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
        assert.strictEqual((yield* untilRead(key, id)).status, "ready")
        assert.deepStrictEqual(yield* chunksOf(org, id), [
          { body: "RIFF", places: [{ start: 0, end: 4, place: spoken }] },
        ])
      }),
    )
  })
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
        assert.strictEqual((yield* untilRead(key, document.id)).status, "ready")
        const { json } = yield* web.request("/api/v1/documents?status=processing", key)
        assert.lengthOf(json.data, 4)
      }),
    )
  })
})
