import { assert, describe, it } from "vitest"
import type { PageText, ReadDocument, Recognition } from "../../../../src/ingest/document.ts"
import { takeDocxPicture, readDocx } from "../../../../src/ingest/formats/office/readDocx.ts"
import { takePptxPicture, readPptx } from "../../../../src/ingest/formats/office/readPptx.ts"
import { sliceBody } from "../../../../src/ingest/formats/office/docxSlices.ts"
import { NO_STYLES } from "../../../../src/ingest/formats/office/docxStyles.ts"
import { openOffice } from "../../../../src/ingest/formats/office/office.ts"
import { wordPictures } from "../../../../src/ingest/formats/office/pictureLinks.ts"
import { pictureHead } from "../../../../src/ingest/pictures/pictureHead.ts"
import { UnreadableError } from "../../../../src/ingest/UnreadableError.ts"
import { docxWith, paragraph, pptx, shape } from "../../support/office.ts"
import { pictureOf } from "../../support/pictures.ts"

const EMU = 914_400
const [RATES, QUOTE, LOGO, CHART] = ["Rates of Rival", "A quote", "Logo", "Chart"].map((text) => pictureOf([text]))

const inch = (width: number, height: number) => `cx="${width * EMU}" cy="${height * EMU}"`
const inline = (id: string, width: number, height: number) =>
  `<w:r><w:drawing><wp:inline><wp:extent ${inch(width, height)}/><a:graphic><a:blip r:embed="${id}"/></a:graphic></wp:inline></w:drawing></w:r>`
const old = (id: string, style: string) =>
  `<w:r><w:pict><v:shape style="${style}"><v:imagedata r:id="${id}"/></v:shape></w:pict></w:r>`
const onSlide = (id: string, width: number, height: number) =>
  `<p:pic><p:blipFill><a:blip r:embed="${id}"><a:extLst><a:ext uri="{28A0}"/></a:extLst></a:blip></p:blipFill><p:spPr><a:xfrm><a:ext ${inch(width, height)}/></a:xfrm></p:spPr></p:pic>`

/** Large: `a`, `d` in a cell, and `e`. Not: a logo, the same picture again, and a drawing of lines. */
const DOCUMENT = docxWith(
  [
    paragraph("Before."),
    `<w:p>${inline("a", 6, 3)}<w:r><w:t>Beside.</w:t></w:r></w:p>`,
    `<w:p>${inline("b", 1, 1)}${inline("a", 6, 3)}${inline("c", 6, 3)}</w:p>`,
    `<w:tbl><w:tr><w:tc><w:p>${inline("d", 2, 2)}<w:r><w:t>Cell.</w:t></w:r></w:p></w:tc></w:tr></w:tbl>`,
    `<w:p>${old("e", "position:absolute;width:432pt;height:3in")}</w:p>`,
    paragraph("After."),
  ].join(""),
  {
    a: ["media/a.png", RATES!],
    b: ["media/b.png", LOGO!],
    c: ["media/c.svg", CHART!],
    d: ["media/d.png", QUOTE!],
    e: ["media/e.png", CHART!],
  },
)

const SLIDES = pptx([
  {
    shapes: shape("Prices", "title") + onSlide("a", 8, 4) + onSlide("b", 1, 0.5) + shape("Below."),
    parts: { a: ["image", "media/a.png", RATES!], b: ["image", "media/b.png", LOGO!] },
  },
  {
    shapes: `<p:bg><p:bgPr><a:blipFill><a:blip r:embed="d"/></a:blipFill></p:bgPr></p:bg>${onSlide("a", 8, 4)}`,
    parts: { a: ["image", "media/a.png", RATES!], d: ["image", "media/d.png", QUOTE!] },
  },
  {
    isHidden: true,
    shapes: `<p:sp><p:spPr><a:xfrm><a:ext ${inch(4, 4)}/></a:xfrm><a:blipFill><a:blip r:embed="e"/></a:blipFill></p:spPr></p:sp>`,
    parts: { e: ["image", "media/e.png", CHART!] },
  },
])

const recognized = (content: PageText["content"]): PageText => ({ width: 1, height: 1, pixelsPerInch: 1, content })
const RECOGNITION: Recognition = new Map([
  [1, recognized("Rates of Rival.\n\nFrom May.")],
  [2, recognized("")],
  [3, recognized("Chart.")],
])

const textsOf = ({ elements }: ReadDocument) =>
  elements.map(({ kind, text, hidden }) => `${hidden ? "hidden" : kind}: ${text}`)
const warningsOf = ({ warnings }: ReadDocument) =>
  warnings.map(({ code, message, pictures }) => [code, message, pictures])

