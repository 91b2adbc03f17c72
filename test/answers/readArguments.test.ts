import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Result from "effect/Result"
import { Arguments, TOOLS } from "../../src/core/answers/tools/contract.ts"
import type { ToolName } from "../../src/core/answers/tools/names.ts"
import { readArguments } from "../../src/core/answers/tools/readArguments.ts"

const read = (name: ToolName, given: unknown) =>
  readArguments(Context.getUnsafe(TOOLS.tools[name].annotations, Arguments), given)

/** Arguments as given, and as read. */
const ACCEPTED: ReadonlyArray<readonly [ToolName, unknown, unknown]> = [
  ["search_deals", '{"limit":"5","sort":null}', { limit: 5 }],
  ["search_deals", { filters: '{"deal_ids":7}' }, { filters: { deal_ids: ["7"] } }],
  ["report_deals", { measures: "won, lost", group_by: "region" }, { measures: ["won", "lost"], group_by: ["region"] }],
  ["report_deals", { measures: '["won"]', compare: null }, { measures: ["won"] }],
  // A name with a comma is one name.
  ["count_deals", { filters: { client_ids: "Hartwell, Inc." } }, { filters: { client_ids: ["Hartwell, Inc."] } }],
  ["count_deals", { more: { open_days: { min: "90", max: null } } }, { more: { open_days: { min: 90 } } }],
  [
    "count_deals",
    { more: { and: { region: "EMEA" }, crm_filters: '{"property":"x","operator":"is","value":"5"}' } },
    { more: { and: [{ region: ["EMEA"] }], crm_filters: [{ property: "x", operator: "is", value: "5" }] } },
  ],
  // Null is a value here: deals without an answer.
  ["count_deals", { more: { custom_answers: { Why: [null] } } }, { more: { custom_answers: { Why: [null] } } }],
]

/** Arguments as given, and the sentence that corrects them. */
const REFUSED: ReadonlyArray<readonly [ToolName, unknown, string]> = [
  ["count_deals", [], "arguments must be an object, not []"],
  ["count_deals", "{not json", 'arguments must be an object, not "{not json"'],
  ["count_deals", { filters: 5 }, 'filters must be an object, such as {"region":["EMEA"]}, not 5'],
  [
    "count_deals",
    { filters: { amount: 5 } },
    'filters.amount must be an object, such as {"min":10000,"max":50000}, not 5',
  ],
  ["count_deals", { filters: { region: "[EMEA" } }, 'filters.region must be an array, such as ["EMEA"], not "[EMEA"'],
  [
    "count_deals",
    { filters: { outcome: "win" } },
    'filters.outcome[0] must be one of open, won, lost, not "win" (did you mean won?)',
  ],
  [
    "count_deals",
    { filters: { amount: { min: 5, max: 1 } } },
    'filters.amount must have min no greater than max, not {"min":5,"max":1}',
  ],
  [
    "count_deals",
    { more: { regoin: ["EMEA"] } },
    'more.regoin is no filter: the nearest are region; describe_workspace with kind "filters" lists the others',
  ],
  ["count_deals", { more: { and: [{ regoin: "EMEA" }] } }, "more.and[0].regoin is no filter: the nearest are region"],
  [
    "count_deals",
    { filters: { territory: "EMEA" } },
    "filters.territory is no filter: the usual ones are outcome, status",
  ],
  ["count_deals", { region: "EMEA" }, 'region is a filter: give it as {"filters": {"region": …}}'],
  [
    "search_deals",
    { limit: "5x", organization_id: "org_1" },
    "organization_id is not accepted here, only filters, more, sort",
  ],
  ["search_deals", { limit: "5x" }, 'limit must be a number, not "5x"'],
  ["search_deals", { limit: 500 }, "limit must be between 1 and 20, not 500"],
  ["report_deals", {}, "missing: measures"],
]

describe("arguments of tools", () => {
  it("are read as GET /deals reads them", () => {
    for (const [name, given, meaning] of ACCEPTED)
      assert.deepStrictEqual(read(name, given), Result.succeed(meaning as never), JSON.stringify(given))
  })

  it("are refused with the value and what would be right", () => {
    for (const [name, given, sentence] of REFUSED) {
      const refused = read(name, given)
      assert.isTrue(Result.isFailure(refused), JSON.stringify(given))
      assert.include(Result.isFailure(refused) ? refused.failure : "", sentence)
      assert.match(
        Result.isFailure(refused) ? refused.failure : "",
        /^Invalid arguments: .*\. Correct this and call again\.$/,
      )
    }
  })
})
