import { assert, describe, it } from "@effect/vitest"
import { Grounding } from "../../src/core/answers/citations/Grounding.ts"
import { LinkRemover } from "../../src/core/answers/citations/LinkRemover.ts"
import { MarkerScanner } from "../../src/core/answers/citations/MarkerScanner.ts"
import { type Citable, References } from "../../src/core/answers/citations/References.ts"
import { Evidence } from "../../src/core/answers/citations/verifier.ts"
import { makeProfile } from "../../src/core/answers/citations/profile.ts"
import { makeRandom, type Random, seedOfRun } from "../support/random.ts"
import { passage } from "./passages.ts"

const equally = () => 1
const carries = (evidence: string, claim: string) =>
  new Evidence(evidence).find(makeProfile(claim), equally) !== undefined

/** The scanner's output for a text that comes in these pieces: text unchanged, refs between angle quotes. */
const scanned = (pieces: ReadonlyArray<string>) => {
  const scanner = new MarkerScanner()
  return [...pieces.map((piece) => scanner.push(piece)), scanner.end()]
    .flat()
    .map((piece) => {
      if (piece.type === "value") return `${piece.before}«${piece.expression}»`
      return piece.type === "text" ? piece.text : (piece.else ?? `«${piece.refs.join()}»`)
    })
    .join("")
}

const quoted = (citable: Citable | undefined) => {
  if (citable?.kind !== "quote") return undefined
  const { passage, start, end } = citable.quote
  return passage.text.slice(start, end)
}

const unlinked = (text: string) => {
  const remover = new LinkRemover()
  return remover.push(text) + remover.end()
}

const seed = seedOfRun("citations")

const splits = (text: string, { below }: Random) => {
  const pieces: Array<string> = []
  for (let at = 0; at < text.length;) {
    const length = below(6)
    pieces.push(text.slice(at, at + length))
    at += length
  }
  return pieces
}

describe("markers", () => {
  it("are found alone, with several refs, and side by side", () => {
    assert.strictEqual(
      scanned(["It costs 5 [[k7f3]]. Two [[a2b3, c4d5]][[x9z9]]."]),
      "It costs 5«k7f3». Two«a2b3,c4d5»«x9z9».",
    )
  })
  it("are not confused with other brackets", () => {
    for (const text of [
      "a[0][1]",
      "[[not a ref because it is much too long to be one]]",
      "[[[",
      "[[k7f3",
      "[k7f3]",
      "x [[",
    ]) {
      assert.strictEqual(scanned([text]), text)
    }
  })
  it("can name a value of a row", () => {
    assert.strictEqual(
      scanned(["rate [[k7f3.win_rate]], [[k7f3.custom_metric_Fit 2_avg ]]"]),
      "rate «k7f3.win_rate», «k7f3.custom_metric_Fit 2_avg»",
    )
    assert.strictEqual(scanned(["both [[k7f3.won − m2q9.lost]]."]), "both «k7f3.won − m2q9.lost».")
  })
  it("are ignored in fenced code, and found after it", () => {
    const code = "```ts\nlet a = [[k7f3]]\n```\n"
    assert.strictEqual(scanned([`${code}So [[k7f3]]`]), `${code}So«k7f3»`)
    assert.strictEqual(scanned(["``` not `code`\nSo [[k7f3]]"]), "``` not `code`\nSo«k7f3»")
    assert.strictEqual(scanned(["~~~~\n~~~\n[[k7f3]]\n~~~~\nSo [[k7f3]]"]), "~~~~\n~~~\n[[k7f3]]\n~~~~\nSo«k7f3»")
  })
  it("do not depend on how the text is split, and hold back at most 108 characters", () => {
    const random = makeRandom(seed)
    const bits = ["[", "]", "[[", "]]", " ", "k7f3", ",", "```", "\n", "a", "~~~", "é", "😀", "(", "-"]
    for (let round = 0; round < 2000; round++) {
      const text = Array.from({ length: 40 }, () => random.pick(bits)).join("")
      const whole = scanned([text])
      assert.strictEqual(scanned(splits(text, random)), whole)
      assert.strictEqual(scanned([...text]), whole)
      const scanner = new MarkerScanner()
      const at = random.below(text.length)
      const before = scanner
        .push(text.slice(0, at))
        .map((piece) => (piece.type === "text" ? piece.text : ""))
        .join("")
      const held = scanner
        .end()
        .map((piece) => (piece.type === "text" ? piece.text : ""))
        .join("")
      assert.isAtMost(held.length, 108, before)
    }
  })
})

