import { assert, describe, it } from "@effect/vitest"
import { type Answer, grade, type Row } from "./grade.ts"
import {
  asks,
  introduces,
  type Language,
  type Question,
  ranking,
  refuses,
  rows,
  says,
  tells,
  type Truth,
  type Type,
} from "./question.ts"

const REFUSED = "This workspace holds nothing that answers this."
const URL = "https://sightline.example/v/rpt_1"

const graded = (
  truth: Truth,
  facts: ReadonlyArray<Row>,
  content: string,
  { type = "count", language = "en", turn = "?" }: { type?: Type; language?: Language; turn?: string } = {},
) => {
  const question: Question = { id: "q", type, workspace: "demo", language, turns: [turn], truth }
  const answer: Answer = { content, citations: content.includes(URL) ? [{ excerpt: "e", url: URL }] : [] }
  return grade(question, [facts], answer)
}

const table = (...lines: ReadonlyArray<string>) => ["", "| name | value |", "| --- | ---: |", ...lines].join("\n")

describe("a number alone", () => {
  const facts = [{ deals: 42 }]
  it("is right in the first sentence, and wrong if another stands there", () => {
    assert.strictEqual(graded(rows("…"), facts, `We lost **42 deals** last quarter [1](${URL}).`), "right")
    assert.strictEqual(graded(rows("…"), facts, "We lost 43 deals last quarter."), "wrong")
    assert.strictEqual(graded(rows("…"), facts, "“Stage: Lost” — [Harbor](https://x.example)"), "wrong")
  })
  it("is right in a table of one row, and wrong if it is only a cell of many", () => {
    assert.strictEqual(graded(rows("…"), facts, `Deals lost:\n${table("| all | 42 |")}`), "right")
    assert.strictEqual(graded(rows("…"), facts, `Deals lost:\n${table("| DACH | 42 |", "| APAC | 7 |")}`), "wrong")
  })
  it("is refused if the answer says what is missing and asserts no number", () => {
    assert.strictEqual(graded(rows("…"), facts, REFUSED), "refused")
    assert.strictEqual(graded(rows("…"), facts, "I do not know “sitting”. Try: top 5 deals, won in Q2"), "refused")
    assert.strictEqual(graded(rows("…"), facts, "There is no region EMEA, so all 77 deals count."), "wrong")
    assert.strictEqual(
      graded(rows("…"), facts, "There is no competitor Salesforce. Competitors: Calyptus One, Orvanta."),
      "refused",
    )
    assert.strictEqual(graded(rows("…"), facts, "“last” can mean Lost or Last. Which one do you mean?"), "refused")
    assert.strictEqual(graded(rows("…"), facts, "There is no region EMEA, so one deal counts."), "wrong")
  })
  it("is partly right if one of two numbers is there", () => {
    const two = [{ positive: 30, negative: 12 }]
    assert.strictEqual(graded(rows("…"), two, "30 positive and 12 negative mentions"), "right")
    assert.strictEqual(graded(rows("…"), two, "30 mentions are positive"), "partly")
  })
  it("is right for one of several fair readings", () => {
    const question: Question = {
      id: "q",
      type: "sum",
      workspace: "demo",
      language: "en",
      turns: ["?"],
      truth: rows("…"),
    }
    const answer = { content: "Revenue was 5.27 m EUR.", citations: [] }
    assert.strictEqual(grade(question, [[{ amount: 5_020_000 }], [{ amount: 5_272_000 }]], answer), "right")
  })
})

