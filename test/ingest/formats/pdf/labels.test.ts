import { assert, describe, it } from "@effect/vitest"
import { readPdf } from "../../../../src/ingest/formats/pdf/readPdf.ts"
import { pagesOf, type Written } from "../../support/pdf.ts"

type Drawn = readonly [text: string, x: number, y: number]

const read = async (drawn: ReadonlyArray<Drawn>) => {
  const lines = drawn.map(([text, x, y]): Written => ({ text, x, y }))
  return (await readPdf(pagesOf([lines]))).elements.map(({ kind, text, labels }) => {
    const marks = labels === undefined ? "" : `[${labels.join("|")}] `
    return kind === "table-row" ? marks + text.split("\t").join(" | ") : `${kind}: ${text}`
  })
}

/** Rows of names on the left and amounts on the right of two columns. */
const amounts = (top: number): ReadonlyArray<Drawn> =>
  ["Goodwill", "Inventories", "Receivables", "Total"].flatMap((name, at): ReadonlyArray<Drawn> => [
    [name, 72, top - 14 * at],
    [`${200 + at}`, 240, top - 14 * at],
    [`${100 + at}`, 320, top - 14 * at],
  ])

describe("labels of a PDF's tables", () => {
  it("belong to the column beside them where no other text is above or below them", async () => {
    const header: ReadonlyArray<Drawn> = [
      ["Item", 150, 714],
      ["First", 240, 714],
      ["Last", 320, 714],
    ]
    assert.deepStrictEqual((await read([...header, ...amounts(700)])).slice(1, 3), [
      "[Item|First|Last] Goodwill | 200 | 100",
      "Inventories | 201 | 101",
    ])
  })

  it("cover the columns that they are centred above, also where their text is above one of them", async () => {
    const header: ReadonlyArray<Drawn> = [
      ["Plan", 272, 728],
      ["Item", 72, 714],
      ["First", 240, 714],
      ["Last", 320, 714],
    ]
    assert.deepStrictEqual((await read([...header, ...amounts(700)])).slice(2, 3), [
      "[Item|Plan First|Plan Last] Goodwill | 200 | 100",
    ])
  })

  it("are in one header of two rows, also those that are centred beside both and are drawn first", async () => {
    const xs = [200, 240, 280, 340, 380, 420]
    const row = (y: number, texts: ReadonlyArray<string>) => texts.map((text, at): Drawn => [text, xs[at]!, y])
    const header: ReadonlyArray<Drawn> = [
      ["Type", 72, 714],
      ["Model", 120, 714],
      ["Dev", 241, 720],
      ["Test", 381, 720],
      ...row(708, ["NQ", "WQ", "TQ", "NQ", "WQ", "TQ"]),
    ]
    const body = ["BM25", "DPR", "BERT", "REALM"].flatMap((name, at): ReadonlyArray<Drawn> => [
      [`T${at}`, 72, 694 - 14 * at],
      [name, 120, 694 - 14 * at],
      ...row(694 - 14 * at, ["26.5", "47.1", "17.7", "21.3", "33.2", "41.0"]),
    ])
    assert.strictEqual(
      (await read([...header, ...body]))[2],
      "[Type|Model|Dev NQ|Dev WQ|Dev TQ|Test NQ|Test WQ|Test TQ] T0 | BM25 | 26.5 | 47.1 | 17.7 | 21.3 | 33.2 | 41.0",
    )
  })

  it("may be dates above amounts, but are no dates among others", async () => {
    const header: ReadonlyArray<Drawn> = [
      ["EUR", 72, 714],
      ["31 Dec 2024", 220, 714],
      ["31 Dec 2023", 300, 714],
    ]
    assert.strictEqual(
      (await read([...header, ...amounts(700)]))[1],
      "[EUR|31 Dec 2024|31 Dec 2023] Goodwill | 200 | 100",
    )
    const people = ["Ann", "Bob", "Eve"].flatMap((name, at): ReadonlyArray<Drawn> => [
      [name, 72, 700 - 14 * at],
      [`${at + 1} May 2024`, 150, 700 - 14 * at],
      ["signed", 250, 700 - 14 * at],
    ])
    assert.strictEqual((await read(people))[0], "Ann | 1 May 2024 | signed")
  })
})

describe("cells of a PDF's tables", () => {
  it("go on in lines that are far apart, but not above a line that is further up", async () => {
    const row = (y: number, name: ReadonlyArray<string>, value: string): ReadonlyArray<Drawn> => [
      ...name.map((text, at): Drawn => [text, 72, y - 17 * at]),
      [value, 200, y - 8],
      [`${value}0`, 260, y - 8],
    ]
    const rows = [
      ["Hardware", 72, 724],
      ...row(700, ["Cedar Point", "Hospital"], "11"),
      ...row(655, ["Grange Water", "Board"], "12"),
      ...row(610, ["Borealis Green", "Energy"], "13"),
    ] as const
    assert.deepStrictEqual((await read(rows)).slice(-3), [
      "[] Cedar Point Hospital | 11 | 110",
      "Grange Water Board | 12 | 120",
      "Borealis Green Energy | 13 | 130",
    ])
  })
})
