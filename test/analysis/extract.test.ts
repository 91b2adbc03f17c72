import { assert, describe, it } from "@effect/vitest"
import { effectOf, extractFrom, sidesOf } from "./extracting.ts"

describe("names in texts", () => {
  it("are found by name, alias, plural and split words, and by slips of names of six letters and more", () => {
    for (const [text, expected] of [
      ["We also met Orvanta.", ["Orvanta"]],
      ["We also met Orvanta Flow.", ["Orvanta"]],
      ["Orvanta's price is low.", ["Orvanta"]],
      ["We also met Orvannta.", ["Orvanta"]],
      ["We also met or vanta last week.", ["Orvanta"]],
      ["We also met Oravnta.", ["Orvanta"]],
      ["Nova is new.", ["Nova"]],
      // Five letters and fewer need to be exact; a name is no part of a longer word.
      ["We also met Novae.", []],
      ["We also met Orvantaria.", []],
      ["The dashboard is nice and SSO too.", ["Dashboards", "Single sign-on"]],
      ["We use single-sign-on.", ["Single sign-on"]],
    ] as const) {
      assert.deepStrictEqual(
        extractFrom(text)
          .filter(({ kind }) => kind === "competitor" || kind === "feature")
          .map(({ target }) => target.name),
        [...expected],
        text,
      )
    }
  })

  it("that are ordinary words count only where they are used as names", () => {
    const named = (text: string) => extractFrom(text).some(({ target }) => target.name === "Summit")
    for (const text of [
      "We are also talking to Summit.",
      "Summit is cheaper.",
      "we are also talking to summit now",
      "than summit offers",
    ])
      assert.isTrue(named(text), text)
    for (const text of ["The Summit of the board is on Monday.", "We met at a summit in May.", "our summit went well"])
      assert.isFalse(named(text), text)
  })
})

describe("the topic of a sentence", () => {
  it("is not in the name of a feature", () => {
    const of = (text: string) => extractFrom(text).map(({ kind, target }) => `${kind} ${target.name}`)
    assert.deepStrictEqual(of("Our team loves the support portal."), ["feature Support portal"])
    assert.deepStrictEqual(of("Our team loves your support."), ["driver Support"])
  })
})

describe("the effect of a sentence on a thing", () => {
  it("follows its words, negations, clauses and comparisons", () => {
    for (const [text, expected] of [
      ["We love Dashboards.", "positive"],
      ["Dashboards is too slow.", "negative"],
      ["We do not like Dashboards.", "negative"],
      ["We have no complaints about Dashboards.", "positive"],
      ["Dashboards was not as good as we had hoped.", "negative"],
      ["Dashboards is great, but the contract was terrible.", "positive"],
      ["The contract is great, but Dashboards was terrible.", "negative"],
      ["Can you show us Dashboards?", "neutral"],
      ["We do not need Dashboards.", "neutral"],
      ["Dashboards was in the offer.", null],
      ["[sarcastic] We just love Dashboards.", "negative"],
    ] as const)
      assert.strictEqual(effectOf(text, "Dashboards"), expected, text)
  })

  it("turns around for competitors, whose praise speaks against us", () => {
    for (const [text, expected] of [
      ["Orvanta is cheaper than you.", "negative"],
      ["We like Orvanta a lot.", "negative"],
      ["Orvanta was too expensive.", "positive"],
      ["You are better than Orvanta.", "positive"],
      ["Do you know Orvanta?", "neutral"],
      ["We have a proposal from Orvanta.", null],
    ] as const)
      assert.strictEqual(effectOf(text, "Orvanta"), expected, text)
  })
})

describe("the side of a speaker", () => {
  it("is the seller's by our names, domains and people, and the buyer's by the client's", () => {
    const sideOf = sidesOf({ ourNames: ["Acme GmbH"], ourDomains: ["group.example"], ourPeople: ["Farah Rasmussen"] })
    for (const [label, expected] of [
      ["Jo Lee (Acme)", "seller"],
      ["jo@mail.group.example", "seller"],
      ["Farah Rasmussen", "seller"],
      ["Dana Reyes (Hartwell)", "buyer"],
      ["Dana Reyes | Hartwell Logistics", "buyer"],
      ["dana@hartwell.example", "buyer"],
      ["Customer", "buyer"],
      ["Sam Poe (Bright Partners)", "unknown"],
      ["Dana Reyes", "unknown"],
      ["Pacmen (Placme)", "unknown"],
    ] as const)
      assert.strictEqual(sideOf(label), expected, label)
    assert.strictEqual(sideOf(undefined), "unknown")
  })

  it("is the seller's for another company only while the workspace has no names of its own", () => {
    const sideOf = sidesOf({ ourNames: [], ourDomains: [], ourPeople: [] })
    assert.strictEqual(sideOf("Jo Lee (Acme)"), "seller")
    assert.strictEqual(sideOf("jo@acme.example"), "seller")
    assert.strictEqual(sideOf("Dana Reyes (Hartwell)"), "buyer")
    assert.strictEqual(sideOf("Jo Lee"), "unknown")
  })
})

describe("an extraction", () => {
  it("quotes verbatim, whatever the text", () => {
    const text = "We love  dashboards,\n\tand “Orvanta” is too slow… Price?! It's 5 € — too high. 🎈 Support was great."
    for (const { quote, start, end } of extractFrom(text)) assert.strictEqual(text.slice(start, end), quote)
    assert.isAtLeast(extractFrom(text).length, 3)
  })

  it("takes no reason for or against us from a sentence about a competitor", () => {
    const found = extractFrom("Dana (Hartwell): The support of Orvanta was terrible.", "Dana (Hartwell): Hello.")
    assert.deepStrictEqual(
      found.map(({ kind, effect }) => [kind, effect]),
      [["competitor", "positive"]],
    )
  })

  it("takes drivers and key quotes from the buyer only", () => {
    const said =
      "Acme Rep (Acme): The price is too high, I know.\n\nDana (Hartwell): Your support was terrible last month."
    const drivers = extractFrom(...said.split("\n\n")).filter(({ kind }) => kind === "driver" || kind === "quote")
    assert.deepStrictEqual(
      drivers.map(({ kind, target, side, effect }) => [kind, target.name, side, effect]),
      [
        ["driver", "Support", "buyer", "negative"],
        ["quote", "Support", "buyer", "negative"],
      ],
    )
  })
})