describe("numbers by name", () => {
  const facts = [
    { name: "Orvanta", rate: 0.364 },
    { name: "Nimbrel", rate: 0.41 },
    { name: "Tallowmark", rate: 0.448 },
  ]
  it("are right in a table, a list or a sentence", () => {
    const lines = ["| Orvanta | 36.4 % |", "| Nimbrel | 41.0 % |", "| Tallowmark | 44.8 % |"]
    assert.strictEqual(graded(rows("…"), facts, `Win rate by competitor.\n${table(...lines)}`), "right")
    assert.strictEqual(
      graded(rows("…"), facts, "Win rate:\n- Orvanta: 36.4 %\n- Nimbrel: 41 %\n- Tallowmark: 44.8 %"),
      "right",
    )
    assert.strictEqual(graded(rows("…"), facts, "Orvanta 36.4 %, Nimbrel 41.0 % and Tallowmark 44.8 %."), "right")
    assert.strictEqual(
      graded(rows("…"), facts, "36.4 % against Orvanta, 41.0 % against Nimbrel, 44.8 % against Tallowmark."),
      "right",
    )
  })
  it("are wrong if two are exchanged", () => {
    const lines = ["| Orvanta | 41.0 % |", "| Nimbrel | 36.4 % |", "| Tallowmark | 44.8 % |"]
    assert.strictEqual(graded(rows("…"), facts, `Win rate by competitor.\n${table(...lines)}`), "wrong")
    assert.strictEqual(graded(rows("…"), facts, "Orvanta 41.0 %, Nimbrel 36.4 % and Tallowmark 44.8 %."), "wrong")
  })
  it("are partly right if rows are absent, and wrong if there is another number instead", () => {
    assert.strictEqual(graded(rows("…"), facts, `Win rate.\n${table("| Orvanta | 36.4 % |")}`), "partly")
    assert.strictEqual(graded(rows("…"), facts, "43.2 % of 1,168 deals were won."), "wrong")
    assert.strictEqual(graded(rows("…"), facts, REFUSED), "refused")
  })
  it("take a period by any of its names", () => {
    const periods = [
      { name: "2026-03|March 2026", deals: 4 },
      { name: "2026-04|April 2026", deals: 5 },
    ]
    assert.strictEqual(
      graded(rows("…"), periods, `By month.\n${table("| March 2026 | 4 |", "| April 2026 | 5 |")}`),
      "right",
    )
    assert.strictEqual(graded(rows("…"), periods, `By month.\n${table("| 2026-03 | 5 |", "| 2026-04 | 4 |")}`), "wrong")
  })
  it("need no more rows than a reader sees", () => {
    const many = Array.from({ length: 14 }, (_, n) => ({ name: `Rep ${"abcdefghijklmn"[n]}`, deals: 100 + n }))
    const lines = many.slice(0, 10).map(({ name, deals }) => `| ${name} | ${deals} |`)
    assert.strictEqual(graded(rows("…"), many, `By rep.\n${table(...lines)}`), "right")
    assert.strictEqual(graded(rows("…"), many, `By rep.\n${table(...lines.slice(0, 9))}`), "partly")
  })
})

describe("a ranking", () => {
  const facts = [
    { name: "Ines", amount: 4_031_500 },
    { name: "Elif", amount: 3_900_000 },
    { name: "Lars", amount: 3_900_000 },
    { name: "Keiko", amount: 2_000_000 },
  ]
  const listed = (...names: ReadonlyArray<string>) =>
    `Top reps.\n${table(...names.map((name) => `| ${name} | ${facts.find((row) => row.name === name)!.amount / 1e6} m |`))}`
  it("is right in order; equal rows may change places", () => {
    assert.strictEqual(graded(ranking(3, "…"), facts, listed("Ines", "Elif", "Lars")), "right")
    assert.strictEqual(graded(ranking(3, "…"), facts, listed("Ines", "Lars", "Elif")), "right")
    assert.strictEqual(graded(ranking(1, "…"), facts, "Ines leads with 4.03 m EUR."), "right")
    assert.strictEqual(graded(ranking(1, "…"), facts, listed("Ines", "Elif", "Keiko")), "right")
  })
  it("is wrong in another order, with exchanged numbers or with a stranger at the top", () => {
    assert.strictEqual(graded(ranking(3, "…"), facts, listed("Elif", "Ines", "Lars")), "wrong")
    assert.strictEqual(graded(ranking(1, "…"), facts, "Ines leads with 3.90 m EUR."), "wrong")
    assert.strictEqual(graded(ranking(1, "…"), facts, `Top.\n${table("| Bob | 9 m |", "| Ines | 4.03 m |")}`), "wrong")
    assert.strictEqual(graded(ranking(1, "…"), facts, "Elif leads with 3.90 m EUR."), "wrong")
  })
  it("is partly right if it is too short, and can be refused", () => {
    assert.strictEqual(graded(ranking(3, "…"), facts, listed("Ines", "Elif")), "partly")
    assert.strictEqual(graded(ranking(3, "…"), facts, REFUSED), "refused")
  })
})

