import { assert, describe, it } from "vitest"
import type { Kind, WorkspaceNames } from "../../src/core/answers/questions/words/names.ts"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import type { Today } from "../../src/core/answers/questions/words/periods.ts"
import { NAMES } from "./dealNames.ts"

/** The fiscal year 2027 has run since February 2026. */
const TODAY: Today = { now: new Date("2026-11-26T12:00:00Z"), fiscalStart: 2 }

const of = (kind: Kind, ...names: ReadonlyArray<string>) =>
  names.map((name, n) => ({ kind, value: `${kind}_${n}`, name }))
const KNOWN: WorkspaceNames = {
  ...NAMES,
  names: [
    ...of("region", "UK and Ireland", "Southern Europe", "North America", "Nordics"),
    ...of("product", "Quellaria Flow", "Quellaria Ledger", "Quellaria Signal"),
    ...of("feature", "Single sign-on", "Open API", "Scenario planning"),
    ...of("reason", "Security review", "Total cost", "Contracts"),
    ...of("competitor", "Brixen Suite"),
    ...of("owner", "Farah Rasmussen", "Lars Ilves", "May Price"),
    ...of("stage", "Evaluation"),
    ...of("deal_type", "New business", "Renewal"),
  ],
}
const read = (question: string) => parse(question, KNOWN, TODAY)

/** Days as "from to"; an open end is left out. */
const PERIODS: Readonly<Record<string, ReadonlyArray<string>>> = {
  "2026-09-01 ": [
    "since the 1st of September",
    "since the first of Sept",
    "from 1 September",
    "since the start of September",
    "since 1.9.",
  ],
  "2026-09-01 2026-11-26": ["1 Sept to date", "from 1 September until today"],
  "2026-01-01 ": ["from January", "since Jan 2026"],
  "2025-01-01 2025-12-31": ["from 2025"],
  "2026-11-25 2026-11-25": ["from yesterday"],
  "2024-02-01 2026-01-31": ["between FY25 and FY26"],
  "2026-03-01 2026-03-31": ["from March", "March this year"],
  "2026-04-01 2026-06-15": [
    "1 April to 15 June 2026",
    "first of April to fifteenth of June 2026",
    "between the first of April and the fifteenth of June this year",
    "for April 1 through June 15, 2026",
    "1 Apr - 15 Jun 26",
    "1Apr–15Jun 26",
    "apr 1 to jun 15 this yr",
    "1/4–15/6/26",
    "01/04-15/06/2026",
    "1.4.-15.6.2026",
  ],
  "2025-11-01 2026-02-15": ["1 November to 15 February"],
  "2026-02-01 2026-07-31": ["H1 this year", "the first half of this year", "h1", "H1 FY27"],
  "2025-05-01 2025-07-31": [
    "Q2 2026",
    "Q2 26",
    "Q2'26",
    "Q2/26",
    "q2 of fiscal year 2026",
    "the second quarter of last year",
  ],
  "2025-02-01 2026-01-31": ["financial year 2026", "FY2026", "fiscal '26", "LY", "last yr"],
  "2026-10-28 2026-11-26": [
    "the last thirty days",
    "L30D",
    "last 30d",
    "30d",
    "trailing 30 days",
    "these last thirty days",
    "thirty days back to today",
    "lately, the last 30 days",
  ],
  "2026-10-13 2026-11-26": ["last forty-five days"],
  "2025-11-26 2026-11-26": ["L12M", "last 12 mos", "last twelve mths", "LTM"],
  "2026-08-01 2026-10-31": ["LQ", "last qtr", "prev Q", "prev quarter"],
  "2026-11-01 2027-01-31": ["this q", "current qtr"],
  "2026-10-01 2026-10-31": ["LM", "prev month", "October, so last month"],
  "2026-11-01 2026-11-30": ["this mo", "current mo"],
  "2026-12-01 2026-12-31": ["next mo"],
}

const NO_PERIOD = [
  "May I see the deals",
  "the table may well be empty",
  "customers who may choose",
  "the most recently created deals",
  "lm",
  "over 90d",
  "3/4/26",
]