describe("links", () => {
  const kept: ReadonlyArray<readonly [string, string]> = [
    ['See [our site](https://evil.test/a_(b)?q=1 "t") now', "See [our site] now"],
    ["![pixel](https://evil.test/p.png)", "![pixel]"],
    ["[a](x)(https://evil.test)", "[a]"],
    ["<https://evil.test/x> and <img src=x onerror=y>", "<(link removed)> and < img src=x onerror=y>"],
    ["Go to https://evil.test/x?d=secret, then", "Go to (link removed), then"],
    ["Go to HTTPS://evil.test. Or www.evil.test", "Go to (link removed). Or (link removed)"],
    ["[label]: https://evil.test\n[a][label]", "[label] : (link removed)\n[a][label]"],
    ["[a](javascript:alert(1)) [b](//evil.test) [c](data:text/html,x)", "[a] [b] [c]"],
    ["if a < b and c > d: e:f at 10:30, and/or x//y", "if a < b and c > d: e:f at 10:30, and/or x//y"],
    ["(see ftp://evil.test)", "(see (link removed))"],
    ["[a](no end\nNext line", "[a]\nNext line"],
    ["avery-long-word-that-is-no-scheme: yes", "avery-long-word-that-is-no-scheme: yes"],
  ]
  for (const [written, shown] of kept)
    it(`${JSON.stringify(written)} shows as ${shown}`, () => assert.strictEqual(unlinked(written), shown))

  it("are removed in any context and however the text is split", () => {
    const random = makeRandom(seed)
    const bits = [
      "[",
      "]",
      "(",
      ")",
      "!",
      "<",
      ">",
      "https",
      ":",
      "/",
      "//",
      "://",
      "evil.test",
      "www.",
      " ",
      "\n",
      "a",
      "\\",
      "`",
      "[[zzzz]]",
      "[[",
      "]]",
      ":x",
    ]
    for (let round = 0; round < 5000; round++) {
      const text = Array.from({ length: 30 }, () => random.pick(bits)).join("")
      const grounded = (pieces: ReadonlyArray<string>) => {
        const grounding = new Grounding(new References())
        const said = [...pieces.map((piece) => grounding.push(piece)), grounding.end()].flat()
        return said.map((piece) => (piece.type === "text" ? piece.text : piece.type === "missing" ? "" : "?")).join("")
      }
      const shown = grounded([text])
      assert.notMatch(shown, /[a-z]:\/\/|\]\((?!link removed)|\]:|<[a-z/!?]|(?<![a-z.])www\.[^.\s]/i, text)
      assert.strictEqual(grounded(splits(text, random)), shown)
      const grounding = new Grounding(new References())
      grounding.push(text.slice(0, random.below(text.length)))
      const held = grounding.end().map((piece) => (piece.type === "text" ? piece.text : ""))
      assert.isAtMost(held.join("").length, 64, text)
    }
  })
})

describe("a claim", () => {
  const evidence =
    "Acme Cloud raised its price to $1,200 per seat in March 2025. It did not change the Starter plan. Support answers within 4 hours."
  it("is supported by text that states it, also with other word forms", () => {
    for (const claim of [
      "Acme Cloud raised its price to $1,200 per seat in March 2025.",
      "In March 2025, Acme Cloud raised the price per seat to 1200 dollars.",
      "The Starter plan did not change.",
      "**Support** answers within four hours",
    ])
      assert.isTrue(carries(evidence, claim), claim)
  })
  it("is not supported without its number, name or denial", () => {
    for (const claim of [
      "Acme Cloud raised its price to $1,300 per seat in March 2025.",
      "Acme Cloud raised its price to $1,200 per seat in April 2025.",
      "Apex Cloud raised its price to $1,200 per seat in March 2025.",
      "Support does not answer within 4 hours.",
      "Acme Cloud raised its price, and customers left for its rivals in Europe.",
      "So it is.",
      "",
    ])
      assert.isFalse(carries(evidence, claim), claim)
  })
  it("is not supported by text that denies it, but by text that denies something else", () => {
    assert.isFalse(carries("Acme does not support SSO.", "Acme supports SSO"))
    assert.isTrue(carries("Acme does not support SSO.", "Acme does not support SSO"))
    assert.isTrue(
      carries("Acme supports SSO on every plan, though not yet for guests of a workspace.", "Acme supports SSO"),
    )
  })
  it("can take words and names, but no numbers, from labels", () => {
    const call = new Evidence("They fear that it is cheaper. The fee is $900.", {
      labels: "Call 7.md\nHarbor Freight\nPricing",
    })
    const found = (claim: string) => call.find(makeProfile(claim), equally) !== undefined
    assert.isTrue(found("Harbor Freight fears that it is cheaper"))
    assert.isTrue(found("- Price: the fee is $900"))
    assert.isFalse(found("Harbor Bank fears that it is cheaper"))
    assert.isFalse(found("The fee is $7"))
  })
  it("needs evidence with four fifths of its weight", () => {
    const known = "harbor freight chose the cheaper rival because onboarding looked shorter"
    assert.isTrue(carries(known, "harbor freight chose cheaper rival because onboarding looked quietly"))
    // 7 of 9 words: .78. The last sentence has 5 of 8: .63.
    assert.isFalse(carries(known, "harbor freight chose cheaper rival onboarding looked quietly overnight"))
    assert.isFalse(carries(known, "harbor freight chose cheaper rival quietly overnight elsewhere"))
  })
  it("finds the shortest part that supports it", () => {
    const span = new Evidence(evidence).find(makeProfile("The Starter plan did not change."), equally)
    assert.strictEqual(evidence.slice(span?.start, span?.end), "It did not change the Starter plan.")
  })
})