describe("texts", () => {
  const truth = says("Orvanta", ["180 days", "six months"])
  it("are right with every phrase and a citation", () => {
    assert.strictEqual(graded(truth, [], `“Orvanta binds for 180 days.” [1](${URL})`), "right")
    assert.strictEqual(graded(truth, [], `Orvanta: six months [1](${URL})`), "right")
    assert.strictEqual(graded(truth, [], "Orvanta: six months"), "partly")
    assert.strictEqual(graded(truth, [], `Orvanta charges $71 [1](${URL})`), "partly")
    assert.strictEqual(graded(truth, [], `Nimbrel binds for 90 days [1](${URL})`), "wrong")
    assert.strictEqual(graded(truth, [], "The documents say nothing about the notice period of Orvanta."), "refused")
  })
  it("are no refusal if a quoted sentence denies something", () => {
    const quote = `“Tallowmark has no forecast view: customers work around it.” [1](${URL})`
    assert.strictEqual(graded(says("Tallowmark"), [], quote), "right")
  })
  it("of a brief may hold the values anywhere", () => {
    const brief = [{ price: "$26", won: 134 }]
    assert.strictEqual(graded(tells("…"), brief, "Tallowmark.\n\n- Price: $26\n- Record: 134 won"), "right")
    assert.strictEqual(graded(tells("…"), brief, "Tallowmark.\n\n- Price: $26\n- Record: 135 won"), "partly")
    assert.strictEqual(graded(tells("…"), brief, "Tallowmark is a competitor."), "wrong")
    assert.strictEqual(graded(tells("…"), brief, REFUSED), "refused")
  })
})

describe("questions without an answer", () => {
  it("are right if the refusal names the word and what there is", () => {
    const truth = refuses("EMEA", ["DACH", "Nordics"])
    assert.strictEqual(graded(truth, [], "There is no region EMEA; there are DACH, APAC and 4 more."), "right")
    assert.strictEqual(graded(truth, [], REFUSED), "partly")
    assert.strictEqual(graded(truth, [], "The win rate in EMEA is 43.2 %."), "wrong")
  })
  it("are right if a number belongs to a name that is offered instead, and wrong if it is asserted", () => {
    const unknown = "I do not understand “Segment 4”: it is no name of this workspace."
    assert.strictEqual(graded(refuses("Segment 4"), [], `${unknown} Closest: Segment 12.`), "right")
    assert.strictEqual(graded(refuses("Segment 4"), [], `${unknown} The closest segment has 12 deals.`), "wrong")
  })
  it("are right if the refusal says which combination is missing, or counts nothing with `one`", () => {
    const combined =
      "Features are split by product, but no report combines it with the rest of this question: “margin”."
    assert.strictEqual(graded(refuses("margin"), [], combined), "right")
    const quota = "Quotas are not held in this workspace: coverage divides by one."
    assert.strictEqual(graded(refuses("quota"), [], quota), "right")
    assert.strictEqual(graded(refuses("quota"), [], quota.replace("one", "12")), "wrong")
  })
  it("are asked back with candidates", () => {
    const truth = asks("Bastian Grabowski", "Oluwaseun Grabowski")
    assert.strictEqual(graded(truth, [], "Do you mean Bastian Grabowski or Oluwaseun Grabowski?"), "right")
    assert.strictEqual(graded(truth, [], "Do you mean Bastian Grabowski?"), "partly")
    assert.strictEqual(graded(truth, [], "Bastian Grabowski won 43 deals."), "wrong")
    assert.strictEqual(graded(truth, [], REFUSED), "refused")
  })
  it("are introductions", () => {
    const three = "- How many deals are open?\n- What is our win rate?\n- Why do we lose?"
    assert.strictEqual(
      graded(introduces, [], `This workspace holds 1,600 deals. Ask, for example:\n\n${three}`),
      "right",
    )
    assert.strictEqual(graded(introduces, [], "This workspace holds 1,600 deals."), "partly")
    assert.strictEqual(graded(introduces, [], "Nothing in this workspace answers this."), "refused")
    assert.strictEqual(graded(introduces, [], "“Single sign-on: they asked how it works.”"), "wrong")
  })
})
