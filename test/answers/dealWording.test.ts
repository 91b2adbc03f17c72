import { assert, describe, it } from "vitest"
import { makeFilters } from "../../src/core/answers/questions/parse/makeFilters.ts"
import { listPhrases } from "../../src/core/answers/questions/words/names.ts"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { describeFilters, writeFilters } from "../../src/core/answers/questions/reply/wording.ts"
import { writeListHead } from "../../src/core/answers/questions/reply/writeDeals.ts"
import type { Report } from "../../src/core/answers/questions/reply/reply.ts"
import type { ReportQuery } from "../../src/core/answers/questions/plan/reportQuery.ts"
import { writeReasons } from "../../src/core/answers/questions/reply/writeReasons.ts"
import type { ReportPlan, Wording } from "../../src/core/answers/questions/reply/writeReport.ts"
import { NAMES, TODAY } from "./dealNames.ts"

const filters = (question: string) => makeFilters(parse(question, NAMES, TODAY), "deals")

describe("the wording of deals", () => {
  it("finds names with any apostrophes and blanks, and ignores names without letters", () => {
    const names = ["||||", "O’Brien Labs", "Nova\u00a0Soft"].map((name, n) => ({
      kind: "competitor" as const,
      value: `n${n}`,
      name,
    }))
    const found = parse(
      "How many deals did we lose to Orvanta, O'Brien Labs or Nova Soft?",
      { ...NAMES, names: [...NAMES.names, ...names] },
      TODAY,
    )
    assert.deepStrictEqual(makeFilters(found, "deals").competitors, ["Orvanta", "O’Brien Labs", "Nova\u00a0Soft"])
    assert.include(listPhrases("why macy's left", 2), "macy’s")
  })

  it("accepts years of four digits only", () => {
    for (const question of [
      "How many deals were created after December 9999?",
      "How many deals closed before 0001-01-01?",
      "How many deals closed on 0000-05-05?",
    ])
      assert.isNotEmpty(parse(question, NAMES, TODAY).unknown, question)
    assert.deepStrictEqual(filters("How many deals closed since 0050-01-01?").close_date, { from: "0050-01-01" })
  })

  it("names all reasons that share the first place", () => {
    const rowOf = (name: string, deals: number) => ({
      group: { driver: { id: name, name } },
      values: { deals, amount: deals },
    })
    const query = {
      measures: ["deals", "amount"],
      groupBy: ["driver"],
      filters: {},
      orderBy: "-deals",
    } as unknown as ReportQuery
    const said = (...deals: ReadonlyArray<number>) =>
      writeReasons(
        { kind: "report", query } as ReportPlan,
        { data: deals.map((count, n) => rowOf(`R${n}`, count)), others: 0 } as unknown as Report,
        10,
        { links: new Map(), currency: null, rest: undefined } as unknown as Wording,
      ).split("\n")[0]
    assert.strictEqual(said(5, 4), "**R0** is named most often: in 5 deals of 10 (50.0 %).")
    assert.strictEqual(said(5, 5, 4), "**R0** and **R1** are named most often: in 5 deals each of 10 (50.0 %).")
  })

  it("escapes names where it writes Markdown, and nowhere else", () => {
    const named = { competitors: ["[Renew](https://evil.test)", "www.evil.test", "A_B*"] }
    const written = "competitor \\[Renew\\], (link removed) or A\\_B\\*"
    assert.strictEqual(writeFilters(named, NAMES), written)
    assert.strictEqual(writeFilters({ and: [named] }, NAMES), written)
    assert.strictEqual(describeFilters(named, NAMES), "competitor [Renew](https://evil.test), www.evil.test or A_B*")
  })

  it("describes a filter as it was asked", () => {
    for (const [question, words] of [
      ["How many deals above 100k?", "amount above 100,000"],
      ["How many deals under 20k?", "amount below 20,000"],
      ["How many deals of at least 100k?", "amount from 100,000"],
      ["How many deals between 10k and 20k?", "amount from 10,000 to 20,000"],
      ["How many deals above 10k and below 20k?", "amount above 10,000 and below 20,000"],
      ["How many deals with product fit above 3?", "product fit score above 3"],
      ["How many deals with product fit of at least 3.5?", "product fit score from 3.5"],
      ["How many overdue deals?", "overdue"],
      ["How many deals slipped?", "slipped to a later quarter"],
      ["How many deals slipped last quarter?", "slipped, once due from 2026-07-01 to 2026-09-30"],
      ["How many open deals of Abelund Logistics?", "client Abelund Logistics, outcome open"],
    ] as const) {
      assert.strictEqual(describeFilters(filters(question), NAMES), words)
    }
    const inEuro = { ...NAMES, currency: "EUR" }
    assert.strictEqual(describeFilters(filters("How many deals above 50000?"), inEuro), "amount above 50,000 EUR")
  })

  it("says how many deals match, and how many of them have no amount", () => {
    const slots = parse("list deals", NAMES, TODAY)
    const plan = { kind: "list", filters: {}, sort: "created_at", ascending: false, limit: undefined } as const
    assert.strictEqual(
      writeListHead(plan, slots, { count: 5, valued: 2, amount: 30 }, undefined),
      "**5 deals** match, worth 30 in total (3 of them have no amount).",
    )
    assert.strictEqual(
      writeListHead(plan, slots, { count: 1, valued: 1, amount: 29_234_000 }, "EUR"),
      "**1 deal** matches, worth 29.2 m EUR in total.",
    )
  })
})
