import { assert, describe, it } from "@effect/vitest"
import { Sentences } from "../../src/core/answers/agent/Sentences.ts"
import { matches, findValues } from "../../src/core/answers/citations/values.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"

const equal = (stated: string, known: string) => {
  const [[one], [other]] = [findValues(stated), findValues(known)]
  assert.isDefined(one, stated)
  assert.isDefined(other, known)
  return matches(one!, other!)
}

describe("values", () => {
  it("are the same in any spelling", () => {
    for (const [stated, known] of [
      ["$1.2 million", "1,200,000"],
      ["1,2 Mio. €", "EUR 1.200.000"],
      ["48k", "$48,000"],
      ["36.4 percent", "36.4 %"],
      ["36 %", "36.4%"],
      ["29.2 m EUR", "29,214,300"],
      ["seven days", "7"],
      ["zwölf Monate", "12 months"],
      ["deux ans", "24 months"],
      ["tres meses", "90 days"],
      ["fünfundzwanzig Plätze", "25"],
      ["three hundred and forty", "340"],
      ["quatre-vingt-dix", "90"],
      ["treinta y un por ciento", "31 %"],
      ["58 mil euros", "€58,000"],
      ["9,2 M€", "9.2 million euros"],
      ["31 March 2025", "2025-03-31"],
      ["March 31st, 2025", "31.03.2025"],
      ["31. März 2025", "2025-03-31T10:00:00Z"],
      ["March 2025", "2025-03-31"],
      ["1er septembre 2025", "2025-09-01"],
      ["27 de febrero de 2026", "2026-02-27"],
      ["30/04", "30 April 2025"],
      ["deuxième trimestre 2025", "Q2 2025"],
      ["in May", "im Mai"],
      ["Q1 2025", "2025-Q1"],
      ["14 October", "2025-10-14"],
      ["2025", "2025-03-31"],
      ["SOC2", "soc2"],
    ] as const)
      assert.isTrue(equal(stated, known), `${stated} is ${known}`)
  })

  it("differ by number, unit, day and precision", () => {
    for (const [stated, known] of [
      ["$1.2 million", "1,300,000"],
      ["5 million", "4.6 million"],
      ["$48", "€48"],
      ["48 %", "$48"],
      ["12 deals", "12.4"],
      ["31 March 2025", "March 2025"],
      ["Q2 2025", "2025-03-31"],
      ["31 March 2024", "2025-03-31"],
      ["SOC2", "SOC1"],
      ["24 hours", "24 months"],
      ["two years", "2 months"],
    ] as const)
      assert.isFalse(equal(stated, known), `${stated} is not ${known}`)
  })

  it("are no words that mean something else in another language", () => {
    for (const text of ["paid once", "MS-DOS", "twofold", "5 € an Solvane", "open 24/7 if need be"])
      assert.isFalse(
        findValues(text).some(
          (value) => value.kind === "date" || (value.kind === "number" && value.days !== undefined),
        ),
        text,
      )
    assert.deepStrictEqual(findValues("paid once, by a DOS client"), [])
    assert.strictEqual(findValues("once meses").length, 1)
  })
})

describe("sentences", () => {
  const split = (pieces: ReadonlyArray<string>) => {
    const sentences = new Sentences()
    return [...pieces.flatMap((text) => sentences.push({ type: "text", text })), ...sentences.end()].map((parts) =>
      parts.map((part) => (part.type === "text" ? part.text : "?")).join(""),
    )
  }

  it("end at stops before a blank, and at line breaks", () => {
    const text = "It costs 3.50 a day. “Why?” he asked.\n- One\n- Two"
    const parts = ["It costs 3.50 a day. ", "“Why?” ", "he asked.\n", "- One\n", "- Two"]
    assert.deepStrictEqual(split([text]), parts)
    assert.deepStrictEqual(split([...text]), parts)
  })

  it("are of bounded length, and lose nothing", () => {
    const random = makeRandom(seedOfRun("sentences"))
    for (let round = 0; round < 50; round++) {
      const text = Array.from({ length: 6000 }, () =>
        random.pick(["x", "7", ".", "word", round % 2 === 0 ? " " : "y"]),
      ).join("")
      const parts = split([text])
      assert.strictEqual(parts.join(""), text)
      assert.isAtMost(Math.max(...parts.map(({ length }) => length)), 801)
    }
    assert.isAtMost(Math.max(...split(["7".repeat(9000)]).map(({ length }) => length)), 801)
  })
})
