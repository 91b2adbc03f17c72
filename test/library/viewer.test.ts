import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import type { Element } from "../../src/core/ports/document.ts"
import { Documents } from "../../src/core/library/Documents.ts"
import { ViewerLinks } from "../../src/core/library/viewer/ViewerLinks.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { inRow, onPage, readDocument } from "../support/readDocument.ts"
import { layerWeb, Web } from "../support/web.ts"

const HOSTILE = `<script>alert(1)</script><img src=x onerror="alert(2)"> & '"\`</td></article></style>`
for (const engine of engines) {
  const harness = Layer.unwrap(Effect.sync(() => layerWeb(engine.database)))
  describe(`the viewer on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      const open = (url: string, init?: RequestInit) => Effect.flatMap(Web, (web) => web.request(url, "", init))

      it.effect("shows the text at its places and escapes markup in it", () =>
        Effect.gen(function* () {
          const { org } = yield* (yield* Web).tenant()
          const elements = [
            onPage(1, HOSTILE, "heading"),
            onPage(1, HOSTILE),
            onPage(2, HOSTILE, "list-item"),
            onPage(2, `${HOSTILE}\t${HOSTILE}`, "table-row"),
            inRow(HOSTILE, 3, HOSTILE),
            { kind: "speech", text: HOSTILE, place: { kind: "time", start: 1, end: 2, speaker: HOSTILE } } as const,
          ]
          const { url } = yield* readDocument(org, elements, {
            file_name: HOSTILE,
            warnings: [{ code: "encoding_guessed", message: HOSTILE }],
          })
          const shown = yield* open(url)
          assert.strictEqual(shown.status, 200, shown.text)
          assert.strictEqual(shown.headers.get("content-type"), "text/html; charset=utf-8")
          const policy = shown.headers.get("content-security-policy") ?? ""
          assert.match(
            policy,
            /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; img-src 'self' data:; media-src 'self';/,
          )
          assert.notInclude(policy, "unsafe")
          assert.strictEqual(shown.headers.get("referrer-policy"), "no-referrer")
          assert.strictEqual(shown.text.split("<script>").length, 2, "our own script alone")
          assert.notInclude(shown.text, "<img")
          assert.include(shown.text, `<link rel="icon" href="data:image/svg+xml,`)
          assert.strictEqual(shown.text.split("</article>").length, 2)
          assert.include(shown.text, "&lt;script&gt;alert(1)&lt;/script&gt;")
          assert.include(shown.text, `<section id="page=1"`)
          assert.include(shown.text, `<section id="page=2"`)
        }),
      )

      it.effect("marks the cited passage by offsets in the text, across cells and characters of two units", () =>
        Effect.gen(function* () {
          const { org } = yield* (yield* Web).tenant()
          const elements = [
            onPage(1, "Grüße 🎈🎈 to all"),
            inRow("Prices", 1, "Plan\tPrice"),
            inRow("Prices", 2, "Team\t<40>\tEUR"),
          ]
          const { url, text } = yield* readDocument(org, elements)
          const marked = (html: string) =>
            [...html.matchAll(/<mark[^>]*>(.*?)<\/mark>/g)].map(([, inner]) => inner).join("|")
          for (const [passage, expected] of [
            ["🎈 to", "🎈 to"],
            ["Price\nTeam\t<4", "Price|Team|&lt;4"],
            ["EUR", "EUR"],
          ] as const) {
            const start = text.indexOf(passage)
            const shown = yield* open(`${url}?start=${start}&end=${start + passage.length}`)
            assert.strictEqual(marked(shown.text), expected)
            assert.strictEqual(shown.text.split(`id="cited"`).length, 2)
          }
          assert.strictEqual(marked((yield* open(`${url}?start=9&end=2`)).text), "")
        }),
      )

      it.effect(
        "repeats merged cells and labels in the rows that they cover, on every part, and finds these rows by them",
        () =>
          Effect.gen(function* () {
            const { org } = yield* (yield* Web).tenant()
            const filler = "y".repeat(900)
            const elements = Array.from({ length: 450 }, (_, n): Element => {
              const row = inRow("Costs", n + 2, n === 0 ? `Northlands\t0` : `\t${n} ${filler}`)
              return n === 0
                ? { ...row, labels: ["Region", "Sum"] }
                : n === 1
                  ? { ...row, merged: ["Northlands"] }
                  : row
            })
            const { id, url } = yield* readDocument(org, elements)
            for (const part of [1, 2, 3]) {
              const { text } = yield* open(`${url}?part=${part}`)
              const rows = text.split("<tr>").filter((row) => row.includes(filler))
              assert.isAbove(rows.length, 10)
              assert.isTrue(rows.every((row) => row.includes(`<td class="merged">Northlands</td>`)))
              assert.include(text, `<th scope="col">Region</th>`)
            }
            const database = yield* Database
            const [found] = yield* database.transaction(
              org,
              database.sql<{ all: number; found: number }>`
              select count(*)::int as all, (count(*) filter (where lexemes @@ to_tsquery('english', 'northlands')))::int as found
              from passages where org_id = ${org} and document_id = ${id}`,
            )
            assert.isAbove(found!.all, 300)
            assert.strictEqual(found!.found, found!.all)
          }),
      )

      it.effect(
        "divides a long document into parts of limited size without losing text, and finds the part of a place",
        () =>
          Effect.gen(function* () {
            const { org } = yield* (yield* Web).tenant()
            const elements = [
              ...Array.from({ length: 400 }, (_, n) => onPage(n + 1, `p${n + 1}: ${"word ".repeat(300)}🎈.`)),
              onPage(401, `${"endless 🎈 ".repeat(40_000)}end`),
              onPage(402, "the last page"),
            ]
            const { url, text } = yield* readDocument(org, elements)
            const count = Number(/Part 1 of (\d+)/.exec((yield* open(url)).text)?.[1])
            assert.isAbove(count, 4)
            let all = ""
            for (let part = 1; part <= count; part++) {
              const { text: html } = yield* open(`${url}?part=${part}`)
              assert.isBelow(html.length, 400_000)
              all += [...html.matchAll(/<p>(.*?)<\/p>/gs)].map(([, inner]) => inner).join("")
            }
            assert.isTrue(all.replaceAll(/\s/g, "") === text.replaceAll(/\s/g, ""), "every character, once, in order")
            for (const at of ["page=377", "page=402"]) {
              assert.include((yield* open(`${url}?at=${encodeURIComponent(at)}`)).text, `<section id="${at}"`)
            }
            const start = text.indexOf("the last page")
            assert.include(
              (yield* open(`${url}?start=${start}&end=${start + 8}`)).text,
              `<mark id="cited">the last</mark>`,
            )
            const deep = text.indexOf("end", text.indexOf("endless") + 300_000)
            assert.match((yield* open(`${url}?start=${deep}&end=${deep + 3}`)).text, /<mark id="cited">end<\/mark>/)
          }),
      )

      it.effect("finds the part that contains a sheet row or a second", () =>
        Effect.gen(function* () {
          const { org } = yield* (yield* Web).tenant()
          const cells = "cell\t".repeat(40).trim()
          const rows = (sheet: string) =>
            Array.from({ length: 1500 }, (_, n) => inRow(sheet, n + 1, `${sheet} ${n + 1}\t${cells}`))
          const { url } = yield* readDocument(org, [...rows("__proto__"), ...rows("Q2 & Q3")])
          assert.match((yield* open(url)).text, /Part 1 of [3-9]/)
          for (const [at, row] of [
            ["row=1400", "__proto__ 1400"],
            ["row=Q2%20%26%20Q3!1400", "Q2 &amp; Q3 1400"],
            ["row=Q2%20%26%20Q3!3", "Q2 &amp; Q3 3"],
            ["row=nowhere!3", "__proto__ 1"],
          ] as const) {
            assert.include((yield* open(`${url}?at=${encodeURIComponent(at)}`)).text, `<td>${row}</td>`)
          }
          const said = Array.from({ length: 4000 }, (_, n) => ({
            kind: "speech" as const,
            text: `Sentence ${n} of the call: ${"and on it went ".repeat(5)}`.trim(),
            place: { kind: "time" as const, start: n * 2.5, end: n * 2.5 + 2 },
          }))
          const call = yield* readDocument(org, said, { content_type: "audio/mpeg", file_name: "call.mp3" })
          for (const second of [0, 5000, 9999, 1e6]) {
            const n = Math.min(Math.floor(second / 2.5), 3999)
            assert.include((yield* open(`${call.url}?at=t%3D${second}`)).text, `Sentence ${n} of the call`)
          }
        }),
      )

      it.effect("answers a forged link like a link to a missing document", () =>
        Effect.gen(function* () {
          const mine = yield* (yield* Web).tenant()
          const other = yield* (yield* Web).tenant()
          const { url, id } = yield* readDocument(mine.org, [onPage(1, "secret")])
          const foreign = yield* readDocument(other.org, [onPage(1, "of the other")])
          const token = url.slice(url.lastIndexOf("/") + 1)
          const foreignToken = foreign.url.slice(foreign.url.lastIndexOf("/") + 1)
          const nothing = yield* open("/v/nothing")
          assert.strictEqual(nothing.status, 404)
          assert.match(nothing.headers.get("content-type") ?? "", /^text\/html/)
          const tokens = [
            token.slice(0, -1),
            `${token}A`,
            `${token}=`,
            token.toUpperCase(),
            token.slice(0, 24) + foreignToken.slice(24),
            foreignToken.slice(0, 24) + token.slice(24),
            ...Array.from(token, (letter, n) => token.slice(0, n) + (letter === "A" ? "B" : "A") + token.slice(n + 1)),
          ]
          for (const changed of tokens) {
            for (const path of [`/v/${changed}`, `/v/${changed}/original`]) {
              const reply = yield* open(path)
              assert.deepStrictEqual([reply.status, reply.text], [404, nothing.text], path)
            }
          }
          yield* (yield* Documents).remove(mine.org, id)
          const gone = yield* open(url)
          assert.deepStrictEqual([gone.status, gone.text], [404, nothing.text])
        }),
      )

      it.effect("shows only that a link has expired", () =>
        Effect.gen(function* () {
          const { org } = yield* (yield* Web).tenant()
          const { id } = yield* readDocument(org, [onPage(1, "secret")])
          const longAgo = Effect.provide((yield* ViewerLinks).url(org, id), TestClock.layer())
          const url = yield* longAgo
          for (const path of [url, `${url}/original`]) {
            const reply = yield* open(path)
            assert.strictEqual(reply.status, 410)
            assert.include(reply.text, "This link has expired")
            assert.notInclude(reply.text, "secret")
          }
        }),
      )

      it.effect("serves ranges of originals: documents as attachments, recordings inline", () =>
        Effect.gen(function* () {
          const { org } = yield* (yield* Web).tenant()
          const original = (url: string) => `${url}/original`
          const pdf = yield* readDocument(org, [onPage(1, "x")], { bytes: new TextEncoder().encode("0123456789") })
          const whole = yield* open(original(pdf.url))
          assert.deepStrictEqual([whole.status, whole.text], [200, "0123456789"])
          assert.match(whole.headers.get("content-disposition") ?? "", /^attachment/)
          assert.strictEqual(whole.headers.get("x-content-type-options"), "nosniff")
          const some = yield* open(original(pdf.url), { headers: { range: "bytes=3-5" } })
          assert.deepStrictEqual([some.status, some.text], [206, "345"])
          assert.strictEqual(some.headers.get("content-range"), "bytes 3-5/10")
          const past = yield* open(original(pdf.url), { headers: { range: "bytes=10-" } })
          assert.deepStrictEqual([past.status, past.headers.get("content-range")], [416, "bytes */10"])
          const audio = yield* readDocument(org, [], {
            content_type: "audio/mpeg",
            file_name: "call.mp3",
            bytes: new TextEncoder().encode("some bytes"),
          })
          const played = yield* open(original(audio.url), { headers: { range: "bytes=-5" } })
          assert.deepStrictEqual([played.status, played.text], [206, "bytes"])
          assert.strictEqual(played.headers.get("content-type"), "audio/mpeg")
          assert.strictEqual(played.headers.get("content-disposition"), "inline")
          const saved = yield* open(`${original(audio.url)}?download=1`)
          assert.match(
            saved.headers.get("content-disposition") ?? "",
            /^attachment; filename="call.mp3"; filename\*=UTF-8''call.mp3$/,
          )
          assert.include((yield* open(audio.url)).text, "<audio controls")
        }),
      )

      it.effect("says that a document is processing or why it failed, and rejects other methods", () =>
        Effect.gen(function* () {
          const { org } = yield* (yield* Web).tenant()
          const database = yield* Database
          const { id, url } = yield* readDocument(org, [onPage(1, "as it was")])
          const become = (status: string, reason: string | null) =>
            database.transaction(
              org,
              database.sql`update documents set status = ${status}, failure_reason = ${reason} where org_id = ${org} and id = ${id}`,
            )
          yield* become("processing", null)
          assert.match((yield* open(url)).text, /Still processing[\s\S]*as it was/)
          yield* become("failed", "it is <encrypted>")
          assert.match((yield* open(url)).text, /could not be read[\s\S]*it is &lt;encrypted&gt;/)
          const posted = yield* open(url, { method: "POST" })
          assert.deepStrictEqual([posted.status, posted.headers.get("allow")], [405, "GET, HEAD, OPTIONS"])
        }),
      )
    })
  })
}
