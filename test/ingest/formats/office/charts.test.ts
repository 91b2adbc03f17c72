import { assert, describe, it } from "@effect/vitest"
import { readPptx } from "../../../../src/ingest/formats/office/readPptx.ts"
import { readDocx } from "../../../../src/ingest/formats/office/readDocx.ts"
import { office, paragraph, pptx, relationships } from "../../support/office.ts"

const points = (values: Readonly<Record<number, string>>) =>
  Object.entries(values)
    .map(([at, value]) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`)
    .join("")
const numbers = (code: string, values: Readonly<Record<number, string>>) =>
  `<c:numRef><c:numCache><c:formatCode>${code}</c:formatCode>${points(values)}</c:numCache></c:numRef>`
const series = (name: string, categories: string, values: string, labels = "") =>
  `<c:ser><c:tx><c:strRef><c:strCache>${points({ 0: name })}</c:strCache></c:strRef></c:tx>${labels}<c:cat>${categories}</c:cat><c:val>${values}</c:val></c:ser>`

const read = async (chart: string) => {
  const { elements } = await readPptx(
    pptx([
      {
        shapes: `<c:chart xmlns:c="c" r:id="c1"/>`,
        parts: { c1: ["chart", "charts/chart1.xml", `<c:chartSpace xmlns:c="c">${chart}</c:chartSpace>`] },
      },
    ]),
  )
  return elements.map(({ text }) => text.split("\t"))
}

describe("charts on slides", () => {
  it("have numbers and dates as their source shows them, under their categories", async () => {
    const months = numbers("mmm yyyy", { 0: "46023", 1: "46054", 2: "46082" })
    const rows = await read(
      series("Win rate", months, numbers("0%", { 0: "0.42", 2: "0.5" })) +
        series("Deals", months, numbers("General", { 1: "3.0000000000000004", 2: "4" })),
    )
    assert.deepStrictEqual(rows, [
      ["", "Jan 2026", "Feb 2026", "Mar 2026"],
      ["Win rate", "42%", "", "50%"],
      ["Deals", "", "3.0000000000000004", "4"],
    ])
  })

  it("have numbers as their labels show them if the source does not say", async () => {
    const names = `<c:strRef><c:strCache>${points({ 0: "2024", 1: "2025" })}</c:strCache></c:strRef>`
    const labels = '<c:dLbls><c:numFmt formatCode="0%" sourceLinked="0"/></c:dLbls>'
    const rows = await read(series("Win rate", names, numbers("General", { 0: "0.42", 1: "0.5" }), labels))
    assert.deepStrictEqual(rows[1], ["Win rate", "42%", "50%"])
  })

  it("have categories of several levels", async () => {
    const levels = `<c:multiLvlStrRef><c:multiLvlStrCache><c:lvl>${points({ 0: "Q1", 1: "Q2", 2: "Q1" })}</c:lvl><c:lvl>${points({ 0: "2025", 2: "2026" })}</c:lvl></c:multiLvlStrCache></c:multiLvlStrRef>`
    const rows = await read(series("Wins", levels, numbers("General", { 0: "1", 1: "2", 2: "3" })))
    assert.deepStrictEqual(rows, [
      ["", "2025 Q1", "2025 Q2", "2026 Q1"],
      ["Wins", "1", "2", "3"],
    ])
  })
})

describe("charts in Word documents", () => {
  it("are tables behind their paragraphs", async () => {
    const names = `<c:strRef><c:strCache>${points({ 0: "2024", 1: "2025" })}</c:strCache></c:strRef>`
    const chart = series("Win rate", names, numbers("0%", { 0: "0.42", 1: "0.5" }))
    const drawing = '<w:p><w:r><w:drawing><c:chart r:id="c1"/></w:drawing></w:r></w:p>'
    const file = office("word/document.xml", {
      "word/document.xml": `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:c="c" xmlns:r="r"><w:body>${paragraph("Before.")}${drawing}${drawing}${paragraph("After.")}</w:body></w:document>`,
      "word/_rels/document.xml.rels": relationships([["c1", "chart", "charts/chart1.xml"]]),
      "word/charts/chart1.xml": `<c:chartSpace xmlns:c="c">${chart}</c:chartSpace>`,
    })
    const { elements, warnings } = await readDocx(file)
    assert.deepStrictEqual(
      elements.map(({ text }) => text),
      ["Before.", "\t2024\t2025", "Win rate\t42%\t50%", "After."],
    )
    assert.deepStrictEqual(elements[2]?.labels, ["", "2024", "2025"])
    assert.deepStrictEqual(warnings, [])
  })
})
