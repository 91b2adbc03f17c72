import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import type { OpenAiOptions } from "../../../src/adapters/libraryOptions.ts"
import { layerOpenAi } from "../../../src/adapters/speech/openai.ts"
import { loudness, speech, stretches } from "../../../src/adapters/speech/pauses.ts"
import { joinWords, wordsOf } from "../../../src/adapters/speech/words.ts"
import type { Format } from "../../../src/core/ports/document.ts"
import { Transcriber } from "../../../src/core/ports/Transcriber.ts"
import {
  audio,
  decoded,
  encoded,
  hasAudio,
  onsets,
  programs,
  recordingOf,
  TONES,
  tones,
} from "../../support/recordings.ts"
import { needs } from "../../support/needs.ts"
import { until } from "../../support/until.ts"

interface Asked {
  readonly form: FormData
  readonly bytes: Uint8Array
  readonly authorization: string | undefined
}
type Answer = { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string } | "hang"

const double: { server?: Server; asked: Array<Asked>; answers: Array<Answer>; hears: (bytes: Uint8Array) => object } = {
  asked: [],
  answers: [],
  hears: () => ({}),
}

beforeAll(
  () =>
    new Promise<void>((resolve) => {
      double.server = createServer(async (request, response) => {
        const parts: Array<Uint8Array> = []
        for await (const part of request) parts.push(part as Uint8Array)
        const headers = { "content-type": request.headers["content-type"] ?? "" }
        const form = await new Response(Buffer.concat(parts), { headers }).formData()
        const bytes = new Uint8Array(await (form.get("file") as File).arrayBuffer())
        double.asked.push({ form, bytes, authorization: request.headers.authorization })
        const answer = double.answers.shift() ?? { body: JSON.stringify(double.hears(bytes)) }
        if (answer !== "hang") response.writeHead(answer.status ?? 200, answer.headers).end(answer.body)
      }).listen(0, "127.0.0.1", resolve)
    }),
)
afterEach(() => {
  double.asked = []
  double.answers = []
})
afterAll(() => {
  double.server?.closeAllConnections()
  double.server?.close()
})

const transcribe = (bytes: Uint8Array, format: Format, options: Partial<OpenAiOptions> = {}) => {
  const parts: Array<number> = []
  return Effect.gen(function* () {
    const transcriber = yield* Transcriber
    const report = (part: number) => Effect.sync(() => void parts.push(part))
    const document = yield* transcriber.transcribe(recordingOf(bytes, format), report)
    return { document, parts }
  }).pipe(
    Effect.provide(
      layerOpenAi({
        url: `http://127.0.0.1:${(double.server!.address() as AddressInfo).port}/v1`,
        model: "any",
        key: Redacted.make("hunter2"),
        pause: 0.01,
        ...options,
      }),
    ),
  )
}

const TIME_OUT_MS = 600_000

const heard = (times: ReadonlyArray<number>) => ({
  segments: times.map((start) => ({ start, end: start + 0.1, text: " tone " })),
})

const formats = [
  { format: "wav", rate: 16_000, maxBytes: 400_000 },
  ...(programs === undefined
    ? []
    : ([
        { format: "mp3", rate: 44_100, maxBytes: 100_000 },
        { format: "mp3", rate: 16_000, maxBytes: 66_000 },
        { format: "m4a", rate: 44_100, maxBytes: 100_000 },
        { format: "mp4", rate: 44_100, maxBytes: 100_000 },
      ] as const)),
] as const

