import { assert, describe, it } from "@effect/vitest"
import { findSuspects } from "../../../../src/ingest/formats/pdf/hidden/invisibleText.ts"
import { mayHaveWhite } from "../../../../src/ingest/formats/pdf/hidden/mayHaveWhite.ts"
import { pagesOf } from "../../support/pdf.ts"

const BAR = "0 0 0.4 rg 60 690 300 30 re f"
const white = (text: string, y = 700, x = 72) => `BT 1 g /F1 10 Tf ${x} ${y} Td (${text}) Tj ET`

const ON_GROUNDS: Readonly<Record<string, string>> = {
  "on a bar": `${BAR} ${white("Header")}`,
  "on a bar of another transformation": `q 1 0 0 -1 0 792 cm 0 0 0.4 rg 60 60 300 30 re f 1 1 1 rg BT /F1 10 Tf 1 0 0 -1 72 80 Tm (Header) Tj ET Q`,
  "on a bar drawn by lines, in letters of two bytes": `0 0 0.4 rg 60 690 m 360 690 l 360 720 l 60 720 l h f BT 1 g /F1 10 Tf 72 700 Td <00480065> Tj ET`,
  "on two bars, before text in black": `${BAR} ${white("One")} 0 g 60 640 90 20 re f ${white("Two", 645)} BT 0 g (Body \\) 1 g) Tj ET`,
  "before the color is restored": `${BAR} q 1 g BT /F1 10 Tf 72 700 Td (Header) Tj ET Q BT 72 600 Td (Body) Tj ET`,
}

const IN_DOUBT: Readonly<Record<string, string>> = {
  "on the page": white("Secret"),
  "beside a bar": `${BAR} ${white("Secret", 700, 400)}`,
  "below a bar": `${BAR} BT 1 g /F1 10 Tf 12 TL 72 700 Td (Header) Tj T* (Secret) Tj ET`,
  "after a gap that leads off a bar": `${BAR} BT 1 g /F1 10 Tf 72 700 Td [(Header) -40000 (Secret)] TJ ET`,
  "on a white bar": `1 g 60 690 300 30 re f ${white("Secret")}`,
  "on a bar in a color of unknown space": `/S cs 0 scn 60 690 300 30 re f ${white("Secret")}`,
  "on a thin rule": `0 g 60 699.5 300 1 re f ${white("Secret")}`,
  "on a bar that is only a clip": `0 g 60 690 300 30 re W n ${white("Secret")}`,
  "on a bar, with letters that are stretched": `${BAR} BT 1 g /F1 10 Tf 900 Tz 72 700 Td (Secret) Tj ET`,
  "where a string cannot be told from operators": `${BAR} ${white("Header")} BT 0 g (a (1 g) b) Tj ET`,
}

describe("a content stream", () => {
  it.each(Object.keys(ON_GROUNDS))("is not suspect if its white text is %s", (where) => {
    assert.isFalse(mayHaveWhite(ON_GROUNDS[where]!))
  })

  it.each(Object.keys(IN_DOUBT))("is suspect if its white text is %s", (where) => {
    assert.isTrue(mayHaveWhite(IN_DOUBT[where]!))
  })

  it("with a white header on each page makes no page worth its operators", () => {
    const page = `${BAR} ${white("Header")} BT 0 g /F1 10 Tf 72 600 Td (Body) Tj ET`
    assert.deepStrictEqual(findSuspects(pagesOf([page, page, page])), {
      isInvisible: false,
      isWhite: false,
      hasSoftHyphens: false,
    })
    assert.isTrue(findSuspects(pagesOf([page, white("Secret"), page])).isWhite)
  })
})
