import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Browser, chromium as browsers } from "playwright-core"
import { chunk } from "../../src/ingest/chunk.ts"
import { type DocumentFormat, READERS } from "../../src/ingest/readers.ts"
import { CONTENT_TYPES } from "../../src/ingest/safety/sniff.ts"
import { prepare, type Prepared } from "../conformance/prepare.ts"
import { dropBuilds, type RunningServer, startServer } from "../conformance/servers.ts"
import { docx, paragraph, pptx, shape, sheetOf, xlsx } from "../ingest/support/office.ts"
import { pagesOf } from "../ingest/support/pdf.ts"
import { chromium } from "../support/chromium.ts"
import { until } from "../support/until.ts"
import { silentMp3, silentMp4 } from "../support/silence.ts"

const filler = (n: number) => `Item ${n} of the notes says what the buyer asked for and what was answered`
const PASSAGE = "Rival cut its list price by a tenth"

const PAGES = Array.from({ length: 5 }, (_, page) =>
  Array.from({ length: 30 }, (_, line) => ({
    text: page === 3 && line === 20 ? PASSAGE : filler(line),
    y: 740 - 22 * line,
  })),
)
const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
const ROWS = Array.from({ length: 80 }, (_, n) => `<row r="${n + 1}">${cell(n === 59 ? PASSAGE : filler(n))}</row>`)

/** An upload, and the text that its viewer must show in view at `#anchor`. */
const DOCUMENTS: ReadonlyArray<{
  readonly format: DocumentFormat
  readonly bytes: Uint8Array
  readonly anchor?: string
  readonly place?: string
}> = [
  { format: "pdf", bytes: pagesOf(PAGES), anchor: "page=4", place: `[id="page=4"] mark` },
  {
    format: "docx",
    bytes: docx(Array.from({ length: 60 }, (_, n) => paragraph(n === 50 ? PASSAGE : filler(n))).join("")),
  },
  {
    format: "pptx",
    bytes: pptx(
      Array.from({ length: 9 }, (_, n) => ({
        shapes: shape(`Slide ${n}`, "title") + shape(n === 6 ? `${filler(n)}\n${PASSAGE}` : filler(n)),
      })),
    ),
    anchor: "slide=7",
    place: `[id="slide=7"] mark`,
  },
  {
    format: "xlsx",
    bytes: xlsx([{ name: "Q1 prices", xml: sheetOf(ROWS.join("")) }]),
    anchor: "row=Q1%20prices!60",
    place: `tr:has([id="row=Q1%20prices!60"]) mark`,
  },
]

const SECONDS = 90
const SENTENCES = Array.from({ length: 30 }, (_, n) => ({
  start: n * 3,
  end: n * 3 + 2.5,
  text: n === 20 ? PASSAGE : filler(n),
}))

/** Hears the same in everything. */
const transcriber = () =>
  new Promise<Server>((resolve) => {
    const server = createServer((request, response) => {
      request.resume().on("end", () => response.end(JSON.stringify({ segments: SENTENCES })))
    }).listen(0, "127.0.0.1", () => resolve(server))
  })

/** A bound for a hang, not for slowness. */
const PATIENCE_MS = 600_000

const open = async (browser: Browser) => {
  const page = await browser.newPage({ viewport: { width: 1000, height: 700 } })
  page.setDefaultTimeout(PATIENCE_MS)
  return page
}

