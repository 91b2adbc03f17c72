import { assert, describe, it } from "vitest"
import { parse } from "../../../src/core/answers/questions/parse/parse.ts"
import { makePlans } from "../../../src/core/answers/questions/plan/plan.ts"
import type { Prediction } from "../../../src/core/answers/reader/predict.ts"
import { readAgain } from "../../../src/core/answers/reader/readAgain.ts"
import { COUNT } from "./count.ts"
import { TODAY, WORKSPACE } from "../../../training/workspace.ts"

type Part = Partial<Omit<Prediction, "flags">> & { readonly flags?: ReadonlyArray<string> }

/** The verdict on a question that the grammar refuses. */
const kindOf = (question: string, { flags = [], ...part }: Part) =>
  readAgain(
    [question],
    { slots: parse(question, WORKSPACE, TODAY), plans: [], isRead: false },
    WORKSPACE,
    TODAY,
    () => ({ ...COUNT, ...part, flags: new Set(flags) }),
  ).kind

const CASES: ReadonlyArray<readonly [question: string, misses: Part, reads: Part]> = [
  ["deals we got, per helper", {}, { flags: ["by:collaborator"] }],
  [
    "competitor x region, wins",
    { outcome: "won", flags: ["by:region"] },
    { outcome: "won", flags: ["by:region", "by:competitor"] },
  ],
  [
    "losses per rep, and the stage within each",
    { outcome: "lost", flags: ["by:owner"] },
    { outcome: "lost", flags: ["by:owner", "by:status"] },
  ],
  [
    "show the wins we got, small to large",
    { kind: "list", outcome: "won", order: "big" },
    { kind: "list", outcome: "won", order: "small" },
  ],
  [
    "bottom products by wins",
    { outcome: "won", order: "high", flags: ["by:product_label"] },
    { outcome: "won", order: "low", flags: ["by:product_label"] },
  ],
  [
    "most wins by product",
    { outcome: "won", order: "low", flags: ["by:product_label"] },
    { outcome: "won", order: "high", flags: ["by:product_label"] },
  ],
  ["wins, stripping away Tallowmark", { outcome: "won" }, { outcome: "won", flags: ["excludes"] }],
  ["wins with Nimbrel as the toughest rival", { outcome: "won" }, { outcome: "won", flags: ["primary"] }],
  ["open ones that nobody here looks after", { outcome: "open" }, { outcome: "open", flags: ["without_owner"] }],
  ["what fraction of losses has DACH", { outcome: "lost" }, { kind: "share", outcome: "lost" }],
  [
    "which features do people not like",
    { kind: "side", side: "positive", flags: ["by:feature"] },
    { kind: "side", side: "negative", flags: ["by:feature"] },
  ],
  ["deals in DACH, no matter if we got them", { outcome: "won" }, {}],
  ["deals that are still around in DACH", {}, { outcome: "open" }],
  ["deals that came to a decision in DACH", {}, { outcome: "decided" }],
  ["deals of the month just past", {}, { grain: "month" }],
  ["did wins move this quarter", { outcome: "won" }, { outcome: "won", compare: "previous_period" }],
  ["wins, renewals and so on", { outcome: "won", flags: ["by:deal_type"] }, { outcome: "won" }],
  ["wins where we were hit by Reporting", { outcome: "won" }, { outcome: "won", flags: ["reason_against"] }],
]

describe("words that ask for a part of the answer", () => {
  it.each(CASES)("refute a reading without it: %s", (question, misses, reads) => {
    assert.strictEqual(kindOf(question, misses), "stands")
    assert.strictEqual(kindOf(question, reads), "read")
  })

  it.each([
    ["of all wins in DACH what % came from Logistics", { kind: "share", outcome: "won" }],
    ["in what percentage of DACH losses was Nimbrel there", { kind: "share", outcome: "lost" }],
    ["wins with Nimbrel or without anybody", { outcome: "won" }],
    ["wins this time last year", { outcome: "won" }],
  ] as const)("refute a reading that cannot have it: %s", (question, part) =>
    assert.strictEqual(kindOf(question, part), "stands"),
  )

  it("make a reading without it weaker against the grammar", () => {
    const question = "Share of lost deals by region"
    const slots = parse(question, WORKSPACE, TODAY)
    const grammar = { slots, plans: makePlans(slots), isRead: true }
    const kindAt = (confidence: number) =>
      readAgain([question], grammar, WORKSPACE, TODAY, () => ({
        ...COUNT,
        outcome: "lost",
        flags: new Set(["by:region"]),
        confidence,
      })).kind
    assert.strictEqual(kindAt(0.39), "stands")
    assert.strictEqual(kindAt(0.4), "differs")
  })

  it.each([
    ["kindly share the wins of DACH", { outcome: "won" }],
    ["the smallest of our largest deals", { kind: "list", order: "big" }],
    ["deals with Reporting, by helper", { flags: ["by:collaborator"] }],
  ] as const)("refute nothing that they do not ask for: %s", (question, reads) =>
    assert.strictEqual(kindOf(question, reads), "read"),
  )
})