describe("a transcriber with OpenAI's API", () => {
  for (const { format, rate, maxBytes } of formats) {
    it.live(`sends ${format} of ${rate} Hz in pieces under the cap, and joins the texts with correct times`, () =>
      Effect.gen(function* () {
        const wav = tones(rate)
        const bytes = format === "wav" ? wav : encoded(wav, format)
        const extension = format === "mp4" ? "m4a" : format
        double.hears = (piece) =>
          heard(
            format === "wav"
              ? onsets(new Int16Array(piece.slice(44).buffer), rate)
              : onsets(decoded(piece, extension), 48_000),
          )
        const { document, parts } = yield* transcribe(bytes, format, { maxBytes })
        assert.isAbove(double.asked.length, 1)
        assert.isTrue(double.asked.every(({ bytes }) => bytes.length <= maxBytes))
        assert.strictEqual((double.asked[0]!.form.get("file") as File).name, `recording.${extension}`)
        const starts = document.elements.map(({ place }) => (place.kind === "time" ? place.start : Number.NaN))
        assert.lengthOf(starts, TONES.length)
        for (const [n, tone] of TONES.entries()) assert.closeTo(starts[n]!, tone, 0.01)
        assert.lengthOf(parts, double.asked.length)
        assert.closeTo(parts.at(-1)!, 1, 0.01)
        assert.deepInclude(document.elements[0], { kind: "speech", text: "tone" })
      }),
    )
  }

  it.live("requests times by segment, with its model and its key", () =>
    Effect.gen(function* () {
      double.hears = () => ({ segments: [{ start: 1, end: 2, text: "hello\0", speaker: "A" }] })
      const { document } = yield* transcribe(tones(8000), "wav")
      assert.deepStrictEqual(document.elements[0], {
        kind: "speech",
        text: "hello",
        place: { kind: "time", start: 1, end: 2, speaker: "A" },
      })
      const [{ form, authorization }] = double.asked as [Asked]
      assert.strictEqual(authorization, "Bearer hunter2")
      assert.deepStrictEqual(
        ["model", "response_format", "timestamp_granularities[]"].map((name) => form.get(name)),
        ["any", "verbose_json", "segment"],
      )
    }),
  )

  it.live("waits as long as a busy provider asks, and retries failures", () =>
    Effect.gen(function* () {
      double.hears = () => heard([1])
      double.answers = [
        { status: 429, headers: { "retry-after": "1" } },
        { status: 500, body: "<html>" },
      ]
      const live = yield* Clock.Clock
      const pausesMs: Array<number> = []
      const clock: Clock.Clock = Object.assign(Object.create(live), {
        sleep: (duration: Duration.Duration) => {
          const milliseconds = Duration.toMillis(duration)
          if (milliseconds === TIME_OUT_MS) return Effect.never
          return Effect.sync(() => void pausesMs.push(milliseconds))
        },
      })
      const transcribed = transcribe(tones(8000), "wav", { seconds: TIME_OUT_MS / 1000 })
      const { document } = yield* Effect.provideService(transcribed, Clock.Clock, clock)
      assert.deepStrictEqual(pausesMs, [1000, 20])
      assert.lengthOf(double.asked, 3)
      assert.lengthOf(document.elements, 1)
    }),
  )

  const ends = [
    [
      "a provider that stays busy",
      { status: 429, headers: { "retry-after": "0" } },
      "TranscriptionUnavailable",
      /busy/,
    ],
    ["one that stays broken", { status: 500 }, "TranscriptionUnavailable", /failed \(500\)/],
    ["one that never answers", "hang", "TranscriptionUnavailable", /in time/],
    ["a key that is refused", { status: 401, body: "hunter2" }, "TranscriptionFailed", /TRANSCRIPTION_KEY/],
    ["an address that leads on", { status: 302, headers: { location: "/" } }, "TranscriptionFailed", /_URL/],
    ["a page in place of a transcription", { body: "<html>" }, "TranscriptionFailed", /not a transcription/],
    ["times that are no numbers", { body: '{"segments":[{"start":"x"}]}' }, "TranscriptionFailed", /not a transcr/],
    ["silence", { body: '{"segments":[]}' }, "TranscriptionFailed", /no speech/],
  ] as const
  for (const [name, answer, tag, reason] of ends) {
    it.live(`reports ${name} with its kind and a reason`, () =>
      Effect.gen(function* () {
        double.answers = [answer, answer, answer, answer]
        const error = yield* Effect.flip(transcribe(tones(8000), "wav", answer === "hang" ? { seconds: 0.3 } : {}))
        assert.strictEqual(error._tag, tag)
        assert.match("reason" in error ? error.reason : "", reason)
        assert.notInclude(JSON.stringify(error), "hunter2")
      }),
    )
  }

  it.live("an interrupted transcription ends its requests", () =>
    Effect.gen(function* () {
      double.answers = ["hang"]
      const transcribing = yield* Effect.forkChild(transcribe(tones(8000), "wav"))
      yield* Effect.promise(() => until("the provider is asked", () => double.asked.length > 0))
      yield* Fiber.interrupt(transcribing)
      assert.lengthOf(double.asked, 1)
    }),
  )

  for (const [file, format, reason] of [
    ["truncated.mp3", "mp3", /damaged or cut off/],
    ["no-audio.mp4", "mp4", /no sound/],
  ] as const) {
    it.live(
      `sends nothing of ${file}`,
      () =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(transcribe(readFileSync(join(audio, file)), format))
          assert.strictEqual(error._tag, "TranscriptionFailed")
          assert.match("reason" in error ? error.reason : "", reason)
          assert.lengthOf(double.asked, 0)
        }),
      needs("shared/data/audio", hasAudio),
    )
  }
})

