import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Import } from "../../src/core/import/Import.ts"
import { ViewerLinks } from "../../src/core/library/viewer/ViewerLinks.ts"
import { replaceText } from "../../src/core/library/writing.ts"
import type { Element, ReadAndCut } from "../../src/core/ports/document.ts"
import { DealRecords } from "../../src/core/search/DealRecords.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { chunk } from "../../src/ingest/chunk.ts"
import { engines } from "../support/engines.ts"
import { ALL } from "../support/extent.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"
import { onPage, readDocument } from "../support/readDocument.ts"
import { layerWeb, Web } from "../support/web.ts"
import { KINDS, layOut, readAgain, writeBlock } from "./readings.ts"

const CHANGED = "The cited passage is not marked"
const ANCHORS = { text: undefined, page: "page", slide: "slide", sheet: "row", time: "t" } as const

const decode = (html: string) =>
  html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
const bare = (text: string) => text.replaceAll(/\s/g, "")
/** The marked text of a page, without white space. */
const markedOn = (html: string) =>
  bare(decode([...html.matchAll(/<mark[^>]*>(.*?)<\/mark>/gs)].map(([, inner]) => inner).join("")))

/** `anchors.test.ts` loses .36 % of 89,000 citations. Of these 200, more than six are lost in one of 70,000 runs. */
const MAX_LOST = ALL ? 6 : 2

