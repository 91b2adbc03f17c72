import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Import } from "../../src/core/import/Import.ts"
import { Ocr, type OcrEngine, OcrFailed, OcrUnavailable, PageNotRecognized } from "../../src/core/ports/Ocr.ts"
import type { PageText } from "../../src/core/ports/document.ts"
import { pagesOf, SCAN } from "../ingest/support/pdf.ts"
import { documentWith, pictureOf, slideWith } from "../ingest/support/pictures.ts"
import { engines } from "../support/engines.ts"
import { layerLibrary, layerWeb, Web } from "../support/web.ts"
import { untilReply } from "./untilReply.ts"

const written = [{ text: "The only page with text", y: 700 }]
const SENTENCE = "Rival Systems charges 900 EUR for onboarding"

/** Finds the sentence on every page. */
const page = (): PageText => ({
  width: 1700,
  height: 2200,
  pixelsPerInch: 200,
  content: [
    {
      baseline: 300,
      size: 20,
      words: SENTENCE.split(" ").map((text, n) => ({
        text,
        left: 200 + 90 * n,
        top: 280,
        right: 280 + 90 * n,
        bottom: 300,
      })),
    },
  ],
})

type Recognize = OcrEngine["recognize"]

/** The current conduct of the engine. */
const now: { recognize: Recognize } = { recognize: () => Effect.succeed(page()) }

const harness = (ocr: OcrEngine | undefined) =>
  Layer.unwrap(Effect.sync(() => layerWeb(engines[0]!.database, Layer.merge(layerLibrary(), Layer.succeed(Ocr, ocr)))))

const OFFICE = "application/vnd.openxmlformats-officedocument"

const send = Effect.fnUntraced(function* (file: Uint8Array, content_type = "application/pdf") {
  const web = yield* Web
  const { org, key } = yield* web.tenant()
  yield* (yield* Import).records(org, Stream.succeed({ type: "competitor", name: "Rival Systems" }))
  const body = { file_name: "scan", content_type, type: "intel", competitor_name: "Rival Systems" }
  const { json } = yield* web.request("/api/v1/documents/library", key, {
    method: "POST",
    body: JSON.stringify({ ...body, file_base64: Buffer.from(file).toString("base64") }),
    headers: { "content-type": "application/json" },
  })
  return { key, id: json.document.id as string, run: json.run_id as string }
})

const until = (key: string, path: string, ...statuses: ReadonlyArray<string>) =>
  untilReply(key, path, statuses.join(" or "), ({ status }) => statuses.includes(status))

const ask = Effect.fnUntraced(function* (key: string) {
  const { json } = yield* (yield* Web).request("/api/v1/responses", key, {
    method: "POST",
    body: JSON.stringify({ messages: [{ role: "user", content: "What does Rival Systems charge for onboarding?" }] }),
    headers: { "content-type": "application/json" },
  })
  return json.message
})

const read = Effect.fnUntraced(function* (file: Uint8Array) {
  const web = yield* Web
  const { key, id, run } = yield* send(file)
  const ended = yield* until(key, `/api/v1/runs/${run}`, "completed", "failed")
  const { json: document } = yield* web.request(`/api/v1/documents/${id}`, key)
  return { run: ended, document, page: yield* web.request(`${document.url}?start=25&end=38`, "") }
})

