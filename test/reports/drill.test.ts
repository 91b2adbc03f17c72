import { assert, describe, it } from "vitest"
import { within } from "../../src/core/reports/drill.ts"

const NOT = { outcome_filter_type: "is not" }

describe("the deals behind a measure of some of them", () => {
  it("meet the filters of the report and those of the measure, with the modifiers of both", () => {
    const cases: ReadonlyArray<readonly [base: object, scope: object, expected: object]> = [
      [{ region: ["EMEA"] }, { outcome: ["won"] }, { region: ["EMEA"], outcome: ["won"] }],
      [{ outcome: ["won"] }, { outcome: ["won"] }, { outcome: ["won"] }],
      [{ outcome: ["won", "lost"] }, { outcome: ["won"] }, { outcome: ["won"] }],
      [{ outcome: ["lost"] }, { outcome: ["won"] }, { outcome: ["lost"], and: [{ outcome: ["won"] }] }],
      [{ outcome: ["won"], ...NOT }, { outcome: ["won"] }, { outcome: ["won"], ...NOT, and: [{ outcome: ["won"] }] }],
      [{ outcome: ["won"] }, { outcome: ["won"], ...NOT }, { outcome: ["won"], and: [{ outcome: ["won"], ...NOT }] }],
      [
        { outcome: ["won"], ...NOT },
        { outcome: ["won"], ...NOT },
        { outcome: ["won"], ...NOT },
      ],
      [
        { outcome: ["won"], ...NOT },
        { outcome: ["lost"], ...NOT },
        { outcome: ["won"], ...NOT, and: [{ outcome: ["lost"], ...NOT }] },
      ],
      [
        { outcome: ["won"], outcome_filter_type: "is any of" },
        { outcome: ["won"] },
        { outcome: ["won"], outcome_filter_type: "is any of" },
      ],
      [{ client_ids: ["a"] }, { client_ids_filter_type: "is not empty" }, { client_ids: ["a"] }],
      [
        { client_ids_filter_type: "is empty" },
        { client_ids_filter_type: "is not empty" },
        { client_ids_filter_type: "is empty", and: [{ client_ids_filter_type: "is not empty" }] },
      ],
    ]
    for (const [base, scope, expected] of cases)
      assert.deepStrictEqual(within(base, scope as Readonly<Record<string, unknown>>), expected as never)
  })
})
