import { assert, describe, it } from "@effect/vitest"
import { labelsOf, type Task } from "../../../training/labels.ts"
import { HELD_VOICES, TRAINING_VOICES, tasksOf } from "../../../training/sentences.ts"

const NOTHING = { base: "-", outcome: "-", kind: "-", grain: "-", order: "-", compare: "-", side: "-", limit: "-" }

const labels = (kind: string, frame: Task["frame"]) => labelsOf({ id: "x", kind, frame })

describe("the labels of a task", () => {
  it.each([
    ["value", { measure: "amount_open", filters: [["industry", "Retail"]] }, { base: "sum", outcome: "open" }, []],
    [
      "ranked",
      { measure: "win_rate", by: ["owner"], limit: 1, order: "low" },
      { base: "rate", limit: "1", order: "low" },
      ["by:owner"],
    ],
    ["ranked", { measure: "deals", by: "region", limit: 3 }, { base: "count" }, ["by:region"]],
    ["grouped", { measure: "lost", by: ["crm_lead_source"] }, { base: "count", outcome: "lost" }, ["by:property"]],
    ["list", { outcome: "any", filters: [["not_competitor", "Orvanta"]] }, { kind: "list" }, ["excludes"]],
    [
      "share",
      { measure: "amount", outcome: "won", part: [["as_primary", "Orvanta"]] },
      { base: "sum", outcome: "won", kind: "share" },
      ["primary"],
    ],
    ["reasons", { of: "reasons", outcome: "lost" }, { kind: "why", outcome: "lost" }, ["by:driver"]],
    ["reasons", { of: "features", side: "positive" }, { kind: "side", side: "positive" }, ["by:feature"]],
    ["follow-up", { change: "filter", filter: ["older", 60] }, { kind: "f-filter" }, ["older"]],
    ["follow-up", { change: "measure", measure: "overdue" }, { kind: "f-measure", base: "overdue" }, []],
    ["other", {}, { kind: "other" }, []],
    ["foreign", { measure: "clients", by: ["segment"] }, { kind: "foreign", base: "clients" }, ["by:segment"]],
  ] as const)("of kind %s with %j are %j and %j", (kind, frame, heads, flags) => {
    const found = labels(kind, frame)
    assert.deepStrictEqual(found.heads, { ...NOTHING, ...heads })
    assert.deepStrictEqual<ReadonlyArray<string>>([...found.flags], flags)
  })

  it("refuse a measure that they do not know", () => {
    assert.throws(() => labels("value", { measure: "margin" }), 'labels.ts has no measure "margin"')
  })
})

describe("the voices", () => {
  it.each([...TRAINING_VOICES, ...HELD_VOICES])("%s says each of its tasks once", (voice) => {
    const { tasks, texts } = tasksOf(voice)
    assert.deepStrictEqual(tasks.map(({ id }) => id).toSorted(), texts.map(([id]) => id).toSorted())
    assert.strictEqual(new Set(tasks.map(({ id }) => id)).size, tasks.length)
  })
})
