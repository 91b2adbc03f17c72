import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import { layerTesseract as layerLater } from "../../../src/adapters/library.ts"
import { readHocr } from "../../../src/adapters/ocr/hocr.ts"
import { layerOpenAi } from "../../../src/adapters/ocr/openai.ts"
import { findTesseract, chooseLanguages, layerTesseract } from "../../../src/adapters/ocr/tesseract.ts"
import { pipe } from "../../../src/adapters/programs.ts"
import type { PagePicture } from "../../../src/core/ports/document.ts"
import { Ocr } from "../../../src/core/ports/Ocr.ts"
import { readPptx, takePptxPicture } from "../../../src/ingest/formats/office/readPptx.ts"
import { drawPage } from "../../../src/ingest/formats/pdf/scans/drawPage.ts"
import { readPdf } from "../../../src/ingest/formats/pdf/readPdf.ts"
import { pagesOf, SCAN } from "../../ingest/support/pdf.ts"
import { pictureOf, slideWith, turnPicture } from "../../ingest/support/pictures.ts"
import { needs } from "../../support/needs.ts"
import { until } from "../../support/until.ts"

const picture: PagePicture = {
  bytes: new Uint8Array([0xff, 0xd8, 0xff]),
  type: "image/jpeg",
  width: 100,
  height: 200,
  pixelsPerInch: 150,
}

interface Asked {
  readonly url: string | undefined
  readonly authorization: string | undefined
  readonly body: any
}
type Answer = { readonly status?: number; readonly body?: string } | "hang"
const double: { server?: Server; asked: Array<Asked>; answers: Array<Answer> } = { asked: [], answers: [] }
const reply = (content: string | null, finish_reason = "stop") => ({
  body: JSON.stringify({ choices: [{ message: { content }, finish_reason }] }),
})

