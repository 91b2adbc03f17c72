import { assert, describe, it } from "@effect/vitest"
import { strToU8, zipSync } from "fflate"
import { readOdt } from "../../../../src/ingest/formats/office/readOdt.ts"
import { sniff } from "../../../../src/ingest/safety/sniff.ts"
import { UnreadableError } from "../../../../src/ingest/UnreadableError.ts"
import { makeRandom, seedOfRun } from "../../../support/random.ts"
import { codeOf } from "../../support/codeOf.ts"
import { odt } from "../../support/odt.ts"

const read = async (body: string) =>
  (await readOdt(odt(body))).elements.map(({ kind, level, text }) => `${kind}${level ?? ""}: ${text}`)

describe("ODT", () => {
  it("has headings, paragraphs, list items, tables, notes and comments in their order", async () => {
    const cell = (text: string, more = "") => `<table:table-cell${more}><text:p>${text}</text:p></table:table-cell>`
    const lines = await read(
      `<text:tracked-changes><text:changed-region><text:p>deleted</text:p></text:changed-region></text:tracked-changes>` +
        `<text:h text:outline-level="2">Terms</text:h><text:p>Three <text:span>years</text:span>,<text:s text:c="2"/>paid<text:line-break/>yearly.` +
        `<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body></text:note>` +
        `<office:annotation><dc:creator>Ann</dc:creator><dc:date>2026</dc:date><text:p>Really?</text:p></office:annotation></text:p>` +
        `<text:list><text:list-item><text:p>One</text:p></text:list-item></text:list>` +
        `<table:table><table:table-header-rows><table:table-row>${cell("Plan")}${cell("2025", ' table:number-columns-spanned="2"')}<table:covered-table-cell/></table:table-row></table:table-header-rows>` +
        `<table:table-row>${cell("Team")}<table:table-cell table:number-columns-repeated="1"/>${cell("40")}</table:table-row></table:table>`,
    )
    assert.deepStrictEqual(lines, [
      "heading2: Terms",
      "paragraph: Three years,  paid\nyearly.",
      "note: A note.",
      "note: Really?",
      "list-item: One",
      "table-row: Plan\t2025",
      "table-row: Team\t\t40",
    ])
  })

  it("has its title as a heading, also in a style that inherits from its own", async () => {
    const styles = '<style:style style:name="P1" style:parent-style-name="Title"/>'
    const body = '<text:p text:style-name="P1">Offer</text:p><text:p text:style-name="Standard">Text.</text:p>'
    const { elements } = await readOdt(odt(body, undefined, styles))
    assert.deepStrictEqual(
      elements.map(({ kind, level }) => [kind, level]),
      [
        ["heading", 1],
        ["paragraph", undefined],
      ],
    )
  })

  it("has each header and footer that its pages show once, as a note at its end", async () => {
    const frame = (name: string, body: string, more = "") => `<style:${name}${more}>${body}</style:${name}>`
    const page =
      frame("header", "<text:p>Offer<text:s/>4711,<text:tab/>confidential</text:p><text:p>Valid until May</text:p>") +
      frame("header-left", "<text:p>Offer 4711</text:p>") +
      frame("header-first", "<text:p>Not shown</text:p>", ' style:display="false"') +
      frame("footer", "<text:p><text:page-number>7</text:page-number> / 9</text:p>") +
      frame("footer-left", "<text:p>Offer 4711</text:p>")
    const { elements } = await readOdt(odt("<text:p>Body.</text:p>", undefined, page))
    assert.deepStrictEqual(
      elements.map(({ kind, text }) => `${kind}: ${text}`),
      ["paragraph: Body.", "note: Offer 4711, confidential\nValid until May", "note: Offer 4711"],
    )
    const empty = await codeOf(
      readOdt(odt("", undefined, frame("footer", `<text:p>${"a".repeat(20_000_001)}</text:p>`))),
    )
    assert.include(["unsafe", "too-large"], empty.code)
  })

  it("is recognised by its first entry, and its cousins are not taken for it", () => {
    const file = odt("<text:p>x</text:p>")
    assert.strictEqual(sniff(file, file), "odt")
    const master = odt("<text:p>x</text:p>", "application/vnd.oasis.opendocument.text-master")
    assert.strictEqual(sniff(master, master), "zip")
  })
})

describe("hostile ODT", () => {
  it("is refused: encrypted, without content, a bomb, with a document type, nested without end", async () => {
    const content = strToU8("<office:document-content/>")
    const manifest = strToU8("<manifest:manifest xmlns:manifest='m'><manifest:encryption-data/></manifest:manifest>")
    const encrypted = zipSync({ "content.xml": content, "META-INF/manifest.xml": manifest })
    assert.strictEqual((await codeOf(readOdt(encrypted))).code, "encrypted")
    assert.strictEqual((await codeOf(readOdt(zipSync({ "a.txt": content })))).code, "damaged")
    assert.strictEqual((await codeOf(readOdt(new Uint8Array()))).code, "empty")
    assert.strictEqual((await codeOf(readOdt(odt("")))).code, "empty")
    assert.strictEqual((await codeOf(readOdt(odt(`<text:p>${"a".repeat(20_000_000)}</text:p>`)))).code, "unsafe")
    const entity = zipSync({ "content.xml": strToU8('<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>') })
    assert.strictEqual((await codeOf(readOdt(entity))).code, "unsafe")
    assert.strictEqual((await codeOf(readOdt(odt("<text:list>".repeat(5000))))).code, "unsafe")
  })

  it("stops at repeated columns and spaces", async () => {
    const wide = `<table:table-cell table:number-columns-repeated="999999999"/>`.repeat(200)
    const rows = `<table:table-row>${wide}<table:table-cell><text:p>x<text:s text:c="999999999"/>y</text:p></table:table-cell></table:table-row>`
    assert.lengthOf(await read(`<table:table>${rows.repeat(20)}</table:table>`), 20)
  })

  it("ends with the same text or a typed error, whatever bits are flipped", async () => {
    const bytes = odt("<text:p>Hello</text:p>".repeat(100))
    const whole = JSON.stringify(await readOdt(bytes))
    const random = makeRandom(seedOfRun("bit flips in odt"))
    for (let flip = 0; flip < 200; flip++) {
      const copy = bytes.slice()
      copy[random.below(copy.length)]! ^= 1 << random.below(8)
      try {
        assert.strictEqual(JSON.stringify(await readOdt(copy)), whole)
      } catch (cause) {
        if (!(cause instanceof UnreadableError)) throw cause
      }
    }
  })
})