describe("the local engine's words", () => {
  it("have the recording's times, and form a sentence up to a pause", () => {
    const ctm = "0 1 0.29 0.39 and(2) 0.9\n0 1 0.69 0.1 <sil> 1\n0 1 0.70 0.30 so 0.1\n2 1 0.37 0.23 like 0.1\n"
    const kept = [[{ from: 0, to: 2000 }], [], [{ from: 2000, to: 2100 }]]
    assert.deepStrictEqual(
      joinWords(wordsOf(ctm, kept)).map(({ start, end, text }) => [start, +end.toFixed(2), text]),
      [
        [0.29, 1, "and so"],
        [20.37, 20.6, "like"],
      ],
    )
  })

  it("have the recording's times even after shortened pauses", () => {
    const kept = [
      { from: 100, to: 150 },
      { from: 400, to: 460 },
    ]
    const ctm = "0 1 0.10 0.40 so 1\n0 1 0.50 0.20 ask 1\n0 1 0.40 0.20 across 1\n"
    assert.deepStrictEqual(
      wordsOf(ctm, [kept]).map(({ start, end }) => [start, end]),
      [
        [1.1, 1.5],
        [4, 4.2],
        [1.4, 4.1],
      ],
    )
  })

  it("are expected in loud parts, with a margin before and after", () => {
    const frames = new Float32Array(1000).fill(5)
    frames.fill(900, 200, 300)
    frames.fill(300, 320, 400)
    frames.fill(900, 700, 702)
    frames.fill(900, 980, 1000)
    assert.deepStrictEqual(speech(frames), [
      { from: 185, to: 415 },
      { from: 965, to: 1000 },
    ])
    assert.deepStrictEqual(speech(new Float32Array(500)), [])
    assert.deepStrictEqual(speech(new Float32Array(0)), [])
  })

  it("are recognized in stretches that end at the quietest point", () => {
    const samples = new Int16Array(16_000 * 30).fill(1000)
    samples.fill(3, 16_000 * 14, 16_000 * 14.4)
    const cuts = stretches(loudness(samples), 2000)
    assert.lengthOf(cuts, 2)
    assert.deepStrictEqual([cuts[0]!.from, cuts[1]!.from, cuts[1]!.to], [0, cuts[0]!.to, 3000])
    assert.isTrue(cuts[0]!.to >= 1405 && cuts[0]!.to <= 1440)
    assert.deepStrictEqual(stretches(new Float32Array(0), 2000), [])
  })
})