describe("an OCR endpoint with OpenAI's API", () => {
  beforeAll(
    () =>
      new Promise<void>((resolve) => {
        double.server = createServer(async (request, response) => {
          const parts: Array<Uint8Array> = []
          for await (const part of request) parts.push(part as Uint8Array)
          const { authorization } = request.headers
          double.asked.push({ url: request.url, authorization, body: JSON.parse(Buffer.concat(parts).toString()) })
          const answer: Answer = double.answers.shift() ?? reply("text")
          if (answer !== "hang") response.writeHead(answer.status ?? 200).end(answer.body)
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

  const recognize = (seconds = 600) =>
    Effect.flatMap(Ocr, (ocr) => ocr!.recognize(picture)).pipe(
      Effect.provide(
        layerOpenAi({
          url: `http://127.0.0.1:${(double.server!.address() as AddressInfo).port}/v1`,
          model: "sees",
          key: Redacted.make("hunter2"),
          pause: 0.01,
          seconds,
        }),
      ),
    )

  it.live("gets the picture as a data URL, and returns the text of its reply", () =>
    Effect.gen(function* () {
      double.answers = [reply("One.\n\nTwo.")]
      const text = yield* recognize()
      assert.deepStrictEqual(text, { width: 100, height: 200, pixelsPerInch: 150, content: "One.\n\nTwo." })
      const [{ url, authorization, body }] = double.asked as [Asked]
      assert.deepStrictEqual([url, authorization, body.model], ["/v1/chat/completions", "Bearer hunter2", "sees"])
      assert.strictEqual(body.messages[0].content[1].image_url.url, "data:image/jpeg;base64,/9j/")
    }),
  )

  it.live("retries what may pass, and names the setting to correct", () =>
    Effect.gen(function* () {
      double.answers = [{ status: 503 }, { status: 429 }, reply(null)]
      assert.strictEqual((yield* recognize()).content, "")
      assert.lengthOf(double.asked, 3)
      const failures = [
        [{ status: 401 }, "OcrFailed", /SIGHTLINE_OCR_KEY/],
        [{ status: 404 }, "OcrFailed", /SIGHTLINE_OCR_MODEL/],
        [{ body: "<html>" }, "OcrFailed", /no chat completion/],
        [reply("half a", "length"), "PageNotRecognized", /too much text/],
      ] as const
      for (const [answer, tag, reason] of failures) {
        double.answers = [answer]
        const error = yield* Effect.flip(recognize())
        assert.strictEqual(error._tag, tag)
        assert.match(error.reason, reason)
      }
      double.answers = ["hang", "hang", "hang", "hang"]
      const error = yield* Effect.flip(recognize(0.05))
      assert.deepInclude(error, { _tag: "OcrUnavailable", reason: "the OCR endpoint did not reply in time" })
    }),
  )
})

const HOCR = `<span class='ocr_header' id='line_1_1' title="bbox 10 20 210 60; baseline 0.01 -8; x_size 32; x_descenders 6">
  <span class='ocrx_word' id='word_1_1' title='bbox 10 20 90 52; x_wconf 96'>R&amp;D</span>
  <span class='ocrx_word' id='word_1_2' title='bbox 100 20 210 60; x_wconf 3'><strong>costs</strong></span>
  <span class='ocrx_word' id='word_1_3' title='bbox 215 20 220 60; x_wconf 20'>|</span></span>
<span class='ocr_line' id='line_1_2' title="bbox 0 70 9 80; x_size 10"><span class='ocrx_word' title='bbox 0 70 9 80; x_wconf 1'>—</span></span>`

describe("hOCR", () => {
  it("becomes lines of words without the traces of rules", () => {
    assert.deepStrictEqual(readHocr(HOCR, { width: 300, height: 100 }).content, [
      {
        baseline: 52,
        size: 32,
        words: [
          { text: "R&D", left: 10, top: 20, right: 90, bottom: 52, confidence: 0.96 },
          { text: "costs", left: 100, top: 20, right: 210, bottom: 60, confidence: 0.03 },
        ],
      },
    ])
  })
})

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe("a program that reads its input", () => {
  const LIMITS = { seconds: 600, maxMegabytes: 500, maxBytes: 1000 }
  const input = new TextEncoder().encode("hello")

  it.live("returns its output, within limits of memory, time and size", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* pipe("/bin/cat", [], input, LIMITS), "hello")
      assert.strictEqual((yield* pipe("/bin/sh", ["-c", "ulimit -v; ulimit -t"], input, LIMITS)).trim(), "512000\n600")
      const failures = [
        [pipe("/bin/sh", ["-c", "exit 3"], input, LIMITS), { status: 3, tooSlow: false }],
        [pipe("/bin/cat", ["/dev/zero"], input, LIMITS), { status: null, tooSlow: false }],
        [pipe("/bin/sleep", ["600"], input, { ...LIMITS, seconds: 0.1 }), { status: null, tooSlow: true }],
        [pipe("/no/such/program", [], input, LIMITS), { status: 127, tooSlow: false }],
      ] as const
      for (const [failing, expected] of failures) assert.deepInclude(yield* Effect.flip(failing), expected)
    }),
  )

  it.live("ends with its caller", () =>
    Effect.gen(function* () {
      const directory = mkdtempSync(join(tmpdir(), "sightline-programs-"))
      const file = join(directory, "pid")
      const running = pipe("/bin/sh", ["-c", `echo $$ > ${file}; exec sleep 600`], input, LIMITS)
      const fiber = yield* Effect.forkChild(running)
      const pidOf = () => (existsSync(file) ? Number(readFileSync(file, "utf8")) : 0)
      const pid = yield* Effect.promise(() => until("the program runs", () => pidOf() > 0 && pidOf()))
      yield* Fiber.interrupt(fiber)
      yield* Effect.promise(() => until("the program is gone", () => !isAlive(pid)))
      rmSync(directory, { recursive: true })
    }),
  )
})

describe("without tesseract", () => {
  it.live("there is no engine", () =>
    Effect.gen(function* () {
      const path = process.env["PATH"]
      process.env["PATH"] = "/nowhere"
      try {
        assert.isUndefined(yield* Effect.promise(findTesseract))
        assert.isUndefined(yield* Effect.provide(Ocr, layerLater()))
      } finally {
        process.env["PATH"] = path
      }
    }),
  )

  it("chooses all languages of a machine with few, and English of many", () => {
    const chosen = (languages: ReadonlyArray<string>, own?: ReadonlyArray<string>) =>
      chooseLanguages({ path: "", languages }, own)
    assert.deepStrictEqual(chosen(["deu", "eng"]), ["deu", "eng"])
    assert.deepStrictEqual(chosen(["deu", "eng", "fra", "spa"]), ["eng"])
    assert.deepStrictEqual(chosen(["deu", "eng"], ["deu"]), ["deu"])
  })
})

const tesseract = await findTesseract()

describe("tesseract", needs("tesseract", tesseract !== undefined), () => {
  const sentences = ["The renewal is due in March.", "Orvanta offers 12 percent less."]
  const file = pagesOf([sentences.map((text, n) => ({ text, y: 700 - 40 * n, size: 14 }))])

  it.live("recognizes the words of a page where they are", () =>
    Effect.gen(function* () {
      const drawn = yield* Effect.promise(() => drawPage(file, 1))
      const { content } = yield* Effect.flatMap(Ocr, (ocr) => ocr!.recognize(drawn)).pipe(
        Effect.provide(layerTesseract(tesseract!, ["eng"])),
      )
      if (typeof content === "string") return assert.fail("no places")
      assert.deepStrictEqual(
        content.map(({ words }) => words.map(({ text }) => text).join(" ")),
        sentences,
      )
      // 72 points from the left and 92 below the top of the page, less the height of the letters.
      assert.closeTo(content[0]!.words[0]!.left, 200, 6)
      assert.closeTo(content[0]!.baseline, (92 / 72) * 200, 6)
    }),
  )

  it.live("reads a scan that lies on its side or upside down, and says where its words are on it", () =>
    Effect.gen(function* () {
      // The engine looks for a turn on pages of fifty letters or more.
      const page = [
        ...sentences,
        "Calyptus has been our customer since 2019.",
        "Their seats grew from 40 to 65 last year.",
      ]
      const text = page.map((text, n) => ({ text, y: 700 - 40 * n, size: 14 }))
      const upright = yield* Effect.promise(() => drawPage(pagesOf([text]), 1))
      const engine = yield* Effect.provide(Ocr, layerTesseract(tesseract!, ["eng"]))
      const read = Effect.fnUntraced(function* (drawn: PagePicture) {
        const page = yield* engine!.recognize(drawn)
        const { elements } = yield* Effect.promise(() => readPdf(pagesOf([SCAN]), new Map([[1, page]])))
        return elements
      })
      const expected = yield* read(upright)
      assert.strictEqual(expected.map(({ text }) => text).join(" "), page.join(" "))
      const box = (elements: typeof expected) => elements[0]!.picture!.boxes[0]!.slice(2)
      const [left, top, width, height] = box(expected) as [number, number, number, number]
      for (const degrees of [90, 180, 270] as const) {
        const drawn = yield* Effect.promise(() => turnPicture(upright, degrees))
        const elements = yield* read(drawn)
        assert.deepStrictEqual(
          elements.map(({ text }) => text),
          expected.map(({ text }) => text),
          String(degrees),
        )
        const there = {
          90: [upright.height - top - height, left, height, width],
          180: [upright.width - left - width, upright.height - top - height, width, height],
          270: [top, upright.width - left - width, height, width],
        }[degrees]
        for (const [at, pixels] of box(elements).entries()) assert.closeTo(pixels, there[at]!, 4, `${degrees}: ${at}`)
      }
    }),
  )

  it.live("recognizes a picture of a slide in each format, at its own resolution", () =>
    Effect.gen(function* () {
      const engine = yield* Effect.provide(Ocr, layerTesseract(tesseract!, ["eng"]))
      for (const type of ["png", "jpeg", "webp"] as const) {
        const slides = slideWith(pictureOf(sentences, type))
        const text = yield* engine!.recognize(yield* Effect.promise(() => takePptxPicture(slides, 1)))
        const { elements, warnings } = yield* Effect.promise(() => readPptx(slides, new Map([[1, text]])))
        assert.strictEqual(elements.map(({ text }) => text).join(" "), sentences.join(" "), type)
        assert.deepStrictEqual(
          warnings.map(({ code }) => code),
          ["pictures_recognized"],
        )
      }
    }),
  )

  it.live("fails on a damaged picture alone, and for a language that it lacks", () =>
    Effect.gen(function* () {
      const recognize = (languages: ReadonlyArray<string>) =>
        Effect.flip(Effect.flatMap(Ocr, (ocr) => ocr!.recognize(picture))).pipe(
          Effect.provide(layerTesseract(tesseract!, languages)),
        )
      assert.strictEqual((yield* recognize(["eng"]))._tag, "PageNotRecognized")
      assert.match((yield* recognize(["eng", "xyz"])).reason, /lacks xyz; install Debian's tesseract-ocr-xyz/)
    }),
  )
})