describe("grounding", () => {
  const references = new References()
  const price = references.ref(passage({ id: "d1", text: "Acme sells seats at $40 a month. Its setup fee is $900." }))
  const trial = references.ref(passage({ id: "d2", text: "Rivals find that the Acme trial lasts 14 days." }))
  const grounded = (pieces: ReadonlyArray<string>) => {
    const grounding = new Grounding(references)
    return [...pieces.map((piece) => grounding.push(piece)), grounding.end()]
      .flat()
      .map((piece) =>
        piece.type === "text"
          ? piece.text
          : piece.type === "quotes"
            ? piece.quotes.map((each) => `«${quoted(each)}»`).join("")
            : `(${piece.type})`,
      )
      .join("")
  }

  it("quotes what supports each sentence, and drops other markers, before or after the full stop", () => {
    const text = `Acme sells seats at $40 [[${price}]]. The trial lasts 14 days. [[${trial}]] The setup fee is $700 [[${price}]]. Seats cost $40 [[zzzz]].`
    const expected =
      "Acme sells seats at $40«Acme sells seats at $40 a month.». The trial lasts 14 days.«Rivals find that the Acme trial lasts 14 days.» The setup fee is $700. Seats cost $40."
    assert.strictEqual(grounded([text]), expected)
    assert.strictEqual(grounded([...text]), expected)
  })
  it("reads a ref in single brackets as a marker, and other words there as text", () => {
    assert.strictEqual(
      grounded([`Acme sells seats at $40 [${price}]. See [zzzz] and [2345] [ok].`]),
      "Acme sells seats at $40«Acme sells seats at $40 a month.». See [zzzz] and [2345] [ok].",
    )
  })
  it("reads a sentence with two markers as two claims, and adjacent markers as one claim", () => {
    assert.strictEqual(
      grounded([`Acme sells seats at $40 [[${price}]] and the trial lasts 14 days [[${trial}]][[${price}]].`]),
      "Acme sells seats at $40«Acme sells seats at $40 a month.» and the trial lasts 14 days«Rivals find that the Acme trial lasts 14 days.».",
    )
  })
  it("keeps every word of a cited sentence out of the next claim", () => {
    assert.strictEqual(
      grounded([`Acme sells seats at $40 a month [[${price}]] and its setup fee is $900 [[${price}]].`]),
      "Acme sells seats at $40 a month«Acme sells seats at $40 a month.» and its setup fee is $900«Its setup fee is $900.».",
    )
    const month = references.ref(passage({ id: "d3", text: "A month has 30 days." }))
    assert.strictEqual(
      grounded([`Acme sells seats at $40 a month [[${price}]][[${month}]].`]),
      "Acme sells seats at $40 a month«Acme sells seats at $40 a month.».",
    )
  })
  it("cites the facts of a deal record that a sentence combines", () => {
    const text =
      "Harbor Freight\n\nAmount: 48,000\nStatus: Closed Lost\nRegion: EMEA\nCompetitors: Zenith Cloud\nOwner: Anna Berg"
    const deals = new References()
    const ref = deals.ref(
      passage({ id: "d", source: "deal", name: "Harbor Freight", dealName: "Harbor Freight", text }),
    )
    const quotedFor = (claim: string) => quoted(deals.quote(ref, claim))
    assert.strictEqual(quotedFor("Harbor Freight is a deal of $48,000."), "Amount: 48,000")
    assert.match(
      quotedFor("We lost Harbor Freight, worth $48,000, to Zenith Cloud") ?? "",
      /^Amount: 48,000\n[^]*Zenith Cloud$/,
    )
    assert.isUndefined(quotedFor("We lost Harbor Freight, worth $48,000, to Orbit"))
    assert.isUndefined(quotedFor("Harbor Freight is a deal of $84,000."))
    assert.isUndefined(quotedFor("Harbor Bank is a deal of $48,000."))
  })
})