describe("a period in other words", () => {
  for (const [days, texts] of Object.entries(PERIODS))
    it(`is ${days}`, () => {
      for (const text of texts)
        assert.deepStrictEqual(
          read(`won deals ${text}`).periods.map(({ from = "", to = "" }) => `${from} ${to}`),
          [days],
          text,
        )
    })

  it("is none in a verb, an order, an age, or a date that can be two", () => {
    for (const text of NO_PERIOD) assert.deepStrictEqual(read(text).periods, [], text)
  })

  it("counts the things behind a month or a quarter, not its days or its year", () => {
    assert.deepStrictEqual(read("in march 3 biggest wins").periods, [{ from: "2026-03-01", to: "2026-03-31" }])
    assert.deepStrictEqual(read("top 3 march wins").periods, [{ from: "2026-03-01", to: "2026-03-31" }])
    assert.deepStrictEqual(read("Q2 20 biggest deals").periods, [{ from: "2026-05-01", to: "2026-07-31" }])
  })
})

describe("an amount in other words", () => {
  for (const [text, amount] of [
    ["under twenty thousand", { max: 19_999.99 }],
    ["over a quarter of a million", { min: 250_000.01 }],
    ["at least half a million", { min: 500_000 }],
    ["over two hundred and fifty thousand euros", { min: 250_000.01 }],
    ["under 20 grand", { max: 19_999.99 }],
    ["the sub-€10K deals", { max: 9_999.99 }],
    ["under-50,000-euro ones", { max: 49_999.99 }],
    ["the over-250Ks", { min: 250_000.01 }],
    ["50k-plus", { min: 50_000 }],
    ["<10k deals", { max: 9_999.99 }],
    ["more than a thousand deals", undefined],
    ["under 10 deals", undefined],
  ] as const)
    it(text, () => assert.deepStrictEqual(read(`won ${text}`).conditions.amount, amount))
})

describe("an age in other words", () => {
  for (const [text, days] of [
    ["more than sixty days old", { min: 61 }],
    ["over 120 days old, overdue", { min: 121 }],
    ["past 120 days old", { min: 121 }],
    ["older than a year", { min: 366 }],
    ["age >60d", { min: 61 }],
    ["that have been alive over 120 days", { min: 121 }],
    ["lying about more than 180 days", { min: 181 }],
    ["aged beyond ninety days", { min: 91 }],
    ["open 90+ days", { min: 90 }],
    ["90 days or older", { min: 90 }],
    ["less than 30 days old", { max: 29 }],
    ["been around 90-plus days", { min: 90 }],
    ["around 90 days", undefined],
    ["open and closed", undefined],
    ["over 90 days", undefined],
  ] as const)
    it(text, () => {
      const { conditions, periods } = read(`deals ${text}`)
      assert.deepStrictEqual([conditions.open_days, conditions.close_date, periods], [days, undefined, []])
    })
})

describe("a short form", () => {
  for (const [text, ...names] of [
    ["What's Ledger losing us?", "Quellaria Ledger"],
    ["Ledger vs Flow open pipeline", "Quellaria Ledger", "Quellaria Flow"],
    ["won in UK & Ireland", "UK and Ireland"],
    ["won in uk&i", "UK and Ireland"],
    ["won UK/Ireland", "UK and Ireland"],
    ["S. Europe won", "Southern Europe"],
    ["won s europe", "Southern Europe"],
    ["Southern European wins", "Southern Europe"],
    ["N America or NA", "North America", "North America"],
    ["nordic deals", "Nordics"],
    ["wins with SSO", "Single sign-on"],
    ["WON SSO", "Single sign-on"],
    ["wins with single sign on", "Single sign-on"],
    ["farahs deals", "Farah Rasmussen"],
    ["lars' deals", "Lars Ilves"],
    ["brixen security reviews, renewals", "Brixen Suite", "Security review", "Renewal"],
    ["new businesses", "New business"],
    // Several names, words of questions, and what another name begins with.
    ["Quellaria deals"],
    ["won na"],
    ["what is the signal in it"],
    ["the average price, prices and contract value in May"],
    ["Price's deals", "May Price"],
    ["evaluations that included"],
  ] as const)
    it(`${text}: ${names.join(", ") || "none"}`, () =>
      assert.deepStrictEqual(
        read(text).names.map(({ name }) => name),
        [...names],
      ))

  it("that two names share is left unread", () => {
    const both = {
      ...KNOWN,
      names: [...KNOWN.names, ...of("feature", "Scheduled sync option"), ...of("region", "UK and Iceland")],
    }
    for (const text of ["wins with SSO", "won UK&I"]) assert.deepStrictEqual(parse(text, both, TODAY).names, [], text)
  })
})