describe("documents and recordings, uploaded to a server, are shown at their places", () => {
  let hearing: Server
  let browser: Browser | undefined
  const stops: Array<() => unknown> = [dropBuilds]
  beforeAll(async () => {
    hearing = await transcriber()
    stops.unshift(() => hearing.close())
    if (chromium === undefined) return
    browser = await browsers.launch({ executablePath: chromium, args: ["--no-sandbox"], timeout: PATIENCE_MS })
    stops.unshift(() => browser?.close())
  })
  afterAll(async () => {
    for (const stop of stops) await stop()
  })

  for (const [runtime, engine] of [
    ["Node", "PGlite"],
    ["Bun", "PGlite"],
    ["Deno", "PGlite"],
    ["Deno, two permissions", "PostgreSQL"],
  ] as const) {
    it(`on ${runtime}`, async () => {
      const prepared = await prepare(engine)
      const server = await startServer(runtime, {
        ...prepared.environment,
        SIGHTLINE_TRANSCRIPTION_URL: `http://127.0.0.1:${(hearing.address() as AddressInfo).port}/v1`,
      })
      try {
        const send = uploader(server, prepared)
        for (const { format, bytes, anchor, place } of DOCUMENTS) {
          const url = await send(`notes.${format}`, CONTENT_TYPES[format][0], bytes)
          const { text } = chunk(await READERS[format](bytes.slice()))
          const start = text.indexOf(PASSAGE)
          const cited = `${url}?start=${start}&end=${start + PASSAGE.length}`
          const html = await (await fetch(cited)).text()
          assert.include(html, `<mark id="cited">${PASSAGE}</mark>`, format)
          if (browser === undefined) continue
          const page = await open(browser)
          await page.goto(anchor === undefined ? cited : `${cited}#${anchor}`)
          assert.strictEqual(await page.locator(place ?? "mark").innerText(), PASSAGE)
          assert.isTrue(await page.locator("mark").evaluate(inView), `${format}: the passage is in view`)
          if (anchor !== undefined) {
            await page.goto(`${url}#${anchor}`)
            const target = format === "xlsx" ? `th[id="${anchor}"]` : `[id="${anchor}"] h2`
            assert.isTrue(await page.locator(target).evaluate(inView), `${format}: the place is in view`)
          }
          await page.close()
        }
        for (const [format, bytes] of [
          ["mp3", silentMp3(SECONDS)],
          ["mp4", await silentMp4(SECONDS)],
        ] as const) {
          const url = await send(`call.${format}`, CONTENT_TYPES[format][0], bytes)
          assert.include(await (await fetch(url)).text(), `id="t=60"`, format)
          if (browser === undefined) continue
          const page = await open(browser)
          await page.goto(`${url}#t=61`)
          const player = page.locator("audio,video")
          await until(`${format} is loaded`, () => player.evaluate(isLoaded))
          assert.strictEqual(await player.evaluate(secondOf), 61, format)
          assert.include(await page.locator(".here").innerText(), PASSAGE)
          assert.isTrue(await page.locator(".here").evaluate(inView), `${format}: what was said is in view`)
          await player.evaluate(slowDown)
          await page.locator(".here a").click()
          const second = await until(`${format} plays`, async () => {
            const now = await player.evaluate(secondOf)
            return now > 60 && now !== 61 && now
          })
          assert.isBelow(second, 66, `${format} plays from there`)
          await page.close()
        }
      } finally {
        await server.stop()
        await prepared.drop()
      }
    })
  }
})

/** Uploads as `curl -F` does, waits until it is read, and answers the viewer's address. */
const uploader = ({ url }: RunningServer, { keys }: Prepared) => {
  const headers = { authorization: `Bearer ${keys.key}` }
  const call = async (path: string, init: RequestInit = {}) => {
    const reply = await fetch(`${url}/api/v1${path}`, {
      ...init,
      headers: { ...headers, ...(init.headers as Record<string, string>) },
    })
    const text = await reply.text()
    assert.strictEqual(reply.status, 200, text)
    return JSON.parse(text)
  }
  return async (name: string, contentType: string, bytes: Uint8Array) => {
    await call("/import", {
      method: "POST",
      headers: { "content-type": "application/x-ndjson" },
      body: `{"type":"deal","id":"d1","name":"Renewal"}\n`,
    })
    const body = new FormData()
    for (const [field, value] of [
      ["deal_id", "d1"],
      ["file_name", name],
      ["content_type", contentType],
    ] as const) {
      body.append(field, value)
    }
    body.append("file", new Blob([new Uint8Array(bytes)]), name)
    const { document } = await call("/deals/documents", { method: "POST", body })
    const found = await until(`${name} is read`, async () => {
      const found = await call(`/documents/${document.id}`)
      return found.status !== "processing" && found
    })
    assert.strictEqual(found.status, "ready", `${name}: ${found.failure_reason}`)
    return new URL(found.url, url).href
  }
}

interface Seen {
  readonly readyState: number
  readonly currentTime: number
  getBoundingClientRect(): { readonly top: number; readonly bottom: number }
}

const inView = (element: unknown) => {
  const { top, bottom } = (element as Seen).getBoundingClientRect()
  const page = globalThis as unknown as {
    readonly innerHeight: number
    readonly document: { querySelector(selector: string): Seen | null }
  }
  const covered = page.document.querySelector(".player")?.getBoundingClientRect().bottom ?? 0
  return top >= covered && bottom <= page.innerHeight
}
const isLoaded = (element: unknown) => (element as Seen).readyState >= 2
/** A second of the recording lasts for 16, so that a busy machine sees where it begins to play. */
const slowDown = (element: unknown) => void ((element as { playbackRate: number }).playbackRate = 1 / 16)
const secondOf = (element: unknown) => (element as Seen).currentTime
