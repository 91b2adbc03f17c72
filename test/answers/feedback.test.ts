import { assert, it, test } from "vitest"
import { allow, asksAdvice, judgesAlike } from "../../src/core/answers/quotes/allowed.ts"
import { translate } from "../../src/core/answers/questions/languages/translate.ts"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { makePlans } from "../../src/core/answers/questions/plan/plan.ts"
import { NAMES, TODAY } from "./dealNames.ts"
import { passage } from "./passages.ts"

const read = (question: string) => parse(translate(question, NAMES.names), NAMES, TODAY)

const SOME = { feature_ids_filter_type: "is not empty" }
const ranked = (dimension: string, measure: string, filters: object = {}) =>
  [measure, [dimension], filters, `-${measure}`] as const

/** The measure, groups, filters and order of the report of mentions that answers. */
const REPORTS: Readonly<
  Record<string, readonly [measure: string, by: ReadonlyArray<string>, filters: object, order?: string]>
> = {
  "What do buyers love about our product?": ranked("feature", "positive"),
  "What do our customers hate most about the platform?": ranked("feature", "negative", SOME),
  "Which features do customers complain about most?": ranked("feature", "negative", SOME),
  "Which product area gets the worst feedback?": ranked("product_area", "negative"),
  "Which product area is praised the most?": ranked("product_area", "positive"),
  // The product is that of the feature, as the rows of such a report count.
  "Which product is criticised most?": ranked("product", "negative"),
  "Positive mentions by product": ranked("product", "positive"),
  "What do buyers love about Quellaria Flow?": ["positive", [], { products: ["product_1"] }],
  "Feedback on single sign-on": ["positive", [], { feature_ids: ["feature_2"] }],
  "How often is offline mode a blocker?": ["mentions", [], { feature_ids: ["feature_1"], association_tags: ["tag_1"] }],
}

it.each(Object.entries(REPORTS))("counts mentions of features for %s", (question, [measure, by, filters, order]) => {
  const slots = read(question)
  assert.deepStrictEqual(slots.unknown, [])
  const [plan] = makePlans(slots)
  assert.ok(plan?.kind === "report" && plan.source === "associations")
  assert.deepStrictEqual(
    [plan.measure, plan.query.groupBy, plan.query.filters, plan.query.orderBy],
    [measure, by, filters, order],
  )
})

it.each([
  ["What is coming up for renewal in the next 90 days?", { from: "2026-11-21", to: "2027-02-19" }],
  ["Which contracts are up for renewal this month?", { from: "2026-11-01", to: "2026-11-30" }],
  ["Which accounts renew next month?", { from: "2026-12-01", to: "2026-12-31" }],
  ["Which customers will renew next month?", { from: "2026-12-01", to: "2026-12-31" }],
  ["Which contracts come up for renewal next month?", { from: "2026-12-01", to: "2026-12-31" }],
])("lists the open renewals for %s", (question, close_date) => {
  const slots = read(question)
  assert.deepStrictEqual(slots.unknown, [])
  const [plan] = makePlans(slots)
  assert.deepStrictEqual(plan?.kind === "list" && plan.filters, {
    deal_type: ["deal_type_1"],
    outcome: ["open"],
    close_date,
  })
})

test("lists overdue deals for who is late", () => {
  for (const question of ["anything overdue for Anna", "Is Anna late with anything?"]) {
    const [plan] = makePlans(read(question))
    assert.deepStrictEqual(plan?.kind === "list" && plan.filters, { owner_ids: ["owner_1"], overdue: true }, question)
  }
})

test("makes no forecast, for whatever period", () => {
  for (const question of ["Forecast for this quarter", "What is our forecast?", "forecast for next month"])
    assert.deepInclude(
      read(question).unknown.map(({ as }) => as),
      "future",
      question,
    )
  assert.deepStrictEqual(read("weighted forecast by owner").unknown, [])
})

test("takes what customers told us from the texts of deals alone", () => {
  const library = passage({ id: "notice", text: "The list price rises." })
  const note = passage({ id: "note", text: "The list price rises.", dealId: "d1" })
  const asked = allow(["Which customers told us that the price rises?"], undefined, undefined, [], false)
  assert.deepStrictEqual([library, note].map(asked.passage), [false, true])
  assert.isTrue(allow(["Why does the price rise?"], undefined, undefined, [], false).passage(library))
})

test("knows a question for advice, which no number answers", () => {
  for (const question of ["How do I beat Orvanta?", "what do i say if they bring up orvanta", "how to beat Orvanta"])
    assert.isTrue(asksAdvice(question), question)
  for (const question of ["How many deals do we win?", "How did we do against Orvanta?", "Why do we lose to Orvanta?"])
    assert.isFalse(asksAdvice(question), question)
})

test("quotes no praise for a question after complaints", () => {
  const isAlike = judgesAlike("It gives some clients who are not happy with the support?")!
  assert.deepStrictEqual(
    ["Our auditors are happy.", "Your support was terrible.", "Support quality (negative): slow at night"].map(isAlike),
    [false, true, true],
  )
  assert.isUndefined(judgesAlike("What did Hartwell say about the support?"))
})
