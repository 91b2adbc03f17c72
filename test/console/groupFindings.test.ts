import { assert, describe, it } from "@effect/vitest"
import { groupFindings } from "../../src/adapters/console/deal/groupFindings.ts"

type Finding = Parameters<typeof groupFindings>[0][number]

const finding = (
  id: string,
  target: string,
  more: Partial<Pick<Finding, "effect" | "side" | "document_id" | "state" | "kind">> = {},
): Finding => ({
  id,
  kind: "competitor",
  target: { id: target, name: target },
  effect: "negative",
  claim: null,
  side: "buyer",
  speaker: null,
  quote: id,
  document_name: "call",
  document_id: "one",
  start: 0,
  end: 1,
  url: null,
  state: "proposed",
  by: "extracted",
  judged_by: null,
  judged_at: null,
  ...more,
})

const TIMES = new Map([
  ["one", "2026-03-02T00:00:00.000Z"],
  ["two", "2026-01-05T00:00:00.000Z"],
])

describe("the groups of findings", () => {
  it("keep apart what differs in target, effect or side, and count each document once", () => {
    const groups = groupFindings(
      [
        finding("a", "Orvanta"),
        finding("b", "Orvanta"),
        finding("c", "Orvanta", { document_id: "two" }),
        finding("d", "Orvanta", { effect: null }),
        finding("e", "Orvanta", { side: "seller" }),
        finding("f", "Nimbrel", { document_id: "unknown" }),
        finding("g", "Orvanta", { state: "rejected", document_id: "three" }),
      ],
      TIMES,
    )
    assert.deepStrictEqual(
      groups.map(({ findings, documents, first, last }) => [
        findings.map(({ id }) => id).join(""),
        documents,
        first,
        last,
      ]),
      [
        ["abc", 2, TIMES.get("two"), TIMES.get("one")],
        ["d", 1, TIMES.get("one"), TIMES.get("one")],
        ["e", 1, TIMES.get("one"), TIMES.get("one")],
        ["f", 1, undefined, undefined],
      ],
    )
  })

  it("keep apart kinds that have the same target", () => {
    const groups = groupFindings([finding("a", "price"), finding("b", "price", { kind: "driver" })], TIMES)
    assert.lengthOf(groups, 2)
  })
})
