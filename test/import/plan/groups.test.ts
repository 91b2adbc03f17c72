import { assert, describe, it } from "vitest"
import { read } from "./support.ts"

const recordsOf = (found: ReturnType<typeof read>, field: string) =>
  found.records?.map((each) => ("record" in each ? (each.record[field] ?? null) : each.problems[0]!.reason))
const HEADER = "Stage|Deal Name|Client|Amount|Owner"

describe("groups with the number of their rows", () => {
  it("give their name without the number to each of their rows, and say so", () => {
    for (const [one, two] of [
      ["Proposal (2)", "Closed Won (1)"],
      ["Proposal (2 records)", "Closed Won (1 record)"],
      ["Proposal [2]", "Closed Won [1]"],
      ["Proposal - 2 deals", "Closed Won - 1 deal"],
    ]) {
      for (const [again, container] of [
        ["", "csv"],
        ["", "xlsx"],
        [one, "xlsx"],
      ] as const) {
        const found = read(
          `${HEADER}\n${one}|A|Acme|1|Ann\n${again}|B|Bco|2|Ann\nSubtotal|||3|\n${two}|C|Cco|5|Ben\nSubtotal|||5|\nTotal|||8|`,
          {},
          undefined,
          { container },
        )
        assert.deepStrictEqual(recordsOf(found, "status"), ["Proposal", "Proposal", "Closed Won"], one)
        assert.deepStrictEqual(found.codes, ["group_written_once 2", "total_skipped 3"], one)
        assert.include(found.messages!.join(), `'${one}' begins a group`)
      }
    }
  })

  it("stand in several columns, and a group of the inner one may have the name of the one before", () => {
    const found = read(
      `${HEADER.replace("Owner|", "")}\nOpen (3)|A|Acme|1|Ann (2)\n|B|Bco|2|\n|C|Cco|3|Ben (1)\nWon (2)|D|Dco|4|Ben (1)\n|E|Eco|5|Cem (1)`,
    )
    assert.deepStrictEqual(recordsOf(found, "status"), ["Open", "Open", "Open", "Won", "Won"])
    assert.deepStrictEqual(recordsOf(found, "owner"), ["Ann", "Ann", "Ben", "Ben", "Cem"])
  })

  it("are names with a number if a number is not that of their rows", () => {
    for (const rows of [
      "Stage (2)|A|Acme|1|Ann\nStage (3)|B|Bco|2|Ann\nStage (2)|C|Cco|2|Ann",
      "Commit (90)|A|Acme|1|Ann\nCommit (50)|B|Bco|2|Ann",
      "Won (2)|A|Acme|1|Ann\n|B|Bco|2|Ann\n|C|Cco|2|Ann",
      "Won (1)|A|Acme|1|Ann",
      "Hotel (2)|A|Acme|1|Ann\nHotel (2)|B|Bco|2|Ann",
    ]) {
      const found = read(`${HEADER}\n${rows}`)
      assert.deepStrictEqual(recordsOf(found, "status")?.[0], rows.split("|")[0], rows)
    }
  })

  it("in rows of one cell are headings and no deals, if as many deals follow", () => {
    for (const [one, two] of [
      ["Stage: Proposal (2 deals)", "Won (1)"],
      ["Proposal - 2 records", "Won - 1 record"],
    ]) {
      const found = read(`Deal|Client|Amount\n${one}||\nA|Acme|1\nB|Bco|2\n${two}||\nC|Cco|3`)
      assert.deepStrictEqual(recordsOf(found, "name"), ["A", "B", "C"], one)
      assert.deepStrictEqual(found.codes, ["group_written_once 2"], one)
    }
    const unproven = read(`Deal|Client|Amount\nProposal (3)||\nA|Acme|1\nB|Bco|2\nWon (1)||\nC|Cco|3`)
    assert.deepStrictEqual([unproven.lines?.length, unproven.codes], [5, ["row_of_one_cell 2"]])
  })

  it("may have amounts with a code in their totals", () => {
    const found = read(`${HEADER}\nOpen (2)|A|Acme|1|Ann\n|B|Bco|2|Ann\nTotal||Sum|EUR 3.00|\n||Count|2|`)
    assert.deepStrictEqual(
      [found.lines, found.codes],
      [
        [2, 3],
        ["group_written_once 1", "total_skipped 2"],
      ],
    )
  })
})
