import { assert, describe, it } from "@effect/vitest"
import { readPdf } from "../../../../src/ingest/formats/pdf/readPdf.ts"
import { corpus, f1, isBusiness, mean } from "../../support/corpus.ts"
import { mappedPage, pagesOf, pdfOf, SCAN, type Written } from "../../support/pdf.ts"
import { codeOf } from "../../support/codeOf.ts"
import { needs } from "../../../support/needs.ts"

const summary = async (bytes: Uint8Array) => {
  const { elements } = await readPdf(bytes)
  return elements.map(({ kind, text }) => `${kind}: ${text}`)
}

describe("PDF", () => {
  it("finds headings by size, joins lines, undoes hyphenation, and keeps columns apart", async () => {
    const left = ["The first column tells of things that are cus-", "tomary, and its well-", "known end goes on"]
    const read = await summary(
      pagesOf([
        [
          { text: "A well-known heading", y: 740, size: 18 },
          ...left.map((text, index) => ({ text, y: 700 - 12 * index })),
          { text: "where the second column begins.", x: 320, y: 700 },
          { text: "Next paragraph.", x: 320, y: 660 },
        ],
      ]),
    )
    assert.deepStrictEqual(read, [
      "heading: A well-known heading",
      "paragraph: The first column tells of things that are customary, and its well-known end goes on where the second column begins.",
      "paragraph: Next paragraph.",
    ])
  })

  it("keeps the lines of an address, the rows of a table and the items of a list", async () => {
    const at = (text: string, y: number, x = 72) => ({ text, x, y })
    const read = await summary(
      pagesOf([
        [
          at("Acme Corporation of America", 740),
          at("1 Main St", 728),
          at("Springfield", 716),
          at("Plan", 600),
          at("Price", 600, 250),
          at("Team", 588),
          at("$40", 588, 250),
          at("1. Cheaper than the other one in every way.", 500),
          at("2. Sooner.", 488),
        ],
      ]),
    )
    assert.deepStrictEqual(read, [
      "paragraph: Acme Corporation of America\n1 Main St\nSpringfield",
      "table-row: Plan\tPrice",
      "table-row: Team\t$40",
      "list-item: 1. Cheaper than the other one in every way.",
      "list-item: 2. Sooner.",
    ])
  })

  it("reads the values of a form, its visible labels, and comments", async () => {
    const rect = "/Rect [72 72 200 90]"
    const field = (more: string) => `<< /Type /Annot /Subtype /Widget ${rect} ${more} >>`
    const read = await summary(
      pagesOf(
        [[{ text: "Order form", y: 740 }]],
        [
          field("/FT /Tx /T (customer) /TU (Customer name) /V (Initech)"),
          field("/FT /Tx /T (form[0].f1_02[0]) /V (42 seats)"),
          field("/FT /Tx /T (secret) /Ff 8192 /V (hunter2)"),
          field("/FT /Tx /T (empty) /V ()"),
          `<< /Type /Annot /Subtype /Text ${rect} /Contents (Ask legal first) >>`,
        ],
      ),
    )
    assert.deepStrictEqual(read, [
      "paragraph: Order form",
      "note: Ask legal first",
      "form-value: Customer name: Initech",
      "form-value: 42 seats",
    ])
  })

  it("numbers pages from 1 and omits text that is only painted", async () => {
    const { elements } = await readPdf(pagesOf([[{ text: "one", y: 700 }], [], [{ text: "three", y: 700 }]]))
    assert.deepStrictEqual(
      elements.map(({ text, place }) => [text, place]),
      [
        ["one", { kind: "page", page: 1 }],
        ["three", { kind: "page", page: 3 }],
      ],
    )
  })

  it("reads a control character as a space in fonts that use it so, and drops it elsewhere", async () => {
    const text = "We won the deal because the rollout took three days and the rival needed a month"
    assert.deepStrictEqual(await summary(mappedPage([{ text, y: 700 }], { " ": 3 })), [`paragraph: ${text}`])
    const once = await summary(mappedPage([{ text: "An eﬃcient team won the deal in three days", y: 700 }], { ﬃ: 3 }))
    assert.deepStrictEqual(once, ["paragraph: An ecient team won the deal in three days"])
    const often = await summary(mappedPage([{ text: "diﬃcult, eﬃcient", y: 700 }], { ﬃ: 3 }))
    assert.deepStrictEqual(often, ["paragraph: dicult, ecient"])
  })

  it("reads lines from right to left in any drawing order", async () => {
    const words = ["זכינו", "בעסקה", "2026", "כי", "Acme", "Corp", "איחרה"]
    const visual = (word: string) => (/[א-ת]/.test(word) ? [...word].toReversed().join("") : word)
    const line = "זכינו בעסקה 2026 כי Acme Corp איחרה"
    /** The start of each word from the right margin. Two words of a language that runs against the line keep their order. */
    const placed: Array<Written> = []
    let right = 540
    for (const phrase of ["זכינו", "בעסקה", "2026", "כי", "Acme Corp", "איחרה"]) {
      const width = phrase.length * 5
      let x = right - width
      for (const word of phrase.split(" ")) {
        placed.push({ text: visual(word), x, y: 700 })
        x += (word.length + 1) * 5
      }
      right -= width + 5
    }
    assert.lengthOf(placed, words.length)
    const byPosition = placed.toSorted((a, b) => a.x! - b.x!)
    const whole = [{ text: byPosition.map(({ text }) => text).join(" "), x: byPosition[0]!.x!, y: 700 }]
    const byLetter = placed.flatMap(({ text, x, y }) => {
      const letters = [...text].map((letter, index) => ({ text: letter, x: x! + 5 * index, y }))
      return /[א-ת]/.test(text) ? letters.toReversed() : letters
    })
    for (const runs of [placed, byPosition, byLetter, whole]) {
      assert.deepStrictEqual(await summary(mappedPage(runs)), [`paragraph: ${line}`])
    }
  })

  it("keeps phrases from the right within a line from the left", async () => {
    const runs = [
      { text: "They", x: 72, y: 700 },
      { text: "ב", x: 97, y: 700 },
      { text: "א", x: 107, y: 700 },
      { text: "said", x: 117, y: 700 },
    ]
    assert.deepStrictEqual(await summary(mappedPage(runs)), ["paragraph: They א ב said"])
  })

  it("finds headings by weight, below those by size, but no bold sentence and no bold document", async () => {
    const body = (y: number) => ({ text: "The offer holds for ninety days and includes support for a year.", y })
    const lines = [
      { text: "Offer", y: 740, size: 16 },
      body(715),
      { text: "Terms of payment", y: 695, bold: true },
      body(683),
      body(671),
      { text: "Note that prices may change.", y: 650, bold: true },
      body(630),
    ]
    const headings = async (written: ReadonlyArray<Written>) =>
      (await readPdf(pagesOf([written]))).elements.flatMap((element) =>
        element.kind === "heading" ? [`${element.level} ${element.text}`] : [],
      )
    assert.deepStrictEqual(await headings(lines), ["1 Offer", "2 Terms of payment"])
    assert.deepStrictEqual(await headings(lines.map((line) => ({ ...line, bold: true }))), ["1 Offer"])
  })

  it("decides for each hyphen at the end of a line whether it belongs to the word", async () => {
    const read = async (lines: ReadonlyArray<string>) =>
      (await readPdf(pagesOf([lines.map((text, index) => ({ text, y: 770 - 9 * index, size: 7 }))]))).elements
        .map(({ text }) => text)
        .join(" ")
    const broken = Array.from({ length: 40 }, () => [
      "all of the contents are under copy-",
      "right of the one who wrote them and",
    ]).flat()
    const all = await read([...broken, "it is a copy-right matter"])
    assert.lengthOf(all.match(/copyright of/g) ?? [], 40)
    assert.include(all, "a copy-right matter")
    const mixed = await read([
      "a copyright, a well-known one, with a copy-right typo, of a well-",
      "known author, and his copy-",
      "right.",
    ])
    assert.include(mixed, "of a well-known author, and his copyright.")
    assert.include(
      await read(["This is state-of-the-art work of a state-of-the-", "art team."]),
      "state-of-the-art team",
    )
  })

  it("reports pages that are pictures, but not empty pages", async () => {
    const written = [{ text: "The only page with text", y: 700 }]
    const scanned = Array.from({ length: 20 }, () => SCAN)
    const { warnings } = await readPdf(pagesOf([written, ...scanned, written, [], SCAN, "0.24 0 0 0.24 0 0 cm"]))
    const message =
      "Pages 2 to 21 and 24 are pictures, whose text was not read. Run text recognition (OCR) on the file and upload the result."
    const pages = [
      { from: 2, to: 21 },
      { from: 24, to: 24 },
    ]
    assert.deepStrictEqual(warnings, [{ code: "pages_without_text", message, pages }])
    assert.match((await readPdf(pagesOf([written, SCAN]))).warnings[0]?.message ?? "", /^Page 2 is a picture/)
    const outlined = Array.from({ length: 300 }, (_, n) => `${n} 0 m ${n} 9 l 9 9 l f`).join("\n")
    assert.deepStrictEqual((await readPdf(pagesOf([written, outlined]))).warnings[0]?.pages, [{ from: 2, to: 2 }])
  })

  it("an error says what is wrong and what to do", async () => {
    const scanned = await codeOf(readPdf(pagesOf([[]])))
    assert.strictEqual(scanned.code, "empty")
    assert.match(scanned.reason, /OCR/)
    assert.strictEqual((await codeOf(readPdf(new TextEncoder().encode("%PDF-1.7\nnothing")))).code, "damaged")
    assert.strictEqual((await codeOf(readPdf(new Uint8Array()))).code, "damaged")
    const noPages = pdfOf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 0 /Kids [] >>"])
    assert.strictEqual((await codeOf(readPdf(noPages))).code, "damaged")
    const kids = Array.from({ length: 5001 }, () => "3 0 R").join(" ")
    const many = pdfOf([
      "<< /Type /Catalog /Pages 2 0 R >>",
      `<< /Type /Pages /Count 5001 /Kids [${kids}] >>`,
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>",
    ])
    assert.strictEqual((await codeOf(readPdf(many))).code, "too-large")
  })

  it("reads truncated files and files with a flipped byte, or fails with a typed error", async () => {
    const whole = pagesOf([[{ text: "The quick brown fox", y: 700 }]])
    for (let at = 0; at < whole.length; at += 37) {
      const flipped = whole.slice()
      flipped[at] = flipped[at]! ^ 0x5a
      for (const bytes of [whole.slice(0, at), flipped]) {
        const outcome = await readPdf(bytes).catch((cause: Error) => cause.name)
        assert.isTrue(typeof outcome === "object" || outcome === "UnreadableError", `${outcome} at ${at}`)
      }
    }
  })

  const pdfs = corpus.filter(({ format }) => format === "pdf")
  it("agrees with poppler on the files of the corpus", needs("shared/data/documents", pdfs.length > 0), async () => {
    const scores = new Map<(typeof pdfs)[number], number>()
    for (const sample of pdfs.filter(({ reference }) => reference !== "")) {
      const { elements } = await readPdf(sample.bytes())
      scores.set(sample, f1(elements.map(({ text }) => text).join("\n"), sample.reference))
    }
    const all = mean([...scores.values()])
    const business = mean([...scores].filter(([sample]) => isBusiness(sample)).map(([, score]) => score))
    assert.isAtLeast(all, 0.95)
    assert.isAtLeast(business, 0.98)
  })
})