describe("pictures in Office documents", () => {
  it("are left out where no engine recognizes them", async () => {
    for (const document of [await readDocx(DOCUMENT), await readPptx(SLIDES)])
      assert.notInclude(JSON.stringify(document), "picture")
  })

  it("have their text after their paragraph, or among the shapes of their slide", async () => {
    const document = await readDocx(DOCUMENT, { recognition: RECOGNITION })
    assert.deepStrictEqual(textsOf(document), [
      "paragraph: Before.",
      "paragraph: Beside.",
      "paragraph: Rates of Rival.",
      "paragraph: From May.",
      "table-row: Cell.",
      "paragraph: Chart.",
      "paragraph: After.",
    ])
    const slides = await readPptx(SLIDES, RECOGNITION)
    assert.deepStrictEqual(textsOf(slides), [
      "heading: Prices",
      "paragraph: Rates of Rival.",
      "paragraph: From May.",
      "paragraph: Below.",
      "hidden: Chart.",
    ])
    assert.deepStrictEqual(
      slides.elements.map(({ place }) => place),
      [1, 1, 1, 1, 3].map((slide) => ({ kind: "slide" as const, slide })),
    )
  })

  it("are named once by a warning: before recognition, with text, and where the engine failed", async () => {
    const three = [{ from: 1, to: 3 }]
    assert.deepStrictEqual(warningsOf(await readPptx(SLIDES, "pending")), [
      [
        "pictures_without_text",
        "The file shows 3 large pictures (slide 1, 2, 3). The run adds their text as soon as it is recognized.",
        three,
      ],
    ])
    assert.deepStrictEqual(warningsOf(await readDocx(DOCUMENT, { recognition: "pending" })), [
      [
        "pictures_without_text",
        "The file shows 3 large pictures. The run adds their text as soon as it is recognized.",
        three,
      ],
    ])
    const failed = new Map([[1, recognized("Rates of Rival.")]])
    assert.deepStrictEqual(warningsOf(await readDocx(DOCUMENT, { recognition: failed })), [
      [
        "pictures_recognized",
        "The file shows a large picture, whose text was recognized. It may contain mistakes: compare it with the picture before you quote it.",
        [{ from: 1, to: 1 }],
      ],
      [
        "pictures_without_text",
        "The file shows 2 large pictures on which no text was recognized for certain. Look at them in the file.",
        [{ from: 2, to: 3 }],
      ],
    ])
    // A photo without text is nothing to warn of, unless the file has nothing else.
    const photos = new Map([1, 2, 3].map((number) => [number, recognized("")]))
    assert.deepStrictEqual(warningsOf(await readDocx(DOCUMENT, { recognition: photos })), [])
    const photo = docxWith(`<w:p>${inline("a", 6, 3)}</w:p>`, { a: ["media/a.png", RATES!] })
    assert.deepStrictEqual(
      (await readDocx(photo, { recognition: photos })).warnings.map(({ code }) => code),
      ["pictures_without_text"],
    )
    assert.deepStrictEqual(
      (await readDocx(photo, { recognition: "pending" })).warnings.map(({ code }) => code),
      ["pictures_without_text"],
    )
    await readDocx(photo).then(
      () => assert.fail("read"),
      (error: UnreadableError) => assert.strictEqual(error.code, "empty"),
    )
  })

  it("are named if no engine takes their format, unless they are small", async () => {
    const file = docxWith(
      `${paragraph("Before.")}<w:p>${inline("a", 6, 3)}${inline("b", 6, 3)}${inline("c", 1, 1)}</w:p>`,
      {
        a: ["media/scan.tiff", RATES!],
        b: ["media/chart.emf", CHART!],
        c: ["media/logo.wmf", LOGO!],
      },
    )
    const slide = pptx([
      { shapes: shape("Prices") + onSlide("a", 8, 4), parts: { a: ["image", "media/a.tif", RATES!] } },
    ])
    const message = (names: string) =>
      `The file shows large pictures in formats whose text is not recognized: ${names}. If they show text, replace them by PNG pictures and upload the file again.`
    assert.deepStrictEqual(warningsOf(await readDocx(file, { recognition: new Map() })), [
      ["pictures_without_text", message("scan.tiff, chart.emf"), undefined],
    ])
    assert.deepStrictEqual(warningsOf(await readPptx(slide, "pending")), [
      ["pictures_without_text", message("a.tif on slide 1"), undefined],
    ])
    assert.deepStrictEqual((await readDocx(file)).warnings, [])
  })

  it("have no text of which the engine is not sure, and a warning if that is most of it", async () => {
    const line = (text: string, confidence?: number) => ({
      baseline: 20,
      size: 10,
      words: text.split(" ").map((word, at) => ({
        text: word,
        left: 100 * at,
        top: 10,
        right: 100 * at + 80,
        bottom: 20,
        ...(confidence !== undefined && { confidence }),
      })),
    })
    const read = async (lines: ReadonlyArray<ReturnType<typeof line>>) => {
      const file = docxWith(`${paragraph("Before.")}<w:p>${inline("a", 6, 3)}</w:p>`, { a: ["media/a.png", RATES!] })
      const { elements, warnings } = await readDocx(file, { recognition: new Map([[1, recognized(lines)]]) })
      return [elements.slice(1).map(({ text }) => text.replaceAll(/[\t\n]/g, " ")), warnings.map(({ code }) => code)]
    }
    const sure = line("Rates of Rival", 0.95)
    assert.deepStrictEqual(await read([sure, line("e a 2 T", 0.9), line("Wu ragn", 0.4)]), [
      ["Rates of Rival"],
      ["pictures_recognized"],
    ])
    assert.deepStrictEqual(await read([line("Rates of Rival")]), [["Rates of Rival"], ["pictures_recognized"]])
    for (const lines of [
      [line("tosk ktofon agen cstomiable", 0.3)],
      [sure, line("convertion pallens ".repeat(3).trim(), 0.5)],
    ])
      assert.deepStrictEqual(await read(lines), [[], ["pictures_without_text"]])
    assert.deepStrictEqual(await read([line("e | a", 0.9)]), [[], []])
  })

  it("cut a document into no more slices than there are large ones, of which 200 are recognized", async () => {
    const slicesOf = (size: number) => {
      const blocks = Array.from({ length: 300 }, (_, n) => `<w:p>${inline(`p${n}`, size, size)}</w:p>`)
      const file = docxWith(blocks.join(""), {})
      return sliceBody(openOffice(file), "word/document.xml", "document", NO_STYLES, wordPictures()).length
    }
    assert.strictEqual(slicesOf(0.5), 1)
    assert.strictEqual(slicesOf(5), 201)
    const shown = Array.from({ length: 300 }, (_, n) => [`p${n}`, [`media/${n}.png`, RATES!]] as const)
    const file = docxWith(shown.map(([id]) => `<w:p>${inline(id, 5, 5)}</w:p>`).join(""), Object.fromEntries(shown))
    const { warnings } = await readDocx(file, { recognition: "pending" })
    assert.deepStrictEqual(warnings[0]!.pictures, [{ from: 1, to: 200 }])
  })

  it("are taken out in their order, with the resolution at which they are shown", async () => {
    for (const [take, expected] of [
      [takeDocxPicture.bind(undefined, DOCUMENT), [200, 600, 200]],
      [takePptxPicture.bind(undefined, SLIDES), [150, 120, 300]],
    ] as const) {
      const resolutions: Array<number> = []
      for (const [index, picture] of [RATES, QUOTE, CHART].entries()) {
        const { bytes, pixelsPerInch, ...head } = await take(index + 1)
        assert.deepStrictEqual(head, { type: "image/png", width: 1200, height: 600 })
        assert.deepStrictEqual(Buffer.from(bytes), Buffer.from(picture!))
        resolutions.push(pixelsPerInch)
      }
      assert.deepStrictEqual(resolutions, [...expected])
      await take(4).then(
        () => assert.fail("taken"),
        (error: UnreadableError) => assert.match(error.reason, /no large picture 4/),
      )
    }
  })

  it("state their size in each format, and are not recognized if that is gigabytes", async () => {
    const size = { width: 321, height: 123 }
    for (const type of ["png", "jpeg", "webp"] as const) {
      const whole = pictureOf(["a"], type, 321, 123)
      assert.deepStrictEqual(pictureHead(whole), { type: `image/${type}`, ...size })
      for (let length = 0; length < 64; length++) {
        const head = pictureHead(whole.subarray(0, length))
        if (head !== undefined) assert.deepStrictEqual(head, { type: `image/${type}`, ...size }, String(length))
      }
    }
    const gif = Buffer.from("GIF89a\x41\x01\x7b\x00", "latin1")
    assert.deepStrictEqual(pictureHead(gif), { type: "image/gif", ...size })
    const bmp = Buffer.alloc(26)
    bmp.write("BM")
    bmp.writeInt32LE(321, 18)
    bmp.writeInt32LE(-123, 22)
    assert.deepStrictEqual(pictureHead(bmp), { type: "image/bmp", ...size })
    const bomb = Uint8Array.from(RATES!)
    new DataView(bomb.buffer).setUint32(16, 60_000)
    new DataView(bomb.buffer).setUint32(20, 60_000)
    const refusals = [
      [bomb, /too large to be recognized/],
      [Buffer.from("no picture"), /damaged/],
      [RATES!.subarray(0, 20), /damaged/],
    ] as const
    for (const [bytes, reason] of refusals) {
      const file = docxWith(`<w:p>${inline("a", 6, 3)}</w:p>`, { a: ["media/a.png", bytes] })
      await takeDocxPicture(file, 1).then(
        () => assert.fail(String(reason)),
        (error: unknown) => {
          assert.instanceOf(error, UnreadableError)
          assert.match(error.reason, reason)
        },
      )
    }
  })
})
