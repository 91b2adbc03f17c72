import { assert, describe, it } from "@effect/vitest"
import { readDocx } from "../../../../src/ingest/formats/office/readDocx.ts"
import { readXlsx } from "../../../../src/ingest/formats/office/readXlsx.ts"
import { docx } from "../../support/office.ts"
import { brokenNumberFormats, refused, stopsAtCells, stored } from "../../support/officeHostile.ts"

const MAX_CPU_MS = 20_000

describe("hostile Office files of full size", () => {
  it("stops at the limits of cells, of rows, and of text from shared strings", () => stopsAtCells(1))

  it("refuses an endless attribute", () =>
    refused("too-large", readDocx(stored(docx(`<w:p w:x="${"endless ".repeat(4_300_000)}"/>`)))))

  it("stops at a document of too many elements", () =>
    refused("too-large", readDocx(stored(docx("<w:p/>".repeat(2_000_001))))))

  it("reads cells whose number formats are broken, endless, or very many, in time", async () => {
    const bytes = brokenNumberFormats(20_000)
    const before = process.cpuUsage()
    const { elements } = await readXlsx(bytes)
    const { user, system } = process.cpuUsage(before)
    assert.lengthOf(elements, 6)
    assert.isBelow((user + system) / 1000, MAX_CPU_MS)
  })
})