for (const engine of engines) {
  describe(`links with words on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      const open = (url: string) => Effect.flatMap(Web, (web) => web.request(url, ""))
      const store = Effect.fnUntraced(function* (org: string, id: string, document: ReadAndCut) {
        const { sql, transaction } = yield* Database
        yield* transaction(org, replaceText(sql, org, id, document))
      })
      /** Links to a part of a document's text, as a citation of its chunk. */
      const linkTo = Effect.fnUntraced(function* (
        org: string,
        id: string,
        { chunks }: ReadAndCut,
        { start, end }: { readonly start: number; readonly end: number },
      ) {
        const source = [...chunks].find((each) => each.start <= start && each.end >= end)
        return source && (yield* (yield* ViewerLinks).url(org, id, { start, end, source }))
      })
      const linkToWords = (org: string, id: string, document: ReadAndCut, words: string) => {
        const start = document.text.indexOf(words)
        return Effect.map(linkTo(org, id, document, { start, end: start + words.length }), (url) => url!)
      }

      it.effect("open at their sentence, row, turn, page or slide after another reading, and at no other", () =>
        Effect.gen(function* () {
          const random = makeRandom(seedOfRun("anchored links"))
          const { org } = yield* (yield* Web).tenant()
          const count = { cited: 0, opened: 0, lost: 0 }
          for (const kind of KINDS) {
            const blocks = Array.from({ length: 60 }, (_, n) => writeBlock(random, kind, n))
            const before = layOut(blocks)
            const { id } = yield* readDocument(org, before.elements)
            const links = []
            for (const sentence of random.some(before.where, 45, 45)) {
              const url = yield* linkTo(org, id, before.document, sentence)
              if (url !== undefined) links.push({ sentence, url })
            }
            const after = layOut(readAgain(random, kind, blocks))
            for (const { sentence, url } of links) {
              const shown = yield* open(url)
              assert.strictEqual(markedOn(shown.text), bare(sentence.text), "before the other reading")
            }
            yield* store(org, id, after.document)
            for (const { sentence, url } of links) {
              const { text: html } = yield* open(url)
              const truth = after.where.find((each) => each.id === sentence.id)
              const isLost = html.includes(CHANGED)
              assert.strictEqual(markedOn(html) === "", isLost)
              if (truth === undefined) continue
              count.cited++
              if (isLost) {
                count.lost++
                assert.notInclude(html, "data-at")
                continue
              }
              count.opened++
              const whole = bare(truth.text)
              // The mark begins at the old offset, which may now follow the opening quotation mark.
              assert.include([whole, whole.replace(/^[“"(]/, "")], markedOn(html))
              const name = ANCHORS[kind]
              const { place } = truth
              if (name === undefined) assert.notInclude(html, "data-at")
              else {
                const at =
                  "page" in place
                    ? place.page
                    : "slide" in place
                      ? place.slide
                      : "row" in place
                        ? `Stock!${place.row}`
                        : "start" in place
                          ? place.start
                          : ""
                assert.include(html, `data-at="${name}=${at}"`)
              }
            }
          }
          console.log(`anchored links on ${engine.name}:`, JSON.stringify(count))
          assert.isAbove(count.cited, 150)
          assert.isAtMost(count.lost, MAX_LOST)
        }),
      )

      it.effect("find a passage that moved to another part, or across two, and keep its mark on other parts", () =>
        Effect.gen(function* () {
          const { org } = yield* (yield* Web).tenant()
          const words = "Orvanta renews the contract for three years if support is included."
          const filler = (n: number) => onPage(n, `Paragraph ${n}: ${`filler ${n} `.repeat(100)}`.trim())
          const fillers = (from: number, count: number) => Array.from({ length: count }, (_, n) => filler(from + n))
          const first: ReadonlyArray<Element> = [...fillers(1, 3), onPage(4, words), ...fillers(5, 600)]
          const { id } = yield* readDocument(org, first)
          const url = yield* linkToWords(org, id, chunk({ elements: first, warnings: [] }), words)
          assert.include((yield* open(url)).text, `data-at="page=4"`)
          yield* store(org, id, chunk({ elements: [...fillers(5, 600), onPage(700, words)], warnings: [] }))
          for (const _ of [1, 2]) {
            const moved = (yield* open(url)).text
            assert.include(moved, `data-at="page=700"`)
            assert.include(moved, `<mark id="cited">${words}</mark>`)
          }
          assert.notInclude((yield* open(`${url}?part=1`)).text, CHANGED)
          assert.include((yield* open(`${url}?at=page%3D700`)).text, `<mark id="cited">${words}</mark>`)
          // An element that is longer than a part is divided inside the sentence.
          const long = `${"word ".repeat(39_980).trim()}. ${words} ${"And on ".repeat(20_000)}`.trim()
          const divided = chunk({ elements: [onPage(1, long)], warnings: [] })
          yield* store(org, id, divided)
          for (const cited of [url, yield* linkToWords(org, id, divided, words)]) {
            const across = (yield* open(cited)).text
            assert.notInclude(across, CHANGED)
            assert.isTrue(bare(words).startsWith(markedOn(across)) && markedOn(across) !== "", markedOn(across))
          }
          yield* store(org, id, chunk({ elements: [onPage(1, words.replace("three", "four"))], warnings: [] }))
          const changed = (yield* open(url)).text
          assert.include(changed, CHANGED)
          assert.notInclude(changed, "<mark")
        }),
      )

      it.effect("find the words in a deal's record, and say that they changed", () =>
        Effect.gen(function* () {
          const { org } = yield* (yield* Web).tenant()
          const records = yield* DealRecords
          const put = Effect.fnUntraced(function* (more: object) {
            const deal = { type: "deal", id: "d1", name: "Park Lane", deal_analyzed: true, ...more }
            yield* (yield* Import).records(org, Stream.fromIterable([deal]))
            yield* records.refresh(org)
            return (yield* records.text(org, "d1"))!.text
          })
          const said = "They went with the rival because of its price."
          const text = yield* put({ summary: { executive_summary: said } })
          const start = text.indexOf(said)
          const source = { text, start: 0 }
          const url = yield* (yield* ViewerLinks).dealUrl(org, "d1", { start, end: start + said.length, source })
          const byOffset = yield* (yield* ViewerLinks).dealUrl(org, "d1", { start, end: start + said.length })
          assert.include((yield* open(url)).text, `<mark id="cited">${said}</mark>`)
          yield* put({ amount: 64_000, close_date: "2026-03-31", summary: { executive_summary: said } })
          assert.include((yield* open(url)).text, `<mark id="cited">${said}</mark>`)
          const old = (yield* open(byOffset)).text
          assert.notInclude(old, CHANGED, "a link of the release before has no words to compare")
          yield* put({ summary: { executive_summary: "They stayed." } })
          const changed = (yield* open(url)).text
          assert.include(changed, CHANGED)
          assert.notInclude(changed, "<mark")
        }),
      )

      it.effect("open no document if a character of the token is altered", () =>
        Effect.gen(function* () {
          const { org } = yield* (yield* Web).tenant()
          const elements = [onPage(1, "The price is secret. It is also high.")]
          const { id } = yield* readDocument(org, elements)
          const url = yield* linkToWords(org, id, chunk({ elements, warnings: [] }), "The price is secret.")
          const nothing = yield* open("/v/nothing")
          const token = url.slice(url.lastIndexOf("/") + 1)
          assert.isAtMost(token.length + "/v/".length, 60)
          for (const [n, letter] of [...token].entries()) {
            const reply = yield* open(`/v/${token.slice(0, n)}${letter === "A" ? "B" : "A"}${token.slice(n + 1)}`)
            assert.deepStrictEqual([reply.status, reply.text], [404, nothing.text], String(n))
          }
        }),
      )

      it.effect("open the version that they cite, and say that there is a later one", () =>
        Effect.gen(function* () {
          const { org } = yield* (yield* Web).tenant()
          const elements = [onPage(1, "The contract runs for three years. Then it ends.")]
          const { id } = yield* readDocument(org, elements)
          const url = yield* linkToWords(
            org,
            id,
            chunk({ elements, warnings: [] }),
            "The contract runs for three years.",
          )
          const later = yield* readDocument(org, [onPage(1, "The contract runs for four years. Then it ends.")])
          const { sql, transaction } = yield* Database
          yield* transaction(
            org,
            sql`update documents set replaced_by = ${later.id} where org_id = ${org} and id = ${id}`,
          )
          const shown = (yield* open(url)).text
          assert.include(shown, `<mark id="cited">The contract runs for three years.</mark>`)
          const [, newer = ""] = /An earlier version.*?<a href="([\w-]+)">/s.exec(shown) ?? []
          assert.include((yield* open(new URL(newer, url).href)).text, "four years")
        }),
      )
    })
  })
}