describe("documents with pictures of text", () => {
  layer(harness({ recognize: (picture) => now.recognize(picture) }), { excludeTestServices: true })((it) => {
    it.effect("are ready before their pictures are recognized, and quoted after", () =>
      Effect.gen(function* () {
        const web = yield* Web
        const latch = yield* Latch.make()
        now.recognize = () => latch.whenOpen(Effect.sync(page))
        const { key, id, run } = yield* send(pagesOf([written, SCAN]))
        const first = yield* until(key, `/api/v1/documents/${id}`, "ready")
        assert.match(first.warnings[0].message, /^Page 2 is a picture\. The run adds its text/)
        assert.include(["queued", "running"], (yield* web.request(`/api/v1/runs/${run}`, key)).json.status)
        const again = yield* web.request(`/api/v1/documents/${id}/reprocess`, key, { method: "POST" })
        assert.strictEqual(again.status, 409)
        yield* latch.open
        yield* until(key, `/api/v1/runs/${run}`, "completed")
        const { json: document } = yield* web.request(`/api/v1/documents/${id}`, key)
        assert.deepInclude(document.warnings[0], { code: "pages_recognized", pages: [{ from: 2, to: 2 }] })
        assert.include(JSON.stringify(yield* ask(key)), SENTENCE)
      }),
    )

    it.effect("in a Word document or on a slide are recognized after the text is ready, and cited", () =>
      Effect.gen(function* () {
        const web = yield* Web
        const picture = pictureOf(["Onboarding"])
        for (const [file, type, others] of [
          [documentWith("Notes of May.", picture), "wordprocessingml.document", 1],
          [slideWith(picture), "presentationml.presentation", 0],
        ] as const) {
          const latch = yield* Latch.make()
          const taken: Array<string> = []
          now.recognize = ({ type, pixelsPerInch }) => {
            taken.push(`${type} ${pixelsPerInch}`)
            return latch.whenOpen(Effect.sync(page))
          }
          const { key, id, run } = yield* send(file, `${OFFICE}.${type}`)
          const first = yield* until(key, `/api/v1/documents/${id}`, "ready")
          assert.deepInclude(first.warnings[0], { code: "pictures_without_text", pictures: [{ from: 1, to: 1 }] })
          yield* latch.open
          yield* until(key, `/api/v1/runs/${run}`, "completed")
          assert.deepStrictEqual(taken, ["image/png 150"])
          const { json: document } = yield* web.request(`/api/v1/documents/${id}`, key)
          assert.deepInclude(document.warnings[0], { code: "pictures_recognized", pictures: [{ from: 1, to: 1 }] })
          const { content, citations } = yield* ask(key)
          assert.include(content, SENTENCE)
          assert.include((yield* web.request(citations[0].url, "")).text, `<mark id="cited">`)
          // The viewer draws pages of PDFs alone.
          assert.strictEqual((yield* web.request(`${document.url}/pages/1`, "")).status, 404)
          const shown = yield* web.request(document.url, "")
          assert.strictEqual(shown.text.split("Notes of May.").length - 1, others, type)
        }
      }),
    )

    it.effect("show the picture of the page with the cited words marked", () =>
      Effect.gen(function* () {
        const web = yield* Web
        now.recognize = () => Effect.sync(page)
        const { page: shown, document } = yield* read(pagesOf([written, SCAN]))
        assert.include(shown.text, `<mark id="cited">Rival Systems</mark>`)
        const rects = [...shown.text.matchAll(/<rect x="(\d+)" y="(\d+)"/g)].map(([, x, y]) => [Number(x), Number(y)])
        assert.deepStrictEqual(rects, [
          [197, 277],
          [287, 277],
        ])
        const source = /<img [^>]*src="([^"]+)"/.exec(shown.text)![1]!
        const address = new URL(source, document.url).href
        const picture = yield* web.request(address, "")
        assert.deepStrictEqual([picture.status, picture.headers.get("content-type")], [200, "image/jpeg"])
        assert.strictEqual((yield* web.request(address.replace(/2$/, "7"), "")).status, 404)
        assert.strictEqual((yield* web.request(address.replace("/v/", "/v/x"), "")).status, 404)
      }),
    )

    it.effect("keep the text that they have if recognition fails; the run says why", () =>
      Effect.gen(function* () {
        const failures = [new OcrFailed({ reason: "correct the key" }), new PageNotRecognized({ reason: "a crash" })]
        for (const failure of failures) {
          now.recognize = () => Effect.fail(failure)
          const { document, run } = yield* read(pagesOf([written, SCAN]))
          assert.deepStrictEqual([document.status, run.status, run.error], ["ready", "failed", failure.reason])
          assert.strictEqual(document.warnings[0].code, "pages_without_text")
        }
      }),
    )

    it.effect("are tried again after an outage, and lose only the pages that fail", () =>
      Effect.gen(function* () {
        const outcomes: Array<ReturnType<Recognize>> = [
          Effect.fail(new OcrUnavailable({ reason: "busy" })),
          Effect.fail(new PageNotRecognized({ reason: "too slow" })),
        ]
        now.recognize = () => outcomes.shift() ?? Effect.sync(page)
        const { document } = yield* read(pagesOf([SCAN, SCAN]))
        assert.deepStrictEqual(
          document.warnings.map(({ code, pages }: any) => [code, pages]),
          [
            ["pages_recognized", [{ from: 2, to: 2 }]],
            ["pages_without_text", [{ from: 1, to: 1 }]],
          ],
        )
      }),
    )
  })

  layer(harness(undefined), { excludeTestServices: true })((it) => {
    it.effect("are ready without an engine, with a warning that names the pictures", () =>
      Effect.gen(function* () {
        const { document, run } = yield* read(pagesOf([SCAN, SCAN]))
        assert.deepStrictEqual([document.status, run.status], ["ready", "completed"])
        assert.deepInclude(document.warnings[0], { code: "pages_without_text", pages: [{ from: 1, to: 2 }] })
        assert.match(document.warnings[0].message, /whose text was not read\. Run text recognition/)
      }),
    )
  })
})
