import { assert, describe, it } from "@effect/vitest"
import { LIMITS } from "../../../../src/ingest/document.ts"
import { readCsv } from "../../../../src/ingest/formats/text/readCsv.ts"
import { UnreadableError } from "../../../../src/ingest/UnreadableError.ts"
import { makeRandom, seedOfRun } from "../../../support/random.ts"

const utf8 = (text: string) => new TextEncoder().encode(text)
const read = (text: string, delimiter: "" | "\t" = "") => readCsv(utf8(text), delimiter).elements

const codeOf = (act: () => unknown) => {
  try {
    act()
  } catch (cause) {
    if (cause instanceof UnreadableError) return cause.code
    throw cause
  }
  return undefined
}

describe("delimited values", () => {
  it("are rows at their number in the file, under the labels of the first", () => {
    const list = read("\uFEFFProduct,Location,Expected\nSKU-1,A-12,450\n\n,B-01,\n")
    assert.deepStrictEqual(list, [
      {
        kind: "table-row",
        header: true,
        text: "Product\tLocation\tExpected",
        place: { kind: "sheet", sheet: "Table", row: 1 },
      },
      {
        kind: "table-row",
        labels: ["Product", "Location", "Expected"],
        text: "SKU-1\tA-12\t450",
        place: { kind: "sheet", sheet: "Table", row: 2 },
      },
      {
        kind: "table-row",
        labels: ["Product", "Location", "Expected"],
        text: "\tB-01",
        place: { kind: "sheet", sheet: "Table", row: 4 },
      },
    ])
  })

  it("have no header if they are names and values of one thing", () => {
    const lists = [
      "Company,Harbor Ltd\nBudget,120000 EUR\nDecision maker,Ada Byron\nClose date,2026-05-01\n",
      "Client,Harbor Ltd\nCity,Oslo\nOwner,Kim Olsen\n",
      "Name:,Harbor\nSize:,large\nPlan:,Pro\n",
      "Goals,12\nLaunch,2026-05-01\nLead,Ada Byron\nCost,120 EUR\n",
    ]
    for (const text of lists) assert.isFalse(read(text).some(({ header }) => header))
    const table = read("Competitor,Status\nOrvanta,Active\nZyntel,Dormant\n")
    assert.deepStrictEqual(table[1]?.labels, ["Competitor", "Status"])
  })

  it("may begin with a row that groups the columns of the next", () => {
    const list = read(",2024,,2025,\nCompetitor,Wins,Losses,Wins,Losses\nOrvanta,4,9,7,3\nZyntel,2,1,5,8\n")
    assert.deepStrictEqual(list[2]?.labels, ["Competitor", "2024 Wins", "2024 Losses", "2025 Wins", "2025 Losses"])
  })

  it("are divided as their first line says, and that line is no row", () => {
    const list = read("sep=;\nDeal;Amount;Owner\nAcme;1,5;Kim\n")
    assert.deepStrictEqual(
      list.map(({ text, place }) => [text, place.kind === "sheet" && place.row]),
      [
        ["Deal\tAmount\tOwner", 2],
        ["Acme\t1,5\tKim", 3],
      ],
    )
  })

  it("have no header if the first row has values", () => {
    const list = read("1;2\n3;4\n")
    assert.deepStrictEqual(
      list.map(({ header }) => header),
      [undefined, undefined],
    )
    assert.deepStrictEqual(list[0]?.labels, [])
  })

  it("come back from any delimiter, with any quoting", () => {
    const random = makeRandom(seedOfRun("delimited values"))
    const words = ["deal", 'a "quote"', "two\nlines", "semi;colon", "comma, here", "tab\tbed", "naïve", "", "12", "x y"]
    for (let round = 0; round < 200; round++) {
      const delimiter = random.pick([",", ";", "\t", "|"])
      const width = 2 + random.below(5)
      const header = Array.from({ length: width }, (_, column) => `Column ${"abcdefg"[column]}`)
      const rows = Array.from({ length: 3 + random.below(20) }, () =>
        Array.from({ length: width }, () => random.pick(words)),
      )
      const text = [header, ...rows]
        .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter))
        .join(random.pick(["\n", "\r\n"]))
      const shown = rows
        .map((row) =>
          row
            .map((cell) => cell.replaceAll(/[\t\n]+/g, " "))
            .join("\t")
            .trimEnd(),
        )
        .filter((row) => row !== "")
      const list = read(text, delimiter === "\t" ? "\t" : "")
      assert.deepStrictEqual(
        list.slice(1).map((element) => element.text),
        shown,
        `round ${round}`,
      )
      assert.deepStrictEqual(list[1]?.labels, header, `round ${round}`)
    }
  })

  it("end in a typed error if they are empty, binary or too large", () => {
    assert.strictEqual(
      codeOf(() => read("")),
      "empty",
    )
    assert.strictEqual(
      codeOf(() => read(",,\n;\n")),
      undefined,
    )
    assert.strictEqual(
      codeOf(() =>
        readCsv(
          new Uint8Array(4000).map((_, n) => n % 7),
          "",
        ),
      ),
      "unsupported",
    )
    assert.strictEqual(
      codeOf(() => read(`a,b\n${",\n".repeat(LIMITS.cells / 2)}`)),
      "too-large",
    )
    assert.strictEqual(
      codeOf(() => read(`a,b\n${"x,y".repeat(LIMITS.characters / 2)}`)),
      "too-large",
    )
  })

  it("end soon with a quote that never closes", () => {
    const list = read(`Plan,Price\n"Team,40\n${"x,1\n".repeat(50_000)}`)
    assert.isAbove(list.length, 0)
  })
})
